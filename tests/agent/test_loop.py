"""Episodes with real tools and a scripted server: how each one ends, and what is left of it."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from harness.events.model import MessageAdded, ModelRequested, ModelTurn, RequestRetried
from harness.events.sample import EpisodeFinished, Fault, LimitReached
from harness.models.protocol import SampleSeed
from harness.outcome import END_POLICY, StopReason
from tests.support.scripted_server import (
    Step,
    call,
    calls,
    error,
    finish,
    llama_props,
    say,
)

READ = call("read_file", path="app.py")
MEND = call("edit_replace", path="app.py", old_text="a - b", new_text="a + b")


async def test_an_episode_reads_edits_and_finishes(bench: Any) -> None:
    run = bench([READ, MEND, finish("mended")])
    outcome = await run.run()
    assert outcome.stop_reason is StopReason.FINISHED
    assert (run.root / "app.py").read_text() == "def add(a, b):\n    return a + b\n"
    assert outcome.metrics["turns"] == 3 and outcome.metrics["edits"] == 1
    assert outcome.metrics["per_tool"] == {"read_file": 1, "edit_replace": 1, "finish": 1}
    assert (outcome.usage.prompt, outcome.usage.completion) == (300, 30)
    system, user = run.server.requests[0].messages
    assert "finish" in system["content"] and "app.py (2 lines)" in user["content"]
    assert "Mend add." in user["content"]
    (change,) = run.results[1].delta
    assert run.sink.blobs[change.after] == (run.root / "app.py").read_bytes()
    kinds = [type(event) for event in run.sink.events[:4]]
    assert kinds == [MessageAdded, MessageAdded, ModelRequested, ModelTurn]


async def test_parallel_calls_run_in_order_and_none_after_finish(bench: Any) -> None:
    step = calls(
        ("read_file", {"path": "app.py"}),
        ("finish", {"summary": "x"}),
        ("write_file", {"path": "late.py", "content": "x"}),
    )
    run = bench([step])
    outcome = await run.run()
    assert outcome.stop_reason is StopReason.FINISHED
    assert [r.executed for r in run.results] == [True, True, False]
    assert not (run.root / "late.py").exists()


@pytest.mark.parametrize("raw", ['{"path": "a', "[1]", "null", '{"path": "app.py"}}'])
async def test_malformed_arguments_are_explained_and_never_sent_back(bench: Any, raw: str) -> None:
    run = bench([calls(("read_file", raw)), finish()])
    outcome = await run.run()
    assert outcome.stop_reason is StopReason.FINISHED
    assert outcome.metrics["malformed_calls"] == 1
    assert run.results[0].text.startswith("Error:") and not run.results[0].executed
    assert run.sink.of(ModelTurn)[0].tool_calls[0].raw == raw
    (sent,) = [m for m in run.server.requests[1].messages if m.get("tool_calls")]
    assert sent["tool_calls"][0]["function"]["arguments"] == "{}"


async def test_unknown_tools_and_odd_names_are_answered(bench: Any) -> None:
    run = bench([calls(("run_shell", {"command": "ls"}), ("<|x|>", {})), finish()])
    outcome = await run.run()
    assert outcome.stop_reason is StopReason.FINISHED and outcome.metrics["tool_errors"] == 2
    assert all("read_file" in result.text for result in run.results[:2])
    names = [
        c["function"]["name"]
        for m in run.server.requests[1].messages
        for c in m.get("tool_calls", ())
    ]
    assert names == ["run_shell", "invalid_tool_name"]


async def test_prose_is_nudged_three_times_in_a_row(bench: Any) -> None:
    run = bench([say("Let me think.")])
    outcome = await run.run()
    assert outcome.stop_reason is StopReason.NO_TOOL_CALLS
    assert len(run.server.requests) == 4 and outcome.metrics["nudges"] == 3


async def test_a_call_ends_the_row_of_nudges_but_not_the_total(bench: Any) -> None:
    run = bench([say("hm"), READ, say("hm"), READ, say("hm"), finish()], limits={"nudges_total": 2})
    outcome = await run.run()
    assert outcome.stop_reason is StopReason.NO_TOOL_CALLS and outcome.metrics["nudges"] == 2


async def test_an_empty_reply_counts_as_no_call(bench: Any) -> None:
    run = bench([say(""), say(""), finish()])
    outcome = await run.run()
    assert outcome.stop_reason is StopReason.FINISHED and outcome.metrics["nudges"] == 1
    assert len(run.sink.of(RequestRetried)) == 1


async def test_the_same_failing_call_is_told_once_and_stopped_at_the_third(bench: Any) -> None:
    run = bench([call("read_file", path="nowhere.py")])
    outcome = await run.run()
    assert outcome.stop_reason is StopReason.REPEATED_ERROR
    told = ["same call" in result.text for result in run.results]
    assert told == [False, True, False]


async def test_the_same_malformed_call_is_stopped_too(bench: Any) -> None:
    run = bench([calls(("read_file", "{"))])
    assert (await run.run()).stop_reason is StopReason.REPEATED_ERROR


async def test_different_failures_are_not_a_repetition(bench: Any) -> None:
    steps = [call("read_file", path=f"nowhere{n % 2}.py") for n in range(6)]
    assert (await bench([*steps, finish()]).run()).stop_reason is StopReason.FINISHED


async def test_a_cut_reply_is_never_repaired(bench: Any) -> None:
    cut = calls(
        ("read_file", {"path": "app.py"}),
        ("write_file", '{"path": "app.py", "content": "def'),
        finish_reason="length",
    )
    run = bench([cut, say("so I", finish_reason="length"), finish()])
    outcome = await run.run()
    assert outcome.stop_reason is StopReason.FINISHED
    assert [r.executed for r in run.results] == [True, False, True]
    assert "cut off" in run.results[1].text
    assert outcome.metrics["truncated_turns"] == 2 and outcome.metrics["malformed_calls"] == 0
    nudge = next(e for e in run.sink.of(MessageAdded) if e.kind == "nudge")
    assert "cut off" in nudge.content
    assert (run.root / "app.py").read_text() == run.files["app.py"]


async def test_length_with_the_context_full_is_the_context_limit(bench: Any) -> None:
    run = bench([READ, say("so", finish_reason="length", usage=(4000, 96))], context=4096)
    outcome = await run.run()
    assert outcome.stop_reason is StopReason.CONTEXT_LIMIT and len(run.server.requests) == 2


@pytest.mark.parametrize("before", [[READ], []])
async def test_an_overflow_answer_is_the_context_limit(bench: Any, before: list[Step]) -> None:
    overflow = error(400, "too long", type="exceed_context_size_error")
    run = bench([*before, overflow])
    outcome = await run.run()
    assert outcome.stop_reason is StopReason.CONTEXT_LIMIT and outcome.error is None
    assert outcome.metrics.get("prompt_too_long", False) == (not before)


@pytest.mark.parametrize(
    ("limits", "reason", "requests"),
    [
        ({"max_turns": 2}, StopReason.MAX_TURNS, 2),
        ({"sample_tokens": 330}, StopReason.TOKEN_LIMIT, 3),
        ({"context_tokens": 110}, StopReason.CONTEXT_LIMIT, 1),
        ({"sample_cost": 0.0003}, StopReason.COST_LIMIT, 3),
        ({"sample_time_s": 0.0}, StopReason.TIME_LIMIT, 0),
    ],
)
async def test_limits_are_checked_before_each_request(
    bench: Any, limits: dict[str, Any], reason: StopReason, requests: int
) -> None:
    run = bench([READ], limits=limits, prices={"prompt": 1.0, "completion": 1.0})
    outcome = await run.run()
    assert outcome.stop_reason is reason and END_POLICY[reason].grade
    assert len(run.server.requests) == requests
    (limit,) = run.sink.of(LimitReached)
    assert limit.value >= limit.limit


async def test_turns_that_do_not_parse_are_charged(bench: Any) -> None:
    spent: list[float] = []

    def charge(cost: float) -> bool:
        spent.append(cost)
        return sum(spent) < 0.0003

    bad = [calls(("read_file", "{" * n)) for n in range(1, 9)]
    run = bench(bad, prices={"prompt": 1.0, "completion": 1.0}, charge=charge)
    outcome = await run.run()
    assert outcome.stop_reason is StopReason.COST_LIMIT and len(run.server.requests) == 3
    assert outcome.usage.cost == pytest.approx(sum(spent))


async def test_waiting_for_a_rate_limit_does_not_run_the_clock(bench: Any) -> None:
    busy = error(429, "busy", headers={"retry-after": "0.25"})
    run = bench([busy, finish()], limits={"sample_time_s": 0.2})
    outcome = await run.run()
    assert outcome.stop_reason is StopReason.FINISHED and outcome.working_s < 0.2
    assert any("sending again" in note for note in run.sink.notes)


async def test_server_time_counts_instead_of_its_queue(bench: Any) -> None:
    queued = READ.where(delay_s=0.5, timings={"prompt_ms": 5.0, "predicted_ms": 5.0})
    run = bench([queued, queued, queued, finish()], limits={"sample_time_s": 1.2})
    outcome = await run.run()
    assert outcome.stop_reason is StopReason.FINISHED and outcome.working_s < 1.2


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (error(400, "bad parameter"), StopReason.REQUEST_FAILED),
        (error(429, "no quota"), StopReason.REQUEST_FAILED),
        (error(500, "Failed to parse input at pos 3"), StopReason.UNPARSABLE_REPLY),
        (error(400, "blocked", code="content_filter"), StopReason.MODEL_REFUSED),
        (say("I will not", finish_reason="content_filter"), StopReason.MODEL_REFUSED),
    ],
)
async def test_failures_land_on_the_right_side(bench: Any, fault: Step, reason: StopReason) -> None:
    run = bench([READ, fault])
    outcome = await run.run()
    assert outcome.stop_reason is reason
    assert (outcome.error is None) == END_POLICY[reason].counts
    assert bool(run.sink.of(Fault)) == (not END_POLICY[reason].counts)


async def test_a_lost_box_is_no_score_and_no_call_is_left_open(bench: Any) -> None:
    step = calls(("read_file", {"path": "app.py"}), ("read_file", {"path": "notes.txt"}))
    run = bench([step, step], lose_after=2)
    outcome = await run.run()
    assert outcome.stop_reason is StopReason.SANDBOX_LOST
    assert [r.executed for r in run.results] == [True, True, False, False]


@pytest.mark.parametrize("message", ["interrupted", "cancelled"])
async def test_cancelling_leaves_a_consistent_transcript(bench: Any, message: str) -> None:
    step = calls(("read_file", {"path": "app.py"}), ("read_file", {"path": "notes.txt"}))
    run = bench([step])
    run.box.pause_s = 30.0
    task = asyncio.create_task(run.run())
    while not run.box.calls:
        await asyncio.sleep(0.01)
    task.cancel(message)
    with pytest.raises(asyncio.CancelledError):
        await task
    assert run.sink.of(EpisodeFinished)[0].stop_reason == message
    assert len(run.results) == 2


async def test_cancelling_while_the_model_replies(bench: Any) -> None:
    run = bench([say("half of it", end="hang")])
    task = asyncio.create_task(run.run())
    while not run.sink.deltas:
        await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert run.sink.of(EpisodeFinished)[0].stop_reason is StopReason.CANCELLED
    assert not run.sink.of(ModelTurn)


async def test_a_fault_of_our_own_is_an_internal_error(bench: Any) -> None:
    class Broken:
        async def turn(self, *_: object) -> Any:
            raise RuntimeError("with key sk-abcdefghijklmnop in it")

    run = bench([finish()])
    outcome = await run.run(Broken())
    assert outcome.stop_reason is StopReason.INTERNAL_ERROR
    assert outcome.error is not None and "sk-abcdef" not in outcome.error.model_dump_json()


async def test_long_arguments_are_cut_in_history_only(bench: Any) -> None:
    text = "x = 1\n" * 20_000
    run = bench([calls(("write_file", {"path": "big.py", "content": text}), chunk=9999), finish()])
    await run.run()
    assert (run.root / "big.py").read_text() == text
    (sent,) = [m for m in run.server.requests[1].messages if m.get("tool_calls")]
    arguments = json.loads(sent["tool_calls"][0]["function"]["arguments"])
    assert len(arguments["content"]) < 50_000 and "more characters" in arguments["content"]
    assert json.loads(run.sink.of(ModelTurn)[0].tool_calls[0].raw)["content"] == text


BLOCK = 'I read.\n```json\n{"tool": "read_file", "arguments": {"path": "app.py"}}\n```\n'
LAST = '{"tool": "finish", "arguments": {"summary": "done"}}'


@pytest.mark.parametrize("kind", ["scripted", "llama.cpp"])
async def test_the_text_protocol_needs_no_native_tools(bench: Any, kind: str) -> None:
    run = bench([say(BLOCK), say("no call"), say(LAST)], tool_protocol="text", kind=kind)
    outcome = await run.run()
    assert outcome.stop_reason is StopReason.FINISHED and outcome.metrics["nudges"] == 1
    first, second, _ = run.server.requests
    assert "tools" not in first.body and "edit_replace" in first.messages[0]["content"]
    assert ("response_format" in first.body) == (kind == "llama.cpp")
    assert {m["role"] for m in second.messages} == {"system", "user", "assistant"}
    assert "return a - b" in second.messages[-1]["content"]


async def test_the_oracle_plays_gold_with_both_kinds_of_edit(bench: Any) -> None:
    from harness.models.oracle import OracleModel
    from tests.models.test_oracle import repo_task

    start = {f"f{n}.py": "".join(f"line {i}\n" for i in range(30)) for n in range(3)}
    gold = {
        name: text.replace("line 3\n", "line three\n").replace("line 20\n", "")
        for name, text in start.items()
    }
    gold["new.py"] = "fresh\n"
    run = bench([finish()], files=start)
    session = OracleModel().session(SampleSeed(key="t", suite="repos", task=repo_task(start, gold)))
    outcome = await run.run(session)
    assert outcome.stop_reason is StopReason.FINISHED and outcome.metrics["tool_errors"] == 0
    assert {p.name: p.read_text() for p in run.root.iterdir()} == gold
    assert {"edit_replace", "edit_lines", "write_file"} <= set(outcome.metrics["per_tool"])


async def test_noop_changes_nothing(bench: Any) -> None:
    from harness.models.noop import NoopModel

    run = bench([finish()])
    outcome = await run.run(NoopModel().session(SampleSeed(key="t", suite="s", task=None)))
    assert outcome.stop_reason is StopReason.FINISHED and outcome.metrics["turns"] == 1


async def test_two_hundred_turns_through_a_real_server(bench: Any) -> None:
    run = bench(
        lambda request: READ if request.turn < 220 else finish(),
        limits={"max_turns": 300},
        props=llama_props(),
    )
    outcome = await run.run()
    assert outcome.stop_reason is StopReason.FINISHED and outcome.metrics["turns"] == 221
    digests = [event.digest for event in run.sink.of(ModelRequested)]
    assert len(set(digests)) == 221
