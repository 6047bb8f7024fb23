"""Complementary twins: hidden tests whose expectations are falsified for a chosen half.

A finder of the language (``twins_python``, ``twins_node``) prints each test file anew and names
*sites*: an expected value that another of its kind can replace, or an assertion that can be
turned round. Here values are chosen and put in. Falsified values are first exchanged among the
falsified tests, then drawn from literals of the same file, so that neither their style nor how
often they occur tells them from true ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random


@dataclass(frozen=True)
class Edit:
    """Characters ``start`` to ``end`` of a printed file replaced by ``text``."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Literal:
    """An expected value in a printed file. kind: int, float, str, bool, error, call:Decimal, ...;
    key: its value in a form that is equal for equal values; tolerance: how far a number must be
    from this one to count as another."""

    start: int
    end: int
    kind: str
    key: str
    text: str
    tolerance: float = 0.0


@dataclass(frozen=True)
class Site:
    """One assertion that can be falsified: by another value, else by turning it round.

    strong: the test always gets there and the falsified form surely fails where the true one
    passes. Others are falsified all at once, and only in a test that has no strong one.
    """

    value: Literal | None
    flip: Edit | None
    strong: bool = True


@dataclass
class Unit:
    """A test function: true or falsified as a whole. ids: the test ids it stands for, each
    without ``[parameters]``."""

    ids: tuple[str, ...]
    sites: list[Site]


@dataclass
class TestFile:
    """A test file as printed anew. pool: literals that a falsified value may be taken from."""

    __test__ = False

    path: str
    text: str
    units: list[Unit] = field(default_factory=list)
    pool: list[Literal] = field(default_factory=list)
    _kinds: dict[str, list[Literal]] = field(default_factory=dict)

    def of_kind(self, kind: str) -> list[Literal]:
        """The literals of a kind in the pool."""
        if not self._kinds:
            for literal in self.pool:
                self._kinds.setdefault(literal.kind, []).append(literal)
        return self._kinds.get(kind, [])


Unrelated = Callable[[str, str], bool]  # whether two exception types surely exclude each other


def falsify(
    file: TestFile, chosen: Iterable[Unit], others: list[TestFile], random: Random, apart: Unrelated
) -> str:
    """The text of ``file`` with each of the ``chosen`` units falsified."""
    sites = [site for unit in chosen for site in _pick(unit, file, random, apart)]
    values = [site for site in sites if site.value is not None]
    new = _exchange([site.value for site in values if site.value is not None], random, apart)
    edits = []
    for site in sites:
        value = site.value
        text = None
        if value is not None:
            text = new.get(value) or _draw(value, file, others, random, apart)
        if value is not None and text is not None:
            edits.append(Edit(value.start, value.end, text))
        elif site.flip is not None:
            edits.append(site.flip)
    return apply(file.text, edits)


def apply(text: str, edits: list[Edit]) -> str:
    """``text`` with all edits; of two that overlap the earlier in the list holds."""
    kept: list[Edit] = []
    for edit in edits:
        if all(edit.end <= other.start or edit.start >= other.end for other in kept):
            kept.append(edit)
    for edit in sorted(kept, key=lambda e: e.start, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def usable(unit: Unit) -> bool:
    """Whether the unit has a twin."""
    return bool(unit.sites)


def differs(a: Literal, b: Literal, apart: Unrelated) -> bool:
    """Whether a test that expects ``a`` surely fails when it expects ``b``."""
    if a.kind == "bool" == b.kind:
        return a.key != b.key
    if a.kind != b.kind or a.key == b.key or "\n" in b.text:
        return False
    if a.kind == "error":
        return all(apart(x, y) for x in a.key.split("|") for y in b.key.split("|"))
    if a.kind in ("int", "float"):
        return abs(float(a.key) - float(b.key)) > 2 * a.tolerance
    return True


@lru_cache(maxsize=65536)
def shape(literal: Literal) -> str:
    """What a literal looks like: digits and letters by kind and number of parts."""
    if literal.kind == "str":
        collapsed = re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "9", literal.key))
        return f"str:{collapsed}"
    if literal.kind in ("int", "float"):
        return f"{literal.kind}:{len(literal.text)}"
    return literal.kind


def _pick(unit: Unit, file: TestFile, random: Random, apart: Unrelated) -> list[Site]:
    """One strong site, of those with a value to take where there are such; else all weak ones."""
    strong = [site for site in unit.sites if site.strong]
    if not strong:
        return unit.sites
    values = [s for s in strong if s.value and _has_other(s.value, file, apart)]
    return [random.choice(values or strong)]


def _has_other(value: Literal, file: TestFile, apart: Unrelated) -> bool:
    return value.kind == "bool" or any(differs(value, x, apart) for x in file.of_kind(value.kind))


def _exchange(values: list[Literal], random: Random, apart: Unrelated) -> dict[Literal, str]:
    """New texts for values that can trade places with others of their shape."""
    groups: dict[str, list[Literal]] = {}
    for value in values:
        groups.setdefault(shape(value), []).append(value)
    new: dict[Literal, str] = {}
    for group in groups.values():
        random.shuffle(group)
        best: list[tuple[Literal, Literal]] = []
        for step in range(1, min(len(group), 8)):
            turned = group[step:] + group[:step]
            pairs = [(a, b) for a, b in zip(group, turned, strict=True) if differs(a, b, apart)]
            best = max(best, pairs, key=len)
        new.update({a: b.text for a, b in best})
    return new


def _draw(
    value: Literal, file: TestFile, others: list[TestFile], random: Random, apart: Unrelated
) -> str | None:
    """Another literal of the kind: of the same shape in this file, of the kind in this file, of the
    same shape elsewhere (not for error types: only names of this file are surely in scope)."""
    if value.kind == "bool":
        return {"True": "False", "False": "True", "true": "false", "false": "true"}[value.text]
    near = [x for x in file.of_kind(value.kind) if differs(value, x, apart)]
    alike = [x for x in near if shape(x) == shape(value)]
    if alike or value.kind == "error":
        return random.choice(alike or near).text if near else None
    if near and value.kind in ("int", "float", "str"):
        return random.choice(near).text
    for other in others:
        alike += [x for x in other.of_kind(value.kind) if differs(value, x, apart)]
    alike = [x for x in alike if shape(x) == shape(value)]
    return random.choice(alike).text if alike else None
