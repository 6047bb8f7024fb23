"""``summary.json``: what a list of runs shows, derived from the rest and written as one piece."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from harness.outcome import Verdict
from harness.plan import Plan
from harness.store import layout
from harness.store.atomic import write_atomic
from harness.store.planned import planned
from harness.store.samples import SampleIndex
from harness.store.task_score import headline, task_rates


@dataclass(frozen=True)
class SuiteHeadline:
    """The score of a suite over its ``tasks`` that have any; None where it has none."""

    suite: str
    tasks: Annotated[int, Field(ge=0, le=10_000_000)]
    score: Annotated[float, Field(ge=0.0, le=1.0)] | None


class RunSummary(BaseModel):
    """Counts of samples. ``samples_bytes`` is the size of ``samples.jsonl`` that they were counted
    at: another size means that they are out of date. ended: why the last session ended. scores: one
    a suite; None in a summary of a version that did not know them."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    run_id: str
    plan: str
    suites: list[str]
    model: str
    name: str = ""
    created: datetime | None = None
    updated: datetime | None = None
    planned: int = 0
    scored: int = 0
    resolved: int = 0
    tampered: int = 0
    without_score: int = 0
    samples_bytes: int = 0
    ended: str | None = None
    scores: list[SuiteHeadline] | None = None


def planned_samples(plan: Plan) -> int:
    """Number of samples of a plan."""
    return plan.epochs * sum(len(suite.tasks) for suite in plan.suites)


def summarise_folder(
    run_id: str,
    plan: Plan,
    digest: str,
    index: SampleIndex,
    *,
    name: str = "",
    created: datetime | None = None,
    without_score: int = 0,
    ended: str | None = None,
) -> RunSummary:
    """The summary of a run whose index is up to date."""
    verdicts = [entry.verdict for entry in list(index.entries.values())]
    return RunSummary(
        run_id=run_id,
        plan=digest,
        suites=[suite.name for suite in plan.suites],
        model=plan.model.name,
        name=name,
        created=created,
        updated=datetime.now(UTC),
        planned=planned_samples(plan),
        scored=len(verdicts),
        resolved=verdicts.count(Verdict.RESOLVED),
        tampered=verdicts.count(Verdict.TAMPERED),
        without_score=without_score,
        samples_bytes=index.size,
        ended=ended,
        scores=_scores(plan, index),
    )


def _scores(plan: Plan, index: SampleIndex) -> list[SuiteHeadline]:
    scored: list[list[tuple[str, bool]]] = [[] for _ in plan.suites]
    for sample in planned(plan):
        entry = index.entries.get(sample.key)
        if entry is not None:
            resolved = entry.verdict is Verdict.RESOLVED
            scored[sample.suite].append((sample.task_id, resolved))
    found = []
    for suite, samples in zip(plan.suites, scored, strict=True):
        rates = task_rates(samples)
        score = headline(suite, rates)
        found.append(SuiteHeadline(suite=suite.name, tasks=len(rates), score=score))
    return found


def write_summary(folder: Path, summary: RunSummary, *, sync: bool = True) -> None:
    """Raises StorageError."""
    content = summary.model_dump_json(indent=1).encode() + b"\n"
    write_atomic(folder / layout.SUMMARY, content, sync=sync)


def read_summary(folder: Path) -> RunSummary | None:
    """The summary as last written, None when there is none that can be read: it is derived."""
    try:
        return RunSummary.model_validate_json((folder / layout.SUMMARY).read_bytes())
    except (OSError, ValidationError):
        return None
