"""Summary tables for a terminal or a file, by rich. Words and numbers only, never colour alone."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Group, RenderableType
from rich.text import Text

from harness.outcome import LARGER_CONTEXT, PROMPT_TOO_LONG
from harness.report.classic_table import classic_notes, groups_table, subjects_table
from harness.report.columns import NumberTable
from harness.report.error_words import error_words
from harness.report.numbers import counts, interval, percent, tokens
from harness.report.scores import GroupScore, SuiteScore, Summary
from harness.words import counted

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
            parts.append(groups_table(suite.name, mmlu.groups))
            if every_part:
                parts.append(subjects_table(suite.name, mmlu.subjects))
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


def _suites(suites: Iterable[SuiteScore]) -> NumberTable:
    suites = list(suites)
    waiting = any(suite.pending for suite in suites)
    made = NumberTable(
        "suite",
        "resolved",
        "scored",
        "no score",
        *(["not run"] if waiting else []),
        "score",
        "95 % interval",
        "partial",
    )
    for suite in suites:
        made.add_row(
            suite.name,
            f"{suite.resolved}",
            f"{suite.scored} of {suite.planned}",
            f"{suite.without_score}",
            *([f"{suite.pending}"] if waiting else []),
            percent(suite.score),
            interval(suite.interval),
            "-" if suite.score is None else percent(suite.mean_partial),
        )
    return made


def _groups(suite: str, groups: Iterable[GroupScore]) -> NumberTable:
    made = NumberTable(f"{suite} by", "resolved", "scored", "score", "95 % interval")
    for group in groups:
        made.add_row(
            group.name,
            f"{group.resolved}",
            f"{group.scored}",
            percent(group.score),
            interval(group.interval),
        )
    return made


def _notes(suite: SuiteScore) -> Iterable[str]:
    part = (
        "" if suite.scored == suite.planned else f" (of {suite.scored} of {suite.planned} samples)"
    )
    yield f"{suite.score_name}: {percent(suite.score)}{part if suite.score is not None else ''}"
    for rate in suite.pass_at_k:
        if rate.k > 1 or len(suite.pass_at_k) > 1:
            undefined = f", undefined for {rate.undefined}" if rate.undefined else ""
            # without a headline score: of the tasks that were answered, which is no score either
            tasks = counted(rate.tasks, "task") + (" answered" if suite.score is None else "")
            yield f"{suite.name}: pass@{rate.k} {percent(rate.value)} ({tasks}{undefined})"
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
        samples = counted(suite.prompt_too_long, "sample")
        yield f"warning: {suite.name}: {PROMPT_TOO_LONG} ({samples}): {LARGER_CONTEXT}"
    if suite.pending:
        yield f"{suite.name}: {suite.pending} not run yet"
