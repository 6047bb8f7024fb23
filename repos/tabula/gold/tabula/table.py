"""Tables and their indexes; neither ever changes, a changed table is another one."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tabula.errors import DataFault, NameFault
from tabula.kinds import Kind, Row, Value, shown


@dataclass(frozen=True, slots=True)
class Column:
    """required: takes no NULL; key: no value twice either."""

    name: str
    kind: Kind
    required: bool = False
    key: bool = False


@dataclass(frozen=True, slots=True)
class Index:
    """The values of a column that are not NULL, sorted, and the row that each stands in."""

    column: str
    keys: tuple[Any, ...]
    positions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Bound:
    """An end of a range."""

    value: Value
    inclusive: bool


@dataclass(frozen=True, slots=True)
class Table:
    name: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...] = ()
    indexes: tuple[Index, ...] = ()


def make_table(name: str, columns: Sequence[Column]) -> Table:
    """An empty table; a key column has an index. Raises NameFault."""
    names = [column.name for column in columns]
    for column in names:
        if names.count(column) > 1:
            raise NameFault(f"table {name} has two columns {column}")
    indexes = tuple(Index(column.name, (), ()) for column in columns if column.key)
    return Table(name, tuple(columns), (), indexes)


def slot(table: Table, column: str) -> int:
    """Where in a row the column stands. Raises NameFault."""
    for at, candidate in enumerate(table.columns):
        if candidate.name == column:
            return at
    raise NameFault(f"table {table.name} has no column {column}")


def index_on(table: Table, column: str) -> Index | None:
    """The index of a column, if there is one."""
    return next((index for index in table.indexes if index.column == column), None)


def with_index(table: Table, column: str) -> Table:
    """The table with an index on a column, as it is when it has one. Raises NameFault."""
    at = slot(table, column)
    if index_on(table, column) is not None:
        return table
    return replace(table, indexes=(*table.indexes, _indexed(column, at, table.rows)))


def with_rows(table: Table, added: Iterable[Row]) -> Table:
    """The table with rows at its end, all of them or none. Raises DataFault."""
    rows = (*table.rows, *added)
    for at, column in enumerate(table.columns):
        values = [row[at] for row in rows]
        if (column.required or column.key) and None in values:
            raise DataFault(f"{table.name}.{column.name} must not be null")
        if column.key and (twice := _first_repeated(values)) is not None:
            raise DataFault(f"{table.name}.{column.name} has {shown(twice)} already")
    indexes = tuple(_indexed(old.column, slot(table, old.column), rows) for old in table.indexes)
    return replace(table, rows=rows, indexes=indexes)


def with_value(index: Index, values: Iterable[Value]) -> list[int]:
    """Positions of the rows that hold one of the values, in the order of the table."""
    found: set[int] = set()
    for value in values:
        if value is not None:
            start, end = bisect_left(index.keys, value), bisect_right(index.keys, value)
            found.update(index.positions[start:end])
    return sorted(found)


def in_range(index: Index, low: Bound | None, high: Bound | None) -> list[int]:
    """Positions of the rows whose value lies in the range, in the order of the table."""
    start, end = 0, len(index.keys)
    if low is not None:
        cut = bisect_left if low.inclusive else bisect_right
        start = cut(index.keys, low.value)
    if high is not None:
        cut = bisect_right if high.inclusive else bisect_left
        end = cut(index.keys, high.value)
    return sorted(index.positions[start:end])


def _indexed(column: str, at: int, rows: Sequence[Row]) -> Index:
    held: list[tuple[Any, int]] = [
        (row[at], position) for position, row in enumerate(rows) if row[at] is not None
    ]
    held.sort()
    return Index(column, tuple(key for key, _ in held), tuple(where for _, where in held))


def _first_repeated(values: Sequence[Value]) -> Value:
    seen: set[Value] = set()
    for value in values:
        if value in seen:
            return value
        seen.add(value)
    return None
