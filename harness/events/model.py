"""Events of the conversation with the model."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from harness.events.base import ErrorInfo, Event, Usage


class MessageAdded(Event):
    """A message that the harness put into the conversation (the model's own are ModelTurn).

    kind: prompt (system and first user message), nudge (reply without a call), notice (anything
    else the harness says, e.g. that the last reply was cut by length). prefix: SHA-256 of the blob
    that holds the content's beginning, which many samples share; readers put it in place.
    """

    type: Literal["message"] = "message"
    role: Literal["system", "user"]
    kind: Literal["prompt", "nudge", "notice"]
    content: str
    prefix: str | None = None
    turn: int = 0


class ModelRequested(Event):
    """A request is about to be sent. ``attempt`` counts sendings of this turn from 1;
    ``digest`` is the SHA-256 of the request body as sent."""

    type: Literal["model_request"] = "model_request"
    turn: int
    attempt: int
    endpoint: str
    messages: int
    digest: str
    parameters: dict[str, Any] = {}


class RequestRetried(Event):
    """A sending failed and will be repeated after ``wait_s`` seconds; ``gives_up`` says in words
    when it no longer will be."""

    type: Literal["retry"] = "retry"
    turn: int
    attempt: int
    wait_s: float
    error: ErrorInfo
    gives_up: str = ""


class ToolCallRequest(BaseModel):
    """A call in a reply. ``arguments`` is None when ``raw`` is not a JSON object (``problem``
    says why); history then carries ``{}``."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    name: str
    raw: str
    arguments: dict[str, Any] | None
    problem: str | None = None


class ModelTurn(Event):
    """One reply, whole. Supersedes every streamed delta of its turn.

    seconds: request_s from sending to the end, first_token_s to the first delta, working_s what
    counts against the sample's time limit. ``server`` holds what the server told beside
    (timings, model, system_fingerprint). ``truncated``: not whole, cut by length or, with
    ``time_up``, by the sample's time limit.
    """

    type: Literal["model_turn"] = "model_turn"
    turn: int
    content: str
    reasoning: str | None = None
    tool_calls: list[ToolCallRequest] = []
    finish_reason: str | None = None
    truncated: bool = False
    time_up: bool = False
    usage: Usage = Usage()
    endpoint: str = ""
    attempts: int = 1
    request_s: float = 0.0
    first_token_s: float | None = None
    working_s: float = 0.0
    server: dict[str, Any] = {}
