"""The seam between what finds defects to plant and what makes tasks of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from harness.ids import canonical_json, sha256_hex
from harness.tasks.task import Language, Tree, TreeFile


@dataclass(frozen=True)
class Kind:
    """A mistake that programmers make. summary: the mistake in plain words; hints: how people who
    meet it may speak of it, as the beginning of a sentence or a whole one, never of the code."""

    name: str
    language: Language
    summary: str
    hints: tuple[str, ...]


@dataclass(frozen=True)
class Plant:
    """One defect at one place. start, end: character offsets into the file's text, which
    ``replacement`` takes the place of; symbol: qualified name of the function or class around it,
    empty at module level; note: what was changed, for people who look at the task's making."""

    kind: str
    path: str
    start: int
    end: int
    replacement: str
    symbol: str
    note: str

    @property
    def key(self) -> str:
        """SHA-256 over all that the defect is."""
        return sha256_hex(
            canonical_json([self.kind, self.path, self.start, self.end, self.replacement])
        )


def apply(tree: Tree, plants: Iterable[Plant]) -> Tree:
    """``tree`` with the defects planted. Raises ValueError when two of them overlap."""
    result = dict(tree)
    by_path: dict[str, list[Plant]] = {}
    for plant in plants:
        by_path.setdefault(plant.path, []).append(plant)
    for path, found in by_path.items():
        text = result[path].content.decode("utf-8")
        end = len(text)
        for plant in sorted(found, key=lambda each: each.start, reverse=True):
            if plant.end > end:
                raise ValueError(f"{path}: two defects overlap at character {plant.start}")
            text = text[: plant.start] + plant.replacement + text[plant.end :]
            end = plant.start
        result[path] = TreeFile(text.encode(), result[path].mode)
    return result


def lines_of(text: str, plant: Plant) -> tuple[int, int]:
    """First and last line (from 1) of ``text`` that the defect changes."""
    first = text.count("\n", 0, plant.start) + 1
    last = max(plant.start, plant.end - 1)
    return first, text.count("\n", 0, last) + 1
