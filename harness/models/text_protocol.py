"""Tools for models whose template has none: described in words, called by one JSON block.

The loop sees ordinary calls. Where the server takes a JSON schema the reply is constrained by it;
it is validated all the same, for servers drop a grammar that they cannot parse.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any, Protocol

from harness.errors import EndpointError
from harness.events.model import ToolCallRequest
from harness.models.answer import parse_object
from harness.models.errors_table import Meaning
from harness.models.protocol import Message, ModelSession, Reply, TurnSink
from harness.plan import ModelPlan

CALL_ID = "text-{turn}"
_FENCE = re.compile(r"```([\w+-]*)[^\n]*\n(.*?)(?:\n?```|\Z)", re.DOTALL)
_LANGUAGES = ("", "json", "tool", "tool_call")

_INTRODUCTION = """\

Tools
You call a tool by ending your reply with one JSON block of this form, and nothing after it:

```json
{"tool": "read_file", "arguments": {"path": "src/main.py"}}
```

One call a reply. The result comes in the next message. These are the tools:

"""
CONSTRAINING_SERVERS = ("llama.cpp", "vllm")  # known to take a JSON schema


def constrains(plan: ModelPlan) -> bool:
    """Whether replies are constrained to the form of a call; decided by the plan alone."""
    return plan.identity.kind in CONSTRAINING_SERVERS


class ConstrainedSession(Protocol):
    """A session that takes further parameters with a turn."""

    async def turn(
        self,
        messages: list[Message],
        tools: list[dict[str, Any]],
        sink: TurnSink,
        extra: dict[str, Any] | None = None,
    ) -> Reply: ...

    async def close(self) -> None: ...


class TextProtocolSession(ModelSession):
    """Wraps a session: tools out into the system prompt, the block in as a call."""

    def __init__(self, inner: ConstrainedSession, *, constrained: bool = False) -> None:
        self._inner = inner
        self._constrained = constrained
        self._sent: list[Message] = []
        self._seen: list[Message] = []
        self._turns = 0

    async def turn(
        self, messages: list[Message], tools: list[dict[str, Any]], sink: TurnSink
    ) -> Reply:
        if not tools:
            return await self._inner.turn(messages, tools, sink)
        self._translate(messages, tools)
        reply = await self._reply(tools, sink)
        self._turns += 1
        if reply.time_up:
            return reply
        call = parse_block(reply, CALL_ID.format(turn=self._turns))
        return reply if call is None else replace(reply, tool_calls=(call,))

    async def _reply(self, tools: list[dict[str, Any]], sink: TurnSink) -> Reply:
        if self._constrained:
            try:
                schema = {"response_format": call_schema(tools)}
                return await self._inner.turn(self._sent, [], sink, schema)
            except EndpointError as error:
                cause = error.__cause__
                if getattr(cause, "meaning", None) is not Meaning.NO_RESPONSE_FORMAT:
                    raise
                self._constrained = False
        return await self._inner.turn(self._sent, [], sink)

    def _translate(self, messages: list[Message], tools: list[dict[str, Any]]) -> None:
        """Append what is new; messages sent before stay the same objects."""
        seen = self._seen
        if len(messages) < len(seen) or any(
            a is not b for a, b in zip(seen, messages, strict=False)
        ):
            self._sent, self._seen = [], []
        for message in messages[len(self._seen) :]:
            self._seen.append(message)
            self._sent.append(_in_words(message, tools, first=len(self._sent) == 0))

    async def close(self) -> None:
        await self._inner.close()


def _in_words(message: Message, tools: list[dict[str, Any]], *, first: bool) -> Message:
    if message.role == "tool":
        return Message(role="user", content=f"Result:\n{message.content}")
    if message.role == "assistant":
        return Message(role="assistant", content=message.content, reasoning=message.reasoning)
    if first:  # the tools stand in the first message, which is the system prompt where there is one
        return replace(message, content=message.content + _INTRODUCTION + describe(tools))
    return message


def describe(tools: list[dict[str, Any]]) -> str:
    """The function definitions in words."""
    return "\n".join(_described(tool["function"]) for tool in tools)


def _described(function: dict[str, Any]) -> str:
    parameters = function.get("parameters", {})
    required = parameters.get("required", [])
    lines = [f"{function['name']}: {function.get('description', '')}"]
    for name, entry in parameters.get("properties", {}).items():
        need = "required" if name in required else "optional"
        lines.append(f"  {name} ({entry.get('type')}, {need}): {entry.get('description', '')}")
    return "\n".join(lines) + "\n"


def call_schema(tools: list[dict[str, Any]]) -> dict[str, Any]:
    """``response_format`` that allows one call of one of the tools."""
    each = [
        {
            "type": "object",
            "properties": {
                "tool": {"const": tool["function"]["name"]},
                "arguments": tool["function"]["parameters"],
            },
            "required": ["tool", "arguments"],
            "additionalProperties": False,
        }
        for tool in tools
    ]
    return {
        "type": "json_schema",
        "json_schema": {"name": "tool_call", "schema": {"anyOf": each}},
    }


def parse_block(reply: Reply, call_id: str) -> ToolCallRequest | None:
    """The call in a reply; None where there is no block (the loop then nudges).

    Of several blocks the first that names a tool counts: what follows it was written without
    knowing its result.
    """
    blocks = [text for kind, text in _FENCE.findall(reply.content) if kind in _LANGUAGES]
    bare = reply.content.strip()
    if bare.startswith("{"):
        blocks.append(bare)
    broken: ToolCallRequest | None = None
    for block in blocks:
        try:
            value = _first_object(block)
        except ValueError as error:
            if '"tool"' in block and broken is None:
                broken = ToolCallRequest(
                    id=call_id, name="tool", raw=block, arguments=None, problem=str(error)
                )
            continue
        name = value.get("tool", value.get("name"))
        if not isinstance(name, str):
            continue
        arguments = value.get("arguments", {})
        good = isinstance(arguments, dict)
        return ToolCallRequest(
            id=call_id,
            name=name,
            raw=json.dumps(arguments, ensure_ascii=False),
            arguments=arguments if good else None,
            problem=None if good else "the value of arguments is no object",
        )
    return broken


def _first_object(text: str) -> dict[str, Any]:
    """The object that a block begins with; words after it are ignored. Raises ValueError."""
    text = text.strip()
    try:
        return parse_object(text)
    except ValueError:
        try:
            _, end = json.JSONDecoder().raw_decode(text)
        except (ValueError, RecursionError):
            end = 0
        if not end:
            raise
        return parse_object(text[:end])
