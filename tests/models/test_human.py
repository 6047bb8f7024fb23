"""A person plays: calls come in from outside, one a turn, and wait for no clock."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from harness.errors import UsageError
from harness.models.human import HumanModel
from harness.models.protocol import Message, Reply, SampleSeed
from harness.models.registry import ModelRequest, build_model, plan_model
from harness.plan import EpisodeLimits, Launch

PROMPT = [Message("system", "work"), Message("user", "mend it")]
CALL = {"name": "read_file", "arguments": {"path": "a.py", "start_line": 3}}


class Told:
    """A turn's sink that counts requests."""

    def __init__(self) -> None:
        self.requests: list[tuple[int, str]] = []

    def requested(self, attempt: int, endpoint: str, digest: str, parameters: Any) -> None:
        self.requests.append((attempt, endpoint))

    def delta(self, kind: Any, text: str) -> None:
        raise AssertionError("a person does not stream")

    def retrying(self, attempt: int, wait_s: float, error: Any) -> None:
        raise AssertionError("a person is not asked again")


def seed(key: str = "t@1", notes: list[str] | None = None) -> SampleSeed:
    kept = [] if notes is None else notes
    return SampleSeed(key=key, suite="repos", task=None, notify=kept.append)


async def waiting(model: HumanModel, key: str = "t@1") -> tuple[asyncio.Task[Reply], Told]:
    told = Told()
    task = asyncio.create_task(model.session(seed(key)).turn(PROMPT, [{}], told))
    while not told.requests:
        await asyncio.sleep(0)
    await asyncio.sleep(0)
    return task, told


async def test_it_is_a_model_without_an_address() -> None:
    plan, endpoints = await plan_model(ModelRequest(name="human"))
    assert (plan.kind, plan.name, plan.identity.kind) == ("human", "human", "human")
    assert plan.tool_protocol == "native" and endpoints == []
    assert isinstance(build_model(plan, Launch(), EpisodeLimits()), HumanModel)


async def test_a_call_becomes_the_reply() -> None:
    model = HumanModel()
    task, told = await waiting(model)
    assert told.requests == [(1, "human")]
    assert model.human_call("t@1", {**CALL, "content": "let me look"})
    reply = await task
    assert reply.content == "let me look" and reply.finish_reason == "tool_calls"
    (call,) = reply.tool_calls
    assert (call.name, call.arguments) == ("read_file", {"path": "a.py", "start_line": 3})
    assert call.problem is None
    assert reply.working_s == 0.0 and reply.usage.prompt is None


async def test_a_person_is_told_that_the_sample_waits() -> None:
    model, notes = HumanModel(), list[str]()
    task = asyncio.create_task(model.session(seed(notes=notes)).turn(PROMPT, [{}], Told()))
    await asyncio.sleep(0)
    assert notes == ["waits for a person"]
    task.cancel()


async def test_a_text_alone_is_a_reply_without_a_call() -> None:
    model = HumanModel()
    task, _ = await waiting(model)
    assert model.human_call("t@1", {"content": "B"})
    reply = await task
    assert (reply.content, reply.tool_calls, reply.finish_reason) == ("B", (), "stop")


async def test_calls_of_an_episode_have_ids_of_their_own() -> None:
    model = HumanModel()
    session = model.session(seed())
    ids = []
    for _ in range(3):
        task = asyncio.create_task(session.turn(PROMPT, [{}], Told()))
        await asyncio.sleep(0)
        assert model.human_call("t@1", CALL)
        ids.append((await task).tool_calls[0].id)
    assert len(set(ids)) == 3


async def test_a_call_that_nobody_waits_for_is_refused() -> None:
    model = HumanModel()
    assert not model.human_call("t@1", CALL)
    task, _ = await waiting(model)
    assert not model.human_call("other@1", CALL)
    assert model.human_call("t@1", CALL)
    assert not model.human_call("t@1", CALL)  # twice in a hurry: the second one is no turn
    await task
    assert not model.human_call("t@1", CALL)


async def test_a_sample_need_not_be_named_when_only_one_waits() -> None:
    model = HumanModel()
    first, _ = await waiting(model, "a@1")
    second, _ = await waiting(model, "b@1")
    assert not model.human_call(None, CALL)
    assert model.human_call("a@1", CALL)
    await first
    assert model.human_call(None, CALL)
    await second


@pytest.mark.parametrize(
    "call",
    [{}, {"name": 3}, {"name": "lint", "arguments": []}, {"name": "lint", "content": 1}],
)
async def test_what_is_no_call_is_refused_and_the_turn_goes_on(call: dict[str, Any]) -> None:
    model = HumanModel()
    task, _ = await waiting(model)
    with pytest.raises(UsageError):
        model.human_call("t@1", call)
    assert not task.done()
    assert model.human_call("t@1", CALL)
    await task


async def test_cancelling_a_turn_leaves_nothing_waiting() -> None:
    model = HumanModel()
    task, _ = await waiting(model)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not model.human_call("t@1", CALL)
