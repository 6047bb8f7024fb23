"""``summary.json``: what a list of runs shows, derived from the rest and written as one piece."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from harness.outcome import Verdict
from harness.plan import Plan
from harness.store import layout
from harness.store.atomic import write_atomic
from harness.store.samples import SampleIndex


class RunSummary(BaseModel):
    """Counts of samples. ``samples_bytes`` is the size of ``samples.jsonl`` that they were counted
    at: another size means that they are out of date. ended: why the last session ended."""

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
    )


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
