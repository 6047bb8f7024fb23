"""The model that knows the answer: it plays gold through the real tools."""

from __future__ import annotations

import json
from typing import Any

from harness.errors import InfrastructureError, UsageError
from harness.events.model import ToolCallRequest
from harness.models.gold_calls import Call, gold_turns
from harness.models.protocol import Message, ModelSession, Reply, SampleSeed, TurnSink


class OracleModel:
    """Reaches gold with the tools (agentic suites), or answers with ``task.gold_reply``.

    Raises UsageError for a task that has neither, ConfigError for gold that no tool can reach.
    """

    def session(self, sample: SampleSeed) -> ModelSession:
        task = sample.task
        if hasattr(task, "start") and hasattr(task, "gold"):
            if not task.gold:
                raise UsageError(f"task {task.id} has no reference solution to play")
            return OracleSession(gold_turns(task.start, task.gold, task=str(task.id)))
        reply = getattr(task, "gold_reply", None)
        if reply is None:
            raise UsageError(f"suite {sample.suite} has no reference solution to play")
        return ReferenceSession(reply() if callable(reply) else str(reply))

    async def close(self) -> None:
        return None


class OracleSession:
    """Plays prepared turns. A call that fails means that gold or the tools are broken: it raises
    InfrastructureError rather than to go on with a wrong tree."""

    def __init__(self, turns: list[list[Call]]) -> None:
        self._turns = turns
        self._next = 0
        self._calls = 0

    async def turn(
        self, messages: list[Message], tools: list[dict[str, Any]], sink: TurnSink
    ) -> Reply:
        _require_success(messages)
        if self._next == len(self._turns):
            raise InfrastructureError("gold was played to its end and the episode went on")
        calls = tuple(self._request(call) for call in self._turns[self._next])
        self._next += 1
        return Reply(content="", tool_calls=calls, finish_reason="tool_calls", endpoint="oracle")

    def _request(self, call: Call) -> ToolCallRequest:
        self._calls += 1
        return ToolCallRequest(
            id=f"oracle-{self._calls}",
            name=call.name,
            raw=json.dumps(call.arguments, ensure_ascii=False),
            arguments=call.arguments,
        )

    async def close(self) -> None:
        return None


class ReferenceSession:
    """Answers a single question with the reference solution."""

    def __init__(self, text: str) -> None:
        self._text = text

    async def turn(
        self, messages: list[Message], tools: list[dict[str, Any]], sink: TurnSink
    ) -> Reply:
        return Reply(content=self._text, finish_reason="stop", endpoint="oracle")

    async def close(self) -> None:
        return None


def _require_success(messages: list[Message]) -> None:
    for message in reversed(messages):
        if message.role != "tool":
            return
        if message.content.startswith("Error:"):
            raise InfrastructureError(f"gold could not be played: {message.content[:500]}")
