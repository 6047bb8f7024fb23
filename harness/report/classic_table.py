"""What the summary says of classic suites: MMLU's averages, errors by kind, answers by rule."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from harness.report.classic import AnswerKinds, Average, MmluScore
from harness.report.columns import NumberTable
from harness.report.numbers import counts, interval, percent
from harness.report.scores import SuiteScore
from harness.words import counted

MANY_UNREAD = 0.2  # share of the replies


def groups_table(suite: str, groups: Iterable[Average]) -> NumberTable:
    """One line a group of subjects; the interval is the micro average's, over questions."""
    made = NumberTable(f"{suite} by", "subjects", "questions", "micro", "macro", "95 % interval")
    for group in groups:
        made.add_row(
            group.name,
            f"{group.subjects}",
            f"{group.questions}",
            percent(group.micro),
            percent(group.macro),
            interval(group.interval),
        )
    return made


def subjects_table(suite: str, subjects: Sequence[Average]) -> NumberTable:
    """One line a subject, over its questions; ``right`` counts samples, as does ``of``."""
    made = NumberTable(f"{suite} by", "questions", "right", "score", "95 % interval")
    epochs = any(subject.samples != subject.questions for subject in subjects)
    for subject in subjects:
        made.add_row(
            subject.name,
            f"{subject.questions}",
            f"{subject.right} of {subject.samples}" if epochs else f"{subject.right}",
            percent(subject.micro),
            interval(subject.interval),
        )
    return made


def classic_notes(suite: SuiteScore, *, every_part: bool, many: int) -> Iterable[str]:
    """Lines under the tables."""
    classic = suite.classic
    if classic is None:
        return
    # A suite with answers and without a score was answered in part.
    over = "of the {} answered" if suite.score is None else "over {}"
    if classic.mmlu is not None:
        yield f"{suite.name}: {_averages(classic.mmlu, over)}"
    if classic.faulty is not None:
        rest = classic.without_faulty
        said = _averages(rest, over) if rest is not None else "nothing is left"
        yield f"{suite.name}: without {classic.faulty} known to be mislabelled: {said}"
    answers = classic.answers
    if answers.wrong:
        yield f"{suite.name}: not right: {counts(answers.wrong)}"
    if answers.unread:
        yield f"{suite.name}: no answer in the reply: {counts(answers.unread)}{_many(answers)}"
    if answers.rules:
        yield f"{suite.name}: answers taken by {counts(answers.rules)}"
    hidden = len(classic.mmlu.subjects) if classic.mmlu else len(suite.categories)
    if not every_part and hidden > many:
        yield f"{suite.name}: the table of all {hidden} parts: proctor show RUN --subjects-table"


def _many(answers: AnswerKinds) -> str:
    """What so many unread replies may come from; empty for few."""
    unread = sum(answers.unread.values())
    share = unread / (unread + sum(answers.rules.values()))
    if share < MANY_UNREAD:
        return ""
    return (
        f" ({percent(share)} of all: does the model know the protocol, and does the server keep "
        "its answer out of the reasoning? Look at one: proctor show RUN --sample ID)"
    )


def _averages(score: MmluScore, over: str) -> str:
    overall = score.overall
    return (
        f"micro {percent(overall.micro)} {over.format(counted(overall.questions, 'question'))}, "
        f"macro {percent(overall.macro)} over {counted(overall.subjects, 'subject')}"
    )
