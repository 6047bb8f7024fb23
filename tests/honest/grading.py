"""Grades one honest solution, as a sample of its suite would be."""

from __future__ import annotations

from dataclasses import dataclass

from harness.grading.boxes import Place
from harness.grading.grade import grade
from harness.grading.subject import Subject
from harness.outcome import GradeStatus
from harness.sandbox.protocol import Limits, Provider
from harness.suites.judging import CodeJob
from harness.suites.pool import Pool
from tests.support.grading import tree


@dataclass(frozen=True)
class Found:
    """What grading made of an honest solution. fault: what is wrong with that, empty for nothing;
    flags: kinds of what a person was told to look at, which is no fault."""

    fault: str
    flags: tuple[str, ...] = ()


async def graded_tree(subject: Subject, files: dict[str, str], provider: Provider) -> Found:
    """Grade a tree in boxes as a run has them. Raises SandboxError for faults of the machine."""
    place = Place(provider, Limits(), "honest", f"{subject.id}@1")
    finished = (await grade(subject, tree(files), place, lambda event: event)).finished
    flags = tuple(sorted({flag.kind for flag in finished.flags}))
    if finished.resolved and finished.grade_status is GradeStatus.OK:
        return Found("", flags)
    ids = f" {finished.tampered_ids}" if finished.tampered_ids else ""
    return Found(f"{finished.grade_status.value}: {finished.detail}{ids}", flags)


async def judged(job: CodeJob, pool: Pool) -> Found:
    """Judge an answer. Raises SandboxError for faults of the machine."""
    verdict = await pool.judge(job)
    right = verdict.checks_passed == verdict.checks_total == len(job.checks)
    if verdict.grade_status is GradeStatus.OK and right:
        return Found("", verdict.flags)
    return Found(
        f"{verdict.grade_status.value}: {verdict.detail} {verdict.failure or ''}", verdict.flags
    )
