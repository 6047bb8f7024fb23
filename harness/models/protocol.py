"""What the loop knows of a model: sessions that turn a conversation into replies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

from harness.errors import ProctorError
from harness.events.base import ErrorInfo, Usage
from harness.events.model import ToolCallRequest


@dataclass(frozen=True)
class Message:
    """One message of the conversation, in the shape that history is sent in.

    role tool: ``tool_call_id`` names the call that ``content`` answers. ``tool_calls`` of an
    assistant message carry arguments as valid JSON objects only.
    """

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    reasoning: str | None = None
    tool_calls: tuple[ToolCallRequest, ...] = ()
    tool_call_id: str | None = None


@dataclass(frozen=True)
class Reply:
    """A model's reply. ``working_s``: seconds that count against the sample's time limit (the
    server's own figure where it gives one, so that queueing there does not count). ``truncated``:
    not whole, cut by length or, with ``time_up``, by the sample's time limit. ``flag``: something
    a person should look at."""

    content: str
    reasoning: str | None = None
    tool_calls: tuple[ToolCallRequest, ...] = ()
    finish_reason: str | None = None
    usage: Usage = Usage()
    truncated: bool = False
    context_full: bool = False
    refused: bool = False
    time_up: bool = False
    flag: str | None = None
    attempts: int = 1
    endpoint: str = ""
    request_s: float = 0.0
    first_token_s: float | None = None
    working_s: float = 0.0
    server: dict[str, Any] = field(default_factory=dict)


DeltaKind = Literal["text", "reasoning", "arguments"]


class TurnSink(Protocol):
    """Where a session tells what happens while a reply is made. ``time_left_s``: working seconds
    that the sample may still use; None is no limit."""

    @property
    def time_left_s(self) -> float | None: ...

    def requested(
        self, attempt: int, endpoint: str, digest: str, parameters: dict[str, Any]
    ) -> None: ...

    def delta(self, kind: DeltaKind, text: str) -> None: ...

    def retrying(self, attempt: int, wait_s: float, error: ErrorInfo, gives_up: str) -> None:
        """A sending failed and follows again after a wait; ``gives_up`` says when no more does."""

    def waiting(self, note: str) -> None:
        """Nothing comes from the server, for so long; an empty note when that is over."""


class ModelSession(Protocol):
    """A model for one sample; an episode stays on one session (and endpoint).

    ``turn`` raises ModelError for what counts against the model, EndpointError for what does
    not; asyncio cancellation closes the request. When the sink's ``time_left_s`` is used up while
    a request is out, the request is closed and what had come is returned with ``time_up``.
    """

    async def turn(
        self, messages: list[Message], tools: list[dict[str, Any]], sink: TurnSink
    ) -> Reply: ...

    async def close(self) -> None: ...


class Model(Protocol):
    """A model as a run uses it. ``session`` is called once an attempt."""

    def session(self, sample: SampleSeed) -> ModelSession: ...

    async def close(self) -> None: ...


@runtime_checkable
class OverEndpoints(Protocol):
    """A model that knows which of its endpoints answer nobody any more: by place, in the order of
    the launch's endpoints, what a person is told of it."""

    @property
    def lost(self) -> dict[int, ProctorError]: ...


@dataclass(frozen=True)
class SampleSeed:
    """What a session may know of its sample: oracle and replay need the task; an endpoint model
    uses only ``key`` (session headers) and ``endpoint`` (where the scheduler put it)."""

    key: str
    suite: str
    task: Any
    endpoint: int | None = None
    notify: Callable[[str], None] = lambda _text: None

    @property
    def epoch(self) -> int:
        """The epoch, which the key ends with; 1 for a key without one."""
        number = self.key.rpartition("@")[2]
        return int(number) if number.isascii() and number.isdecimal() else 1


class ModelError(Exception):
    """The model's own fault: the sample ends with this stop reason and counts.

    reason: context_limit, unparsable_reply, model_refused or replay_diverged. ``working_s``: what
    the failed requests count against the sample's time. ``flag``: something a person should look
    at, where the fault was inferred rather than told by the server.
    """

    def __init__(
        self,
        reason: str,
        message: str,
        usage: Usage | None = None,
        *,
        working_s: float = 0.0,
        flag: str | None = None,
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.usage = usage or Usage()
        self.working_s = working_s
        self.flag = flag
