"""Kinds of defects in TypeScript, over tree-sitter's grammar."""

from __future__ import annotations

from harness.tasks.mutate.family import in_order
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
    return in_order(_FAMILIES, source, text, _parses)


def _parses(text: str) -> bool:
    try:
        Source("", text)
    except ValueError:
        return False
    return True
