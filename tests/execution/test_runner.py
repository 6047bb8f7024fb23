"""Sessions of a run in this process: every sample ends somewhere, and the folder says where."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from harness.control import append_command
from harness.errors import ConflictError, ContainmentError, ExitCode, StorageError, UsageError
from harness.events.run import (
    ControlAcknowledged,
    SampleFinished,
    SampleProgress,
    SampleStarted,
    SessionEnded,
)
from harness.events.sample import Fault
from harness.execution.runner import SessionSummary, run_session
from harness.execution.stop import StopSignal
from harness.models import redact
from harness.outcome import Verdict
from harness.plan import EndpointLaunch
from harness.store import layout
from harness.store.lock import is_running
from harness.store.run_folder import RunFolder
from harness.store.transcript import read_run_log, read_transcript
from harness.suites.protocol import SampleContext, SampleResult
from tests.support.counting_suite import (
    CountingSuite,
    EchoModel,
    carry_out,
    make_folder,
    make_plan,
)


def log(folder: RunFolder) -> list[Any]:
    return list(read_run_log(folder.path / layout.RUN_LOG))


def of(folder: RunFolder, kind: type) -> list[Any]:
    return [event for event in log(folder) if isinstance(event, kind)]


def scores(folder: RunFolder) -> dict[str, Verdict]:
    return {key: record.verdict for key, record in RunFolder.open(folder.path).records().items()}


@pytest.mark.parametrize("agentic", [False, True])
async def test_a_run_scores_every_sample_once_and_says_so(tmp_path: Path, agentic: bool) -> None:
    folder = make_folder(tmp_path, make_plan(12, epochs=2, agentic=agentic))
    summary = await carry_out(folder)
    assert (summary.reason, summary.planned, summary.scored) == ("complete", 24, 24)
    assert summary.exit_code is ExitCode.OK
    assert Counter(e.sample for e in of(folder, SampleFinished)) == Counter(list(scores(folder)))
    ended = log(folder)[-1]
    assert isinstance(ended, SessionEnded) and ended.cleanup_proven and ended.scored == 24
    for record in folder.records().values():
        assert record.transcript is not None
        path = folder.transcript_path(record.transcript)
        events = list(read_transcript(path, record.transcript.offset, record.transcript.length))
        assert events[0].type == "attempt_started" and events[-1].type == "attempt_finished"
    assert list((folder.path / layout.LIVE).iterdir()) == []
    assert not is_running(folder.path)


async def test_samples_begin_in_plan_order_epoch_by_epoch(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, make_plan(3, epochs=2), concurrency=1)
    await carry_out(folder)
    assert [(e.task_id, e.epoch) for e in of(folder, SampleStarted)] == [
        (task, epoch) for epoch in (1, 2) for task in ("t0000", "t0001", "t0002")
    ]


async def test_faults_leave_no_score_and_are_run_again_by_the_next_session(tmp_path: Path) -> None:
    redact.remember("very-secret-key")
    plan = make_plan(6, fail=["t0001"], crash=["t0004"], surprise="very-secret-key")
    folder = make_folder(tmp_path, plan)
    summary = await carry_out(folder)
    assert (summary.scored, summary.without_score, summary.pending) == (4, 2, 0)
    assert summary.reason == "complete"
    assert summary.exit_code is ExitCode.INCOMPLETE
    ends = {e.task_id: e for e in of(folder, SampleFinished)}
    assert ends["t0001"].stop_reason == "request_failed"
    assert ends["t0004"].stop_reason == "internal_error"
    assert "a bug" in ends["t0004"].error.traceback
    text = "".join(p.read_text() for p in folder.path.rglob("*.jsonl"))
    assert "very-secret-key" not in text and "[redacted]" in text
    reference = ends["t0004"].transcript
    events = list(read_transcript(folder.path / reference.file, reference.offset, reference.length))
    assert any(isinstance(event, Fault) for event in events)

    assert RunFolder.open(folder.path).transcript_of("t0004@1") == reference
    scored = folder.records()["t0000@1"].transcript
    assert RunFolder.open(folder.path).transcript_of("t0000@1") == scored

    before = (folder.path / layout.SAMPLES).read_bytes()
    again = await carry_out(RunFolder.open(folder.path))
    assert (again.scored, again.without_score, again.session) == (4, 2, 2)
    assert RunFolder.open(folder.path).attempts("t0004@1") == [1, 2]
    started = [(e.task_id, e.attempt) for e in of(folder, SampleStarted)]
    assert started[-2:] == [("t0001", 2), ("t0004", 2)]
    assert (folder.path / layout.SAMPLES).read_bytes() == before


async def test_a_finished_run_that_is_resumed_does_nothing(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, make_plan(3))
    await carry_out(folder)
    summary = await carry_out(RunFolder.open(folder.path))
    assert summary.exit_code is ExitCode.OK
    assert len(of(folder, SampleStarted)) == 3


class ClaimingSuite(CountingSuite):
    """Claims a score in a suite that executes code, without saying where it ran."""

    executes_code = True

    async def run_sample(self, context: SampleContext) -> SampleResult:
        result = await super().run_sample(context)
        if context.task_id == "t0000":
            raise ContainmentError("containment breach: eth0 is there")
        return result


async def run_with(folder: RunFolder, suite: CountingSuite) -> SessionSummary:
    return await run_session(folder, EchoModel(), {"counting": suite}, None, stop=StopSignal())


async def test_a_breach_of_containment_ends_the_run(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, make_plan(4), concurrency=1)
    summary = await run_with(folder, ClaimingSuite())
    assert summary.reason == "failed"
    assert summary.exit_code is ExitCode.REFUSED
    assert summary.scored == 0
    assert of(folder, SessionEnded)[-1].error.kind == "ContainmentError"


class OddSuite(CountingSuite):
    async def run_sample(self, context: SampleContext) -> SampleResult:
        result = await super().run_sample(context)
        if context.task_id == "t0001":
            return SampleResult(**{**vars(result), "partial": "all of it"})
        return result


async def test_a_result_that_cannot_be_stored_is_that_samples_fault_only(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, make_plan(4))
    summary = await run_with(folder, OddSuite())
    assert (summary.scored, summary.without_score) == (3, 1)
    (odd,) = [e for e in of(folder, SampleFinished) if e.task_id == "t0001"]
    assert odd.stop_reason == "internal_error"


async def test_two_suites_with_one_task_are_refused(tmp_path: Path) -> None:
    plan = make_plan(2)
    twice = plan.model_copy(
        update={"suites": (*plan.suites, plan.suites[0].model_copy(update={"name": "other"}))}
    )
    with pytest.raises(UsageError, match="both have a task 't0000'"):
        await carry_out(make_folder(tmp_path, twice))


async def test_a_second_runner_is_refused_while_the_first_goes_on(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, make_plan(4, delay_s=60))
    stop = StopSignal()
    first = asyncio.create_task(carry_out(folder, stop))
    while not is_running(folder.path):
        await asyncio.sleep(0.01)
    # A lock is held by an open file: a second folder object stands for a second process.
    with pytest.raises(ConflictError, match="is working on this run"):
        await asyncio.to_thread(lambda: asyncio.run(carry_out(RunFolder.open(folder.path))))
    assert not first.done()
    stop.request()
    assert (await first).session == 1


async def when(folder: RunFolder, kind: type, number: int = 1) -> None:
    """Wait until the run log has so many events of a kind."""
    while not (folder.path / layout.RUN_LOG).exists() or len(of(folder, kind)) < number:
        await asyncio.sleep(0.02)


async def test_a_cancelled_sample_has_no_score_and_the_rest_goes_on(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, make_plan(4, delay_s=0.3), concurrency=2)
    running = asyncio.create_task(carry_out(folder))
    await when(folder, SampleStarted, 2)
    command = append_command(folder.path, "cancel_sample", sample="t0001@1")
    nonsense = append_command(folder.path, "cancel_sample", sample="t9999@1")
    summary = await running
    assert (summary.scored, summary.without_score) == (3, 1)
    assert summary.exit_code is ExitCode.INCOMPLETE
    (ended,) = [e for e in of(folder, SampleFinished) if e.sample == "t0001@1"]
    assert (ended.verdict, ended.stop_reason) == (Verdict.NO_SCORE, "cancelled")
    answers = {e.command_id: e for e in of(folder, ControlAcknowledged)}
    assert answers[command].accepted
    assert not answers[nonsense].accepted and "not at work" in answers[nonsense].detail


async def test_a_cancelled_run_keeps_what_is_scored_and_the_rest_pending(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, make_plan(30, delay_s=0.1), concurrency=2)
    running = asyncio.create_task(carry_out(folder))
    await when(folder, SampleFinished, 2)
    append_command(folder.path, "cancel_run")
    summary = await running
    assert summary.reason == "cancelled"
    assert summary.exit_code is ExitCode.INCOMPLETE
    assert 2 <= summary.scored < 30
    assert summary.scored + summary.without_score + summary.pending == 30
    again = await carry_out(RunFolder.open(folder.path))
    assert again.scored == 30  # the old command is not for the new session


async def test_a_paused_run_starts_nothing_until_it_goes_on(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, make_plan(12, delay_s=0.05), concurrency=2)
    running = asyncio.create_task(carry_out(folder))
    await when(folder, SampleStarted, 2)
    append_command(folder.path, "pause")
    await when(folder, ControlAcknowledged)
    while True:  # what was at work ends
        started, ended = len(of(folder, SampleStarted)), len(of(folder, SampleFinished))
        if started == ended:
            break
        await asyncio.sleep(0.02)
    await asyncio.sleep(0.3)
    assert len(of(folder, SampleStarted)) == started < 12
    append_command(folder.path, "resume")
    assert (await running).scored == 12


async def test_concurrency_can_be_changed_on_the_way(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, make_plan(10, delay_s=0.4), concurrency=1)
    running = asyncio.create_task(carry_out(folder))
    await when(folder, SampleStarted)
    refused = append_command(folder.path, "set_concurrency", value=0)
    append_command(folder.path, "set_concurrency", value=9)
    await running
    most = now = 0
    for event in log(folder):
        now += isinstance(event, SampleStarted)
        now -= isinstance(event, SampleFinished)
        most = max(most, now)
    assert most >= 9
    answers = {e.command_id: e for e in of(folder, ControlAcknowledged)}
    assert not answers[refused].accepted


async def test_a_persons_call_is_refused_where_no_person_plays(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, make_plan(1, delay_s=0.3))
    running = asyncio.create_task(carry_out(folder))
    await when(folder, SampleStarted)
    append_command(folder.path, "human_call", sample="t0000@1", call={"name": "finish"})
    await running
    (answer,) = of(folder, ControlAcknowledged)
    assert not answer.accepted and "no person" in answer.detail


async def test_asked_once_open_samples_are_closed_and_stay_pending(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, make_plan(30, delay_s=0.2, agentic=True), concurrency=3)
    stop = StopSignal()
    running = asyncio.create_task(carry_out(folder, stop))
    await when(folder, SampleStarted, 5)
    stop.request()
    summary = await running
    assert summary.reason == "interrupted"
    assert summary.exit_code is ExitCode.INTERRUPTED
    interrupted = [e for e in of(folder, SampleFinished) if e.stop_reason == "interrupted"]
    assert 1 <= len(interrupted) <= 3
    for event in interrupted:
        last = list(read_transcript(folder.path / event.transcript.file))[-1]
        assert last.type == "attempt_finished"
    again = await carry_out(RunFolder.open(folder.path))
    assert again.scored == 30


async def test_asked_twice_the_session_ends_without_waiting(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, make_plan(4, delay_s=30, linger_s=60), concurrency=2)
    stop = StopSignal()
    running = asyncio.create_task(carry_out(folder, stop))
    await when(folder, SampleStarted, 2)
    stop.request()
    await asyncio.sleep(0.1)
    assert not running.done()
    stop.request()
    summary = await asyncio.wait_for(running, 10)
    assert summary.reason == "interrupted"
    assert not summary.cleanup_proven
    assert not is_running(folder.path)
    ended = [e.stop_reason for e in of(folder, SampleFinished)]
    assert ended == ["interrupted", "interrupted"]


async def test_the_runs_cost_limit_starts_no_more_samples_now_or_later(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, make_plan(20, run_cost=0.0051), concurrency=1)
    summary = await carry_out(folder)
    assert summary.scored == 5
    assert summary.reason == "interrupted"
    assert summary.exit_code is ExitCode.INCOMPLETE
    assert summary.without_score == 1 and summary.pending == 14
    again = await carry_out(RunFolder.open(folder.path))
    assert again.scored == 5
    assert any("cost limit" in e.text for e in log(folder) if e.type == "notice")


async def test_samples_say_which_endpoint_they_were_on_but_no_password(tmp_path: Path) -> None:
    endpoints = (
        EndpointLaunch(url="http://user:pw-secret@one/v1", slots=3),
        EndpointLaunch(url="http://two/v1"),
    )
    folder = make_folder(tmp_path, make_plan(8, delay_s=0.02), concurrency=4, endpoints=endpoints)
    await carry_out(folder)
    told = {record.endpoint for record in folder.records().values()}
    assert told == {event.endpoint for event in of(folder, SampleStarted)}
    assert len(told) == 2 and "http://two/v1" in told
    assert "pw-secret" not in (folder.path / layout.RUN_LOG).read_text()


async def test_progress_is_told_at_most_once_a_second(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, make_plan(1, steps=30, delay_s=0.05, agentic=True))
    await carry_out(folder)
    told = of(folder, SampleProgress)
    assert 1 <= len(told) <= 3


async def test_a_full_disk_ends_the_run_with_everything_so_far_intact(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("mounting a small file system needs root")
    disk = tmp_path / "disk"
    disk.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", str(disk)], capture_output=True
    )
    if done.returncode != 0:
        pytest.skip(f"no tmpfs can be mounted here: {done.stderr.decode()[:200]}")
    try:
        folder = make_folder(disk, make_plan(2000))
        summary = await carry_out(folder)
        assert summary.reason == "failed"
        assert isinstance(summary.error, StorageError)
        assert "free some space" in str(summary.error)
        assert 0 < summary.scored < 2000
        assert not is_running(folder.path)
        for name in ("run.jsonl", "samples.jsonl", "transcripts/shots-0000.jsonl"):
            for line in (folder.path / name).read_bytes().splitlines():
                json.loads(line)
        before = (folder.path / layout.SAMPLES).read_bytes()
        subprocess.run(["mount", "-o", "remount,size=40m", str(disk)], check=True)
        again = await carry_out(RunFolder.open(folder.path))
        assert again.scored == 2000
        assert (folder.path / layout.SAMPLES).read_bytes().startswith(before)
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)
