"""A family of defects: functions that find the places of one kind each, in the order they stand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Generic, TypeVar

from harness.tasks.mutate.plant import Kind, Plant
from harness.tasks.task import Language

S = TypeVar("S")  # a parsed file
Finder = Callable[[S], Iterator[Plant | None]]


class Family(Generic[S]):
    """Kinds of one family with their finders; None from a finder is a place that will not do."""

    def __init__(self, language: Language) -> None:
        self.kinds: list[Kind] = []
        self._language = language
        self._finders: list[Finder[S]] = []

    def kind(self, name: str, summary: str, *hints: str) -> Callable[[Finder[S]], Finder[S]]:
        """Register the finder of a kind."""

        def register(finder: Finder[S]) -> Finder[S]:
            self.kinds.append(Kind(name, self._language, summary, hints))
            self._finders.append(finder)
            return finder

        return register

    def plants(self, source: S) -> Iterator[Plant]:
        """The defects of all kinds of the family."""
        for kind, finder in zip(self.kinds, self._finders, strict=True):
            for plant in finder(source):
                if plant is not None:
                    yield replace(plant, kind=kind.name)


def in_order(
    families: Iterable[Family[S]], source: S, text: str, parses: Callable[[str], bool]
) -> list[Plant]:
    """Every defect of the families in a file, each once: kinds in their order, places from top to
    bottom. Left out are those that change nothing, or leave a text that no longer ``parses``."""
    families = list(families)
    found: dict[str, Plant] = {}
    for family in families:
        for plant in family.plants(source):
            changed = text[: plant.start] + plant.replacement + text[plant.end :]
            if changed != text and parses(changed):
                found.setdefault(plant.key, plant)
    names = [kind.name for family in families for kind in family.kinds]
    order = {name: place for place, name in enumerate(names)}
    return sorted(found.values(), key=lambda p: (order[p.kind], p.start, p.end, p.replacement))
