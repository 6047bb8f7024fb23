"""What judging an answer yields for the transcript and the record."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from harness.events.base import Event
from harness.events.grading import AnswerJudged, TestOutcome
from harness.outcome import GradeStatus
from harness.sandbox.protocol import Attestation
from harness.suites.extract.answer import Answer
from harness.suites.judging import CodeJob, CodeVerdict, Judge

_SHOWN = 2_000


@dataclass(frozen=True)
class Mark:
    """The judgement, events that go before it, and what the record keeps."""

    judged: AnswerJudged
    events: tuple[Event, ...] = ()
    attestation: Attestation | None = None
    partial: float | None = None
    flags: tuple[str, ...] = ()
    metrics: dict[str, Any] = field(default_factory=dict)


def letter_mark(answer: Answer, expected: str) -> Mark:
    """A letter compared with the expected one; no answer is a wrong one."""
    right = answer.value == expected
    detail = f"no answer ({answer.rule})" if answer.none else ""
    return Mark(
        AnswerJudged(
            grade_status=GradeStatus.OK if right else GradeStatus.WRONG_ANSWER,
            expected=expected,
            got=answer.value,
            detail=detail,
        ),
        metrics={"answer": answer.value, "expected": expected},
    )


async def code_mark(judge: Judge, job: CodeJob, answer: Answer) -> Mark:
    """Code judged in its containment; no answer needs none run, but is attested all the same."""
    if answer.none:
        return Mark(
            AnswerJudged(
                grade_status=GradeStatus.WRONG_ANSWER,
                detail=f"no answer ({answer.rule})",
                checks_passed=0,
                checks_total=len(job.checks),
                expected=None,
                got=None,
            ),
            attestation=await judge.attestation(),
            partial=0.0,
        )
    return verdict_mark(await judge.judge(job))


def verdict_mark(verdict: CodeVerdict) -> Mark:
    """A judge's verdict as events and record."""
    failure = verdict.failure
    detail = verdict.detail
    if failure is not None:
        parts = [failure.check, failure.error or "", detail]
        detail = "\n".join(part for part in parts if part)
    passed, total = verdict.checks_passed, verdict.checks_total
    groups = {name: list(counts) for name, counts in verdict.groups.items()}
    return Mark(
        AnswerJudged(
            grade_status=verdict.grade_status,
            expected=_cut(failure.expected) if failure else None,
            got=_cut(failure.got) if failure else None,
            detail=_cut(detail) or "",
            checks_passed=passed,
            checks_total=total,
            seconds=verdict.wall_s,
        ),
        events=tuple(
            TestOutcome(
                id=outcome.id,
                group="fail_to_pass",
                outcome=outcome.outcome,
                twin=outcome.twin,
                message=_cut(outcome.message) or "",
                seconds=outcome.seconds,
            )
            for outcome in verdict.outcomes
        ),
        attestation=verdict.attestation,
        partial=passed / total if passed is not None and total else None,
        flags=verdict.flags,
        metrics={"groups": groups} if groups else {},
    )


def _cut(text: str | None) -> str | None:
    return text if text is None or len(text) <= _SHOWN else f"{text[:_SHOWN]} [...]"
