"""Two forms of a task's hidden tests: in the first a random half is falsified, in the second the
other half."""

from __future__ import annotations

import ast
import secrets
from dataclasses import dataclass
from random import Random

from harness import syntax
from harness.grading.false_values import Surroundings
from harness.grading.hierarchy import Hierarchy, Parents
from harness.grading.python_values import parents_in
from harness.grading.subject import Subject
from harness.grading.twins import TestFile, Unit, Unrelated, falsify, usable
from harness.tasks.task import Tree, TreeFile


@dataclass(frozen=True)
class Pair:
    """first, second: hidden tests to lay in the two trees; sides: unit id -> 1 or 2, the form in
    which it is falsified."""

    first: Tree
    second: Tree
    sides: dict[str, int]

    def role(self, test: str) -> int:
        """1 or 2: the form in which a test id is falsified; 0: it has no twin."""
        return self.sides.get(test) or self.sides.get(base_id(test), 0)


@dataclass(frozen=True)
class TwinSet:
    """All that twins of a task are made of; made once and used for every sample of it."""

    hidden: Tree
    files: list[TestFile]
    parents: dict[str, set[str]]
    around: Surroundings | None = None

    def pair(self, seed: int | None = None, told: Parents | None = None) -> Pair:
        """A new random half, from the system's randomness unless ``seed`` is given. Each test's
        side is a coin of its own: of exact halves, counting one part would tell the other.
        told: bases of the graded tree's exception types, so that one which is honestly two of the
        tests' types is not taken for a cheat."""
        apart = Hierarchy(self.parents, told or {}).apart
        random = Random(secrets.randbits(128) if seed is None else seed)
        units = [unit for file in self.files for unit in file.units if usable(unit)]
        coins = [random.getrandbits(1) for _ in units]
        # all on one side: a cheat in one run only would meet no false one
        while len(units) > 2 and len(set(coins)) == 1:
            coins = [random.getrandbits(1) for _ in units]
        half = [unit for unit, coin in zip(units, coins, strict=True) if coin]
        rest = [unit for unit, coin in zip(units, coins, strict=True) if not coin]
        sides = {test: 1 for unit in half for test in unit.ids}
        sides.update({test: 2 for unit in rest for test in unit.ids})
        return Pair(self._form(half, random, apart), self._form(rest, random, apart), sides)

    @property
    def names(self) -> dict[str, str]:
        """Id in a printed form -> the test's own id, where they differ."""
        return {shown: name for file in self.files for shown, name in file.names.items()}

    def all_true(self) -> Tree:
        """The printed hidden tests, none falsified."""
        return self._form([], Random(0), Hierarchy(self.parents).apart)

    def all_falsified(self, seed: int) -> Tree:
        """The hidden tests with every unit falsified that has a twin."""
        units = [unit for file in self.files for unit in file.units if usable(unit)]
        return self._form(units, Random(seed), Hierarchy(self.parents).apart)

    def has_twin(self, test: str) -> bool:
        """Whether a test id has a falsified form."""
        known = {i for file in self.files for unit in file.units if usable(unit) for i in unit.ids}
        return test in known or base_id(test) in known

    def _form(self, chosen: list[Unit], random: Random, apart: Unrelated) -> Tree:
        tree = dict(self.hidden)
        picked = {id(unit) for unit in chosen}
        around = self.around or Surroundings(self.files, {}, "")
        for file in self.files:
            mine = [unit for unit in file.units if id(unit) in picked]
            others = [other for other in self.files if other is not file]
            text = _natural(falsify(file, mine, others, random, apart, around), file.path)
            tree[file.path] = TreeFile(text.encode("utf-8", "surrogatepass"))
        return tree


def _natural(text: str, path: str) -> str:
    """Python as its own printer prints it: a falsified line is not to look otherwise."""
    return ast.unparse(syntax.parse(text)) + "\n" if path.endswith(".py") else text


def python_twins(subject: Subject) -> TwinSet:
    """The twins of a Python task. Raises ConfigError for tests that do not parse."""
    from harness.grading.twins_python import find

    parents = parents_in(subject.gold or subject.start)
    return TwinSet(subject.hidden, find(subject.hidden, parents), parents)


def base_id(test: str) -> str:
    """A pytest id without its ``[parameters]``; ids of node tests are kept whole."""
    return test if " > " in test else test.partition("[")[0]
