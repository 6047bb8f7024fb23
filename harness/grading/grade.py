"""Grading of a tree: two forms of the hidden tests in two fresh boxes, joined into a verdict."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from harness.events.base import Event
from harness.events.grading import GradingFinished, GradingStarted
from harness.grading.assemble import Assembled, assemble
from harness.grading.boxes import BoxRun, Place, run_again_alone, run_tests
from harness.grading.flags import review
from harness.grading.hierarchy import declared
from harness.grading.judge import Judgement, judge
from harness.grading.subject import Subject
from harness.grading.twin_cache import twins_of
from harness.grading.twin_pairs import TwinSet
from harness.grading.verdict import RunResult, counted, read_run, renamed
from harness.outcome import GradeStatus
from harness.sandbox.protocol import Attestation, ChildReport, ChildSpec
from harness.tasks.task import Tree

# A sample that passed and shows signs is judged by further pairs, each falsified anew: a guess
# which expectations are true has to be right in all of them. A right solution always is.
LOOKS = 5
_HARMLESS = ("protected_path", "link_out")  # what was ignored cannot have had a part in it


@dataclass(frozen=True)
class Grading:
    """A graded tree: the closing event, the judgement behind it, and what the boxes attested."""

    finished: GradingFinished
    judgement: Judgement
    attestation: Attestation | None


async def grade(
    subject: Subject, tree: Tree, place: Place, emit: Callable[[Event], Any]
) -> Grading:
    """Grade the agent's ``tree``. Raises SandboxError when boxes cannot be had or are lost for no
    fault of the tree's."""
    begun = time.monotonic()
    emit(
        GradingStarted(
            provider=place.provider.name,
            fail_to_pass=len(subject.fail_to_pass),
            pass_to_pass=len(subject.pass_to_pass),
        )
    )
    twins = await twins_of(subject, place)
    looks = [await look(subject, tree, place, twins)]
    flags = review(subject, tree, looks[0].trees[0], looks[0].results)
    if looks[0].judgement.resolved and any(flag.kind not in _HARMLESS for flag in flags):
        while len(looks) < LOOKS and not looks[-1].judgement.tampered:
            looks.append(await look(subject, tree, place, twins))
    # Only proof counts against a sample that passed once: a test that fails now and then is none.
    judgement = next((x.judgement for x in looks if x.judgement.tampered), looks[0].judgement)
    for outcome in judgement.outcomes:
        emit(outcome)
    f2p, p2p = len(subject.fail_to_pass), len(subject.pass_to_pass)
    finished = GradingFinished(
        grade_status=judgement.grade_status,
        resolved=judgement.resolved,
        partial=judgement.passed("fail_to_pass") / f2p if f2p else None,
        fail_to_pass_passed=judgement.passed("fail_to_pass"),
        fail_to_pass_total=f2p,
        pass_to_pass_passed=judgement.passed("pass_to_pass"),
        pass_to_pass_total=p2p,
        tampered_ids=judgement.tampered[:200],
        flags=flags,
        detail=judgement.detail,
        boxes=[facts for look in looks for facts in look.facts()],
        seconds=round(time.monotonic() - begun, 3),
    )
    emit(finished)
    runs = [run for look in looks for run in look.runs]
    attestation = next((run.attestation for run in runs if run.attestation is not None), None)
    return Grading(finished, judgement, attestation)


@dataclass(frozen=True)
class Look:
    """One pair of complementary forms, run and judged. role: as ``judge`` takes it."""

    seed: int
    trees: list[Assembled]
    runs: list[BoxRun]
    results: list[RunResult]
    role: Callable[[str], int]
    judgement: Judgement

    def facts(self) -> list[dict[str, Any]]:
        """What is kept of both boxes."""
        pairs = zip(self.runs, self.results, strict=True)
        return [_box_facts(run, result, self.seed) for run, result in pairs]


async def look(
    subject: Subject, tree: Tree, place: Place, twins: TwinSet, *, brief: bool = False
) -> Look:
    """Run a new pair of forms on ``tree`` and judge it; brief: failures are told in a line. Raises
    SandboxError."""
    seed = secrets.randbits(64)
    told = declared(tree, subject.start, subject.language)
    pair = await asyncio.to_thread(twins.pair, seed, told)
    trees = [assemble(subject, tree, form) for form in (pair.first, pair.second)]
    child = subject.child(brief=brief)
    runs = await _run_both(place, subject, trees, child)
    runs = [
        await run_again_alone(place, subject, assembled.tree, child, run)
        for assembled, run in zip(trees, runs, strict=True)
    ]
    left_out = subject.tests.left_out
    results = [counted(renamed(read_result(run), twins.names), left_out) for run in runs]
    judgement = judge(subject, results[0], results[1], pair.role)
    return Look(seed, trees, runs, results, pair.role, judgement)


def read_result(run: BoxRun) -> RunResult:
    """The results of a run; a box killed from within has none."""
    if run.report is not None:
        return read_run(run.report)
    empty = read_run(_NO_REPORT)
    return replace(empty, problem=GradeStatus.BOX_KILLED, detail=f"its box died: {run.death}")


async def _run_both(
    place: Place, subject: Subject, trees: list[Assembled], child: ChildSpec
) -> list[BoxRun]:
    """Both forms at the same time; when one fails the other is ended before the error goes on."""
    tasks = [
        asyncio.ensure_future(run_tests(place, subject, assembled.tree, child))
        for assembled in trees
    ]
    try:
        return list(await asyncio.gather(*tasks))
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise


def _box_facts(run: BoxRun, result: RunResult, seed: int) -> dict[str, Any]:
    facts: dict[str, Any] = {"twin_seed": f"{seed:016x}", "tests": len(result.tests)}
    report = run.report
    if report is None:
        return {**facts, "death": run.death[:500]}
    keep = ("exit_code", "signal", "stopped", "oom_kills", "pids_refused", "disk_full", "leftovers")
    facts.update({name: getattr(report, name) for name in (*keep, "wall_s", "cpu_s")})
    facts["peak_memory"] = report.peak_memory
    facts["problem"] = result.problem
    if result.problem is not None:
        facts["stderr"] = report.stderr[-2000:]
    return facts


_NO_REPORT = ChildReport(
    exit_code=None,
    signal=None,
    stopped=None,
    oom_kills=0,
    pids_refused=0,
    disk_full=False,
    stdout="",
    stderr="",
    results=[],
    results_truncated=False,
    leftovers=0,
    wall_s=0.0,
    cpu_s=0.0,
    peak_memory=None,
)
