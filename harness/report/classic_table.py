"""What the summary says of classic suites: MMLU's averages, errors by kind, answers by rule."""

from __future__ import annotations

from collections.abc import Iterable

from rich.table import Table
from rich.text import Text

from harness.report.classic import Average, MmluScore
from harness.report.intervals import wilson
from harness.report.numbers import counts, interval, percent, table
from harness.report.scores import SuiteScore


def averages_table(suite: str, averages: Iterable[Average]) -> Table:
    """One line a group or subject; the interval is the micro average's, over questions."""
    made = table(f"{suite} by", "subjects", "right", "questions", "micro", "macro", "95 % interval")
    for average in averages:
        made.add_row(
            Text(average.name),
            f"{average.subjects}",
            f"{average.right}",
            f"{average.questions}",
            percent(average.micro),
            percent(average.macro),
            interval(wilson(average.right, average.questions)),
        )
    return made


def classic_notes(suite: SuiteScore, *, every_part: bool, many: int) -> Iterable[str]:
    """Lines under the tables."""
    classic = suite.classic
    if classic is None:
        return
    if classic.mmlu is not None:
        yield f"{suite.name}: {_averages(classic.mmlu)}"
    if classic.faulty is not None:
        rest = classic.without_faulty
        said = _averages(rest) if rest is not None else "nothing is left"
        yield f"{suite.name}: without {classic.faulty} known to be mislabelled: {said}"
    answers = classic.answers
    if answers.wrong:
        yield f"{suite.name}: not right: {counts(answers.wrong)}"
    if answers.unread:
        yield f"{suite.name}: no answer in the reply: {counts(answers.unread)}"
    if answers.rules:
        yield f"{suite.name}: answers taken by {counts(answers.rules)}"
    hidden = len(classic.mmlu.subjects) if classic.mmlu else len(suite.categories)
    if not every_part and hidden > many:
        yield f"{suite.name}: the table of all {hidden} parts: proctor show RUN --subjects-table"


def _averages(score: MmluScore) -> str:
    overall = score.overall
    return (
        f"micro {percent(overall.micro)} over {overall.questions} questions, "
        f"macro {percent(overall.macro)} over {overall.subjects} subjects"
    )
