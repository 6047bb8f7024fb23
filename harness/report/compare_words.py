"""A comparison in words: sentences that say what it shows, and what it could not have shown."""

from __future__ import annotations

from harness.outcome import Verdict
from harness.report.compare import Comparison, SuiteComparison, TaskPair
from harness.report.numbers import p_words, percent
from harness.words import counted

MARKS = {
    Verdict.RESOLVED: "resolved",
    Verdict.UNRESOLVED: "unresolved",
    Verdict.TAMPERED: "tampered",
    Verdict.NO_SCORE: "no score",
    None: "no score",
}


def headline(suite: SuiteComparison) -> str:
    """The verdict in one line."""
    match suite.verdict:
        case "not_comparable":
            return "not comparable"
        case "distinguishable":
            better = "the first" if suite.better == "a" else "the second"
            return f"distinguishable: {better} run resolves more"
        case _:
            return "indistinguishable at this sample size"


def sentences(suite: SuiteComparison) -> list[str]:
    """The facts behind the verdict."""
    if suite.verdict == "not_comparable":
        return [f"{reason}" for reason in suite.reasons]
    epochs = f", over up to {suite.epochs} epochs that both have" if suite.epochs > 1 else ""
    lines = [
        f"{counted(suite.tasks, 'task')} paired{epochs}: "
        f"{percent(suite.score_a)} in the first run, {percent(suite.score_b)} in the second",
        f"better in the first: {suite.a_better}, in the second: {suite.b_better}, "
        f"the same: {suite.same}",
        f"exact McNemar test: {p_words(suite.p_value)}, level {suite.alpha:g}",
        could_show(suite),
    ]
    if suite.epochs > 1:
        lines.append("a task counts for the run that resolves it in more of its epochs")
    if suite.unpaired:
        lines.append(
            f"left out, without a score: {suite.unpaired} "
            f"({suite.unpaired_a} in the first run, {suite.unpaired_b} in the second)"
        )
    return lines


def could_show(suite: SuiteComparison) -> str:
    """The smallest difference that so many tasks can show."""
    if suite.smallest is None or suite.smallest_points is None:
        return f"{counted(suite.tasks, 'task')} cannot show any difference, however large"
    more = " at least" if suite.epochs > 1 else ""
    return (
        f"the smallest difference that {counted(suite.tasks, 'task')} can show: "
        f"{counted(suite.smallest, 'task')}, all for one run "
        f"({suite.smallest_points:.1f} points{more})"
    )


def outcome_words(pair: TaskPair, side: str) -> str:
    """``resolved``, or ``2 of 3`` with several epochs, for side a or b."""
    share = pair.a if side == "a" else pair.b
    if len(pair.verdicts) == 1:
        _, left, right = pair.verdicts[0]
        return MARKS[left if side == "a" else right]
    if share is None:
        return "no score"
    return f"{round(share * pair.epochs)} of {pair.epochs}"


def overall(comparison: Comparison) -> str:
    """One line for the whole."""
    return "; ".join(f"{suite.suite}: {headline(suite)}" for suite in comparison.suites)
