"""What every event has in common.

A transcript is one JSON object a line, in the order of ``seq``. Events are written once and never
changed; a viewer knows no other source.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict

EVENTS_VERSION = 1


class Event(BaseModel):
    """seq counts from 1 in its file; time is UTC; elapsed is seconds on a monotonic clock since
    the file's first event. The store fills all three in."""

    # A number that JSON lacks is stored as text, which reads back as the number; null would not.
    model_config = ConfigDict(frozen=True, extra="ignore", ser_json_inf_nan="strings")

    seq: int = 0
    time: datetime | None = None
    elapsed: float = 0.0


class Usage(BaseModel):
    """Tokens of one reply or of a whole sample; None is unknown, never 0. ``cost`` in the
    currency of the price table."""

    model_config = ConfigDict(frozen=True, extra="ignore", ser_json_inf_nan="strings")

    prompt: int | None = None
    cached: int | None = None
    completion: int | None = None
    reasoning: int | None = None
    cost: float | None = None

    def __add__(self, other: Usage) -> Usage:
        def total(a: Any, b: Any) -> Any:
            return None if a is None and b is None else (a or 0) + (b or 0)

        return Usage(
            prompt=total(self.prompt, other.prompt),
            cached=total(self.cached, other.cached),
            completion=total(self.completion, other.completion),
            reasoning=total(self.reasoning, other.reasoning),
            cost=total(self.cost, other.cost),
        )


class ErrorInfo(BaseModel):
    """An error as it is stored: redacted, bounded."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    kind: str
    message: str
    remedy: str | None = None
    traceback: str | None = None


class TranscriptRef(BaseModel):
    """Where a transcript lies: file relative to the run folder; single-shot suites share files,
    so offset and length in bytes say which part."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    file: str
    offset: int = 0
    length: int | None = None
