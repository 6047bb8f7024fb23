"""What each hunk and each defect of a task is worth: proof that partial credit is exact.

Every hunk alone on gold must break a hidden test. (Of a feature it may be the type checker instead
that notices it: declarations of types are no part of a program that runs.) Of several defects each
has a share of fail_to_pass: planted alone it breaks exactly its share, mended alone it turns
exactly its share green; no test is in two shares or in none.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from itertools import combinations

from harness.errors import ConfigError
from harness.grading.boxes import Place
from harness.grading.grade import grade
from harness.grading.subject import Subject
from harness.grading.twin_cache import twins_of
from harness.sandbox.shared import SharedBoxes
from harness.tasks.admission import Bench, Silent, failing, some, together
from harness.tasks.lint_proof import lint_tree
from harness.tasks.patch import apply_patch, hunk_places
from harness.tasks.repository import read_patch
from harness.tasks.task import RepoTask, Tree

Hunks = frozenset[int]  # numbered from 0 over the whole patch


@dataclass(frozen=True)
class Parts:
    """A task's patch in parts. places: file and line of each hunk."""

    task: RepoTask
    patch: str
    where: str
    places: tuple[str, ...]

    def planted(self, hunks: Hunks) -> Tree | None:
        """Gold with these hunks only; None where they cannot stand alone (a file that is deleted
        in parts)."""
        try:
            skip = frozenset(range(len(self.places))) - hunks
            return apply_patch(self.task.gold, self.patch, self.where, skip=skip)
        except ConfigError:
            return None

    def mended(self, hunks: Hunks) -> Tree:
        """The starting tree without these hunks. Raises ConfigError like ``apply_patch``."""
        return apply_patch(self.task.gold, self.patch, self.where, skip=hunks)


def parts_of(task: RepoTask) -> Parts:
    """The parts of a task's patch. Raises ConfigError."""
    patch, where = read_patch(task.root), str(task.root / "start.patch")
    return Parts(task, patch, where, tuple(hunk_places(patch, where)))


async def prove_parts(
    task: RepoTask, subject: Subject, place: Place, boxes: SharedBoxes
) -> tuple[list[str], tuple[int, ...]]:
    """What speaks against the task's parts, and the number of tests that each defect decides (()
    where hunks are not divided among defects). subject: with the ids that decide. Raises
    SandboxError."""
    parts, tests = parts_of(task), (*subject.fail_to_pass, *subject.pass_to_pass)
    twins = await twins_of(subject, place)
    bench, true = Bench(subject, place, twins.names), await asyncio.to_thread(twins.all_true)

    async def red(hunks: Hunks) -> frozenset[str] | None:
        tree = parts.planted(hunks)
        if tree is None:
            return None
        if len(hunks) == len(parts.places):
            return frozenset(subject.fail_to_pass)
        return frozenset(failing(await bench.run(tree, true, brief=True), tests))

    alone = [frozenset({number}) for number in range(len(parts.places))]
    wanted = list(dict.fromkeys([*alone, *task.defect_groups]))
    reds = dict(zip(wanted, await together(*map(red, wanted)), strict=True))
    reasons = []
    for number, (hunk, where) in enumerate(zip(alone, parts.places, strict=True), 1):
        if reds[hunk] == frozenset() and not await _is_declared(
            parts.planted(hunk), task, place, boxes
        ):
            reasons.append(f"hunk {number} of start.patch ({where}) is noticed by no hidden test")
    shares = [reds[group] or frozenset() for group in task.defect_groups]
    if len(shares) < 2:
        return reasons, tuple(map(len, shares))
    reasons += share_reasons(shares, frozenset(subject.fail_to_pass))
    if not reasons:
        mended = [
            _mended_reasons(number, parts.mended(group), share, subject, place)
            for number, (group, share) in enumerate(zip(task.defect_groups, shares, strict=True), 1)
        ]
        reasons += [reason for found in await together(*mended) for reason in found]
    return reasons, tuple(map(len, shares))


async def _is_declared(tree: Tree | None, task: RepoTask, place: Place, boxes: SharedBoxes) -> bool:
    """Whether the type checker misses something in gold with a hunk of a feature left out."""
    if tree is None or task.spec.category != "feature":
        return False
    language, of = task.repository.spec.language, task.repository.evidence
    linted = await lint_tree(boxes, place.limits, language, tree)
    return linted.findings > (0 if of is None else of.lint_findings)


def share_reasons(shares: list[frozenset[str]], fail_to_pass: frozenset[str]) -> list[str]:
    """What speaks against defects of which each, planted alone, breaks the tests of its share."""
    reasons = []
    for number, share in enumerate(shares, 1):
        if not share:
            reasons.append(f"defect {number} alone is noticed by no hidden test")
        if more := sorted(share - fail_to_pass):
            reasons.append(
                f"defect {number} alone breaks tests that pass with all of them: {some(more, 3)}"
            )
    for (one, share), (other, others) in combinations(enumerate(shares, 1), 2):
        if both := sorted(share & others):
            reasons.append(f"defects {one} and {other} overlap: each alone breaks {some(both, 3)}")
    if rest := sorted(fail_to_pass - frozenset().union(*shares)):
        reasons.append(f"no defect alone breaks {some(rest)}")
    return reasons


async def _mended_reasons(
    number: int, tree: Tree, share: frozenset[str], subject: Subject, place: Place
) -> list[str]:
    """Whether the starting tree with one defect mended is scored as exactly its share."""
    graded = await grade(subject, tree, place, Silent().emit)
    outcomes = graded.judgement.outcomes
    green = {o.id for o in outcomes if o.group == "fail_to_pass" and o.outcome == "passed"}
    broken = [o.id for o in outcomes if o.group == "pass_to_pass" and o.outcome != "passed"]
    reasons = []
    if red := sorted(share - green):
        reasons.append(f"with only defect {number} mended its tests still fail: {some(red)}")
    if more := sorted(green - share):
        reasons.append(f"mending only defect {number} turns others' tests green: {some(more)}")
    if broken:
        reasons.append(f"mending only defect {number} breaks {some(broken)}")
    expected = len(share) / len(subject.fail_to_pass)
    if not reasons and (graded.finished.resolved or graded.finished.partial != expected):
        reasons.append(
            f"mending only defect {number} is scored {graded.finished.partial}, not {expected:.3f}"
        )
    return reasons
