"""Hidden tests run in fresh boxes; what a box's death means."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from harness.errors import SandboxLost
from harness.grading.subject import Subject
from harness.sandbox.protocol import (
    Attestation,
    Box,
    BoxSpec,
    ChildReport,
    ChildSpec,
    Limits,
    Provider,
)
from harness.tasks.task import Tree
from harness.tasks.trees import pack

# A run at its wall clock that had less than this share of it as CPU time may have met a loaded
# machine rather than its own slowness.
LOADED_SHARE = 0.5
_alone = asyncio.Lock()


@dataclass(frozen=True)
class Place:
    """Where grading takes place."""

    provider: Provider
    limits: Limits
    run_id: str
    sample: str

    def spec(self, purpose: str, language: str) -> BoxSpec:
        """A box's specification."""
        return BoxSpec(
            run_id=self.run_id,
            sample=self.sample,
            purpose="control" if purpose == "control" else "grade",
            limits=self.limits,
            language=language,
        )


@dataclass(frozen=True)
class BoxRun:
    """A child's report from a fresh box; None when the box was killed from within (``death``)."""

    report: ChildReport | None
    attestation: Attestation | None
    death: str = ""


async def run_tests(place: Place, subject: Subject, tree: Tree, child: ChildSpec) -> BoxRun:
    """Run ``child`` on ``tree`` in a fresh box. A box that dies is tried once more beside a control
    box; SandboxLost is raised when the control died too, or when no cause within is proven."""
    archive = await asyncio.to_thread(pack, tree)
    try:
        return await _once(place, subject, archive, child)
    except SandboxLost:
        pass
    control = await place.provider.open(place.spec("control", subject.language))
    try:
        try:
            return await _once(place, subject, archive, child)
        except SandboxLost as lost:
            await _require_alive(control)
            return BoxRun(None, control.attestation, str(lost))
    finally:
        await control.close()


async def run_again_alone(
    place: Place, subject: Subject, tree: Tree, child: ChildSpec, run: BoxRun
) -> BoxRun:
    """``run``, or another one with no other test run beside it when it hit its wall clock on what
    looks like a loaded machine."""
    report = run.report
    if report is None or report.stopped != "wall":
        return run
    if report.cpu_s >= LOADED_SHARE * report.wall_s:
        return run
    async with _alone:
        return await run_tests(place, subject, tree, child)


async def _once(place: Place, subject: Subject, archive: bytes, child: ChildSpec) -> BoxRun:
    box = await place.provider.open(place.spec("grade", subject.language))
    try:
        await box.put_tree("work", archive)
        return BoxRun(await box.run(child), box.attestation)
    finally:
        await box.close()


async def _require_alive(control: Box) -> None:
    report = await control.run(ChildSpec(program="run_alive", wall_s=20.0, cpu_s=20.0))
    if not report.results:
        raise SandboxLost("a test run's box died, and the control box does not work either")
