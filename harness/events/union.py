"""All events as discriminated unions, and how a line becomes one."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, TypeAdapter

from harness.events.grading import (
    AnswerExtracted,
    AnswerJudged,
    GradingFinished,
    GradingStarted,
    SnapshotTaken,
    TestOutcome,
)
from harness.events.model import MessageAdded, ModelRequested, ModelTurn, RequestRetried
from harness.events.run import (
    ControlAcknowledged,
    RunNotice,
    SampleFinished,
    SampleProgress,
    SampleStarted,
    SessionEnded,
    SessionStarted,
)
from harness.events.sample import (
    AttemptFinished,
    AttemptStarted,
    EpisodeFinished,
    Fault,
    LimitReached,
)
from harness.events.tool import ToolResult

TranscriptEvent = Annotated[
    AttemptStarted
    | MessageAdded
    | ModelRequested
    | RequestRetried
    | ModelTurn
    | ToolResult
    | LimitReached
    | EpisodeFinished
    | SnapshotTaken
    | GradingStarted
    | TestOutcome
    | GradingFinished
    | AnswerExtracted
    | AnswerJudged
    | Fault
    | AttemptFinished,
    Field(discriminator="type"),
]

RunEvent = Annotated[
    SessionStarted
    | SampleStarted
    | SampleProgress
    | SampleFinished
    | ControlAcknowledged
    | RunNotice
    | SessionEnded,
    Field(discriminator="type"),
]

transcript_event: TypeAdapter[TranscriptEvent] = TypeAdapter(TranscriptEvent)
run_event: TypeAdapter[RunEvent] = TypeAdapter(RunEvent)
