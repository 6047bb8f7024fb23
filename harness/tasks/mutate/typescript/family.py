"""A family of defects: functions that find the places of one kind each, in the order they stand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from harness.tasks.mutate.plant import Kind, Plant
from harness.tasks.mutate.typescript.source import Source

Finder = Callable[[Source], Iterator[Plant | None]]


class Family:
    """Kinds of one family with their finders; None from a finder is a place that will not do."""

    def __init__(self) -> None:
        self.kinds: list[Kind] = []
        self._finders: list[Finder] = []

    def kind(self, name: str, summary: str, *hints: str) -> Callable[[Finder], Finder]:
        """Register the finder of a kind."""

        def register(finder: Finder) -> Finder:
            self.kinds.append(Kind(name, "typescript", summary, hints))
            self._finders.append(finder)
            return finder

        return register

    def plants(self, source: Source) -> Iterator[Plant]:
        """The defects of all kinds of the family."""
        for kind, finder in zip(self.kinds, self._finders, strict=True):
            for plant in finder(source):
                if plant is not None:
                    yield replace(plant, kind=kind.name)
