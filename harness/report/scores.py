"""Scores of a run from its final records: the one place where numbers are made."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel, ConfigDict

from harness.events.base import Usage
from harness.events.run import SampleFinished
from harness.outcome import GradeStatus, StopReason, Verdict, is_final
from harness.plan import Plan, SuitePlan
from harness.report.classic import ClassicScore, Marked, classic_score, marked
from harness.report.intervals import pass_at_k, wilson_over_tasks
from harness.store.records import SampleRecord
from harness.store.task_score import is_part, mean, task_rates

T = TypeVar("T")

SUMMARY_VERSION = 1
# The k worth printing; the number of epochs is added.
_KS = (1, 2, 3, 5, 10, 20, 50, 100)


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PassAtK(_Frozen):
    """pass@k, mean over the tasks that have at least k scored samples; ``undefined`` counts the
    others. value is None when there is no such task."""

    k: int
    value: float | None
    tasks: int
    undefined: int


class GroupScore(_Frozen):
    """Scores of a part of a suite. score: mean over tasks of the share of resolved samples;
    interval: Wilson at 95 % over tasks."""

    name: str
    tasks: int
    scored: int
    resolved: int
    score: float | None
    interval: tuple[float, float] | None


class SuiteScore(GroupScore):
    """Scores of a suite. Samples without a score stand apart and are in no mean.

    planned = scored + without_score + pending (never tried). mean_partial is over the
    tasks of the ``partial_samples`` samples that have a partial score. errors: kind -> samples.
    prompt_too_long: scored samples whose very first request did not fit into the context.
    """

    version: str
    protocol: str
    split: str
    planned: int
    unresolved: int
    tampered: int
    without_score: int
    pending: int
    flagged: int
    mean_partial: float | None
    partial_samples: int
    pass_at_k: tuple[PassAtK, ...]
    categories: tuple[GroupScore, ...]
    difficulties: tuple[GroupScore, ...]
    stop_reasons: dict[str, int]
    grade_statuses: dict[str, int]
    errors: dict[str, int]
    mean_turns: float | None
    usage: Usage
    seconds: float
    prompt_too_long: int = 0
    classic: ClassicScore | None = None

    @property
    def score_name(self) -> str:
        """What the score is of: sets of other sizes and other protocols do not compare."""
        return f"{self.name} {self.split}, {self.protocol}"


class Summary(_Frozen):
    """Scores of a run: ``summary.json`` and the ``summary`` of ``--json``."""

    version: int = SUMMARY_VERSION
    run_id: str | None = None
    plan: str
    model: str
    suites: tuple[SuiteScore, ...]
    planned: int
    scored: int
    resolved: int
    without_score: int
    pending: int
    usage: Usage

    @property
    def complete(self) -> bool:
        """Every planned sample has a score."""
        return self.scored == self.planned


class ScoreRow(NamedTuple):
    """What scores need of a record; the rest of it (attestation, digests) is let go at once, so
    that memory stays flat over many thousand samples."""

    sample: str
    suite: str
    task_id: str
    verdict: Verdict
    stop_reason: StopReason
    grade_status: GradeStatus | None
    partial: float | None
    group: str | None
    difficulty: int | None
    flagged: bool
    turns: int | None
    usage: Usage
    seconds: float
    error: str
    prompt_too_long: bool
    marked: Marked | None


def score_row(record: SampleRecord) -> ScoreRow:
    """What scores need of a record."""
    turns = record.metrics.get("turns")
    return ScoreRow(
        record.sample,
        record.suite,
        record.task_id,
        record.verdict,
        record.stop_reason,
        record.grade_status,
        record.partial,
        record.category or record.subject,
        record.difficulty,
        bool(record.flags),
        turns if isinstance(turns, int) else None,
        record.usage,
        record.timings.get("total", sum(record.timings.values())),
        _error_kind(record.error, record.stop_reason.value, record.grade_status),
        bool(record.metrics.get("prompt_too_long")),
        marked(record),
    )


def summarise(
    records: Mapping[str, SampleRecord] | Iterable[SampleRecord],
    plan: Plan,
    *,
    unscored: Iterable[SampleFinished] = (),
    run_id: str | None = None,
    faulty: frozenset[str] | None = None,
) -> Summary:
    """Scores of ``records`` (final samples) under ``plan``.

    ``unscored``: the last ending of samples that have no score, for the table of errors.
    ``faulty``: ids of MMLU tasks known to be mislabelled, for a score without them.
    """
    chosen = records.values() if isinstance(records, Mapping) else records
    rows = (score_row(record) for record in chosen)
    return summarise_rows(rows, plan, unscored=unscored, run_id=run_id, faulty=faulty)


def summarise_rows(
    rows: Iterable[ScoreRow],
    plan: Plan,
    *,
    unscored: Iterable[SampleFinished] = (),
    run_id: str | None = None,
    faulty: frozenset[str] | None = None,
) -> Summary:
    """``summarise`` for one who keeps the rows and takes in new ones as a run goes on."""
    by_suite: dict[str, list[ScoreRow]] = defaultdict(list)
    for row in rows:
        by_suite[row.suite].append(row)
    failed: dict[str, list[SampleFinished]] = defaultdict(list)
    for finished in unscored:
        failed[finished.suite].append(finished)
    suites = tuple(
        _suite(suite, plan.epochs, by_suite[suite.name], failed[suite.name], faulty)
        for suite in plan.suites
    )
    return Summary(
        run_id=run_id,
        plan=plan.digest,
        model=plan.model.name,
        suites=suites,
        planned=sum(s.planned for s in suites),
        scored=sum(s.scored for s in suites),
        resolved=sum(s.resolved for s in suites),
        without_score=sum(s.without_score for s in suites),
        pending=sum(s.pending for s in suites),
        usage=sum((s.usage for s in suites), Usage()),
    )


def _suite(
    suite: SuitePlan,
    epochs: int,
    records: list[ScoreRow],
    failed: list[SampleFinished],
    faulty: frozenset[str] | None,
) -> SuiteScore:
    scored = [r for r in records if is_final(r.verdict)]
    done = {r.sample for r in scored}
    errors = {r.sample: r.error for r in records}
    errors |= {f.sample: _error_kind(f.error, f.stop_reason, f.grade_status) for f in failed}
    errors = {sample: kind for sample, kind in errors.items() if sample not in done}
    planned = len(suite.tasks) * epochs
    partial = _by_task((r.task_id, r.partial) for r in scored if r.partial is not None)
    turns = [r.turns for r in scored if r.turns is not None]
    group = _group(suite.name, scored)
    if is_part(suite):
        group = group.model_copy(update={"score": None, "interval": None})
    return SuiteScore(
        **group.model_dump(),
        version=suite.version,
        protocol=suite.protocol,
        split=suite.split,
        planned=planned,
        unresolved=_count(scored, Verdict.UNRESOLVED),
        tampered=_count(scored, Verdict.TAMPERED),
        without_score=len(errors),
        pending=max(0, planned - len(scored) - len(errors)),
        flagged=sum(1 for r in scored if r.flagged),
        mean_partial=mean([sum(parts) / len(parts) for parts in partial.values()]),
        partial_samples=sum(len(parts) for parts in partial.values()),
        pass_at_k=_passes(scored, epochs),
        categories=_groups(scored, lambda r: r.group),
        difficulties=_groups(
            scored, lambda r: None if r.difficulty is None else f"difficulty {r.difficulty}"
        ),
        stop_reasons=_counted(r.stop_reason.value for r in scored),
        grade_statuses=_counted(r.grade_status.value for r in scored if r.grade_status),
        errors=_counted(errors.values()),
        mean_turns=mean(turns),
        usage=sum((r.usage for r in records), sum((f.usage for f in failed), Usage())),
        seconds=sum(r.seconds for r in records) + sum(f.seconds for f in failed),
        prompt_too_long=sum(r.prompt_too_long for r in scored),
        classic=classic_score(suite.name, [r.marked for r in scored if r.marked], faulty),
    )


def _group(name: str, scored: list[ScoreRow]) -> GroupScore:
    rates = task_rates((r.task_id, r.verdict is Verdict.RESOLVED) for r in scored)
    return GroupScore(
        name=name,
        tasks=len(rates),
        scored=len(scored),
        resolved=_count(scored, Verdict.RESOLVED),
        score=mean(rates),
        interval=wilson_over_tasks(rates),
    )


def _groups(
    scored: list[ScoreRow], key: Callable[[ScoreRow], str | None]
) -> tuple[GroupScore, ...]:
    parts: dict[str, list[ScoreRow]] = defaultdict(list)
    for record in scored:
        name = key(record)
        if name is not None:
            parts[name].append(record)
    return tuple(_group(name, parts[name]) for name in sorted(parts))


def _by_task(values: Iterable[tuple[str, T]]) -> dict[str, list[T]]:
    """Values of samples by the task they are of."""
    tasks: dict[str, list[T]] = defaultdict(list)
    for task, value in values:
        tasks[task].append(value)
    return tasks


def _passes(scored: list[ScoreRow], epochs: int) -> tuple[PassAtK, ...]:
    tasks = _by_task((r.task_id, r.verdict is Verdict.RESOLVED) for r in scored).values()
    found: list[PassAtK] = []
    for k in sorted({k for k in (*_KS, epochs) if k <= epochs}):
        values = [pass_at_k(len(wins), sum(wins), k) for wins in tasks]
        defined = [value for value in values if value is not None]
        found.append(
            PassAtK(
                k=k,
                value=mean(defined),
                tasks=len(defined),
                undefined=len(values) - len(defined),
            )
        )
    return tuple(found)


def _error_kind(error: Any, stop_reason: str, grade_status: Any) -> str:
    if error is not None:
        return str(error.kind)
    return "runner_error" if grade_status == "runner_error" else stop_reason


def _count(scored: list[ScoreRow], verdict: Verdict) -> int:
    return sum(1 for r in scored if r.verdict is verdict)


def _counted(values: Iterable[str]) -> dict[str, int]:
    return dict(Counter(values).most_common())
