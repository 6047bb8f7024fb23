"""What an episode tells: its events, and the bridge from a model session to them."""

from __future__ import annotations

from typing import Any, Protocol

from harness.agent.limits import Meter
from harness.events.base import ErrorInfo, Event, Usage
from harness.events.model import ModelRequested, ModelTurn, RequestRetried
from harness.models.protocol import DeltaKind, Reply
from harness.outcome import SampleState


class EpisodeSink(Protocol):
    """The part of a sample's sink that an episode uses."""

    def emit(self, event: Event) -> Event: ...

    def delta(self, turn: int, kind: DeltaKind, text: str) -> None: ...

    def blob(self, content: bytes) -> str: ...

    def progress(
        self, state: SampleState, *, turn: int = 0, usage: Usage | None = None, note: str = ""
    ) -> None: ...


class TurnEvents:
    """A TurnSink that writes the requests and retries of one turn as events."""

    def __init__(self, sink: EpisodeSink, turn: int, messages: int, meter: Meter) -> None:
        self._sink = sink
        self._turn = turn
        self._messages = messages
        self._meter = meter

    def requested(
        self, attempt: int, endpoint: str, digest: str, parameters: dict[str, Any]
    ) -> None:
        self._sink.emit(
            ModelRequested(
                turn=self._turn,
                attempt=attempt,
                endpoint=endpoint,
                messages=self._messages,
                digest=digest,
                parameters=parameters,
            )
        )

    def delta(self, kind: DeltaKind, text: str) -> None:
        self._sink.delta(self._turn, kind, text)

    def retrying(self, attempt: int, wait_s: float, error: ErrorInfo, gives_up: str) -> None:
        self._sink.emit(
            RequestRetried(
                turn=self._turn, attempt=attempt, wait_s=wait_s, error=error, gives_up=gives_up
            )
        )
        self.waiting(again(error.kind, wait_s, gives_up))

    def waiting(self, note: str) -> None:
        self._sink.progress(
            SampleState.RUNNING, turn=self._turn, usage=self._meter.usage, note=note
        )

    @property
    def time_left_s(self) -> float | None:
        return self._meter.time_left_s


def again(kind: str, wait_s: float, gives_up: str) -> str:
    """A retry in words."""
    return f"{kind}: sending again in {wait_s:.0f} s{gives_up and ', '}{gives_up}"


def turn_event(turn: int, reply: Reply) -> ModelTurn:
    """A reply as it is stored."""
    return ModelTurn(
        turn=turn,
        content=reply.content,
        reasoning=reply.reasoning,
        tool_calls=list(reply.tool_calls),
        finish_reason=reply.finish_reason,
        truncated=reply.truncated,
        time_up=reply.time_up,
        usage=reply.usage,
        endpoint=reply.endpoint,
        attempts=reply.attempts,
        request_s=reply.request_s,
        first_token_s=reply.first_token_s,
        working_s=reply.working_s,
        server=reply.server,
    )
