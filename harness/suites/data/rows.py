"""Rows of the classic suites as small frozen dataclasses, and the digests over them.

A digest is taken of the canonical rows, so the same data from the hub or from any file format
gives the same digest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Generic, Protocol, TypeVar

from harness.ids import canonical_json, sha256_hex


class Row(Protocol):
    @property
    def id(self) -> str: ...

    @property
    def digest(self) -> str: ...


class _Digested:
    """A row's digest, taken once: planning and loading ask for it several times a row."""

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the row as plain JSON data."""
        return sha256_hex(canonical_json({k: _plain(v) for k, v in vars(self).items()}))


def _plain(value: Any) -> Any:
    """A field as JSON data; asdict on whole rows would copy every text of them."""
    if isinstance(value, tuple) and value and not isinstance(value[0], str):
        return [asdict(each) for each in value]
    return value


R = TypeVar("R", bound=Row)


@dataclass(frozen=True)
class HumanEvalRow(_Digested):
    """One HumanEval problem; fields as published, line ends included."""

    id: str
    prompt: str
    canonical_solution: str
    test: str
    entry_point: str


@dataclass(frozen=True)
class MbppRow(_Digested):
    """One MBPP problem, full or sanitized. ``id`` is the published number as text.

    setup runs after the candidate (full set: ``test_setup_code``); imports before the tests
    (sanitized: ``test_imports``).
    """

    id: str
    prompt: str
    code: str
    tests: tuple[str, ...]
    setup: str = ""
    imports: tuple[str, ...] = ()
    challenge_tests: tuple[str, ...] = ()


@dataclass(frozen=True)
class MmluRow(_Digested):
    """One question. ``id`` is ``subject/row`` (row from 0 in its file): texts repeat within and
    across subjects, so no digest of a text can name one. answer: 0 to 3."""

    id: str
    subject: str
    question: str
    choices: tuple[str, str, str, str]
    answer: int

    @property
    def letter(self) -> str:
        return "ABCD"[self.answer]


@dataclass(frozen=True)
class MethodInfo:
    """One method of a ClassEval class; ``description`` is its header with docstring."""

    name: str
    description: str
    solution: str
    test_class: str


@dataclass(frozen=True)
class ClassEvalRow(_Digested):
    """One ClassEval class with its tests; ``imports`` are the lines of its import statement."""

    id: str
    class_name: str
    skeleton: str
    solution: str
    imports: tuple[str, ...]
    test: str
    test_classes: tuple[str, ...]
    methods: tuple[MethodInfo, ...]


@dataclass(frozen=True)
class PlusRow(_Digested):
    """One EvalPlus problem.

    inputs are Python literals, one argument list a line of ``base`` and ``plus``, in their true
    types; expected values are computed by ``reference``, except where the format carries them.
    """

    id: str
    prompt: str
    entry_point: str
    reference: str
    base: tuple[str, ...]
    plus: tuple[str, ...]
    atol: float = 0.0
    shown_test: str = ""
    imports: tuple[str, ...] = ()


@dataclass(frozen=True)
class Loaded(Generic[R]):
    """Rows in their published order. origin: words for a person (never in a digest)."""

    rows: tuple[R, ...]
    digest: str
    origin: str


def rows_digest(rows: Sequence[Row]) -> str:
    """SHA-256 over all rows, independent of their order."""
    return sha256_hex("\n".join(sorted(f"{r.id} {r.digest}" for r in rows)).encode())


def loaded(rows: Sequence[R], origin: str) -> Loaded[R]:
    return Loaded(rows=tuple(rows), digest=rows_digest(rows), origin=origin)
