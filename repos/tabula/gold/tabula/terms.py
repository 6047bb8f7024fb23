"""Terms: expressions whose names are resolved and whose kinds are known."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from tabula.kinds import BOOL, Kind, Value


@dataclass(frozen=True, slots=True)
class Const:
    value: Value
    kind: Kind


@dataclass(frozen=True, slots=True)
class Ref:
    """A column of a source in the query; of what was grouped, the source is empty."""

    source: str
    column: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class Not:
    operand: "Term"


@dataclass(frozen=True, slots=True)
class Logic:
    """operator: ``and`` or ``or``."""

    operator: str
    left: "Term"
    right: "Term"


@dataclass(frozen=True, slots=True)
class Compare:
    operator: str
    left: "Term"
    right: "Term"


@dataclass(frozen=True, slots=True)
class Arith:
    operator: str
    left: "Term"
    right: "Term"
    kind: Kind


@dataclass(frozen=True, slots=True)
class Negate:
    operand: "Term"
    kind: Kind


@dataclass(frozen=True, slots=True)
class IsNull:
    operand: "Term"


@dataclass(frozen=True, slots=True)
class OneOf:
    operand: "Term"
    options: tuple["Term", ...]


@dataclass(frozen=True, slots=True)
class Matches:
    operand: "Term"
    pattern: "Term"
    escape: str | None


@dataclass(frozen=True, slots=True)
class Choose:
    """branches: conditions and what each leads to."""

    branches: tuple[tuple["Term", "Term"], ...]
    otherwise: "Term"
    kind: Kind


@dataclass(frozen=True, slots=True)
class Apply:
    function: str
    arguments: tuple["Term", ...]
    kind: Kind


@dataclass(frozen=True, slots=True)
class Widen:
    operand: "Term"
    kind: Kind


@dataclass(frozen=True, slots=True)
class Aggregate:
    """argument: None for ``count(*)``."""

    function: str
    argument: "Term | None"
    distinct: bool
    kind: Kind


Term: TypeAlias = (
    Const
    | Ref
    | Not
    | Logic
    | Compare
    | Arith
    | Negate
    | IsNull
    | OneOf
    | Matches
    | Choose
    | Apply
    | Widen
    | Aggregate
)

TRUE = Const(True, BOOL)
FALSE = Const(False, BOOL)


def kind_of_term(term: Term) -> Kind:
    """The kind of a term's values."""
    match term:
        case Not() | Logic() | Compare() | IsNull() | OneOf() | Matches():
            return BOOL
        case _:
            return term.kind


def children(term: Term) -> tuple[Term, ...]:
    """The terms that a term is made of."""
    match term:
        case Const() | Ref():
            return ()
        case Not() | Negate() | IsNull() | Widen():
            return (term.operand,)
        case Logic() | Compare() | Arith():
            return (term.left, term.right)
        case OneOf():
            return (term.operand, *term.options)
        case Matches():
            return (term.operand, term.pattern)
        case Choose():
            return (*(part for branch in term.branches for part in branch), term.otherwise)
        case Apply():
            return term.arguments
        case Aggregate():
            return () if term.argument is None else (term.argument,)


def mapped(term: Term, change: Callable[[Term], Term]) -> Term:
    """The term with each of its children changed."""
    match term:
        case Const() | Ref():
            return term
        case Not() | Negate() | IsNull() | Widen():
            return replace(term, operand=change(term.operand))
        case Logic() | Compare() | Arith():
            return replace(term, left=change(term.left), right=change(term.right))
        case OneOf():
            options = tuple(change(option) for option in term.options)
            return OneOf(change(term.operand), options)
        case Matches():
            return Matches(change(term.operand), change(term.pattern), term.escape)
        case Choose():
            branches = tuple((change(when), change(then)) for when, then in term.branches)
            return Choose(branches, change(term.otherwise), term.kind)
        case Apply():
            return replace(term, arguments=tuple(change(part) for part in term.arguments))
        case Aggregate():
            argument = None if term.argument is None else change(term.argument)
            return replace(term, argument=argument)


def walk(term: Term) -> Iterator[Term]:
    """The term and all within it."""
    yield term
    for child in children(term):
        yield from walk(child)


def sources(term: Term) -> frozenset[str]:
    """The sources whose columns a term reads."""
    return frozenset(part.source for part in walk(term) if isinstance(part, Ref))


def has_aggregate(term: Term) -> bool:
    """Whether an aggregate is in the term."""
    return any(isinstance(part, Aggregate) for part in walk(term))


def conjuncts(term: Term) -> tuple[Term, ...]:
    """The conditions that must all hold for the term to hold, in order."""
    match term:
        case Logic("and", left, right):
            return (*conjuncts(left), *conjuncts(right))
        case _:
            return (term,)


def conjunction(terms: tuple[Term, ...]) -> Term:
    """One condition that holds when all do; of none, true."""
    if not terms:
        return TRUE
    first, *rest = terms
    for term in rest:
        first = Logic("and", first, term)
    return first
