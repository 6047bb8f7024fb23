"""Scores that only the classic suites have: MMLU's averages, answers by kind."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from harness.outcome import Verdict, is_final
from harness.report.intervals import wilson_over_tasks
from harness.store.records import SampleRecord
from harness.store.task_score import mean, task_rates


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Average(_Frozen):
    """Accuracy of a part. A question counts once, with the share of its ``samples`` that are
    ``right``; micro: mean over questions; macro: mean over subjects of theirs; interval: the
    micro average's, over questions."""

    name: str
    subjects: int
    questions: int
    samples: int
    right: int
    micro: float
    macro: float
    interval: tuple[float, float] | None


class MmluScore(_Frozen):
    """All of MMLU's averages. ``no_answer`` samples are wrong ones that named no letter."""

    overall: Average
    groups: tuple[Average, ...]
    subjects: tuple[Average, ...]
    no_answer: int


class AnswerKinds(_Frozen):
    """How samples of a single-shot suite came out. wrong: kind of failure -> samples, where
    ``no_answer`` and ``cut_by_length`` stand apart from wrong answers; rules: extraction rule ->
    samples that it gave an answer of; unread: why there was none -> samples."""

    scored: int
    right: int
    no_answer: int
    wrong: dict[str, int]
    rules: dict[str, int]
    unread: dict[str, int]


@dataclass(frozen=True, slots=True)
class Marked:
    """One scored sample of a single-shot suite. epochs of one question are several of these.

    kind: ``right``, ``no_answer``, ``cut_by_length``, else its grade_status, the first that
    applies; rule: the extraction rule.
    """

    task_id: str
    subject: str
    right: bool
    answered: bool = True
    kind: str = ""
    rule: str = ""


def marked(record: SampleRecord) -> Marked | None:
    """A record as it was marked; None for one without a score or of another kind of suite."""
    if "rule" not in record.metrics or not is_final(record.verdict):
        return None
    right = record.verdict is Verdict.RESOLVED
    answered = not record.metrics.get("no_answer", False)
    kind = record.grade_status.value if record.grade_status else "unknown"
    if right:
        kind = "right"
    elif not answered:
        kind = "no_answer"
    elif record.metrics.get("truncated"):
        kind = "cut_by_length"
    return Marked(
        task_id=record.task_id,
        subject=record.subject or "",
        right=right,
        answered=answered,
        kind=kind,
        rule=str(record.metrics["rule"]),
    )


class ClassicScore(_Frozen):
    """What a single-shot suite's score has beside the usual. without_faulty: MMLU without the
    ``faulty`` questions that are known to be mislabelled, where labels were given."""

    answers: AnswerKinds
    mmlu: MmluScore | None = None
    without_faulty: MmluScore | None = None
    faulty: int | None = None


def classic_score(
    suite: str, answers: Sequence[Marked], faulty: frozenset[str] | None = None
) -> ClassicScore | None:
    """None where there is no answer to tell of."""
    if not answers:
        return None
    kinds = answer_kinds(answers)
    if suite != "mmlu":
        return ClassicScore(answers=kinds)
    score = mmlu_score(answers)
    if faulty is None:
        return ClassicScore(answers=kinds, mmlu=score)
    left = [a for a in answers if a.task_id not in faulty]
    return ClassicScore(
        answers=kinds,
        mmlu=score,
        without_faulty=mmlu_score(left) if left else None,
        faulty=len({a.task_id for a in answers} & faulty),
    )


def subject_and_group(name: str) -> tuple[str, str]:
    """A subject of MMLU by name, and its group; both empty where it is none."""
    from harness.suites.data.subjects import SUBJECTS

    found = SUBJECTS.get(name)
    return (name, found.group) if found else ("", "")


def mmlu_score(answers: Iterable[Marked], *, without: frozenset[str] = frozenset()) -> MmluScore:
    """Averages of ``answers``, leaving out the tasks ``without`` (rows known to be mislabelled).

    Papers differ in the average they call the score (micro: Hendrycks et al., lm-eval; macro:
    HELM), so both are always given. Raises ValueError where nothing is left.
    """
    from harness.suites.data.subjects import GROUPS, SUBJECTS

    kept = [a for a in answers if a.task_id not in without]
    if not kept:
        raise ValueError("no scored MMLU sample")
    by_subject: dict[str, list[Marked]] = defaultdict(list)
    for answer in kept:
        by_subject[answer.subject].append(answer)
    subjects = {name: _average(name, {name: by_subject[name]}) for name in sorted(by_subject)}
    groups = []
    for group in GROUPS:
        part = {s: a for s, a in by_subject.items() if SUBJECTS[s].group == group}
        if part:
            groups.append(_average(group, part))
    return MmluScore(
        overall=_average("all", by_subject),
        groups=tuple(groups),
        subjects=tuple(subjects.values()),
        no_answer=sum(not a.answered for a in kept),
    )


def _average(name: str, parts: Mapping[str, list[Marked]]) -> Average:
    rates = [task_rates((a.task_id, a.right) for a in part) for part in parts.values()]
    questions = [rate for part in rates for rate in part]
    samples = [answer for part in parts.values() for answer in part]
    return Average(
        name=name,
        subjects=len(rates),
        questions=len(questions),
        samples=len(samples),
        right=sum(a.right for a in samples),
        micro=mean(questions) or 0.0,
        macro=mean([mean(part) or 0.0 for part in rates]) or 0.0,
        interval=wilson_over_tasks(questions),
    )


def answer_kinds(answers: Sequence[Marked]) -> AnswerKinds:
    """Samples by kind and by extraction rule."""
    return AnswerKinds(
        scored=len(answers),
        right=sum(a.right for a in answers),
        no_answer=sum(not a.answered for a in answers),
        wrong=dict(Counter(a.kind for a in answers if not a.right).most_common()),
        rules=dict(Counter(a.rule for a in answers if a.answered).most_common()),
        unread=dict(Counter(a.rule for a in answers if not a.answered).most_common()),
    )
