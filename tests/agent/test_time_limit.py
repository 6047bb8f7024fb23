"""The sample's time limit while a request is out: the episode ends there and is graded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.agent.calls import TIME_UP
from harness.events.model import ModelTurn
from harness.events.sample import LimitReached
from harness.models.protocol import SampleSeed
from harness.outcome import END_POLICY, StopReason
from tests.agent.test_replay import replayed, stored_run
from tests.support.scripted_server import call, calls, finish, say

MEND = call("edit_replace", path="app.py", old_text="a - b", new_text="a + b")
HOURS = 3600.0


@pytest.mark.parametrize("protocol", ["native", "text"])
async def test_a_silent_server_is_cut_and_the_tree_is_graded(bench: Any, protocol: str) -> None:
    run = bench(
        [finish().where(delay_s=HOURS)], limits={"sample_time_s": 0.3}, tool_protocol=protocol
    )
    outcome = await run.run()
    assert outcome.stop_reason is StopReason.TIME_LIMIT and outcome.error is None
    assert END_POLICY[outcome.stop_reason].grade and outcome.working_s >= 0.3
    (limit,) = run.sink.of(LimitReached)
    assert limit.name == "sample_time_limit" and limit.value >= limit.limit == 0.3
    assert any("no byte" in flag for flag in outcome.flags)


async def test_what_streamed_stays_in_the_transcript(bench: Any) -> None:
    slow = say("word " * 1000, chunk=5, pace_s=0.02)
    run = bench([MEND, slow], limits={"sample_time_s": 0.6})
    outcome = await run.run()
    assert outcome.stop_reason is StopReason.TIME_LIMIT and not outcome.flags
    assert "a + b" in (run.root / "app.py").read_text()
    whole, cut = run.sink.of(ModelTurn)
    assert not whole.time_up and cut.time_up and cut.truncated
    assert cut.content.startswith("word word ")


async def test_a_call_that_was_not_whole_is_not_carried_out(bench: Any) -> None:
    slow = calls(
        ("write_file", {"path": "early.py", "content": "x"}),
        ("write_file", {"path": "late.py", "content": "y" * 500}),
        chunk=20,
        end="hang",
        after=10,
    )
    run = bench([slow], limits={"sample_time_s": 0.5})
    outcome = await run.run()
    assert outcome.stop_reason is StopReason.TIME_LIMIT
    assert [(r.executed, r.text) for r in run.results] == [(False, TIME_UP)] * 2
    assert {p.name for p in run.root.iterdir()} == {"app.py", "notes.txt"}


async def test_half_a_block_of_the_text_protocol_is_no_call(bench: Any) -> None:
    block = '```json\n{"tool": "write_file", "arguments": {"path": "x", "content": ""}}\n```\n'
    run = bench(
        [say(f"{block} and", chunk=200, end="hang", after=2)],
        limits={"sample_time_s": 0.5},
        tool_protocol="text",
    )
    assert (await run.run()).stop_reason is StopReason.TIME_LIMIT
    assert not run.results and run.sink.of(ModelTurn)[0].content.startswith("```json")


async def test_a_cut_episode_is_replayed_to_the_same_end(bench: Any, tmp_path: Path) -> None:
    slow = calls(("write_file", {"path": "late.py", "content": "y" * 500}), end="hang", after=9)
    limits = {"sample_time_s": 0.6}
    first = bench([MEND, slow], limits=limits)
    model = await replayed(await stored_run(tmp_path / "runs", first))
    again = bench([finish()], limits=limits)
    outcome = await again.run(model.session(SampleSeed(key="t@1", suite="s", task=None)))
    assert outcome.stop_reason is StopReason.TIME_LIMIT
    assert [r.text for r in again.results] == [r.text for r in first.results]
    assert (again.root / "app.py").read_text() == (first.root / "app.py").read_text()
    assert [t.content for t in again.sink.of(ModelTurn)] == [
        t.content for t in first.sink.of(ModelTurn)
    ]
