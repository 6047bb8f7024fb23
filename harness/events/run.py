"""Events of the run as a whole: lines of ``run.jsonl``."""

from __future__ import annotations

from typing import Any, Literal

from harness.events.base import ErrorInfo, Event, TranscriptRef, Usage
from harness.outcome import SampleState, Verdict


class SessionStarted(Event):
    """A process began to work on the run. samples: planned; pending: those without a score."""

    type: Literal["session_started"] = "session_started"
    session: int
    version: int
    host: str
    pid: int
    samples: int
    pending: int
    concurrency: int


class SampleStarted(Event):
    type: Literal["sample_started"] = "sample_started"
    sample: str
    suite: str
    task_id: str
    epoch: int
    attempt: int
    endpoint: str | None = None


class SampleProgress(Event):
    """At most one a second a sample; ``note`` is e.g. "retrying in 12 s"."""

    type: Literal["sample_progress"] = "sample_progress"
    sample: str
    state: SampleState
    turn: int = 0
    usage: Usage = Usage()
    note: str = ""


class SampleFinished(Event):
    """A sample's attempt ended. The full record is the line in ``samples.jsonl`` when it is final;
    one without a score stands only here and in its transcript."""

    type: Literal["sample_finished"] = "sample_finished"
    sample: str
    suite: str
    task_id: str
    epoch: int
    attempt: int
    verdict: Verdict
    stop_reason: str
    grade_status: str | None = None
    partial: float | None = None
    usage: Usage = Usage()
    seconds: float = 0.0
    error: ErrorInfo | None = None
    transcript: TranscriptRef | None = None


class ControlAcknowledged(Event):
    type: Literal["control_acknowledged"] = "control_acknowledged"
    command_id: str
    command: str
    accepted: bool
    detail: str = ""


class RunNotice(Event):
    """Something the whole run should know: an endpoint braking, one that came back, ..."""

    type: Literal["notice"] = "notice"
    level: Literal["info", "warning", "error"]
    text: str


class SessionEnded(Event):
    """reason: complete, cancelled, interrupted, failed. cleanup_proven: two empty inventories."""

    type: Literal["session_ended"] = "session_ended"
    session: int
    reason: Literal["complete", "cancelled", "interrupted", "failed"]
    scored: int
    without_score: int
    pending: int
    cleanup_proven: bool
    error: ErrorInfo | None = None
    totals: dict[str, Any] = {}
