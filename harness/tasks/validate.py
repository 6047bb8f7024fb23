"""Admission of a task: proof by running that its tests decide what they should.

What concerns gold and the hidden tests alone is the repository's (``repository_proof``) and proved
once for all of its tasks; here is what is a task's own, in two levels.
"""

from __future__ import annotations

import secrets
from dataclasses import replace

from harness.errors import ConfigError
from harness.grading.assemble import assemble
from harness.grading.boxes import Place
from harness.grading.grade import Look, grade, look
from harness.grading.judge import judge
from harness.grading.subject import Subject, unjudged
from harness.grading.twin_cache import twins_of
from harness.outcome import GradeStatus
from harness.sandbox.protocol import Limits, Provider
from harness.sandbox.shared import SharedBoxes, shared_boxes
from harness.tasks.admission import (
    Bench,
    Rejected,
    Silent,
    Step,
    place_for,
    play_gold,
    some,
    together,
)
from harness.tasks.evidence import is_fresh, repository_is_fresh, with_repository, write_evidence
from harness.tasks.exploits import exploits
from harness.tasks.lint_proof import Linted, lint_tree, reads_messages, start_reasons
from harness.tasks.repository_proof import gold_subject, twin_reasons, validate_repository
from harness.tasks.shares import prove_parts
from harness.tasks.task import (
    CoreEvidence,
    Evidence,
    FullEvidence,
    Outcome,
    RepositoryEvidence,
    RepoTask,
    Tree,
)


async def validate_core(
    task: RepoTask,
    provider: Provider,
    *,
    limits: Limits | None = None,
    write: bool = True,
    step: Step = lambda what: None,
) -> Evidence:
    """Core evidence: lint says what the category says, the starting tree's outcomes, noop 0, gold
    played by the tools and resolved. The repository's evidence is made first where it is not
    fresh. Raises Rejected with all reasons, SandboxError."""
    limits = limits or Limits()
    async with shared_boxes(provider) as boxes:
        task, of = await _with_repository(task, boxes, limits, write, step, orders=False)
        place = place_for(task.id, task.subject, boxes, limits)
        subject = replace(unjudged(task), pass_to_pass=of.tests)
        step("starting tree and its lint, gold by the tools")
        seen, linted, played = await _seen(task, subject, place, boxes)
        start = _start(of, seen)
        decides = tuple(test for test in start if start[test] != "passed")
        kept = tuple(test for test in start if start[test] == "passed")
        subject = replace(subject, fail_to_pass=decides, pass_to_pass=kept)
        reasons = [
            *_noop_reasons(subject, of, seen),
            *start_reasons(task, linted, of.lint_findings, seen),
        ]
        if isinstance(played, ConfigError):
            reasons.append(str(played))
        elif decides:
            step("gold against falsified tests")
            reasons += await _gold_reasons(task, subject, played, place)
    if reasons:
        raise Rejected(f"task {task.id}", reasons, where=str(task.root))
    before = task.evidence if is_fresh(task) else None
    core = CoreEvidence(
        subject=task.subject,
        repository=of.digest,
        start=start,
        lint_findings=linted.findings,
        without_twin=of.without_twin,
        providers=tuple(sorted({*(before.core.providers if before else ()), provider.name})),
    )
    full = before.full if before is not None else None
    evidence = Evidence(
        core=core, full=full if full is not None and full.subject == task.subject else None
    )
    if write:
        write_evidence(task.root, evidence)
    return evidence


async def validate_full(
    task: RepoTask,
    provider: Provider,
    *,
    limits: Limits | None = None,
    write: bool = True,
    step: Step = lambda what: None,
) -> Evidence:
    """Full evidence beside fresh core evidence (made first where it is not): each hunk and each
    defect alone, one exploit a channel, the repository's tests in random order. Raises Rejected
    with all reasons, SandboxError."""
    limits = limits or Limits()
    async with shared_boxes(provider) as boxes:
        task, _ = await _with_repository(task, boxes, limits, write, step, orders=True)
        evidence = task.evidence if is_fresh(task) else None
        if evidence is None:
            evidence = await validate_core(task, boxes, limits=limits, write=write, step=step)
        core = evidence.core
        subject = replace(
            unjudged(task), fail_to_pass=core.fail_to_pass, pass_to_pass=core.pass_to_pass
        )
        place = place_for(task.id, task.subject, boxes, limits)
        step("hunks and defects")
        reasons, shares = await prove_parts(task, subject, place, boxes)
        if reasons:  # to be mended first: exploits take the most time
            raise Rejected(f"task {task.id}", reasons, where=str(task.root))
        step("exploits")
        scores = await _exploited(subject, place)
    reasons = [
        f"the exploit {name} is scored as resolved"
        for name, status in scores.items()
        if status is GradeStatus.OK
    ]
    if reasons:
        raise Rejected(f"task {task.id}", reasons, where=str(task.root))
    full = FullEvidence(
        subject=task.subject,
        shares=shares,
        exploits={name: status.value for name, status in scores.items()},
    )
    evidence = evidence.model_copy(update={"full": full})
    if write:
        write_evidence(task.root, evidence)
    return evidence


