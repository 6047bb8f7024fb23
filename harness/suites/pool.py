"""The judge of single-shot code: a pool of warm boxes in the chosen containment.

``judge`` runs the trusted checks in one process of a box and the candidate in another (kind
``classeval``: complementary twins). Three rules keep the machine's faults from the candidate:
CPU and wall clock have limits of their own; a timeout on what may have been a loaded machine is
tried once more with nothing else in the pool; a box that dies is tried once more beside a control.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Awaitable, Callable
from dataclasses import replace

from harness.errors import SandboxError, SandboxLost
from harness.outcome import GradeStatus
from harness.sandbox.protocol import (
    Attestation,
    Box,
    BoxSpec,
    CandidateSpec,
    Limits,
    MiB,
    Provider,
)
from harness.suites.judging import CodeJob, CodeVerdict
from harness.suites.pool_boxes import Gate, PoolBoxes
from harness.suites.pool_verdicts import FLOOD, judge_fields, verdict_of_report
from harness.suites.protocol import SampleContext

# A candidate that was stopped with less than this share of its time on a processor may have met
# a loaded machine rather than its own slowness.
LOADED_SHARE = 0.5
# One that had less than this was asleep: however loaded, a machine gives more to who wants it.
ASLEEP_SHARE = 0.02
_MOST = 16
# Bytes of a candidate. Six times as many, which its escapes may take, still fit one frame.
MOST_CODE = 8 * MiB


class Pool:
    """Implements ``harness.suites.judging.Judge``. extra: packages of ``harness.sandbox.extras``
    that its boxes have."""

    def __init__(
        self,
        provider: Provider,
        size: int | None = None,
        limits: Limits | None = None,
        *,
        run_id: str = "grade",
        extra: str | None = None,
    ) -> None:
        spec = BoxSpec(run_id, "pool", "pool", limits or Limits(), extra=extra)
        self.boxes = PoolBoxes(provider, spec, size or default_size())
        self._gate = Gate()

    async def judge(self, job: CodeJob) -> CodeVerdict:
        """See judging.Judge."""
        size = len(job.candidate.encode("utf-8", "surrogatepass"))
        if size > MOST_CODE:
            return CodeVerdict(
                grade_status=GradeStatus.WRONG_ANSWER,
                attestation=await self.boxes.attested(),
                detail=f"its code has {size:,} bytes; at most {MOST_CODE:,} are run",
                checks_passed=0,
                checks_total=len(job.checks),
                groups={name: (0, total) for name, total in job.groups},
            )
        async with self._gate.together():
            verdict = await self._judged(job)
        if not _may_be_load(verdict):
            return verdict
        async with self._gate.alone():
            again = await self._judged(job)
        return replace(again, flags=(*again.flags, "tried_again_alone"))

    async def _judged(self, job: CodeJob) -> CodeVerdict:
        """One try; two where the box did not survive the first."""
        attempt = functools.partial(_attempt, job)
        try:
            async with self.boxes.box() as box:
                return await attempt(box)
        except SandboxLost:
            return await self._beside_control(attempt)
        except (
            SandboxError
        ):  # the box could not be cleaned, say: it is closed, another one is taken
            async with self.boxes.box() as box:
                return await attempt(box)

    async def _beside_control(
        self, attempt: Callable[[Box], Awaitable[CodeVerdict]]
    ) -> CodeVerdict:
        """The second try of a job whose box died. Raises SandboxLost where a control dies too."""
        death = ""
        async with self.boxes.control():
            try:
                async with self.boxes.box() as box:
                    return await attempt(box)
            except SandboxLost as lost:
                death = str(lost)
        return CodeVerdict(
            grade_status=GradeStatus.BOX_KILLED,
            attestation=await self.boxes.attested(),
            detail=f"its box died twice, a control beside it lived: {death}",
        )

    async def attestation(self) -> Attestation:
        """See judging.Judge."""
        return await self.boxes.attested()

    async def close(self) -> None:
        """See judging.Judge."""
        await self.boxes.close()


async def _attempt(job: CodeJob, box: Box) -> CodeVerdict:
    if job.kind == "classeval":
        from harness.suites.pool_twins import judge_with_twins

        return await judge_with_twins(box, job)
    return await split_judge(box, job)


async def split_judge(box: Box, job: CodeJob) -> CodeVerdict:
    """Judge a job in a box. Raises SandboxLost for a job that killed its judge."""
    limits = job.limits
    report = await box.candidate(
        CandidateSpec(
            judge_fields(job), wall_s=limits.wall_s, cpu_s=limits.cpu_s, flood_bytes=FLOOD
        )
    )
    verdict = verdict_of_report(job, report, box.attestation)
    if verdict is None:
        raise SandboxLost("the judge of the box died")
    return verdict


def _may_be_load(verdict: CodeVerdict) -> bool:
    """Whether a timeout can have come from a machine that had too much to do."""
    if verdict.grade_status is not GradeStatus.TIMEOUT:
        return False
    return ASLEEP_SHARE * verdict.wall_s < verdict.cpu_s < LOADED_SHARE * verdict.wall_s


def default_size() -> int:
    """Boxes at work, by the processors that this process may use: one each, and half as many more
    for when candidates sleep."""
    affinity = getattr(os, "sched_getaffinity", None)  # Linux only
    processors = len(affinity(0)) if affinity else os.cpu_count() or 1
    return min(_MOST, (3 * processors + 1) // 2)


async def open_pool(context: SampleContext) -> Pool:
    """The pool of a suite's run, in the containment of its plan. Boxes open when they are used."""
    if context.provider is None:
        raise SandboxError("code is never run without a sandbox")
    containment = context.plan.containment
    return Pool(
        context.provider,
        limits=containment.limits if containment else None,
        run_id=context.run_id,
        extra="classeval" if context.suite.name == "classeval" else None,
    )
