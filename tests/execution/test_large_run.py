"""A run of the largest suite's size stays small in memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness.store.run_folder import RunFolder
from tests.support.counting_suite import make_folder, make_plan

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = 14_042
MOST_MIB = 250

PROGRAM = """
import asyncio, json, sys, time
from harness.store.run_folder import RunFolder
from tests.support.counting_suite import carry_out
began = time.monotonic()
summary = asyncio.run(carry_out(RunFolder.open(sys.argv[1])))
# The usage of a process starts with its parent's peak; its own address space is new.
status = open("/proc/self/status").read()
peak = int(status.split("VmHWM:")[1].split()[0]) * 1024
spent = time.monotonic() - began
print(json.dumps({"scored": summary.scored, "peak": peak, "rate": summary.scored / spent}))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_memory_stays_flat_over_14042_samples(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, make_plan(SAMPLES), concurrency=8)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(folder.path)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
        timeout=150,
    )
    told = json.loads(done.stdout)
    print(f"{told['rate']:.0f} samples/s, peak {told['peak'] >> 20} MiB")
    assert told["scored"] == SAMPLES
    assert told["peak"] < MOST_MIB << 20
    assert len(RunFolder.open(folder.path).records()) == SAMPLES
