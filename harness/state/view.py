"""What a viewer shows of a run and of one attempt: plain data that ``reduce`` brings up to date."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass, field
from datetime import datetime

from harness.events.base import ErrorInfo, TranscriptRef, Usage
from harness.events.grading import (
    AnswerExtracted,
    AnswerJudged,
    GradingFinished,
    GradingStarted,
    SnapshotTaken,
    TestOutcome,
)
from harness.events.run import ControlAcknowledged, RunNotice, SessionEnded
from harness.events.sample import AttemptStarted, LimitReached
from harness.outcome import SampleState, StopReason, Verdict

# Older notices and acknowledgements are in run.jsonl; a viewer shows the last ones.
_KEPT = 200

FINAL_STATES = frozenset(
    {
        SampleState.RESOLVED,
        SampleState.UNRESOLVED,
        SampleState.TAMPERED,
        SampleState.NO_SCORE,
    }
)


@dataclass(slots=True)
class SampleView:
    """One line of the list of samples. began, ended: seconds of the run's clock."""

    key: str
    suite: str
    task_id: str
    epoch: int
    state: SampleState = SampleState.QUEUED
    attempt: int = 0
    endpoint: str | None = None
    turn: int = 0
    usage: Usage = field(default_factory=Usage)
    note: str = ""
    verdict: Verdict | None = None
    stop_reason: str | None = None
    grade_status: str | None = None
    partial: float | None = None
    seconds: float = 0.0
    error: ErrorInfo | None = None
    began: float | None = None
    transcript: TranscriptRef | None = None


@dataclass(slots=True)
class RunView:
    """A run. counts: samples by state; elapsed: the run's clock at its last event; session_began
    the same when the session began; finished: attempts that ended in this session."""

    run_id: str = ""
    samples: dict[str, SampleView] = field(default_factory=dict)
    counts: Counter[SampleState] = field(default_factory=Counter)
    session: int = 0
    host: str = ""
    planned: int = 0
    concurrency: int = 0
    paused: bool = False
    usage: Usage = field(default_factory=Usage)
    elapsed: float = 0.0
    time: datetime | None = None
    session_began: float = 0.0
    finished: int = 0
    ended: SessionEnded | None = None
    notices: deque[RunNotice] = field(default_factory=lambda: deque(maxlen=_KEPT))
    acknowledged: dict[str, ControlAcknowledged] = field(default_factory=dict)
    damaged: int = 0

    def plan(self, samples: Iterable[tuple[str, str, str, int]]) -> None:
        """Take in planned samples as (key, suite, task id, epoch); known ones stay as they are."""
        for key, suite, task_id, epoch in samples:
            if key not in self.samples:
                self.samples[key] = SampleView(key, suite, task_id, epoch)
                self.counts[SampleState.QUEUED] += 1
        self.planned = max(self.planned, len(self.samples))

    def move(self, sample: SampleView, state: SampleState) -> None:
        """Change a sample's state and the counts with it."""
        self.counts[sample.state] -= 1
        sample.state = state
        self.counts[state] += 1

    @property
    def running(self) -> int:
        return self.counts[SampleState.RUNNING] + self.counts[SampleState.GRADING]

    @property
    def scored(self) -> int:
        return sum(self.counts[s] for s in FINAL_STATES - {SampleState.NO_SCORE})

    @property
    def done(self) -> int:
        """Samples that are not worked on any more in this session."""
        return self.scored + self.counts[SampleState.NO_SCORE]

    def rate(self, elapsed: float | None = None) -> float | None:
        """Samples a second in this session, None before the first one ended."""
        spent = (self.elapsed if elapsed is None else elapsed) - self.session_began
        return self.finished / spent if self.finished and spent > 0 else None

    def eta_s(self, elapsed: float | None = None) -> float | None:
        """Seconds until the last sample ends, at the rate so far; None before one got a score:
        samples that end without one say nothing of the others."""
        rate = self.rate(elapsed)
        if not rate or self.finished <= self.counts[SampleState.NO_SCORE]:
            return None
        return (self.counts[SampleState.QUEUED] + self.running) / rate


@dataclass(frozen=True, slots=True)
class FileState:
    """A file of a tree: its content's digest (a blob of the run folder) and permission bits."""

    digest: str
    mode: int | None = None


@dataclass(slots=True)
class TranscriptView:
    """One attempt as of some event. turn: the last stored reply; asked: the turn that is being
    made, 0 when none. tree: the files as of this event; changed: those that calls changed.

    stream: text by kind (text, reasoning, arguments) of the turn being made: it comes from the
    live file and is superseded by the stored turn.
    """

    events: int = 0
    damaged: int = 0
    elapsed: float = 0.0
    header: AttemptStarted | None = None
    turn: int = 0
    asked: int = 0
    sending: int = 0
    waiting: str = ""
    usage: Usage = field(default_factory=Usage)
    tool_calls: int = 0
    tool_errors: int = 0
    path_refusals: int = 0
    edits: int = 0
    nudges: int = 0
    retries: int = 0
    tree: dict[str, FileState] = field(default_factory=dict)
    changed: dict[str, int] = field(default_factory=dict)
    limit: LimitReached | None = None
    stop_reason: StopReason | None = None
    detail: str = ""
    snapshot: SnapshotTaken | None = None
    grading: GradingStarted | None = None
    tests: list[TestOutcome] = field(default_factory=list)
    graded: GradingFinished | None = None
    extraction: AnswerExtracted | None = None
    judgement: AnswerJudged | None = None
    faults: list[ErrorInfo] = field(default_factory=list)
    verdict: Verdict | None = None
    stream_turn: int = 0
    stream: dict[str, str] = field(default_factory=dict)

    def copied(self) -> TranscriptView:
        """A copy that further events do not change."""
        other = copy(self)
        other.tree, other.changed = dict(self.tree), dict(self.changed)
        other.tests, other.faults = list(self.tests), list(self.faults)
        other.stream = dict(self.stream)
        return other
