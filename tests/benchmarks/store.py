"""The store: samples a second that a run can keep, and the memory of one of 14,042 samples."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.benchmarks.figures import Figure

SAMPLES = 14_042  # the questions of MMLU's test part
ROOT = Path(__file__).resolve().parents[2]
# A process of its own, so that its peak is the run's. The model answers at once.
PROGRAM = """
import asyncio, json, resource, sys, tempfile, time
from pathlib import Path
from tests.support.counting_suite import carry_out, make_folder, make_plan
number = int(sys.argv[1])
with tempfile.TemporaryDirectory() as root:
    folder = make_folder(Path(root), make_plan(number), concurrency=32)
    started = time.perf_counter()
    summary = asyncio.run(carry_out(folder))
    seconds = time.perf_counter() - started
    assert summary.scored == number, summary
print(json.dumps([seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))
"""


def figures() -> list[Figure]:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(SAMPLES)], cwd=ROOT, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    seconds, peak = json.loads(done.stdout)
    return [
        Figure("single shots stored, no model", SAMPLES / seconds, "samples/s"),
        Figure(f"memory of a run of {SAMPLES:,} samples", peak, "MiB", None, "", "250 MiB",
               peak <= 250),
    ]  # fmt: skip
