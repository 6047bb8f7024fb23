"""What happens while a request is out: the sample's clock, the server's queue, silence."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from harness.models import in_flight
from tests.models.turns import one_turn
from tests.support.scripted_server import calls, say

HOURS = 3600.0


async def test_the_samples_time_ends_a_request_and_closes_it(serve: Any, connect: Any) -> None:
    server = serve([say("never", delay_s=HOURS)])
    reply, _ = await one_turn(connect(server), time_left_s=0.2)
    assert reply.time_up and reply.truncated and reply.content == ""
    assert reply.working_s >= 0.2 and "no byte" in (reply.flag or "")
    while not server.left:  # the server is told, too
        await asyncio.sleep(0.01)
    assert len(server.requests) == 1


async def test_what_had_come_is_kept(serve: Any, connect: Any) -> None:
    step = say("word " * 50, reasoning="Think.", chunk=5, end="hang", after=20)
    reply, seen = await one_turn(connect(serve([step])), time_left_s=0.5)
    assert reply.time_up and reply.flag is None and reply.reasoning == "Think."
    assert reply.content.startswith("word word ") and reply.usage.completion is None
    assert "".join(text for kind, text in seen.deltas if kind == "text") == reply.content


async def test_half_a_call_is_none(serve: Any, connect: Any) -> None:
    step = calls(("read_file", {"path": "a" * 90}), chunk=3, end="hang", after=12)
    reply, _ = await one_turn(connect(serve([step])), time_left_s=0.5)
    (call,) = reply.tool_calls
    assert call.name == "read_file" and call.arguments is None and call.raw.startswith('{"path"')


async def test_failed_sendings_do_not_run_the_clock(serve: Any, connect: Any) -> None:
    server = serve([say("half", end="drop"), say("half", end="hang"), say("whole")])
    model = connect(server, idle_timeout_s=0.3)
    reply, _ = await one_turn(model, time_left_s=0.5)
    assert reply.content == "whole" and len(server.requests) == 3 and reply.working_s < 0.5


async def test_what_waits_in_the_servers_queue_does_not_run_the_clock(
    serve: Any, connect: Any
) -> None:
    server = serve([say("never", end="hang")])
    model = connect(server, slots=1)
    first = asyncio.create_task(one_turn(model, key="first"))
    while not server.requests:
        await asyncio.sleep(0.01)
    second = asyncio.create_task(one_turn(model, key="second", time_left_s=0.1))
    await asyncio.wait({second}, timeout=0.5)
    assert not second.done(), "the only slot is taken, so its time has not begun"
    first.cancel()
    reply, _ = await second
    assert reply.time_up


@pytest.mark.parametrize(
    ("step", "left_s"),
    [(say("x", delay_s=0.8), None), (say("x" * 30, chunk=1, end="hang", after=9), 0.9)],
)
async def test_silence_is_told_and_taken_back(
    serve: Any, connect: Any, monkeypatch: pytest.MonkeyPatch, step: Any, left_s: float | None
) -> None:
    monkeypatch.setattr(in_flight, "NOTICE_S", 0.1)
    server = serve([step])
    _, seen = await one_turn(connect(server), time_left_s=left_s)
    first, second, *_, last = seen.notes
    assert first.startswith(f"no byte from {server.url} for 0.1 s; waiting ")
    assert second.startswith(f"no byte from {server.url} for 0.2 s")
    assert last == ""


async def test_a_server_that_answers_is_not_called_silent(serve: Any, connect: Any) -> None:
    _, seen = await one_turn(connect(serve([say("x")])))
    assert seen.notes == []
