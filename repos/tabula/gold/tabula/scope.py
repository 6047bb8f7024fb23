"""What names mean at a place in a query."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tabula.errors import NameFault
from tabula.table import Table
from tabula.terms import Const, Ref


@dataclass(frozen=True, slots=True)
class Source:
    """A table in FROM, under its alias."""

    alias: str
    columns: tuple[Ref, ...]


@dataclass(frozen=True, slots=True)
class Scope:
    """The sources that can be named, and the values of parameters."""

    sources: tuple[Source, ...]
    params: Mapping[str, Const]


def source_of(table: Table, alias: str) -> Source:
    """A table's columns under an alias."""
    return Source(alias, tuple(Ref(alias, column.name, column.kind) for column in table.columns))


def extended(scope: Scope, source: Source) -> Scope:
    """The scope with one more source. Raises NameFault."""
    if any(other.alias == source.alias for other in scope.sources):
        raise NameFault(f"{source.alias} names two tables of the query")
    return replace(scope, sources=(*scope.sources, source))


def found_source(scope: Scope, alias: str) -> Source:
    """The source of that alias. Raises NameFault."""
    for source in scope.sources:
        if source.alias == alias:
            return source
    raise NameFault(f"there is no table {alias} in this query")


def candidates(scope: Scope, table: str | None, column: str) -> list[Ref]:
    """All columns that a name may mean. Raises NameFault for an unknown table."""
    sources = scope.sources if table is None else (found_source(scope, table),)
    return [ref for source in sources for ref in source.columns if ref.column == column]


def resolved(scope: Scope, table: str | None, column: str) -> Ref:
    """The one column that a name means. Raises NameFault."""
    found = candidates(scope, table, column)
    shown = column if table is None else f"{table}.{column}"
    if not found:
        raise NameFault(f"there is no column {shown}")
    if len(found) > 1:
        owners = " and ".join(ref.source for ref in found)
        raise NameFault(f"column {shown} is in {owners}")
    return found[0]
