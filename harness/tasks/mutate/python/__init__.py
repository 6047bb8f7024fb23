"""Kinds of defects in Python, over libcst; one module a family."""

from __future__ import annotations

import ast

import libcst as cst

from harness.tasks.mutate.plant import Kind, Plant
from harness.tasks.mutate.python import (
    arithmetic,
    boundaries,
    calls,
    conditions,
    errors,
    guards,
    ordering,
    states,
    texts,
)
from harness.tasks.mutate.python.source import Source

_FAMILIES = tuple(
    module.FAMILY
    for module in (
        boundaries,
        guards,
        conditions,
        calls,
        ordering,
        arithmetic,
        states,
        texts,
        errors,
    )
)
KINDS: tuple[Kind, ...] = tuple(kind for family in _FAMILIES for kind in family.kinds)


def plants(path: str, text: str) -> list[Plant]:
    """Every defect of every kind in a file: kinds in their order, places from top to bottom."""
    try:
        source = Source(path, text)
    except cst.ParserSyntaxError:
        return []
    found: dict[str, Plant] = {}
    for family in _FAMILIES:
        for plant in family.plants(source):
            if _of_use(text, plant):
                found.setdefault(plant.key, plant)
    order = {kind.name: place for place, kind in enumerate(KINDS)}
    return sorted(found.values(), key=lambda p: (order[p.kind], p.start, p.end, p.replacement))


def _of_use(text: str, plant: Plant) -> bool:
    """Whether the file still is Python with the defect, and another text than before."""
    if text[plant.start : plant.end] == plant.replacement:
        return False
    try:
        ast.parse(text[: plant.start] + plant.replacement + text[plant.end :])
    except (SyntaxError, ValueError):
        return False
    return True
