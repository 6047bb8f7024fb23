"""Kinds of defects in TypeScript, over tree-sitter's grammar."""

from __future__ import annotations

from harness.tasks.mutate.plant import Kind, Plant
from harness.tasks.mutate.typescript import flow, limits, states, values
from harness.tasks.mutate.typescript.source import Source

_FAMILIES = (limits.FAMILY, flow.FAMILY, values.FAMILY, states.FAMILY)
KINDS: tuple[Kind, ...] = tuple(kind for family in _FAMILIES for kind in family.kinds)


def plants(path: str, text: str) -> list[Plant]:
    """Every defect of every kind in a file: kinds in their order, places from top to bottom; none
    for a file that does not parse, and none that leaves one that does not."""
    try:
        source = Source(path, text)
    except ValueError:
        return []
    found: dict[str, Plant] = {}
    for family in _FAMILIES:
        for plant in family.plants(source):
            if _of_use(text, plant):
                found.setdefault(plant.key, plant)
    order = {kind.name: place for place, kind in enumerate(KINDS)}
    return sorted(found.values(), key=lambda p: (order[p.kind], p.start, p.end, p.replacement))


def _of_use(text: str, plant: Plant) -> bool:
    """Whether the file still parses with the defect, and is another text than before."""
    if text[plant.start : plant.end] == plant.replacement:
        return False
    try:
        Source(plant.path, text[: plant.start] + plant.replacement + text[plant.end :])
    except ValueError:
        return False
    return True
