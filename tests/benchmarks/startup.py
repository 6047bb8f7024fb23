"""How long a user waits for help, and for the interface."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

from tests.benchmarks.figures import Figure, median
from tests.benchmarks.peers import peer_python

_PROCTOR = str(Path(sys.executable).with_name("proctor"))
_PATIENCE_S = 60.0


def _wall(command: list[str], runs: int = 7) -> float:
    """Median wall seconds of ``command``, one warm-up before."""
    seconds = []
    for number in range(runs + 1):
        started = time.perf_counter()
        subprocess.run(command, capture_output=True, check=False)
        if number:
            seconds.append(time.perf_counter() - started)
    return median(seconds)


def _interface() -> tuple[float, float]:
    """Seconds from the start of ``proctor`` on a terminal to its first line, and to its first
    picture."""
    started = time.perf_counter()
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "xterm-256color"
        os.execv(_PROCTOR, [_PROCTOR])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
    seen, first, painted = b"", 0.0, 0.0
    try:
        while not painted and time.perf_counter() - started < _PATIENCE_S:
            if select.select([terminal], [], [], 0.05)[0]:
                seen += os.read(terminal, 1 << 16)
                now = time.perf_counter() - started
                first = first or now
                if b"quit" in seen:  # of the keys' line, the last one
                    painted = now
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(terminal)
    return first, painted or _PATIENCE_S


def figures() -> list[Figure]:
    ours = _wall([_PROCTOR, "--help"])
    peer = peer_python()
    mini = _wall([str(peer.with_name("mini")), "--help"], 3) if peer else None
    inspect = _wall([str(peer.with_name("inspect")), "--help"], 3) if peer else None
    starts = [_interface() for _ in range(6)][1:]
    first, painted = median([a for a, _ in starts]), median([b for _, b in starts])
    return [
        Figure("proctor on a terminal, first line", first, "s", target="0.25 s", met=first <= 0.25),
        Figure("proctor on a terminal, first picture", painted, "s"),
        Figure("proctor --help", ours, "s", mini, "mini --help", "0.25 s", ours <= 0.25),
        Figure("proctor --help", ours, "s", inspect, "inspect --help", "0.25 s", ours <= 0.25),
    ]
