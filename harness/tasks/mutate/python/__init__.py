"""Kinds of defects in Python, over libcst; one module a family."""

from __future__ import annotations

import ast

import libcst as cst

from harness.tasks.mutate.family import in_order
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
    return in_order(_FAMILIES, source, text, _parses)


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True
