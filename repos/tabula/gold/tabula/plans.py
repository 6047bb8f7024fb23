"""Query plans: what a query means, and, once chosen, the steps that carry it out."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from tabula.kinds import Value
from tabula.table import Bound
from tabula.terms import Ref, Term


@dataclass(frozen=True, slots=True)
class Scan:
    table: str
    source: str
    columns: tuple[Ref, ...]


@dataclass(frozen=True, slots=True)
class Lookup:
    """Rows by an index. values: those looked for, or None for a range; condition: what this
    stands for."""

    scan: Scan
    column: str
    values: tuple[Value, ...] | None
    low: Bound | None
    high: Bound | None
    condition: Term


@dataclass(frozen=True, slots=True)
class Nothing:
    """No rows, of these columns."""

    columns: tuple[Ref, ...]


@dataclass(frozen=True, slots=True)
class Filter:
    input: "Plan"
    condition: Term


@dataclass(frozen=True, slots=True)
class Join:
    """outer: rows of the left that match none stay, with NULL on the right."""

    left: "Plan"
    right: "Plan"
    outer: bool
    condition: Term


@dataclass(frozen=True, slots=True)
class HashJoin:
    """keys: pairs that must be equal, left and right; rest: what must hold besides."""

    left: "Plan"
    right: "Plan"
    outer: bool
    keys: tuple[tuple[Term, Term], ...]
    rest: Term


@dataclass(frozen=True, slots=True)
class Named:
    """A term and the column that its values are known by above."""

    ref: Ref
    term: Term


@dataclass(frozen=True, slots=True)
class Group:
    """Without keys there is one group, even of no rows."""

    input: "Plan"
    keys: tuple[Named, ...]
    aggregates: tuple[Named, ...]


@dataclass(frozen=True, slots=True)
class SortKey:
    term: Term
    descending: bool
    nulls_first: bool


@dataclass(frozen=True, slots=True)
class Sort:
    input: "Plan"
    keys: tuple[SortKey, ...]


@dataclass(frozen=True, slots=True)
class Top:
    """The first rows in an order, without sorting all of them."""

    input: "Plan"
    keys: tuple[SortKey, ...]
    count: int
    offset: int


@dataclass(frozen=True, slots=True)
class Output:
    name: str
    term: Term


@dataclass(frozen=True, slots=True)
class Project:
    input: "Plan"
    outputs: tuple[Output, ...]


@dataclass(frozen=True, slots=True)
class Distinct:
    input: "Plan"


@dataclass(frozen=True, slots=True)
class Limit:
    """count: None for all."""

    input: "Plan"
    count: int | None
    offset: int


Leaf: TypeAlias = Scan | Lookup | Nothing
Unary: TypeAlias = Filter | Group | Sort | Top | Project | Distinct | Limit
Plan: TypeAlias = Leaf | Unary | Join | HashJoin


def inputs(plan: Plan) -> tuple[Plan, ...]:
    """The plans whose rows a plan reads."""
    match plan:
        case Scan() | Lookup() | Nothing():
            return ()
        case Join() | HashJoin():
            return (plan.left, plan.right)
        case _:
            return (plan.input,)


def with_inputs(plan: Plan, change: Callable[[Plan], Plan]) -> Plan:
    """The plan with each of its inputs changed."""
    match plan:
        case Scan() | Lookup() | Nothing():
            return plan
        case Join() | HashJoin():
            return replace(plan, left=change(plan.left), right=change(plan.right))
        case _:
            return replace(plan, input=change(plan.input))


def columns(plan: Plan) -> tuple[Ref, ...]:
    """The columns of a plan's rows, in order; what was projected has none to refer to."""
    match plan:
        case Scan() | Nothing():
            return plan.columns
        case Lookup():
            return plan.scan.columns
        case Join() | HashJoin():
            return (*columns(plan.left), *columns(plan.right))
        case Group(_, keys, aggregates):
            return tuple(named.ref for named in (*keys, *aggregates))
        case Project():
            return ()
        case _:
            return columns(plan.input)


def sources_of(plan: Plan) -> frozenset[str]:
    """The sources whose columns are in a plan's rows."""
    return frozenset(ref.source for ref in columns(plan))
