"""The two seams: what a suite is, and all that a sample may depend on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from harness.events.base import ErrorInfo, Event, Usage
from harness.models.protocol import DeltaKind, Model
from harness.outcome import GradeStatus, SampleState, StopReason, Verdict
from harness.plan import Plan, SuitePlan
from harness.sandbox.protocol import Attestation, Provider

_DIGITS = re.compile(r"([0-9]{1,18})")


class SampleSink(Protocol):
    """Where an attempt's events go. Implemented by the store; written through at once."""

    def emit(self, event: Event) -> Event: ...

    def delta(self, turn: int, kind: DeltaKind, text: str) -> None: ...

    def blob(self, content: bytes) -> str:
        """Store ``content`` once; returns its SHA-256."""

    def tree(self, archive: bytes) -> None:
        """Store the episode's final tree (an uncompressed tar)."""

    def progress(
        self, state: SampleState, *, turn: int = 0, usage: Usage | None = None, note: str = ""
    ) -> None:
        """Tell the run's stream; the store passes on at most one a second a sample."""


@dataclass(frozen=True)
class SampleContext:
    """All that a sample depends on, so that another executor can carry it elsewhere."""

    plan: Plan
    suite: SuitePlan
    run_id: str
    sample: str
    task_id: str
    epoch: int
    attempt: int
    model: Model
    provider: Provider | None
    sink: SampleSink
    endpoint: int | None = None
    charge: Callable[[float], bool] = lambda _cost: True
    system_prompt: str | None = None


@dataclass(frozen=True)
class SampleResult:
    """What a suite says of a sample; the store adds ids, digests and times."""

    verdict: Verdict
    stop_reason: StopReason
    grade_status: GradeStatus | None
    attestation: Attestation | None = None
    partial: float | None = None
    fail_to_pass: tuple[int, int] | None = None
    pass_to_pass: tuple[int, int] | None = None
    flags: list[str] = field(default_factory=list)
    category: str | None = None
    subject: str | None = None
    difficulty: int | None = None
    metrics: dict[str, Any] = field(default_factory=dict)
    usage: Usage = Usage()
    timings: dict[str, float] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)
    error: ErrorInfo | None = None


@dataclass(frozen=True)
class SuiteOptions:
    """What a user may choose for a suite at planning time.

    subjects, split and variant: parts and editions of the suites that have them.
    """

    protocol: str | None = None
    data: Path | None = None
    limit: int | None = None
    task_globs: tuple[str, ...] = ()
    task_roots: tuple[Path, ...] = ()
    subjects: tuple[str, ...] = ()
    split: str | None = None
    variant: str | None = None


class Suite(Protocol):
    """A named set of tasks with one protocol; one class in one file, registered by name.

    executes_code is declared, never inferred. languages: toolchains a box must offer.
    """

    name: str
    version: str
    executes_code: bool
    agentic: bool
    summary: str

    def plan(self, options: SuiteOptions) -> SuitePlan:
        """Choose tasks and seal them. Raises UsageError, ConfigError."""

    def languages(self, plan: SuitePlan) -> set[str]: ...

    def load(self, plan: SuitePlan, options: SuiteOptions) -> None:
        """Make the planned tasks available in this process; raises ConflictError when a task's
        digest is no longer the planned one."""

    def task(self, task_id: str) -> Any: ...

    def describe(self) -> dict[str, Any]:
        """What ``proctor suites NAME`` shows."""

    async def run_sample(self, context: SampleContext) -> SampleResult: ...

    async def close(self) -> None: ...


def stratified(ids: Sequence[str], strata: Callable[[str], str], limit: int | None) -> list[str]:
    """The first ``limit`` ids of a fixed order that goes round the strata in turn.

    Within a stratum numbers count as such: 2 comes before 10. Same ids give the same order, and a
    smaller limit is a prefix of a larger one.
    """
    groups: dict[str, list[str]] = {}
    for task_id in sorted(ids, key=natural):
        groups.setdefault(strata(task_id), []).append(task_id)
    order: list[str] = []
    queues: Iterable[list[str]] = [groups[name] for name in sorted(groups)]
    rows = max((len(q) for q in queues), default=0)
    for row in range(rows):
        order.extend(q[row] for q in queues if row < len(q))
    return order if limit is None else order[:limit]


def natural(task_id: str) -> tuple[list[tuple[int, str]], str]:
    """What to sort ids by, so that their numbers count as such."""
    parts = _DIGITS.split(task_id)
    return [(int(p), "") if i % 2 else (-1, p) for i, p in enumerate(parts)], task_id