async def _with_repository(
    task: RepoTask, boxes: SharedBoxes, limits: Limits, write: bool, step: Step, *, orders: bool
) -> tuple[RepoTask, RepositoryEvidence]:
    """The task with fresh evidence of its repository, which is made where it is not there."""
    repository = task.repository
    of = repository.evidence
    if of is not None and repository_is_fresh(repository) and (of.random_orders or not orders):
        return task, of
    of = await validate_repository(
        repository, boxes, limits=limits, orders=orders, write=write, step=step
    )
    return with_repository(task, of), of


async def _seen(
    task: RepoTask, subject: Subject, place: Place, boxes: SharedBoxes
) -> tuple[Look, Linted, Tree | ConfigError]:
    """The starting tree under a pair of forms, its lint, and the tree that gold's player leaves
    (or why it leaves none)."""
    language = task.repository.spec.language

    async def looked() -> Look:
        twins = await twins_of(subject, place)
        return await look(subject, task.start, place, twins, brief=not reads_messages(task))

    async def linted() -> Linted:
        return await lint_tree(boxes, place.limits, language, task.start)

    async def played() -> Tree | ConfigError:
        try:
            return await play_gold(task, place)
        except ConfigError as error:
            return error

    a, b, c = await together(looked(), linted(), played())
    assert isinstance(a, Look) and isinstance(b, Linted)  # as each returns
    assert isinstance(c, dict | ConfigError)
    return a, b, c


def _start(of: RepositoryEvidence, seen: Look) -> dict[str, Outcome]:
    """Outcome of every hidden test in its true form."""
    found = {line.id: line.outcome for line in seen.judgement.outcomes}
    return {test: found.get(test, "missing") for test in sorted(of.tests)}


def _noop_reasons(subject: Subject, of: RepositoryEvidence, seen: Look) -> list[str]:
    """Whether the hidden tests notice the defects, and doing nothing scores 0."""
    decides = subject.fail_to_pass
    if not decides:
        return ["no hidden test notices the defects: all pass on the starting tree"]
    reasons = []
    if set(decides) <= set(of.without_twin):
        reasons.append(f"no fail_to_pass can be falsified: {some(list(decides))}")
    verdict = judge(subject, seen.results[0], seen.results[1], seen.role)
    if verdict.resolved or verdict.passed("fail_to_pass"):
        reasons.append("the starting tree is scored as resolved in part or whole")
    if verdict.tampered:
        reasons.append(f"the starting tree passes falsified tests: {some(verdict.tampered)}")
    return reasons


async def _gold_reasons(task: RepoTask, subject: Subject, played: Tree, place: Place) -> list[str]:
    """Whether gold, as the tools reach it, is gold, and is resolved.

    Where the tree to grade is the repository's own gold, that it passes the true tests is proved;
    the falsified ones are another draw, with the task's surroundings. Any other tree is graded.
    """
    wrong = sorted(
        path
        for path in played.keys() | task.gold.keys()
        if not path.endswith("/") and played.get(path) != task.gold.get(path)
    )
    reasons = [f"the tools do not reach gold in {some(wrong)}"] if wrong else []
    of = gold_subject(task.repository)
    built, proved = assemble(subject, played, of.hidden).tree, assemble(of, of.gold, of.hidden).tree
    if _files(built) == _files(proved):
        twins = await twins_of(subject, place)
        bench = Bench(subject, place, twins.names)
        run = await bench.falsified(played, twins, secrets.randbits(64))
        tests = (*subject.fail_to_pass, *subject.pass_to_pass)
        return [*reasons, *twin_reasons(twins, [run], tests)]
    graded = (await grade(subject, played, place, Silent().emit)).finished
    if not graded.resolved:
        reasons.append(f"gold is scored {graded.grade_status.value}: {graded.detail[:600]}")
    return reasons


def _files(tree: Tree) -> Tree:
    """``tree`` without empty folders, which no tool makes and no test sees."""
    return {path: file for path, file in tree.items() if not path.endswith("/")}


async def _exploited(subject: Subject, place: Place) -> dict[str, GradeStatus]:
    """How one exploit a channel is graded."""
    trees = exploits(subject)
    graded = await together(
        *(grade(subject, tree, place, Silent().emit) for tree in trees.values())
    )
    found = zip(trees, graded, strict=True)
    return {name: each.finished.grade_status for name, each in found}
