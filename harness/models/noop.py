"""A model that finishes at once: what a task scores when nothing is done."""

from __future__ import annotations

from typing import Any

from harness.events.model import ToolCallRequest
from harness.models.protocol import Message, ModelSession, Reply, SampleSeed, TurnSink


class NoopModel:
    """Calls ``finish`` in its first turn; without tools its reply is empty."""

    def session(self, sample: SampleSeed) -> ModelSession:
        return NoopSession()

    async def close(self) -> None:
        return None


class NoopSession:
    async def turn(
        self, messages: list[Message], tools: list[dict[str, Any]], sink: TurnSink
    ) -> Reply:
        if not tools:
            return Reply(content="", finish_reason="stop", endpoint="noop")
        call = ToolCallRequest(id="noop-1", name="finish", raw="{}", arguments={})
        return Reply(content="", tool_calls=(call,), finish_reason="tool_calls", endpoint="noop")

    async def close(self) -> None:
        return None
