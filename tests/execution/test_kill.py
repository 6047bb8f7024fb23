"""Runners as real processes: killed at any moment, interrupted once and twice."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from harness.events.run import SampleFinished, SampleStarted, SessionEnded
from harness.store import layout
from harness.store.lock import is_running
from harness.store.run_folder import RunFolder
from harness.store.transcript import read_run_log
from tests.support.counting_suite import carry_out, make_folder, make_plan

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "tests" / "support" / "counting_suite.py"


def runner(folder: RunFolder) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, str(PROGRAM), str(folder.path)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
    )


def wait_for(folder: RunFolder, kind: type, number: int, timeout_s: float = 60.0) -> None:
    deadline = time.monotonic() + timeout_s
    path = folder.path / layout.RUN_LOG
    while time.monotonic() < deadline:
        if path.exists() and sum(isinstance(e, kind) for e in read_run_log(path)) >= number:
            return
        time.sleep(0.02)
    pytest.fail(f"no {number} {kind.__name__} in time")


@pytest.mark.slow
@pytest.mark.parametrize("agentic", [False, True])
async def test_killed_at_random_moments_it_ends_at_the_scores_of_an_undisturbed_run(
    tmp_path: Path, agentic: bool
) -> None:
    seed = int(os.environ.get("PROCTOR_SEED") or random.randrange(10**6))
    print(f"PROCTOR_SEED={seed}")
    chance = random.Random(seed)
    plan = make_plan(60, epochs=2, steps=2, delay_s=0.02, agentic=agentic)
    calm = make_folder(tmp_path / "calm", plan, concurrency=4)
    await carry_out(calm)

    folder = make_folder(tmp_path / "killed", plan, concurrency=4)
    kept = b""
    for kill in range(6):
        process = runner(folder)
        if chance.random() < 0.5:
            time.sleep(chance.uniform(0.2, 0.8))  # also before it began, or in its first steps
        else:
            wait_for(folder, SampleFinished, kill * 8 + 1)
            time.sleep(chance.random() * 0.15)
        process.kill()
        process.wait(60)
        process.stderr.close()  # type: ignore[union-attr]
        assert not is_running(folder.path)
        samples = folder.path / layout.SAMPLES
        written = samples.read_bytes() if samples.exists() else b""
        assert written.startswith(kept)
        kept = written[: written.rfind(b"\n") + 1]
    process = runner(folder)
    code = process.wait(120)
    assert process.stderr is not None
    assert code == 0, process.stderr.read().decode()
    final = (folder.path / layout.SAMPLES).read_bytes()
    assert final.startswith(kept)

    one, other = (RunFolder.open(f.path).records() for f in (calm, folder))
    assert {k: r.verdict for k, r in one.items()} == {k: r.verdict for k, r in other.items()}
    events = list(read_run_log(folder.path / layout.RUN_LOG))
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    told = [e.sample for e in events if isinstance(e, SampleFinished) if e.verdict != "no_score"]
    assert sorted(told) == sorted(other), "each scored sample is told of exactly once"
    for record in other.values():
        assert record.transcript is not None
        path = folder.transcript_path(record.transcript)
        offset, length = record.transcript.offset, record.transcript.length or 0
        lines = path.read_bytes()[offset : offset + length].splitlines()
        assert json.loads(lines[0])["sample"] == record.sample
        assert json.loads(lines[-1])["type"] == "attempt_finished"


def test_kept_records_are_never_rewritten_by_a_resume(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, make_plan(40, delay_s=0.02), concurrency=2)
    process = runner(folder)
    wait_for(folder, SampleFinished, 5)
    process.kill()
    process.wait(30)
    process.stderr.close()  # type: ignore[union-attr]
    kept = (folder.path / layout.SAMPLES).read_bytes()
    kept = kept[: kept.rfind(b"\n") + 1]
    finished = len(RunFolder.open(folder.path).records())
    again = runner(folder)
    assert again.wait(60) == 0
    again.stderr.close()  # type: ignore[union-attr]
    assert (folder.path / layout.SAMPLES).read_bytes().startswith(kept)
    events = list(read_run_log(folder.path / layout.RUN_LOG))
    second = max(i for i, e in enumerate(events) if e.type == "session_started")
    started = [e for e in events[second:] if isinstance(e, SampleStarted)]
    assert len(started) == 40 - finished


def test_the_first_interrupt_closes_and_the_session_says_so(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, make_plan(40, delay_s=0.2), concurrency=2)
    process = runner(folder)
    wait_for(folder, SampleStarted, 3)
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 130
    assert process.stderr is not None and process.stderr.read() == b""
    ended = list(read_run_log(folder.path / layout.RUN_LOG))[-1]
    assert isinstance(ended, SessionEnded)
    assert ended.reason == "interrupted" and ended.cleanup_proven
    assert ended.scored + ended.without_score + ended.pending == 40


def test_a_termination_is_an_interrupt(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, make_plan(40, delay_s=0.2), concurrency=2)
    process = runner(folder)
    wait_for(folder, SampleStarted, 1)
    process.terminate()
    assert process.wait(30) == 130
    process.stderr.close()  # type: ignore[union-attr]


def test_the_second_interrupt_ends_at_once_and_the_run_goes_on_later(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, make_plan(4, delay_s=0.5, linger_s=100), concurrency=2)
    process = runner(folder)
    wait_for(folder, SampleStarted, 2)
    process.send_signal(signal.SIGINT)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.5)
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 130
    process.stderr.close()  # type: ignore[union-attr]
    ended = list(read_run_log(folder.path / layout.RUN_LOG))[-1]
    assert isinstance(ended, SessionEnded) and not ended.cleanup_proven
    again = runner(folder)
    assert again.wait(60) == 0
    again.stderr.close()  # type: ignore[union-attr]
    assert len(RunFolder.open(folder.path).records()) == 4
