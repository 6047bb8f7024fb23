"""From a logical plan to a physical one: which index, which join, how to sort."""

from collections.abc import Mapping, Sequence

from tabula import plans, terms
from tabula.kinds import Value
from tabula.plans import Plan, sources_of, with_inputs
from tabula.table import Bound, Table, index_on
from tabula.terms import Term, conjunction, conjuncts, sources

_FLIPPED = {"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def chosen(plan: Plan, tables: Mapping[str, Table]) -> Plan:
    """The plan with its scans, joins and sorts replaced by cheaper ones where there are such."""

    def below(inner: Plan) -> Plan:
        return chosen(inner, tables)

    match plan:
        case plans.Filter(plans.Scan() as scan, condition):
            return _filtered_scan(scan, condition, tables[scan.table])
        case plans.Limit(plans.Project(plans.Sort(inner, order), outputs), int(count), offset):
            return plans.Project(plans.Top(below(inner), order, count, offset), outputs)
        case plans.Join():
            return _join(plan, below(plan.left), below(plan.right))
        case _:
            return with_inputs(plan, below)


def _join(join: plans.Join, left: Plan, right: Plan) -> Plan:
    """A hash join if some columns must be equal."""
    left_sources, right_sources = sources_of(join.left), sources_of(join.right)
    keys: list[tuple[Term, Term]] = []
    rest: list[Term] = []
    for part in conjuncts(join.condition):
        match part:
            case terms.Compare("=", one, other) if _spans(one, other, left_sources, right_sources):
                keys.append((one, other))
            case terms.Compare("=", one, other) if _spans(other, one, left_sources, right_sources):
                keys.append((other, one))
            case _:
                rest.append(part)
    if not keys:
        return plans.Join(left, right, join.outer, join.condition)
    return plans.HashJoin(left, right, join.outer, tuple(keys), conjunction(tuple(rest)))


def _spans(
    one: Term, other: Term, left_sources: frozenset[str], right_sources: frozenset[str]
) -> bool:
    """Whether the first reads the left only and the second the right only."""
    if not sources(one) or not sources(other):
        return False
    return sources(one) <= left_sources and sources(other) <= right_sources


def _filtered_scan(scan: plans.Scan, condition: Term, table: Table) -> Plan:
    parts = conjuncts(condition)
    found = _lookup(scan, parts, table) or _range(scan, parts, table)
    if found is None:
        return plans.Filter(scan, condition)
    used = conjuncts(found.condition)
    rest = tuple(part for part in parts if part not in used)
    return plans.Filter(found, conjunction(rest)) if rest else found


def _lookup(scan: plans.Scan, parts: Sequence[Term], table: Table) -> plans.Lookup | None:
    """A search for single values, if a condition asks for such."""
    for part in parts:
        match part:
            case terms.OneOf(terms.Ref(_, column), options) if index_on(table, column) is not None:
                values = [option.value for option in options if isinstance(option, terms.Const)]
                if len(values) == len(options):
                    return plans.Lookup(scan, column, tuple(values), None, None, part)
            case terms.Compare():
                found = _bound_of(part, table)
                if found is not None and found[1] == "=":
                    return plans.Lookup(scan, found[0], (found[2],), None, None, part)
    return None


def _range(scan: plans.Scan, parts: Sequence[Term], table: Table) -> plans.Lookup | None:
    """A search for a range of the first column that has a bound, with one bound at each end."""
    column: str | None = None
    low: Bound | None = None
    high: Bound | None = None
    used: list[Term] = []
    for part in parts:
        found = _bound_of(part, table)
        if found is None or column not in (None, found[0]):
            continue
        name, sign, value = found
        if sign in (">", ">=") and low is None:
            low = Bound(value, inclusive=sign == ">=")
        elif sign in ("<", "<=") and high is None:
            high = Bound(value, inclusive=sign == "<=")
        else:
            continue
        column = name
        used.append(part)
    if column is None:
        return None
    return plans.Lookup(scan, column, None, low, high, conjunction(tuple(used)))


def _bound_of(part: Term, table: Table) -> tuple[str, str, Value] | None:
    """Column, comparison and value, if an indexed column is compared with a constant."""
    match part:
        case terms.Compare(sign, terms.Ref(_, column), terms.Const(value)):
            pass
        case terms.Compare(sign, terms.Const(value), terms.Ref(_, column)) if sign in _FLIPPED:
            sign = _FLIPPED[sign]
        case _:
            return None
    if value is None or index_on(table, column) is None:
        return None
    return column, sign, value
