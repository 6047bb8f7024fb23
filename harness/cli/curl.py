"""The request of a stored turn again: rebuilt from the transcript, checked against its digest."""

from __future__ import annotations

import asyncio
import itertools
import json
import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harness.agent.calls import assistant_message
from harness.errors import UsageError
from harness.events.model import MessageAdded, ModelRequested, ModelTurn
from harness.events.sample import AttemptStarted
from harness.events.tool import ToolResult
from harness.models.body import RequestBody, parameters_of
from harness.models.client import OPENAI_HOST
from harness.models.protocol import Message, Reply, SampleSeed
from harness.models.text_protocol import TextProtocolSession, constrains
from tools.schema import function_definitions

if TYPE_CHECKING:
    from harness.plan import ModelPlan, Plan
    from harness.store.run_folder import RunFolder

# A body is one line of JSON, so no line of it can be this word.
_END = "PROCTOR_BODY"


@dataclass
class _Capture:
    """Stands where requests are sent and keeps what would be."""

    messages: list[Message]
    extra: dict[str, Any]

    async def turn(
        self,
        messages: list[Message],
        tools: list[dict[str, Any]],
        sink: Any,
        extra: dict[str, Any] | None = None,
    ) -> Reply:
        self.messages, self.extra = messages, dict(extra or {})
        if tools:
            self.extra |= {"tools": tools, "tool_choice": "auto"}
        return Reply(content="")

    async def close(self) -> None:
        return None


def curl_command(folder: RunFolder, key: str, turn: int) -> tuple[str, dict[str, Any]]:
    """The command, and a document with url, body and whether the body is the very one sent.

    The key stands in it as a variable. Raises UsageError.
    """
    from harness.cli.samples import attempt_events

    model = folder.plan.model
    if model.kind not in ("openai", "local"):
        raise UsageError(f"model {model.name} sends no requests", where=str(folder.path))
    events = list(attempt_events(folder, key))
    asked = [e for e in events if isinstance(e, ModelRequested) and e.turn == turn]
    if not asked:
        raise UsageError(f"sample {key} sent no request in turn {turn}", where=str(folder.path))
    sent = asked[-1]
    messages = conversation(events, sent)
    protocol = _protocol(folder.plan, events)
    body, exact = _matching(model, messages, protocol, sent.digest, SampleSeed(key, "", None).epoch)
    url = sent.endpoint.rstrip("/") + "/chat/completions"
    return (
        _command(url, _variable(folder, sent.endpoint), body, exact),
        {"url": url, "exact": exact, "body": json.loads(body)},
    )


def conversation(events: Iterable[Any], until: ModelRequested) -> list[Message]:
    """The messages as they stood when ``until`` was sent."""
    messages: list[Message] = []
    for event in events:
        if event is until:
            break
        if isinstance(event, MessageAdded):
            messages.append(Message(role=event.role, content=event.content))
        elif isinstance(event, ModelTurn):
            reply = Reply(
                content=event.content,
                reasoning=event.reasoning,
                tool_calls=tuple(event.tool_calls),
                truncated=event.truncated,
            )
            messages.append(assistant_message(reply))
        elif isinstance(event, ToolResult):
            messages.append(Message(role="tool", content=event.text, tool_call_id=event.call_id))
    return messages


def _protocol(plan: Plan, events: Iterable[Any]) -> str | None:
    """The suite's tool protocol, None for suites without tools."""
    suite = next((e.suite for e in events if isinstance(e, AttemptStarted)), None)
    if plan.model.tool_protocol == "none":
        return None
    return next((s.protocol for s in plan.suites if s.name == suite), None)


def _matching(
    model: ModelPlan, messages: list[Message], protocol: str | None, digest: str, epoch: int
) -> tuple[bytes, bool]:
    """The body whose digest is the recorded one; what the transcript does not tell (whether the
    server took stream_options and a schema, whether there was a linter) is tried."""
    first: bytes | None = None
    schemas = (True, False) if constrains(model) else (False,)
    for usage, lint, schema in itertools.product((True, False), (True, False), schemas):
        asked = _asked(model, messages, protocol, lint=lint, schema=schema)
        body, found = _body(model, asked, usage=usage, epoch=epoch)
        if found == digest:
            return body, True
        first = first or body
    assert first is not None
    return first, False


def _asked(
    model: ModelPlan, messages: list[Message], protocol: str | None, *, lint: bool, schema: bool
) -> _Capture:
    """What the tool protocol makes of a conversation."""
    capture = _Capture([], {})
    tools = function_definitions(protocol, lint=lint) if protocol else []
    session: Any = capture
    if model.tool_protocol == "text":
        session = TextProtocolSession(capture, constrained=schema)
    asyncio.run(session.turn(messages, tools, None))
    return capture


def _body(model: ModelPlan, asked: _Capture, *, usage: bool, epoch: int) -> tuple[bytes, str]:
    extra = asked.extra
    if usage:
        extra = {**extra, "stream_options": {"include_usage": True}}
    builder = RequestBody(parameters_of(model, epoch=epoch), model.reasoning_history)
    body, digest, _ = builder.build(asked.messages, extra)
    return bytes(body), digest


def _variable(folder: RunFolder, url: str) -> str | None:
    for endpoint in folder.launch.endpoints:
        if endpoint.url == url and endpoint.api_key_env:
            return endpoint.api_key_env
    return "OPENAI_API_KEY" if f"//{OPENAI_HOST}/" in url else None


def _command(url: str, variable: str | None, body: bytes, exact: bool) -> str:
    lines = [] if exact else ["# rebuilt: not byte for byte what was sent"]
    head = f"curl -sS -N {shlex.quote(url)} -H 'Content-Type: application/json'"
    if variable:
        head += f' -H "Authorization: Bearer ${variable}"'
    lines += [f"{head} --data-binary @- <<'{_END}'", body.decode("utf-8", "replace"), _END]
    return "\n".join(lines)
