"""The functions of the language: of one row, and aggregates over many."""

from calendar import monthrange
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import reduce
from typing import Any

from tabula.errors import KindFault, RunFault
from tabula.kinds import (
    DATE,
    EXACT,
    INT,
    MAX_SCALE,
    NULL,
    TEXT,
    Kind,
    Value,
    decimal,
    rounded,
    shown,
)


@dataclass(frozen=True, slots=True)
class Function:
    """takes: of each argument the name of its kind, ``number`` or ``any``; optional: how many
    at the end may be left out; gives: None stands for the kind of the first argument. NULL in,
    NULL out, without a call of ``run``."""

    takes: tuple[str, ...]
    gives: Kind | None
    run: Callable[..., Value]
    optional: int = 0


def days_later(day: date, days: int) -> date:
    """The date so many days after. Raises RunFault."""
    try:
        return date.fromordinal(day.toordinal() + days)
    except (ValueError, OverflowError):
        raise RunFault(f"{day} and {days} days is no date") from None


def months_later(day: date, months: int) -> date:
    """The same day so many months after, or the last one of a shorter month. Raises RunFault."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    if not 1 <= year <= 9999:
        raise RunFault(f"{day} and {months} months is no date")
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def _substr(text: str, start: int, count: int | None = None) -> str:
    if count is not None and count < 0:
        raise RunFault("substr of fewer than 0 characters")
    end = len(text) if count is None else start - 1 + count
    return text[max(0, start - 1) : max(0, end)]


def _abs(value: int | Decimal) -> int | Decimal:
    return EXACT.abs(value) if isinstance(value, Decimal) else abs(value)


def _round(value: int | Decimal, places: int = 0) -> Decimal:
    return rounded(value, places)


FUNCTIONS: dict[str, Function] = {
    "lower": Function(("text",), TEXT, str.lower),
    "upper": Function(("text",), TEXT, str.upper),
    "trim": Function(("text",), TEXT, str.strip),
    "length": Function(("text",), INT, len),
    "substr": Function(("text", "int", "int"), TEXT, _substr, optional=1),
    "text": Function(("any",), TEXT, shown),
    "abs": Function(("number",), None, _abs),
    "round": Function(("number", "int"), None, _round, optional=1),
    "year": Function(("date",), INT, lambda day: day.year),
    "month": Function(("date",), INT, lambda day: day.month),
    "day": Function(("date",), INT, lambda day: day.day),
    "month_start": Function(("date",), DATE, lambda day: day.replace(day=1)),
    "add_months": Function(("date", "int"), DATE, months_later),
}

AGGREGATES = ("count", "sum", "avg", "min", "max")


def result_kind(name: str, kinds: Sequence[Kind]) -> Kind:
    """The kind of a function's result for arguments of these kinds. Raises KindFault."""
    function = FUNCTIONS[name]
    least = len(function.takes) - function.optional
    if not least <= len(kinds) <= len(function.takes):
        raise KindFault(f"{name} does not take {len(kinds)} arguments")
    for number, (wanted, kind) in enumerate(zip(function.takes, kinds, strict=False), 1):
        if not _suits(wanted, kind):
            raise KindFault(f"argument {number} of {name} must be {wanted}, not {kind}")
    return kinds[0] if function.gives is None else function.gives


def aggregate_kind(name: str, kind: Kind) -> Kind:
    """The kind of an aggregate over values of a kind. Raises KindFault."""
    match name:
        case "count":
            return INT
        case "sum" if kind.is_number or kind == NULL:
            return kind
        case "avg" if kind.is_number or kind == NULL:
            return decimal(MAX_SCALE)
        case "min" | "max" if kind.name != "bool":
            return kind
    raise KindFault(f"there is no {name} of {kind}")


def aggregated(name: str, values: Sequence[Any], distinct: bool) -> Any:
    """An aggregate over the values that are not NULL; of none, 0 for a count, else NULL."""
    held = [value for value in values if value is not None]
    if distinct:
        held = list(dict.fromkeys(held))
    if name == "count":
        return len(held)
    if not held:
        return None
    match name:
        case "sum":
            return _total(held)
        case "avg":
            average = EXACT.divide(Decimal(_total(held)), Decimal(len(held)))
            return rounded(average, MAX_SCALE)
        case "min":
            return min(held)
        case _:
            return max(held)


def _total(values: Sequence[Any]) -> Any:
    if isinstance(values[0], Decimal):
        return reduce(EXACT.add, values)
    return sum(values)


def _suits(wanted: str, kind: Kind) -> bool:
    if wanted == "any" or kind == NULL:
        return True
    return kind.is_number if wanted == "number" else kind.name == wanted
