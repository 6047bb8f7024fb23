"""From a SELECT as it was written to a logical plan."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tabula import plans, syntax
from tabula.display import show
from tabula.errors import GroupFault, KindFault, NameFault
from tabula.plans import Output, Plan, SortKey
from tabula.scope import Scope, candidates, extended, found_source, source_of
from tabula.syntax import Expr
from tabula.table import Table
from tabula.terms import (
    TRUE,
    Aggregate,
    Const,
    Ref,
    Term,
    has_aggregate,
    kind_of_term,
    mapped,
    walk,
)
from tabula.typed import condition, parameter, typed


@dataclass(frozen=True, slots=True)
class Query:
    """All terms of a SELECT, before groups are formed."""

    outputs: tuple[Output, ...]
    keys: tuple[Term, ...]
    having: Term | None
    order: tuple[SortKey, ...]

    def terms(self) -> list[Term]:
        """Those that see groups."""
        having = [] if self.having is None else [self.having]
        outputs = [output.term for output in self.outputs]
        return [*outputs, *having, *(key.term for key in self.order)]


def planned(
    select: syntax.Select, tables: Mapping[str, Table], params: Mapping[str, Const]
) -> Plan:
    """The plan of a SELECT, not yet rewritten. Raises NameFault, KindFault, GroupFault."""
    plan, scope = _from(select, tables, params)
    if select.where is not None:
        plan = plans.Filter(plan, _ungrouped(condition(select.where, scope), "WHERE"))
    query = _bound(select, scope)
    grouping = bool(query.keys) or query.having is not None
    if grouping or any(has_aggregate(term) for term in query.terms()):
        plan, query = _grouped(plan, query)
    if query.having is not None:
        plan = plans.Filter(plan, query.having)
    if query.order:
        plan = plans.Sort(plan, query.order)
    plan = plans.Project(plan, query.outputs)
    if select.distinct:
        _check_distinct(query)
        plan = plans.Distinct(plan)
    if select.limit is not None or select.offset is not None:
        limit = None if select.limit is None else _whole(select.limit, scope, "LIMIT")
        offset = 0 if select.offset is None else _whole(select.offset, scope, "OFFSET")
        plan = plans.Limit(plan, limit, offset)
    return plan


def table_named(name: str, tables: Mapping[str, Table]) -> Table:
    """Raises NameFault."""
    if name not in tables:
        raise NameFault(f"there is no table {name}")
    return tables[name]


def _from(
    select: syntax.Select, tables: Mapping[str, Table], params: Mapping[str, Const]
) -> tuple[Plan, Scope]:
    plan, scope = _added(select.source, tables, Scope((), params))
    for join in select.joins:
        right, scope = _added(join.source, tables, scope)
        on = TRUE if join.condition is None else condition(join.condition, scope)
        plan = plans.Join(plan, right, join.outer, _ungrouped(on, "ON"))
    return plan, scope


def _added(
    named: syntax.FromTable, tables: Mapping[str, Table], scope: Scope
) -> tuple[Plan, Scope]:
    source = source_of(table_named(named.table, tables), named.alias)
    return plans.Scan(named.table, named.alias, source.columns), extended(scope, source)


def _bound(select: syntax.Select, scope: Scope) -> Query:
    outputs = tuple(_outputs(select.items, scope))
    keys = tuple(_ungrouped(_key(expr, outputs, scope), "GROUP BY") for expr in select.group)
    having = None if select.having is None else condition(select.having, scope)
    order = tuple(
        SortKey(_order(item.expr, outputs, scope), item.descending, item.nulls_first)
        for item in select.order
    )
    return Query(outputs, keys, having, order)


def _outputs(items: Sequence[syntax.Item | syntax.Star], scope: Scope) -> list[Output]:
    found: list[Output] = []
    for item in items:
        match item:
            case syntax.Star(None):
                refs = [ref for source in scope.sources for ref in source.columns]
                found += [Output(ref.column, ref) for ref in refs]
            case syntax.Star(str() as table):
                refs = list(found_source(scope, table).columns)
                found += [Output(ref.column, ref) for ref in refs]
            case syntax.Item(expr, alias):
                name = alias or _name_of(expr, len(found) + 1)
                found.append(Output(name, typed(expr, scope)))
    return found


def _name_of(expr: Expr, number: int) -> str:
    match expr:
        case syntax.Name(_, column):
            return column
        case syntax.Call(function):
            return function
        case _:
            return f"expr{number}"


def _key(expr: Expr, outputs: Sequence[Output], scope: Scope) -> Term:
    """A key of GROUP BY: a position, a column, or else an output."""
    match expr:
        case syntax.Literal(int() as position):
            return _at(position, outputs)
        case syntax.Name(None, name) if not candidates(scope, None, name):
            return _output_named(name, outputs) or typed(expr, scope)
        case _:
            return typed(expr, scope)


def _order(expr: Expr, outputs: Sequence[Output], scope: Scope) -> Term:
    """A key of ORDER BY: a position, an output, or else any expression."""
    match expr:
        case syntax.Literal(int() as position):
            return _at(position, outputs)
        case syntax.Name(None, name):
            return _output_named(name, outputs) or typed(expr, scope)
        case _:
            return typed(expr, scope)


def _at(position: int, outputs: Sequence[Output]) -> Term:
    if not 1 <= position <= len(outputs):
        raise NameFault(f"there is no output {position}")
    return outputs[position - 1].term


def _output_named(name: str, outputs: Sequence[Output]) -> Term | None:
    found = {output.term for output in outputs if output.name == name}
    if len(found) > 1:
        raise NameFault(f"{name} names {len(found)} outputs")
    return found.pop() if found else None


def _ungrouped(term: Term, where: str) -> Term:
    if has_aggregate(term):
        raise GroupFault(f"there can be no aggregate in {where}")
    return term


def _grouped(plan: Plan, query: Query) -> tuple[Plan, Query]:
    """The plan with groups, and the query in terms of keys and aggregates."""
    keys = tuple(dict.fromkeys(plans.Named(_key_ref(term), term) for term in query.keys))
    parts = [part for term in query.terms() for part in walk(term)]
    aggregates = tuple(
        dict.fromkeys(
            plans.Named(_aggregate_ref(part), part) for part in parts if isinstance(part, Aggregate)
        )
    )
    known = {named.term: named.ref for named in keys}
    grouped = Query(
        tuple(Output(output.name, _above(output.term, known)) for output in query.outputs),
        query.keys,
        None if query.having is None else _above(query.having, known),
        tuple(
            SortKey(_above(key.term, known), key.descending, key.nulls_first) for key in query.order
        ),
    )
    return plans.Group(plan, keys, aggregates), grouped


def _above(term: Term, keys: Mapping[Term, Ref]) -> Term:
    """The term as seen from above the groups."""
    if term in keys:
        return keys[term]
    match term:
        case Aggregate():
            return _aggregate_ref(term)
        case Ref():
            raise GroupFault(f"{show(term)} is neither grouped nor within an aggregate")
        case _:
            return mapped(term, lambda inner: _above(inner, keys))


def _key_ref(term: Term) -> Ref:
    return term if isinstance(term, Ref) else Ref("", show(term), kind_of_term(term))


def _aggregate_ref(aggregate: Aggregate) -> Ref:
    return Ref("", show(aggregate), aggregate.kind)


def _check_distinct(query: Query) -> None:
    outputs = {output.term for output in query.outputs}
    for key in query.order:
        if key.term not in outputs:
            raise GroupFault("with DISTINCT, ORDER BY takes outputs only")


def _whole(expr: Expr, scope: Scope, where: str) -> int:
    match expr:
        case syntax.Literal(value):
            pass
        case syntax.Param(name):
            value = parameter(name, scope).value
        case _:
            value = None
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise KindFault(f"{where} needs a whole number from 0")
    return value
