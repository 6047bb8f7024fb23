"""Two runs of the same tasks, paired: where they differ, and whether that can be more than chance.

Rule for pairs: a task is paired over the epochs in which both runs have a score; its value is the
share of them that is resolved. A task counts for the run with the higher share, for neither when
the shares are equal. The exact sign test over those tasks is, with one epoch, McNemar's exact
test: two-sided binomial on the discordant pairs. Samples without a score on either side are in no
pair, and are counted apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict

from harness.ids import sample_key
from harness.outcome import Verdict, is_final
from harness.plan import Plan, SuitePlan, differences
from harness.report.sign_test import ALPHA, sign_test, smallest_showing
from harness.words import counted

Relation = Literal["a", "b", "same", "no_score"]
CompareVerdict = Literal["distinguishable", "indistinguishable", "not_comparable"]
# How many ids a reason names; the number says how many there are.
_NAMED = 3
_ORDER: dict[str, int] = {"a": 0, "b": 0, "no_score": 1, "same": 2}


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class TaskPair(_Frozen):
    """One task in both runs. a, b: share of resolved samples over the ``epochs`` that are paired,
    None when there are none. verdicts: by epoch, None where the run has no record of it.
    better: the run with the higher share."""

    suite: str
    task_id: str
    a: float | None
    b: float | None
    epochs: int
    better: Relation
    verdicts: tuple[tuple[int, Verdict | None, Verdict | None], ...]

    @property
    def difference(self) -> float:
        """b less a; 0 without pairs."""
        return 0.0 if self.a is None or self.b is None else self.b - self.a


class SuiteComparison(_Frozen):
    """One suite. tasks: those with a pair; score_a, score_b: means over the same tasks and epochs.

    a_better, b_better: discordant tasks. unpaired: samples of both plans that lack a score on one
    side or both. p_value: two-sided. smallest: the least number of tasks, all for one run, that
    this many tasks could have shown at ``alpha`` (None: too few tasks for any difference), and
    smallest_points the least difference in score that goes with it, in percentage points.
    better is set only when the verdict is distinguishable.
    """

    suite: str
    verdict: CompareVerdict
    reasons: tuple[str, ...] = ()
    tasks: int = 0
    epochs: int = 0
    score_a: float | None = None
    score_b: float | None = None
    a_better: int = 0
    b_better: int = 0
    same: int = 0
    unpaired: int = 0
    unpaired_a: int = 0
    unpaired_b: int = 0
    alpha: float = ALPHA
    p_value: float | None = None
    smallest: int | None = None
    smallest_points: float | None = None
    better: Literal["a", "b"] | None = None


class Comparison(_Frozen):
    """Two runs. pairs: where they differ first. other: further fields in which the plans differ,
    as ``path: a -> b``: a difference may come from them as well as from the model."""

    a: str
    b: str
    model_a: str
    model_b: str
    verdict: CompareVerdict
    suites: tuple[SuiteComparison, ...]
    pairs: tuple[TaskPair, ...]
    other: tuple[str, ...]


@dataclass(frozen=True)
class Side:
    """A run to compare: its id, plan and the verdict of each final sample by its key."""

    run_id: str
    plan: Plan
    verdicts: Mapping[str, Verdict]


def compare(a: Side, b: Side) -> Comparison:
    """Compare two runs suite by suite."""
    shared = [s.name for s in a.plan.suites if any(s.name == t.name for t in b.plan.suites)]
    suites_a, suites_b = _by_name(a.plan), _by_name(b.plan)
    reasons = {name: _reasons(suites_a[name], suites_b[name]) for name in shared}
    tested = sum(not found for found in reasons.values())
    alpha = ALPHA / max(1, tested)
    epochs = max(a.plan.epochs, b.plan.epochs)
    suites: list[SuiteComparison] = []
    pairs: list[TaskPair] = []
    for name in shared:
        found = list(
            _pairs(name, _common(suites_a[name], suites_b[name]), a.verdicts, b.verdicts, epochs)
        )
        pairs += found
        suites.append(_suite(name, found, reasons[name], alpha, min(a.plan.epochs, b.plan.epochs)))
    for name, other in [(n, "second") for n in suites_a if n not in suites_b] + [
        (n, "first") for n in suites_b if n not in suites_a
    ]:
        why = f"the {other} run has no suite {name}"
        suites.append(SuiteComparison(suite=name, verdict="not_comparable", reasons=(why,)))
    return Comparison(
        a=a.run_id,
        b=b.run_id,
        model_a=a.plan.model.name,
        model_b=b.plan.model.name,
        verdict=_overall(suites),
        suites=tuple(suites),
        pairs=tuple(sorted(pairs, key=lambda p: (_ORDER[p.better], -abs(p.difference)))),
        other=_other(a.plan, b.plan),
    )


# --- pairs


def _by_name(plan: Plan) -> dict[str, SuitePlan]:
    return {suite.name: suite for suite in plan.suites}


def _common(a: SuitePlan, b: SuitePlan) -> list[str]:
    known = {task.id for task in b.tasks}
    return [task.id for task in a.tasks if task.id in known]


def _pairs(
    suite: str,
    tasks: Iterable[str],
    a: Mapping[str, Verdict],
    b: Mapping[str, Verdict],
    epochs: int,
) -> Iterator[TaskPair]:
    for task in tasks:
        rows = [
            (epoch, a.get(sample_key(task, epoch)), b.get(sample_key(task, epoch)))
            for epoch in range(1, epochs + 1)
        ]
        scored = [
            (left, right)
            for _, left, right in rows
            if left is not None and right is not None and is_final(left) and is_final(right)
        ]
        wins_a = sum(left is Verdict.RESOLVED for left, _ in scored)
        wins_b = sum(right is Verdict.RESOLVED for _, right in scored)
        yield TaskPair(
            suite=suite,
            task_id=task,
            a=wins_a / len(scored) if scored else None,
            b=wins_b / len(scored) if scored else None,
            epochs=len(scored),
            better=_relation(len(scored), wins_a, wins_b),
            verdicts=tuple(rows),
        )


def _relation(scored: int, a: int, b: int) -> Relation:
    if not scored:
        return "no_score"
    return "same" if a == b else "a" if a > b else "b"


def _suite(
    name: str, pairs: list[TaskPair], reasons: list[str], alpha: float, epochs: int
) -> SuiteComparison:
    paired = [pair for pair in pairs if pair.epochs]
    lacking_a = lacking_b = unpaired = 0
    for pair in pairs:
        for epoch, left, right in pair.verdicts:
            if epoch > epochs:
                continue  # only one of the plans has it
            no_a, no_b = not _has_score(left), not _has_score(right)
            lacking_a, lacking_b = lacking_a + no_a, lacking_b + no_b
            unpaired += no_a or no_b
    wins = sum(pair.better == "a" for pair in paired)
    losses = sum(pair.better == "b" for pair in paired)
    facts = SuiteComparison(
        suite=name,
        verdict="not_comparable",
        reasons=tuple(reasons),
        tasks=len(paired),
        epochs=max((pair.epochs for pair in paired), default=0),
        score_a=_mean([pair.a for pair in paired if pair.a is not None]),
        score_b=_mean([pair.b for pair in paired if pair.b is not None]),
        a_better=wins,
        b_better=losses,
        same=len(paired) - wins - losses,
        unpaired=unpaired,
        unpaired_a=lacking_a,
        unpaired_b=lacking_b,
        alpha=alpha,
    )
    if not reasons and not paired:
        return facts.model_copy(update={"reasons": ("no sample has a score in both runs",)})
    if reasons:
        return facts
    p_value = sign_test(wins, losses)
    smallest = smallest_showing(len(paired), alpha)
    shown = p_value < alpha
    points = None if smallest is None else 100 * smallest / (len(paired) * facts.epochs)
    return facts.model_copy(
        update={
            "verdict": "distinguishable" if shown else "indistinguishable",
            "p_value": p_value,
            "smallest": smallest,
            "smallest_points": points,
            "better": ("a" if wins > losses else "b") if shown else None,
        }
    )


def _has_score(verdict: Verdict | None) -> bool:
    return verdict is not None and is_final(verdict)


def _mean(values: list[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _overall(suites: list[SuiteComparison]) -> CompareVerdict:
    verdicts = {suite.verdict for suite in suites}
    if "distinguishable" in verdicts:
        return "distinguishable"
    return "indistinguishable" if "indistinguishable" in verdicts else "not_comparable"


# --- what makes runs incomparable


def _reasons(a: SuitePlan, b: SuitePlan) -> list[str]:
    """Why results of the two suites do not compare; empty when they do."""
    reasons = [
        f"{words} differs: {left} and {right}"
        for words, left, right in (
            ("the suite's version", a.version, b.version),
            ("the protocol", a.protocol, b.protocol),
        )
        if left != right
    ]
    if a.protocol == b.protocol and a.prompt_digest != b.prompt_digest:
        reasons.append("the prompts differ")
    if a.options != b.options:
        names = sorted(k for k in a.options.keys() | b.options.keys() if _option(a, b, k))
        reasons.append(f"the suite's options differ: {', '.join(names)}")
    left, right = _tasks(a), _tasks(b)
    for ids, where in (
        ([t for t in left if t not in right], "first"),
        ([t for t in right if t not in left], "second"),
    ):
        if ids:
            reasons.append(f"{_counted(ids)} only in the {where} run: {_named(ids)}")
    changed = [task for task in left if task in right and left[task] != right[task]]
    if changed:
        reasons.append(f"{_counted(changed)} different in the runs: {_named(changed)}")
    return reasons


def _option(a: SuitePlan, b: SuitePlan, key: str) -> bool:
    return bool(a.options.get(key) != b.options.get(key))


def _tasks(suite: SuitePlan) -> dict[str, str]:
    return {task.id: task.digest for task in suite.tasks}


def _counted(ids: list[str]) -> str:
    return f"{counted(len(ids), 'task')} {'is' if len(ids) == 1 else 'are'}"


def _named(ids: list[str]) -> str:
    return ", ".join(ids[:_NAMED]) + (", ..." if len(ids) > _NAMED else "")


def _other(a: Plan, b: Plan) -> tuple[str, ...]:
    """Differences of the plans outside of their suites."""
    return tuple(line for line in differences(a, b) if not line.startswith("suites"))
