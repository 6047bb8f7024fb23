"""Views follow from events alone, and live is the same as replayed."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from harness.control import append_command
from harness.events.base import ErrorInfo, Usage
from harness.events.model import ModelRequested, ModelTurn, RequestRetried
from harness.events.run import SampleProgress, SampleStarted, SessionEnded, SessionStarted
from harness.events.sample import AttemptStarted, EpisodeFinished
from harness.events.tool import ToolResult, TreeChange
from harness.outcome import SampleState, StopReason
from harness.state.follow import RunFollower, SampleFollower
from harness.state.reduce import apply_delta, reduce_run, reduce_transcript
from harness.state.view import FileState, RunView, TranscriptView
from tests.support.counting_suite import carry_out, make_folder, make_plan

PAUSE_S = 0.01


def session(number: int = 1, elapsed: float = 0.0) -> SessionStarted:
    return SessionStarted(
        session=number,
        version=1,
        host="h",
        pid=1,
        samples=3,
        pending=3,
        concurrency=2,
        elapsed=elapsed,
    )


def started(key: str, attempt: int = 1, elapsed: float = 0.0) -> SampleStarted:
    return SampleStarted(
        sample=key, suite="s", task_id=key[:-2], epoch=1, attempt=attempt, elapsed=elapsed
    )


def test_samples_that_a_killed_session_left_open_wait_again() -> None:
    view = RunView()
    reduce_run(view, session())
    reduce_run(view, started("a@1"))
    reduce_run(view, SampleProgress(sample="a@1", state=SampleState.GRADING, turn=3))
    assert view.running == 1 and view.samples["a@1"].turn == 3
    reduce_run(view, session(2, elapsed=50.0))
    assert view.samples["a@1"].state is SampleState.QUEUED
    assert view.running == 0
    reduce_run(view, started("a@1", attempt=2))
    assert view.samples["a@1"].turn == 0


def test_a_late_progress_does_not_reopen_a_sample() -> None:
    view = RunView()
    reduce_run(view, started("a@1"))
    view.move(view.samples["a@1"], SampleState.RESOLVED)
    reduce_run(view, SampleProgress(sample="a@1", state=SampleState.RUNNING))
    assert view.samples["a@1"].state is SampleState.RESOLVED
    reduce_run(view, SampleProgress(sample="unknown@1", state=SampleState.RUNNING))


def test_a_notice_leaves_turn_and_tokens_as_they_are() -> None:
    view = RunView()
    reduce_run(view, started("a@1"))
    used = Usage(prompt=9, completion=1)
    reduce_run(view, SampleProgress(sample="a@1", state=SampleState.RUNNING, turn=3, usage=used))
    note = "http://lab/v1 answers again"
    reduce_run(view, SampleProgress(sample="a@1", state=SampleState.RUNNING, note=note))
    sample = view.samples["a@1"]
    assert (sample.turn, sample.usage, sample.note) == (3, used, note)


def test_a_retry_says_when_it_ends() -> None:
    view = TranscriptView()
    fault = ErrorInfo(kind="http_500", message="boom")
    retried = RequestRetried(
        turn=1, attempt=1, wait_s=2.0, error=fault, gives_up="gives up after 598 s more"
    )
    reduce_transcript(view, retried)
    assert view.waiting == "http_500: sending again in 2 s, gives up after 598 s more"


def test_deltas_join_by_offset_and_a_stored_turn_replaces_them() -> None:
    view = TranscriptView()
    reduce_transcript(view, ModelRequested(turn=1, attempt=1, endpoint="", messages=1, digest=""))
    apply_delta(view, 1, "text", 0, "one ")
    apply_delta(view, 1, "text", 4, "two")
    apply_delta(view, 1, "reasoning", 0, "hm")
    assert view.stream == {"text": "one two", "reasoning": "hm"}
    apply_delta(view, 1, "text", 0, "")
    apply_delta(view, 1, "text", 0, "again")
    assert view.stream["text"] == "again"
    reduce_transcript(view, ModelTurn(turn=1, content="again.", usage=Usage(prompt=5)))
    assert view.stream == {} and view.turn == 1 and view.usage.prompt == 5
    apply_delta(view, 1, "text", 0, "late")
    assert view.stream == {}
    apply_delta(view, 2, "text", 0, "next")
    assert (view.stream_turn, view.stream) == (2, {"text": "next"})


def test_text_that_is_read_before_its_request_is_not_lost() -> None:
    view = TranscriptView()
    apply_delta(view, 1, "text", 0, "quick")
    reduce_transcript(view, ModelRequested(turn=1, attempt=1, endpoint="", messages=1, digest=""))
    assert view.stream == {"text": "quick"}


def test_a_retry_is_shown_until_the_next_sending() -> None:
    view = TranscriptView()
    error = ErrorInfo(kind="rate_limit", message="slow down")
    reduce_transcript(view, RequestRetried(turn=1, attempt=1, wait_s=12.0, error=error))
    assert view.waiting == "rate_limit: sending again in 12 s"
    reduce_transcript(view, ModelRequested(turn=1, attempt=2, endpoint="", messages=1, digest=""))
    assert view.waiting == "" and view.retries == 1


def test_the_tree_follows_the_calls() -> None:
    view = TranscriptView()
    tree = {"a.py": {"digest": "1" * 64, "mode": 0o644, "size": 1}}
    reduce_transcript(
        view,
        AttemptStarted(
            version=1,
            run_id="r",
            sample="s",
            suite="s",
            task_id="t",
            epoch=1,
            attempt=1,
            model="m",
            tree=tree,
        ),
    )
    changes = [
        TreeChange(path="a.py", before="1" * 64, after=None),
        TreeChange(path="b.py", before=None, after="2" * 64, mode_after=0o755),
    ]
    reduce_transcript(
        view,
        ToolResult(turn=1, call_id="1", name="x", arguments={}, text="", delta=changes),
    )
    assert view.tree == {"b.py": FileState("2" * 64, 0o755)}
    assert set(view.changed) == {"a.py", "b.py"} and view.edits == 1
    copy = view.copied()
    reduce_transcript(view, EpisodeFinished(stop_reason=StopReason.FINISHED))
    assert copy.stop_reason is None


async def test_live_equals_replay_for_the_run_and_for_a_sample(tmp_path: Path) -> None:
    for agentic in (True, False):
        folder = make_folder(
            tmp_path, make_plan(4, steps=3, delay_s=0.15, agentic=agentic), concurrency=2
        )
        run = RunFollower(folder.path)
        working = asyncio.create_task(carry_out(folder))
        followed: dict[str, SampleFollower] = {}
        streamed: set[str] = set()
        prompts: set[str] = set()
        paused = False
        while not working.done():
            run.poll()
            if not paused and run.view.session:
                append_command(folder.path, "set_concurrency", value=3)
                paused = True
            for key, sample in run.view.samples.items():
                follower = followed.setdefault(key, SampleFollower(folder.path, sample))
                follower.poll(sample)
                if follower.view.stream:
                    streamed.add(key)
                    prompts |= {key} if len(follower) >= 2 else set()
            await asyncio.sleep(PAUSE_S)
        await working
        run.catch_up()
        late = RunFollower(folder.path)
        assert late.catch_up() == run.view
        assert run.view.concurrency == 3
        assert isinstance(run.view.ended, SessionEnded)
        assert run.view.done == 4 and run.view.running == 0
        assert streamed == prompts == set(run.view.samples)
        for key, sample in run.view.samples.items():
            follower = followed[key]
            follower.poll(sample)
            fresh = SampleFollower(folder.path, sample)
            fresh.poll(sample)
            assert follower.view == fresh.view
            assert follower.view.turn == 3 and not follower.view.stream
            rows: list[Any] = [fresh.event(row) for row in range(len(fresh))]
            assert rows[0].type == "attempt_started" and rows[-1].type == "attempt_finished"
            follower.close()
            fresh.close()


async def test_rate_and_time_left_follow_the_runs_clock(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, make_plan(6, delay_s=0.05), concurrency=2)
    run = RunFollower(folder.path)
    assert run.view.eta_s() is None
    await carry_out(folder)
    run.catch_up()
    rate = run.view.rate()
    assert rate is not None and rate > 0
    assert run.view.eta_s() == 0
    assert run.view.eta_s(run.view.elapsed + 100) == 0


async def test_a_follower_sees_a_run_grow_by_extension(tmp_path: Path) -> None:
    from harness.execution.resume import extend
    from harness.plan import Launch
    from harness.store.run_folder import RunFolder

    folder = make_folder(tmp_path, make_plan(2))
    run = RunFollower(folder.path)
    await carry_out(folder)
    extend(folder, Launch(), make_plan(5))
    await carry_out(RunFolder.open(folder.path))
    run.catch_up()
    assert run.view.planned == 5 and run.view.scored == 5
    assert not run.running
