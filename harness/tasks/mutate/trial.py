"""Trying defects out: the hidden tests, then lint, in boxes that are used again and again."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace

from harness.errors import ConfigError
from harness.grading.assemble import assemble
from harness.grading.boxes import Place, run_tests
from harness.grading.grade import read_result
from harness.grading.verdict import RunResult, counted
from harness.outcome import GradeStatus
from harness.sandbox.protocol import Limits
from harness.sandbox.shared import SharedBoxes
from harness.tasks.lint_proof import lint_tree
from harness.tasks.mutate.outcome import KEPT, MESSAGE, Outcome, OutcomeCache
from harness.tasks.mutate.plant import Plant, apply
from harness.tasks.mutate.repo import Ground
from harness.tasks.task import Tree

# A defect may make the tests slower, but not by so much; one that loops for ever is found soon.
SLOWER, SLOWER_S = 8.0, 6.0
# How a trial can end with no outcome for each test; what the user is told of it.
_PROBLEMS = {
    GradeStatus.TIMEOUT: "the tests do not end",
    GradeStatus.OUT_OF_MEMORY: "the tests do not end",
    GradeStatus.OUTPUT_FLOOD: "the tests do not end",
    GradeStatus.SYNTAX_ERROR: "it does not load",
    GradeStatus.COLLECTION_ERROR: "it does not load",
}
_PLACE = re.compile(r":\d+(?::\d+)?:")


class Trials:
    """Tries defects of one repository; ``known`` holds what was tried before."""

    def __init__(
        self, ground: Ground, boxes: SharedBoxes, known: OutcomeCache, limits: Limits | None = None
    ) -> None:
        self._ground = ground
        self._boxes = boxes
        self._known = known
        run = f"mutate-{ground.digest[:12]}"
        self._place = Place(boxes, limits or Limits(), run, ground.name)
        self._child = ground.subject.child()
        self._clean: list[str] = []
        self._tests: frozenset[str] = frozenset()
        self._ready = asyncio.Lock()
        self._begun = False
        self.ran = 0

    async def outcome(self, plants: tuple[Plant, ...]) -> Outcome:
        """What planting all of ``plants`` shows. Raises ConfigError when gold itself fails,
        SandboxError."""
        keys = tuple(plant.key for plant in plants)
        known = self._known.get(keys)
        if known is not None:
            return known
        await self._begin()
        self.ran += 1
        tree = apply(self._ground.gold, plants)
        found = self._outcome(await self._run(tree))
        if not found.against and await self._findings(tree) != self._clean:
            found = Outcome(problem="lint gives it away")
        self._known.put(keys, found)
        return found

    async def _begin(self) -> None:
        """Gold's own lint and how long its tests take."""
        async with self._ready:
            if self._begun:
                return
            self._clean = await self._findings(self._ground.gold)
            result = await self._run(self._ground.gold)
            bad = sorted(t.id for t in result.tests.values() if t.outcome != "passed")
            if result.problem is not None or bad or not result.tests:
                told = result.detail[:400] or ", ".join(bad[:5]) or "there are none"
                raise ConfigError(
                    f"the hidden tests do not pass on gold: {told}",
                    where=str(self._ground.repository.root),
                    remedy="fresh tasks are made from a repository that is right: mend it first",
                )
            most = SLOWER_S + SLOWER * result.report.cpu_s
            self._child = replace(
                self._child, cpu_s=min(self._child.cpu_s, most), wall_s=self._child.wall_s
            )
            self._tests = frozenset(result.tests)
            self._begun = True

    async def _run(self, tree: Tree) -> RunResult:
        built = assemble(self._ground.subject, tree, self._ground.hidden).tree
        run = await run_tests(self._place, self._ground.subject, built, self._child)
        return counted(read_result(run), self._ground.subject.tests.left_out)

    def _outcome(self, result: RunResult) -> Outcome:
        if result.problem is not None:
            return Outcome(problem=_PROBLEMS.get(result.problem, "it ends the test run"))
        bad = {t.id: t.message for t in result.tests.values() if t.outcome != "passed"}
        bad |= dict.fromkeys(self._tests - result.tests.keys(), "")  # missing is not passed
        kept = dict(sorted(bad.items())[:KEPT])
        return Outcome(len(self._tests), {test: kept[test][-MESSAGE:] for test in kept})

    async def _findings(self, tree: Tree) -> list[str]:
        """What lint says of ``tree``, without line numbers."""
        language = self._ground.repository.spec.language
        linted = await lint_tree(self._boxes, self._place.limits, language, tree)
        return sorted(_PLACE.sub(":", line) for line in linted.lines)
