"""Complementary twins: hidden tests whose expectations are falsified for a chosen half.

A finder of the language (``twins_python``, ``twins_node``) prints each test file anew and names
*sites*: an expected value that another of its kind can replace, or an assertion that can be
turned round. Here values are chosen and put in; ``false_values`` says which. Those that cannot be
made up are first exchanged among the falsified tests, so that how often they occur tells nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.grading.false_values import Surroundings


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
    swaps: where an error is expected, calls in the place of the raising one that raise nothing.
    rows: values of further rows of a parametrized test, falsified together with ``value``.
    """

    value: Literal | None
    flip: Edit | None
    strong: bool = True
    swaps: tuple[Edit, ...] = ()
    rows: tuple[Literal, ...] = ()


@dataclass
class Unit:
    """A test function: true or falsified as a whole. ids: the test ids it stands for, each
    without ``[parameters]``."""

    ids: tuple[str, ...]
    sites: list[Site]


@dataclass
class TestFile:
    """A test file as printed anew. pool: literals that a falsified value may be taken from;
    errors: the language's own error types; names: id in a printed form -> the test's own id."""

    __test__ = False

    path: str
    text: str
    units: list[Unit] = field(default_factory=list)
    pool: list[Literal] = field(default_factory=list)
    errors: tuple[str, ...] = ()
    names: dict[str, str] = field(default_factory=dict)
    _kinds: dict[str, list[Literal]] = field(default_factory=dict)
    _shapes: dict[str, list[Literal]] = field(default_factory=dict)

    def of_kind(self, kind: str) -> list[Literal]:
        """The literals of a kind in the pool."""
        if not self._kinds:
            for literal in self.pool:
                self._kinds.setdefault(literal.kind, []).append(literal)
        return self._kinds.get(kind, [])

    def of_shape(self, form: str) -> list[Literal]:
        """The literals of a shape (and so of a kind) in the pool."""
        if not self._shapes:
            for literal in self.pool:
                self._shapes.setdefault(f"{literal.kind} {shape(literal)}", []).append(literal)
        return self._shapes.get(form, [])


Unrelated = Callable[[str, str], bool]  # whether two exception types surely exclude each other


def falsify(
    file: TestFile,
    chosen: Iterable[Unit],
    others: list[TestFile],
    random: Random,
    apart: Unrelated,
    around: Surroundings,
) -> str:
    """The text of ``file`` with each of the ``chosen`` units falsified."""
    from harness.grading.false_values import can_be_made, draw

    sites = [site for unit in chosen for site in _pick(unit, file, random, apart)]
    fixed = [s.value for s in sites if s.value is not None and not can_be_made(s.value)]
    new = _exchange([value for value in fixed if value.kind != "error"], random, apart)
    edits = []
    for site in sites:
        value = site.value
        wanted = () if value is None else (value, *site.rows)
        texts = [new.get(v) or draw(v, file, others, random, apart, around) for v in wanted]
        text = texts[0] if texts else None
        if site.swaps and (text is None or (text in file.errors and not _builtin(value, file))):
            edits.append(random.choice(site.swaps))
        elif wanted and None not in texts:
            edits += [Edit(v.start, v.end, str(t)) for v, t in zip(wanted, texts, strict=True)]
        elif site.flip is not None:
            edits.append(site.flip)
    return apply(file.text, edits)


def _builtin(value: Literal | None, file: TestFile) -> bool:
    return value is not None and value.text in file.errors


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
    values = [s for s in strong if s.value and has_other(s.value, file, apart)]
    return [random.choice(values or strong)]


def has_other(value: Literal, file: TestFile, apart: Unrelated) -> bool:
    """Whether a value is sure to be had in the place of this one."""
    from harness.grading.false_values import can_be_made

    if value.kind in ("bool", "error") or can_be_made(value):
        return True
    return any(differs(value, x, apart) for x in file.of_kind(value.kind))


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
