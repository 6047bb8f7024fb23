"""Summary tables for a terminal or a file, by rich. Words and numbers only, never colour alone."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from harness.outcome import LARGER_CONTEXT, PROMPT_TOO_LONG
from harness.report.classic_table import averages_table, classic_notes
from harness.report.error_words import error_words
from harness.report.numbers import counts, interval, percent, table, tokens
from harness.report.scores import GroupScore, SuiteScore, Summary

__all__ = ["interval", "percent", "summary_table", "tokens"]

# More parts than this are counted, not listed.
_MANY = 20


def summary_table(summary: Summary, *, every_part: bool = False) -> RenderableType:
    """All of a run's scores: a table of suites, one of parts, errors by kind. ``every_part``: also
    of each subject, and of parts that are too many to be read by the way."""
    parts: list[RenderableType] = [_suites(summary.suites)]
    for suite in summary.suites:
        groups = [*suite.categories, *suite.difficulties]
        mmlu = suite.classic.mmlu if suite.classic else None
        if mmlu is not None:
            averages = mmlu.groups + (mmlu.subjects if every_part else ())
            parts.append(averages_table(suite.name, averages))
        elif len(groups) > 1 and (every_part or len(groups) <= _MANY):
            parts.append(_groups(suite.name, groups))
    notes = [
        line
        for suite in summary.suites
        for line in (*_notes(suite), *classic_notes(suite, every_part=every_part, many=_MANY))
    ]
    if notes:
        parts.append(Text("\n".join(notes)))
    return Group(*parts)


def _suites(suites: Iterable[SuiteScore]) -> Table:
    made = table("suite", "resolved", "scored", "no score", "score", "95 % interval", "partial")
    for suite in suites:
        made.add_row(
            Text(suite.name),
            f"{suite.resolved}",
            f"{suite.scored} of {suite.planned}",
            f"{suite.without_score + suite.pending}",
            percent(suite.score),
            interval(suite.interval),
            percent(suite.mean_partial),
        )
    return made


def _groups(suite: str, groups: Iterable[GroupScore]) -> Table:
    made = table(f"{suite} by", "resolved", "scored", "score", "95 % interval")
    for group in groups:
        made.add_row(
            Text(group.name),
            f"{group.resolved}",
            f"{group.scored}",
            percent(group.score),
            interval(group.interval),
        )
    return made


def _notes(suite: SuiteScore) -> Iterable[str]:
    yield f"{suite.score_name}: {percent(suite.score)}"
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
        yield f"{suite.name}: ended by " + counts(suite.stop_reasons)
    if suite.errors:
        why = (f"{error_words(kind)} ({n})" for kind, n in suite.errors.items())
        yield f"{suite.name}: without a score: " + ", ".join(why)
    if suite.prompt_too_long:
        samples = "1 sample" if suite.prompt_too_long == 1 else f"{suite.prompt_too_long} samples"
        yield f"warning: {suite.name}: {PROMPT_TOO_LONG} ({samples}): {LARGER_CONTEXT}"
    if suite.pending:
        yield f"{suite.name}: {suite.pending} not run yet"
