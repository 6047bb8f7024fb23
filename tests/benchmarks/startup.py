"""How long a user waits for help."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from tests.benchmarks.figures import Figure, median
from tests.benchmarks.peers import peer_python


def _wall(command: list[str], runs: int = 7) -> float:
    """Median wall seconds of ``command``, one warm-up before."""
    seconds = []
    for number in range(runs + 1):
        started = time.perf_counter()
        subprocess.run(command, capture_output=True, check=False)
        if number:
            seconds.append(time.perf_counter() - started)
    return median(seconds)


def figures() -> list[Figure]:
    ours = _wall([str(Path(sys.executable).with_name("proctor")), "--help"])
    peer = peer_python()
    mini = _wall([str(peer.with_name("mini")), "--help"], 3) if peer else None
    inspect = _wall([str(peer.with_name("inspect")), "--help"], 3) if peer else None
    return [
        Figure("proctor --help", ours, "s", mini, "mini --help", "0.25 s", ours <= 0.25),
        Figure("proctor --help", ours, "s", inspect, "inspect --help", "0.25 s", ours <= 0.25),
    ]
