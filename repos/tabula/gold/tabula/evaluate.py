"""Terms made into functions of a row, with the three-valued logic of NULL."""

import operator
import re
from collections.abc import Callable, Sequence
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Any, TypeAlias

from tabula import terms
from tabula.errors import RunFault
from tabula.functions import FUNCTIONS, days_later
from tabula.kinds import EXACT, Kind, Row, Value, rounded, widened
from tabula.terms import Term

Compiled: TypeAlias = Callable[[Row], Any]

_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "<>": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def compiled(term: Term, layout: Sequence[terms.Ref]) -> Compiled:
    """A function of rows that are laid out so. It raises RunFault."""

    def within(inner: Term) -> Compiled:
        return compiled(inner, layout)

    match term:
        case terms.Const(value):
            return lambda row: value
        case terms.Ref():
            return operator.itemgetter(_slot(term, layout))
        case terms.Not(operand):
            return _strict(operator.not_, (within(operand),))
        case terms.Logic(word, left, right):
            return _logic(word == "and", within(left), within(right))
        case terms.Compare(sign, left, right):
            return _strict(_COMPARE[sign], (within(left), within(right)))
        case terms.Arith(sign, left, right, kind):
            return _strict(_arithmetic(sign, kind), (within(left), within(right)))
        case terms.Negate(operand):
            return _strict(_negative, (within(operand),))
        case terms.IsNull(operand):
            inner = within(operand)
            return lambda row: inner(row) is None
        case terms.OneOf(operand, options):
            return _one_of(within(operand), tuple(within(option) for option in options))
        case terms.Matches(operand, pattern, escape):
            return _strict(
                lambda text, like: _pattern(like, escape).fullmatch(text) is not None,
                (within(operand), within(pattern)),
            )
        case terms.Choose(branches, otherwise):
            made = tuple((within(when), within(then)) for when, then in branches)
            return _choose(made, within(otherwise))
        case terms.Apply("coalesce", arguments):
            return _coalesce(tuple(within(argument) for argument in arguments))
        case terms.Apply(function, arguments):
            run = FUNCTIONS[function].run
            return _strict(run, tuple(within(argument) for argument in arguments))
        case terms.Widen(operand, kind):
            return _strict(lambda value: widened(value, kind), (within(operand),))
        case terms.Aggregate():
            raise AssertionError("aggregates are evaluated by their group")


def value_of(term: Term) -> Value:
    """The value of a term without columns. Raises RunFault."""
    value: Value = compiled(term, ())(())
    return value


def _slot(ref: terms.Ref, layout: Sequence[terms.Ref]) -> int:
    places = [(other.source, other.column) for other in layout]
    return places.index((ref.source, ref.column))


def _strict(function: Callable[..., Any], arguments: tuple[Compiled, ...]) -> Compiled:
    """NULL as soon as an argument is, else the function's result."""

    def run(row: Row) -> Any:
        values = [argument(row) for argument in arguments]
        return None if None in values else function(*values)

    return run


def _logic(conjunctive: bool, left: Compiled, right: Compiled) -> Compiled:
    decisive = not conjunctive

    def run(row: Row) -> Any:
        first = left(row)
        if first is decisive:
            return decisive
        second = right(row)
        if second is decisive:
            return decisive
        return None if first is None or second is None else conjunctive

    return run


def _one_of(operand: Compiled, options: tuple[Compiled, ...]) -> Compiled:
    def run(row: Row) -> bool | None:
        value = operand(row)
        if value is None:
            return None
        unknown = False
        for option in options:
            candidate = option(row)
            if candidate is None:
                unknown = True
            elif candidate == value:
                return True
        return None if unknown else False

    return run


def _choose(branches: tuple[tuple[Compiled, Compiled], ...], otherwise: Compiled) -> Compiled:
    def run(row: Row) -> Any:
        for when, then in branches:
            if when(row) is True:
                return then(row)
        return otherwise(row)

    return run


def _coalesce(arguments: tuple[Compiled, ...]) -> Compiled:
    def run(row: Row) -> Any:
        for argument in arguments:
            value = argument(row)
            if value is not None:
                return value
        return None

    return run


def _arithmetic(sign: str, kind: Kind) -> Callable[[Any, Any], Value]:
    match sign, kind.name:
        case "||", _:
            return operator.add
        case "+", "date":
            return lambda a, b: days_later(a, b) if isinstance(a, date) else days_later(b, a)
        case "-", "date":
            return lambda a, b: days_later(a, -b)
        case "-", "int":
            return lambda a, b: (a - b).days if isinstance(a, date) else a - b
        case "/", _:
            return lambda a, b: rounded(EXACT.divide(Decimal(a), Decimal(_divisor(b))), kind.scale)
        case "%", _:
            return _remainder
        case "+", "int":
            return operator.add
        case "*", "int":
            return operator.mul
    exact = {"+": EXACT.add, "-": EXACT.subtract, "*": EXACT.multiply}[sign]
    return lambda a, b: rounded(exact(Decimal(a), Decimal(b)), kind.scale)


def _negative(value: int | Decimal) -> int | Decimal:
    return EXACT.minus(value) if isinstance(value, Decimal) else -value


def _divisor(value: Any) -> Any:
    if value == 0:
        raise RunFault("division by zero")
    return value


def _remainder(a: int, b: int) -> int:
    """What is left of a division, with the sign of what was divided."""
    left: int = abs(a) % abs(_divisor(b))
    return -left if a < 0 else left


@lru_cache(maxsize=256)
def _pattern(like: str, escape: str | None) -> re.Pattern[str]:
    parts: list[str] = []
    characters = iter(like)
    for character in characters:
        if character == escape:
            follower = next(characters, None)
            if follower is None:
                raise RunFault(f"the pattern {like!r} ends in its escape character")
            parts.append(re.escape(follower))
        else:
            parts.append({"%": ".*", "_": "."}.get(character, re.escape(character)))
    return re.compile("".join(parts), re.DOTALL)
