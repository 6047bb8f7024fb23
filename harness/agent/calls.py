"""Carries out the calls of a turn, in order, and sees to it that every call has one result."""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from harness.agent.limits import Meter
from harness.agent.sink import EpisodeSink
from harness.errors import InfrastructureError
from harness.events.model import ToolCallRequest
from harness.events.tool import ToolResult, TreeChange
from harness.models.protocol import Message, Reply
from harness.sandbox.protocol import Box, ToolReply

CALL_TIMEOUT_S = 180.0  # above the longest tool, a first lint of a tree
ARGUMENT_CHARS = 40_000  # of one text in history; longer ones make later requests fail
RAW_ECHO_CHARS = 200  # of malformed arguments in the answer about them
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")  # what the OpenAI protocol allows as a name
_EDITS = frozenset({"edit_lines", "edit_replace", "write_file"})

AFTER_FINISH = "Error: not executed: the session was ended by finish, no call after it counts."
CUT_OFF = (
    "Error: not executed: the reply was cut off by the length limit before the arguments of this "
    "call were complete. Send the call again, with shorter arguments."
)
TIME_UP = "Error: not executed: the sample's time limit was reached while this reply was written."
REPEATED = (
    "\n\nThis is the same call with the same error as just before. Sending it again will not "
    "help: read the message and do something else."
)


@dataclass
class CallCounts:
    """What the calls of an episode add up to."""

    tool_calls: int = 0
    tool_errors: int = 0
    path_refusals: int = 0
    edits: int = 0
    lint_calls: int = 0
    malformed_calls: int = 0
    per_tool: Counter[str] = field(default_factory=Counter)

    def metrics(self) -> dict[str, Any]:
        return {**self.__dict__, "per_tool": dict(self.per_tool)}


class CallRunner:
    """Executes calls in a box. After ``run``: ``finished`` (finish was called), ``stuck`` (the
    same call failed in the same way ``repeated_errors`` times in a row)."""

    def __init__(self, box: Box, sink: EpisodeSink, meter: Meter, repeated_errors: int) -> None:
        self._box = box
        self._sink = sink
        self._meter = meter
        self._repeated_errors = repeated_errors
        self._last_failure: tuple[str, str, str] | None = None
        self._failures = 0
        self.counts = CallCounts()
        self.finished = False
        self.stuck = False

    async def run(self, turn: int, reply: Reply) -> list[Message]:
        """Carry out the calls of ``reply`` and return their results as messages.

        Raises SandboxLost, InfrastructureError (a fault of ours) and CancelledError; the calls
        not carried out by then have a result that says so.
        """
        messages: list[Message] = []
        pending = list(reply.tool_calls)
        try:
            while pending:
                call = pending[0]
                text = await self._one(turn, call, cut=reply.truncated)
                pending.pop(0)
                messages.append(Message(role="tool", content=text, tool_call_id=call.id))
        except BaseException as error:
            for number, call in enumerate(pending):
                state = "stopped" if number == 0 else "not executed"
                self._refuse(turn, call, f"Error: {state}: {_why(error)}.")
            raise
        return messages

    def refuse_all(self, turn: int, reply: Reply, text: str) -> None:
        """Carry out no call of ``reply``; each has a result that says why."""
        for call in reply.tool_calls:
            self._refuse(turn, call, text)

    async def _one(self, turn: int, call: ToolCallRequest, *, cut: bool) -> str:
        if self.finished:
            return self._refuse(turn, call, AFTER_FINISH)
        if self.stuck:
            return self._refuse(turn, call, "Error: not executed: the episode has ended.")
        if call.arguments is None:
            if cut:
                return self._refuse(turn, call, CUT_OFF)
            self.counts.malformed_calls += 1
            return self._refuse(turn, call, self._judge(call, malformed(call)))
        started = time.monotonic()
        answer = await self._box.call_tool(call.name, call.arguments, timeout_s=CALL_TIMEOUT_S)
        self._meter.tool(time.monotonic() - started)
        if answer.internal:
            raise InfrastructureError(f"tool {call.name} failed: {answer.text[:500]}")
        self._count(call.name, answer)
        self.finished = answer.finished
        text = self._judge(call, answer.text) if answer.is_error else self._succeeded(answer.text)
        self._sink.emit(
            ToolResult(
                turn=turn,
                call_id=call.id,
                name=call.name,
                arguments=call.arguments,
                text=text,
                is_error=answer.is_error,
                path_refused=answer.path_refused,
                lint_findings=answer.lint_findings,
                delta=[self._stored(change) for change in answer.delta],
                elapsed_s=answer.elapsed_s,
            )
        )
        return text

    def _count(self, name: str, answer: ToolReply) -> None:
        counts = self.counts
        counts.tool_calls += 1
        counts.per_tool[name if _NAME.fullmatch(name) else "(invalid name)"] += 1
        counts.tool_errors += answer.is_error
        counts.path_refusals += answer.path_refused
        counts.edits += name in _EDITS and not answer.is_error
        counts.lint_calls += name == "lint"

    def _stored(self, change: Any) -> TreeChange:
        if change.content is not None:
            self._sink.blob(change.content)
        return TreeChange(
            path=change.path,
            before=change.before,
            after=change.after,
            mode_before=change.mode_before,
            mode_after=change.mode_after,
        )

    def _succeeded(self, text: str) -> str:
        self._last_failure, self._failures = None, 0
        return text

    def _judge(self, call: ToolCallRequest, error: str) -> str:
        """The error as the model gets it; notes whether the same call failed so before."""
        failure = (call.name, _canonical(call), error)
        self._failures = self._failures + 1 if failure == self._last_failure else 1
        self._last_failure = failure
        if self._failures >= self._repeated_errors:
            self.stuck = True
            return error
        return error + REPEATED if self._failures > 1 else error

    def _refuse(self, turn: int, call: ToolCallRequest, text: str) -> str:
        self._sink.emit(
            ToolResult(
                turn=turn,
                call_id=call.id,
                name=call.name,
                arguments=call.arguments,
                text=text,
                is_error=True,
                executed=False,
            )
        )
        return text


