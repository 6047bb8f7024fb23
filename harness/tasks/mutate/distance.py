"""How far a symptom is from its cause: from what a failing test uses to the file that is wrong."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable

from harness.tasks.mutate.distinct import Single
from harness.tasks.mutate.repo import Ground

_PYTHON = re.compile(
    r"^\s*(?:from\s+([\w.]+)\s+import\s+([^#\n]*)|import\s+([\w.]+))", re.MULTILINE
)
_SCRIPT = re.compile(r"""(?:from|import)\s+["']([^"']+)["']""")


class Graph:
    """Which files of a repository import which."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        trees = {**ground.gold, **ground.hidden}
        self._files = {p: f for p, f in trees.items() if p.endswith((".py", ".ts", ".mts"))}
        self._edges: dict[str, tuple[str, ...]] = {}

    def imports(self, path: str) -> tuple[str, ...]:
        """Files of the repository that ``path`` imports, sorted."""
        if path not in self._edges:
            text = self._files[path].content.decode("utf-8", "replace")
            found = self._python(text) if path.endswith(".py") else self._script(path, text)
            self._edges[path] = tuple(sorted(set(found) - {path}))
        return self._edges[path]

    def hops(self, test_file: str, cause: str) -> int:
        """Files to go through from a test's file to ``cause``: 0 when the test imports it."""
        front, seen, hops = list(self.imports(test_file)), {test_file}, 0
        while front:
            if cause in front:
                return hops
            seen.update(front)
            front = sorted({n for path in front for n in self.imports(path)} - seen)
            hops += 1
        return hops

    def _python(self, text: str) -> Iterable[str]:
        roots = [p.strip("/").removeprefix(".") for p in self._ground.repository.spec.python.path]
        for match in _PYTHON.finditer(text):
            module = match.group(1) or match.group(3)
            names = [n.split(" as ")[0].strip(" ()") for n in (match.group(2) or "").split(",")]
            for root in roots:
                base = posixpath.join(root, *module.split("."))
                for each in (*(posixpath.join(base, name) for name in names if name), base):
                    for path in (f"{each}.py", f"{each}/__init__.py"):
                        if path in self._files:
                            yield path

    def _script(self, path: str, text: str) -> Iterable[str]:
        for match in _SCRIPT.finditer(text):
            target = posixpath.normpath(posixpath.join(posixpath.dirname(path), match.group(1)))
            for each in (target, f"{target}.ts", f"{target}/index.ts"):
                if each in self._files:
                    yield each


def difficulty(graph: Graph, singles: tuple[Single, ...]) -> int:
    """1 to 5 by the rubric of ``repos/README.md``: how many files there are between symptom and
    cause, and how many defects."""
    levels = [_level(graph, single) for single in singles]
    hardest = max(levels)
    if len(singles) == 1:
        return hardest
    return min(5, max(len(singles) + 1, 3) + (hardest >= 4))


def _level(graph: Graph, single: Single) -> int:
    files = sorted({test.split("::")[0].split(" > ")[0] for test in single.failing})
    hops = min((graph.hops(path, single.plant.path) for path in files), default=0)
    return min(4, 1 + hops)
