"""Checks that every loader makes on records and rows; each failure is one ConfigError."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from harness.errors import ConfigError
from harness.suites.data.files import Record
from harness.suites.data.rows import Row

R = TypeVar("R", bound=Row)


def text(record: Record, name: str) -> str:
    """The string in column ``name``."""
    value = _present(record, name)
    if not isinstance(value, str):
        raise ConfigError(f"column {name} is no string", where=record.where)
    return value


def number(record: Record, name: str) -> int:
    """The integer in column ``name``, also where it is written as text."""
    value = _present(record, name)
    if isinstance(value, str) and value.isascii() and value.isdigit():
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise ConfigError(f"column {name} is no number", where=record.where)
    return value


def texts(record: Record, name: str) -> tuple[str, ...]:
    """The list of strings in column ``name``."""
    value = _present(record, name)
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        raise ConfigError(f"column {name} is no list of strings", where=record.where)
    return tuple(value)


def require(record: Record, names: Iterable[str], what: str) -> None:
    """Raise ConfigError that names the columns a first record lacks."""
    missing = [name for name in names if name not in record.fields]
    if missing:
        has = ", ".join(sorted(record.fields)[:12])
        raise ConfigError(
            f"is no file of {what}: it has no column {', '.join(missing)} (columns: {has})",
            where=record.where,
        )


def complete(rows: Sequence[R], expected: Sequence[str], what: str, where: str) -> list[R]:
    """``rows`` in the order of the ids ``expected``, of which none may lack, double or be odd."""
    by_id: dict[str, R] = {}
    for row in rows:
        if row.id in by_id:
            raise ConfigError(f"{what}: {row.id} is there twice", where=where)
        by_id[row.id] = row
    known = set(expected)
    odd = [row_id for row_id in by_id if row_id not in known]
    lacking = [row_id for row_id in expected if row_id not in by_id]
    if odd or lacking:
        parts = [f"{len(by_id)} of {len(expected)} tasks"]
        if lacking:
            parts.append(f"{_few(lacking)} missing")
        if odd:
            parts.append(f"unknown: {_few(odd)}")
        raise ConfigError(f"is not {what} as published: {'; '.join(parts)}", where=where)
    return [by_id[row_id] for row_id in expected]


def _present(record: Record, name: str) -> Any:
    if record.fields.get(name) is None:
        raise ConfigError(f"column {name} is missing", where=record.where)
    return record.fields[name]


def _few(names: Sequence[str]) -> str:
    shown = ", ".join(names[:3])
    return shown if len(names) <= 3 else f"{shown} and {len(names) - 3} more"
