"""Scores that only the classic suites have: MMLU's averages, answers by kind."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from harness.outcome import Verdict, is_final
from harness.store.records import SampleRecord


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Average(_Frozen):
    """Accuracy of a part. micro: over its questions; macro: mean over its subjects."""

    name: str
    subjects: int
    questions: int
    right: int
    micro: float
    macro: float


class MmluScore(_Frozen):
    """All of MMLU's averages. ``no_answer`` questions are wrong ones that named no letter."""

    overall: Average
    groups: tuple[Average, ...]
    subjects: tuple[Average, ...]
    no_answer: int


@dataclass(frozen=True)
class Marked:
    """One question as it was answered. epochs of one question are several of these."""

    task_id: str
    subject: str
    right: bool
    answered: bool = True


def marked(records: Mapping[str, SampleRecord] | Iterable[SampleRecord]) -> list[Marked]:
    """The scored MMLU samples among ``records``."""
    chosen = records.values() if isinstance(records, Mapping) else records
    return [
        Marked(
            task_id=record.task_id,
            subject=record.subject or record.task_id.split("/")[0],
            right=record.verdict is Verdict.RESOLVED,
            answered=not record.metrics.get("no_answer", False),
        )
        for record in chosen
        if record.suite == "mmlu" and is_final(record.verdict)
    ]


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
    rates = [sum(a.right for a in part) / len(part) for part in parts.values()]
    questions = sum(len(part) for part in parts.values())
    right = sum(a.right for part in parts.values() for a in part)
    return Average(
        name=name,
        subjects=len(rates),
        questions=questions,
        right=right,
        micro=right / questions,
        macro=sum(rates) / len(rates),
    )


class AnswerKinds(_Frozen):
    """How samples of a single-shot suite came out. wrong: kind of failure -> samples, where
    ``no_answer`` and ``cut_by_length`` stand apart from wrong answers; rules: extraction rule ->
    samples."""

    scored: int
    right: int
    wrong: dict[str, int]
    rules: dict[str, int]


def answer_kinds(records: Iterable[SampleRecord]) -> AnswerKinds:
    """Errors by kind. A sample is counted under the first of: no answer, cut, grade_status."""
    scored = [r for r in records if is_final(r.verdict)]
    wrong: Counter[str] = Counter()
    for record in scored:
        if record.verdict is Verdict.RESOLVED:
            continue
        if record.metrics.get("no_answer"):
            wrong["no_answer"] += 1
        elif record.metrics.get("truncated"):
            wrong["cut_by_length"] += 1
        else:
            wrong[record.grade_status.value if record.grade_status else "unknown"] += 1
    rules = Counter(str(r.metrics["rule"]) for r in scored if "rule" in r.metrics)
    return AnswerKinds(
        scored=len(scored),
        right=sum(r.verdict is Verdict.RESOLVED for r in scored),
        wrong=dict(wrong.most_common()),
        rules=dict(rules.most_common()),
    )
