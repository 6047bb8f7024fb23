"""Admission of a task: proof by running that its tests decide what they should."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import replace

from harness.errors import ConfigError
from harness.grading.boxes import Place
from harness.grading.grade import grade
from harness.grading.subject import Subject, unjudged
from harness.grading.twin_cache import twins_of
from harness.grading.twin_pairs import TwinSet
from harness.grading.verdict import RunResult
from harness.sandbox.protocol import Limits, Provider
from harness.tasks.admission import Bench, Rejected, Silent, outcomes, play_gold
from harness.tasks.evidence import is_fresh, write_evidence
from harness.tasks.exploits import exploits
from harness.tasks.patch import apply_patch, count_hunks
from harness.tasks.task import CoreEvidence, Evidence, FullEvidence, Outcome, RepoTask, Tree

GOLD_RUNS = 3
FALSE_RUNS = 3  # each draws other assertions and other values
ORDERS = (11, 12, 13)


async def validate_core(
    task: RepoTask, provider: Provider, *, limits: Limits | None = None, write: bool = True
) -> Evidence:
    """Core evidence: both outcome maps, gold three times and against its twins, noop 0, gold
    played by the tools. Raises Rejected with all reasons, SandboxError."""
    place = _place(task, provider, limits)
    bench = Bench(unjudged(task), place)
    twins = await twins_of(bench.subject, place)
    bench.names = twins.names
    true = twins.all_true()
    start, golds, falsified = await _maps(bench, task, twins, true)
    ids = set(start.tests) | {test for run in golds for test in run.tests}
    at_start, at_gold = outcomes(start, ids), outcomes(golds[0], ids)
    fail_to_pass = tuple(t for t in at_gold if at_gold[t] == "passed" != at_start[t])
    pass_to_pass = tuple(t for t in at_gold if at_gold[t] == "passed" == at_start[t])
    reasons = _gold_reasons(golds, at_gold) + _twin_reasons(twins, falsified, fail_to_pass)
    if not fail_to_pass:
        reasons.append("no hidden test fails on the starting tree and passes on gold")
    if reasons:
        raise Rejected(task, reasons)
    subject = replace(bench.subject, fail_to_pass=fail_to_pass, pass_to_pass=pass_to_pass)
    reasons += await _grade_reasons(task, subject, place)
    if reasons:
        raise Rejected(task, reasons)
    before = task.evidence.core.providers if task.evidence is not None and is_fresh(task) else ()
    core = CoreEvidence(
        subject=task.subject,
        start=at_start,
        gold=at_gold,
        gold_runs=len(golds),
        fail_to_pass=fail_to_pass,
        pass_to_pass=pass_to_pass,
        without_twin=tuple(t for t in sorted(ids) if not twins.has_twin(t)),
        noop_resolved=False,
        gold_resolved=True,
        gold_played=True,
        providers=tuple(sorted({*before, provider.name})),
    )
    full = task.evidence.full if task.evidence is not None else None
    kept = full if full is not None and full.subject == task.subject else None
    evidence = Evidence(schema_version=1, core=core, full=kept)
    if write:
        write_evidence(task.root, evidence)
    return evidence


async def validate_full(
    task: RepoTask, provider: Provider, *, limits: Limits | None = None, write: bool = True
) -> Evidence:
    """Full evidence beside fresh core evidence: each hunk of the patch alone, exploits, order of
    tests. Raises Rejected, SandboxError."""
    evidence = task.evidence if is_fresh(task) else None
    if evidence is None:
        evidence = await validate_core(task, provider, limits=limits, write=write)
    place = _place(task, provider, limits)
    core = evidence.core
    subject = replace(
        unjudged(task), fail_to_pass=core.fail_to_pass, pass_to_pass=core.pass_to_pass
    )
    twins = await twins_of(subject, place)
    bench, true = Bench(subject, place, twins.names), twins.all_true()
    trees = single_hunks(task)
    runs = await asyncio.gather(*(bench.run(tree, true) for tree in trees))
    noticed = sum(not _all_passed(run, core) for run in runs)
    orders = await asyncio.gather(*(bench.run(task.gold, true, order=seed) for seed in ORDERS))
    reasons = [
        f"gold fails in another order (seed {seed})"
        for seed, run in zip(ORDERS, orders, strict=True)
        if not _all_passed(run, core)
    ]
    scores: dict[str, str] = {}
    for name, tree in exploits(subject).items():
        graded = await grade(subject, tree, place, Silent().emit)
        scores[name] = graded.finished.grade_status.value
        if graded.finished.resolved:
            reasons.append(f"the exploit {name} is scored as resolved")
    if reasons:
        raise Rejected(task, reasons)
    full = FullEvidence(
        subject=task.subject,
        hunks=len(trees),
        hunks_noticed=noticed,
        exploits=scores,
        random_orders=len(ORDERS),
    )
    evidence = evidence.model_copy(update={"full": full})
    if write:
        write_evidence(task.root, evidence)
    return evidence


def single_hunks(task: RepoTask) -> list[Tree]:
    """Gold with one hunk of the task's patch each; a hunk that cannot stand alone (a file deleted
    in parts) is left out."""
    path = task.root / "start.patch"
    text = path.read_text(encoding="utf-8")
    count = count_hunks(text, str(path))
    trees = []
    for number in range(count):
        others = frozenset(range(count)) - {number}
        try:
            trees.append(apply_patch(task.gold, text, str(path), skip=others))
        except ConfigError:
            continue
    return trees


async def _maps(
    bench: Bench, task: RepoTask, twins: TwinSet, true: Tree
) -> tuple[RunResult, list[RunResult], list[RunResult]]:
    runs = await asyncio.gather(
        bench.run(task.start, true),
        *(bench.run(task.gold, true) for _ in range(GOLD_RUNS)),
        *(bench.run(task.gold, twins.all_falsified(seed)) for seed in range(FALSE_RUNS)),
    )
    return runs[0], list(runs[1 : 1 + GOLD_RUNS]), list(runs[1 + GOLD_RUNS :])


def _gold_reasons(golds: list[RunResult], at_gold: dict[str, Outcome]) -> list[str]:
    reasons = []
    for number, run in enumerate(golds, 1):
        if run.problem is not None:
            reasons.append(f"gold run {number}: {run.problem.value}: {run.detail[:600]}")
    bad = [f"{test}: {outcome}" for test, outcome in at_gold.items() if outcome != "passed"]
    if bad:
        reasons.append(f"gold does not pass {_some(bad)}")
    flaky = {
        test
        for run in golds[1:]
        for test, outcome in outcomes(run, set(at_gold)).items()
        if outcome != at_gold[test]
    }
    if flaky:
        reasons.append(f"gold's outcome changes between runs: {_some(sorted(flaky))}")
    return reasons


def _twin_reasons(
    twins: TwinSet, falsified: list[RunResult], fail_to_pass: tuple[str, ...]
) -> list[str]:
    reasons = []
    passed = {
        test
        for run in falsified
        for test, line in run.tests.items()
        if line.outcome == "passed" and twins.has_twin(test)
    }
    if passed:
        reasons.append(f"gold passes falsified tests: {_some(sorted(passed))}")
    if fail_to_pass and not any(twins.has_twin(test) for test in fail_to_pass):
        reasons.append(f"no fail_to_pass has a twin: {_some(list(fail_to_pass))}")
    return reasons


async def _grade_reasons(task: RepoTask, subject: Subject, place: Place) -> list[str]:
    """Whether noop scores 0, and gold, played by the tools, is resolved without a flag."""
    reasons = []
    idle = await grade(subject, task.start, place, Silent().emit)
    if idle.finished.resolved:
        reasons.append("the starting tree is scored as resolved")
    try:
        played = await play_gold(task, place)
    except ConfigError as error:
        return [*reasons, str(error)]
    wrong = sorted(
        path
        for path in played.keys() | task.gold.keys()
        if not path.endswith("/") and played.get(path) != task.gold.get(path)
    )
    if wrong:
        reasons.append(f"the tools do not reach gold in {_some(wrong)}")
    graded = (await grade(subject, played, place, Silent().emit)).finished
    if not graded.resolved:
        reasons.append(f"gold is scored {graded.grade_status.value}: {graded.detail[:600]}")
    return reasons


def _all_passed(run: RunResult, core: CoreEvidence) -> bool:
    found = outcomes(run, {*core.fail_to_pass, *core.pass_to_pass})
    return all(outcome == "passed" for outcome in found.values())


def _some(names: list[str]) -> str:
    more = f" and {len(names) - 8} more" if len(names) > 8 else ""
    return ", ".join(names[:8]) + more


def _place(task: RepoTask, provider: Provider, limits: Limits | None) -> Place:
    run = hashlib.sha256(task.subject.encode()).hexdigest()[:12]
    return Place(provider, limits or Limits(), f"validate-{run}", task.id)
