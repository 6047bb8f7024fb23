"""Which exception types surely exclude each other, by what the trees declare.

Gold's hierarchy is known; the graded tree's is only told. Where it makes two types related that
gold keeps apart, a falsified expectation of the one would pass where the other is rightly raised.
"""

from __future__ import annotations

import builtins
import re
from functools import cached_property

from harness.tasks.task import Tree

Parents = dict[str, set[str]]

# By text, not by parsing: the tree is a model's, and of any size and shape.
_PYTHON = re.compile(r"^[ \t]*class[ \t]+(\w+)[ \t]*\(([^()]{1,300})\)", re.MULTILINE)
_NODE = re.compile(r"\bclass\s+(\w+)\s+extends\s+([\w.]+)")
_CLASSES = 500  # of one tree


class Hierarchy:
    """Bases of classes by name, of one or more trees."""

    def __init__(self, *trees: Parents) -> None:
        self.parents: Parents = {}
        for tree in trees:
            for name, bases in tree.items():
                self.parents[name] = self.parents.get(name, set()) | bases
        self._known: dict[tuple[str, str], bool] = {}

    def ancestors(self, name: str) -> set[str]:
        """A type and all that it inherits from, as far as names tell."""
        found: set[str] = set()
        stack = [name]
        while stack:
            current = stack.pop()
            if current in found:
                continue
            found.add(current)
            builtin = getattr(builtins, current, None)
            if current in self.parents:
                stack += self.parents[current]
            elif isinstance(builtin, type) and issubclass(builtin, BaseException):
                found |= {t.__name__ for t in builtin.__mro__}
        return found

    @cached_property
    def _families(self) -> list[set[str]]:
        return [self.ancestors(name) for name in self.parents]

    def apart(self, a: str, b: str) -> bool:
        """Whether nothing can be caught as the one and as the other. A type of which nothing is
        known may inherit from anything, so it is apart from none."""
        found = self._known.get((a, b))
        if found is None:
            above_a, above_b = self.ancestors(a), self.ancestors(b)
            found = (
                "BaseException" in above_a
                and "BaseException" in above_b
                and not any(a in family and b in family for family in self._families)
                and a not in above_b
                and b not in above_a
            )
            self._known[a, b] = found
        return found


def declared(tree: Tree, start: Tree, language: str) -> Parents:
    """Bases of the classes that a graded tree declares where it differs from ``start``."""
    found: Parents = {}
    node = language == "typescript"
    suffixes = (".ts", ".mts", ".js", ".mjs") if node else (".py",)
    for path, file in tree.items():
        if path.endswith(suffixes) and file != start.get(path):
            text = file.content.decode("utf-8", "replace")
            for name, bases in told(text, _NODE if node else _PYTHON).items():
                if len(found) < _CLASSES:
                    found.setdefault(name, set()).update(bases)
    return found


def told(text: str, rule: re.Pattern[str] = _PYTHON) -> Parents:
    """Bases of the classes in a source text."""
    found: Parents = {}
    for match in rule.finditer(text):
        if len(found) < _CLASSES:
            bases = (base.strip().rpartition(".")[2] for base in match[2].split(","))
            found.setdefault(match[1], set()).update(base for base in bases if "=" not in base)
    return found
