"""Summary tables for a terminal or a file, by rich. Words and numbers only, never colour alone."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from harness.events.base import Usage
from harness.report.scores import GroupScore, SuiteScore, Summary


def summary_table(summary: Summary) -> RenderableType:
    """All of a run's scores: a table of suites, one of parts, errors by kind."""
    parts: list[RenderableType] = [_suites(summary.suites)]
    for suite in summary.suites:
        groups = [*suite.categories, *suite.difficulties]
        if len(groups) > 1:
            parts.append(_groups(suite.name, groups))
    notes = [line for suite in summary.suites for line in _notes(suite)]
    if notes:
        parts.append(Text("\n".join(notes)))
    return Group(*parts)


def percent(value: float | None) -> str:
    """``62.5 %``; a dash when there is no value."""
    return "-" if value is None else f"{100 * value:.1f} %"


def interval(bounds: tuple[float, float] | None) -> str:
    """``48.9 to 74.2 %``."""
    return "-" if bounds is None else f"{100 * bounds[0]:.1f} to {100 * bounds[1]:.1f} %"


def tokens(usage: Usage) -> str:
    """``12,345 in, 678 out``; unknown stays unknown."""
    if usage.prompt is None and usage.completion is None:
        return "tokens unknown"
    text = f"{_number(usage.prompt)} in, {_number(usage.completion)} out"
    return text if usage.cost is None else f"{text}, cost {usage.cost:.4f}"


def _number(value: int | None) -> str:
    return "?" if value is None else f"{value:,}"


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for position, column in enumerate(columns):
        table.add_column(Text(column), justify="left" if position == 0 else "right", no_wrap=True)
    return table


def _suites(suites: Iterable[SuiteScore]) -> Table:
    table = _table("suite", "resolved", "scored", "no score", "score", "95 % interval", "partial")
    for suite in suites:
        table.add_row(
            Text(suite.name),
            f"{suite.resolved}",
            f"{suite.scored} of {suite.planned}",
            f"{suite.without_score + suite.pending}",
            percent(suite.score),
            interval(suite.interval),
            percent(suite.mean_partial),
        )
    return table


def _groups(suite: str, groups: Iterable[GroupScore]) -> Table:
    table = _table(f"{suite} by", "resolved", "scored", "score", "95 % interval")
    for group in groups:
        table.add_row(
            Text(group.name),
            f"{group.resolved}",
            f"{group.scored}",
            percent(group.score),
            interval(group.interval),
        )
    return table


def _notes(suite: SuiteScore) -> Iterable[str]:
    for rate in suite.pass_at_k:
        if rate.k > 1 or len(suite.pass_at_k) > 1:
            undefined = f", undefined for {rate.undefined}" if rate.undefined else ""
            value = percent(rate.value)
            yield f"{suite.name}: pass@{rate.k} {value} ({rate.tasks} tasks{undefined})"
    if suite.tampered:
        yield f"{suite.name}: {suite.tampered} tampered with grading (not resolved)"
    if suite.flagged:
        yield f"{suite.name}: {suite.flagged} flagged for a person to look at"
    yield f"{suite.name}: {tokens(suite.usage)}"
    if suite.stop_reasons:
        yield f"{suite.name}: ended by " + _counts(suite.stop_reasons)
    if suite.errors:
        yield f"{suite.name}: without a score: " + _counts(suite.errors)
    if suite.pending:
        yield f"{suite.name}: {suite.pending} not run yet"


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {number}" for name, number in counts.items())