def malformed(call: ToolCallRequest) -> str:
    """What the model is told of arguments that are no JSON object."""
    shown = json.dumps(call.raw[:RAW_ECHO_CHARS])
    more = " (beginning)" if len(call.raw) > RAW_ECHO_CHARS else ""
    return (
        f"Error: not executed: the arguments of {call.name[:64]} are not usable: {call.problem}. "
        f"Got{more}: {shown}. Send the call again with one JSON object as its arguments."
    )


def history_calls(reply: Reply) -> tuple[ToolCallRequest, ...]:
    """The calls of a reply as history carries them: always valid JSON objects, never too long.

    Servers parse history again on every request and fail for good on arguments that are no
    object, or on a name that their template cannot hold.
    """
    return tuple(_for_history(call) for call in reply.tool_calls)


def _for_history(call: ToolCallRequest) -> ToolCallRequest:
    name = call.name if _NAME.fullmatch(call.name) else "invalid_tool_name"
    arguments = call.arguments or {}
    if len(call.raw) > ARGUMENT_CHARS:
        arguments = {key[:200]: _shortened(value) for key, value in arguments.items()}
        if len(json.dumps(arguments)) > 4 * ARGUMENT_CHARS:
            arguments = {}
    raw = json.dumps(arguments, ensure_ascii=False)
    return ToolCallRequest(id=call.id, name=name, raw=raw, arguments=arguments)


def _shortened(value: Any) -> Any:
    if isinstance(value, str) and len(value) > ARGUMENT_CHARS:
        left_out = len(value) - ARGUMENT_CHARS
        return f"{value[:ARGUMENT_CHARS]}\n[... {left_out:,} more characters are not repeated here]"
    return value


def _canonical(call: ToolCallRequest) -> str:
    if call.arguments is None:
        return call.raw
    return json.dumps(call.arguments, sort_keys=True)


def _why(error: BaseException) -> str:
    if isinstance(error, InfrastructureError):
        return "the sandbox or a tool failed"
    return "the episode was stopped"


def assistant_message(reply: Reply) -> Message:
    """A reply as history carries it."""
    return Message(
        role="assistant",
        content=reply.content,
        reasoning=reply.reasoning,
        tool_calls=history_calls(reply),
    )
