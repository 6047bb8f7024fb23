"""A person plays the agent: each turn waits for a call that comes through ``control.jsonl``.

A call is ``{"name", "arguments", "content"}``: a tool and its arguments, or without a name only
``content``, the text of the reply (all that a suite without tools takes). Nothing is checked here
that is not checked for any other model: a wrong argument gets the tools' own answer.
"""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

from harness.errors import UsageError
from harness.events.model import ToolCallRequest
from harness.ids import canonical_json, sha256_hex
from harness.models.protocol import Message, ModelSession, Reply, SampleSeed, TurnSink
from harness.plan import EndpointIdentity, ModelPlan

NAME = "human"


def plan_human() -> ModelPlan:
    """The planned form of ``human``."""
    return ModelPlan(
        kind="human",
        name=NAME,
        identity=EndpointIdentity(kind="human", model_id=NAME),
        tool_protocol="native",
    )


class HumanModel:
    """Hands calls to the sessions that wait for one."""

    def __init__(self) -> None:
        self._waiting: dict[str, asyncio.Future[dict[str, Any]]] = {}

    def session(self, sample: SampleSeed) -> ModelSession:
        return HumanSession(self, sample)

    def human_call(self, sample: str | None, call: dict[str, Any]) -> bool:
        """Play ``call`` in ``sample`` (None: the one that waits); False when it waits for none.

        Raises UsageError for what is no call.
        """
        checked = _checked(call)
        key = sample
        if key is None and len(self._waiting) == 1:
            key = next(iter(self._waiting))
        waiting = self._waiting.get(key or "")
        if waiting is None or waiting.done():
            return False
        waiting.set_result(checked)
        return True

    async def wait(self, key: str) -> dict[str, Any]:
        """The next call for a sample."""
        waiting: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._waiting[key] = waiting
        try:
            return await waiting
        finally:
            if self._waiting.get(key) is waiting:
                del self._waiting[key]

    async def close(self) -> None:
        for waiting in self._waiting.values():
            waiting.cancel()


class HumanSession:
    """One sample played by a person."""

    def __init__(self, model: HumanModel, sample: SampleSeed) -> None:
        self._model, self._sample = model, sample
        self._calls = 0

    async def turn(
        self, messages: list[Message], tools: list[dict[str, Any]], sink: TurnSink
    ) -> Reply:
        """Waits as long as it takes: a person's time is in no limit."""
        sink.requested(1, NAME, _digest(messages), {})
        self._sample.notify("waits for a person")
        began = time.monotonic()
        call = await self._model.wait(self._sample.key)
        name = call.get("name")
        calls: tuple[ToolCallRequest, ...] = ()
        if name is not None:
            self._calls += 1
            arguments = call.get("arguments") or {}
            calls = (
                ToolCallRequest(
                    id=f"human-{self._calls}",
                    name=name,
                    raw=json.dumps(arguments, ensure_ascii=False),
                    arguments=arguments,
                ),
            )
        return Reply(
            content=call.get("content") or "",
            tool_calls=calls,
            finish_reason="tool_calls" if calls else "stop",
            endpoint=NAME,
            request_s=round(time.monotonic() - began, 3),
        )

    async def close(self) -> None:
        return None


def _checked(call: dict[str, Any]) -> dict[str, Any]:
    name, arguments, content = call.get("name"), call.get("arguments"), call.get("content")
    if name is None and not isinstance(content, str):
        raise UsageError("a call needs a name, or content for a reply without one")
    if name is not None and not isinstance(name, str):
        raise UsageError("a call's name must be a text")
    if arguments is not None and not isinstance(arguments, dict):
        raise UsageError("a call's arguments must be an object")
    if content is not None and not isinstance(content, str):
        raise UsageError("a call's content must be a text")
    return call


def _digest(messages: list[Message]) -> str:
    said = [(m.role, m.content, m.tool_call_id) for m in messages]
    return sha256_hex(canonical_json(said))
