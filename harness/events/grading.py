"""Events of snapshot, grading and single-shot judging."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from harness.events.base import Event
from harness.outcome import GradeStatus


class ChangedFile(BaseModel):
    """A file of the agent's tree that differs from the starting tree. ``protected``: not graded."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    path: str
    kind: Literal["added", "modified", "deleted", "mode", "link"]
    added_lines: int = 0
    removed_lines: int = 0
    protected: bool = False


class SnapshotTaken(Event):
    """The tree as the episode left it. digest: SHA-256 over paths, modes and contents.
    ``diff`` is a unified diff against the starting tree, cut at 1 MiB."""

    type: Literal["snapshot"] = "snapshot"
    digest: str
    files: int
    bytes: int
    changes: list[ChangedFile] = []
    diff: str = ""
    diff_cut: bool = False


class GradingStarted(Event):
    """Grading begins. expected: number of test ids (repositories) or checks (single shot)."""

    type: Literal["grading_started"] = "grading_started"
    provider: str | None = None
    fail_to_pass: int = 0
    pass_to_pass: int = 0


class TestOutcome(Event):
    """One hidden test. outcome is that of its true form; twin that of its falsified form.
    ``message`` is the failure text, bounded."""

    __test__ = False  # not a test class for pytest

    type: Literal["test"] = "test"
    id: str
    group: Literal["fail_to_pass", "pass_to_pass", "other"]
    outcome: Literal["passed", "failed", "error", "skipped", "missing"]
    twin: Literal["passed", "failed", "error", "skipped", "missing", "none"] = "none"
    message: str = ""
    seconds: float = 0.0


class ReviewFlag(BaseModel):
    """Something a person should look at; never a verdict."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    kind: str
    detail: str


class GradingFinished(Event):
    """The result of grading. ``detail`` says in words what went wrong when it did;
    ``boxes`` tells how each box's child ended (causes, counters, seconds)."""

    type: Literal["grading_finished"] = "grading_finished"
    grade_status: GradeStatus
    resolved: bool
    partial: float | None = None
    fail_to_pass_passed: int = 0
    fail_to_pass_total: int = 0
    pass_to_pass_passed: int = 0
    pass_to_pass_total: int = 0
    tampered_ids: list[str] = []
    flags: list[ReviewFlag] = []
    detail: str = ""
    boxes: list[dict[str, Any]] = []
    seconds: float = 0.0


class AnswerExtracted(Event):
    """Single shot: what was taken from the reply, by which rule."""

    type: Literal["extraction"] = "extraction"
    kind: Literal["code", "letter", "number", "text"]
    value: str | None
    rule: str
    program: str | None = None


class AnswerJudged(Event):
    """Single shot: the answer against the expected one, or the failing check's values."""

    type: Literal["judgement"] = "judgement"
    grade_status: GradeStatus
    expected: str | None = None
    got: str | None = None
    detail: str = ""
    checks_passed: int | None = None
    checks_total: int | None = None
    seconds: float = 0.0
