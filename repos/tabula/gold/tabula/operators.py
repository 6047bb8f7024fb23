"""Steps carried out: each is a generator of rows over the generators below it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cmp_to_key
from heapq import nsmallest
from itertools import islice
from typing import Any

from tabula import plans, terms
from tabula.evaluate import Compiled, compiled
from tabula.functions import aggregated
from tabula.kinds import Row
from tabula.plans import Plan, columns
from tabula.table import Table, in_range, index_on, with_value
from tabula.terms import Term


def rows_of(step: Plan, tables: Mapping[str, Table]) -> Iterator[Row]:
    """The rows of a step, made as they are asked for. Raises RunFault on the way."""

    def below(inner: Plan) -> Iterator[Row]:
        return rows_of(inner, tables)

    match step:
        case plans.Nothing():
            return iter(())
        case plans.Scan(table):
            return iter(tables[table].rows)
        case plans.Lookup(scan):
            return _looked_up(step, tables[scan.table])
        case plans.Filter(inner, condition):
            return _kept(below(inner), compiled(condition, columns(inner)))
        case plans.HashJoin(left, right):
            return _hash_joined(step, below(left), below(right))
        case plans.Join(left, right):
            return _loop_joined(step, below(left), below(right))
        case plans.Group(inner, keys, aggregates):
            return _grouped(below(inner), columns(inner), keys, aggregates)
        case plans.Sort(inner, keys):
            return iter(sorted(below(inner), key=_order(keys, columns(inner))))
        case plans.Top(inner, keys, count, offset):
            first = nsmallest(offset + count, below(inner), key=_order(keys, columns(inner)))
            return iter(first[offset:])
        case plans.Project(inner, outputs):
            made = tuple(compiled(output.term, columns(inner)) for output in outputs)
            return (tuple(part(row) for part in made) for row in below(inner))
        case plans.Distinct(inner):
            return _unique(below(inner))
        case plans.Limit(inner, None, offset):
            return islice(below(inner), offset, None)
        case plans.Limit(inner, count, offset):
            return islice(below(inner), offset, offset + (count or 0))


def _looked_up(step: plans.Lookup, table: Table) -> Iterator[Row]:
    index = index_on(table, step.column)
    assert index is not None
    if step.values is not None:
        positions = with_value(index, step.values)
    else:
        positions = in_range(index, step.low, step.high)
    for position in positions:
        yield table.rows[position]


def _kept(rows: Iterator[Row], condition: Compiled) -> Iterator[Row]:
    for row in rows:
        if condition(row) is True:
            yield row


def _hash_joined(join: plans.HashJoin, left: Iterator[Row], right: Iterator[Row]) -> Iterator[Row]:
    left_layout, right_layout = columns(join.left), columns(join.right)
    left_key = _key([one for one, _ in join.keys], left_layout)
    right_key = _key([other for _, other in join.keys], right_layout)
    held: dict[Row, list[Row]] = {}
    for row in right:
        key = right_key(row)
        if None not in key:
            held.setdefault(key, []).append(row)
    rest = compiled(join.rest, (*left_layout, *right_layout))
    for row in left:
        partners = held.get(left_key(row), [])
        yield from _paired(row, partners, rest, len(right_layout) if join.outer else None)


def _loop_joined(join: plans.Join, left: Iterator[Row], right: Iterator[Row]) -> Iterator[Row]:
    partners = list(right)
    condition = compiled(join.condition, columns(join))
    width = len(columns(join.right)) if join.outer else None
    for row in left:
        yield from _paired(row, partners, condition, width)


def _paired(
    row: Row, partners: Sequence[Row], condition: Compiled, width: int | None
) -> Iterator[Row]:
    """The row with each partner that suits; with none, with so many NULLs if told a width."""
    lonely = True
    for partner in partners:
        pair = (*row, *partner)
        if condition(pair) is True:
            lonely = False
            yield pair
    if lonely and width is not None:
        yield (*row, *(None,) * width)


def _grouped(
    rows: Iterator[Row],
    columns: Sequence[terms.Ref],
    keys: Sequence[plans.Named],
    aggregates: Sequence[plans.Named],
) -> Iterator[Row]:
    key_of = _key([named.term for named in keys], columns)
    results = [_aggregate(named.term, columns) for named in aggregates]
    groups: dict[Row, list[Row]] = {} if keys else {(): []}
    for row in rows:
        groups.setdefault(key_of(row), []).append(row)
    for key, members in groups.items():
        yield (*key, *(result(members) for result in results))


def _aggregate(term: Term, columns: Sequence[terms.Ref]) -> Callable[[Sequence[Row]], Any]:
    assert isinstance(term, terms.Aggregate)
    if term.argument is None:
        return len
    argument = compiled(term.argument, columns)

    def result(members: Sequence[Row]) -> Any:
        return aggregated(term.function, [argument(row) for row in members], term.distinct)

    return result


def _unique(rows: Iterator[Row]) -> Iterator[Row]:
    seen: set[Row] = set()
    for row in rows:
        if row not in seen:
            seen.add(row)
            yield row


def _key(terms: Sequence[Term], columns: Sequence[terms.Ref]) -> Callable[[Row], Row]:
    parts = [compiled(term, columns) for term in terms]
    return lambda row: tuple(part(row) for part in parts)


def _order(keys: Sequence[plans.SortKey], columns: Sequence[terms.Ref]) -> Callable[[Row], Any]:
    """A sort key; rows that are equal by all keys are equal by it."""
    parts = [(compiled(key.term, columns), key) for key in keys]

    def compare(one: Row, other: Row) -> int:
        for part, key in parts:
            order = _compared(part(one), part(other), key)
            if order:
                return order
        return 0

    return cmp_to_key(compare)


def _compared(one: Any, other: Any, key: plans.SortKey) -> int:
    if one is None or other is None:
        missing = (one is None) - (other is None)
        return -missing if key.nulls_first else missing
    order: int = (one > other) - (one < other)
    return -order if key.descending else order
