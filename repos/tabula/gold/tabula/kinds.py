"""Kinds of values: how they relate, how values of them are read and shown."""

import re
from dataclasses import dataclass
from datetime import date, datetime
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import TypeAlias

from tabula.errors import KindFault

Value: TypeAlias = int | Decimal | str | date | bool | None
Row: TypeAlias = tuple[Value, ...]

MAX_SCALE = 6
EXACT = Context(prec=1000, rounding=ROUND_HALF_UP)

_INT = re.compile(r"[+-]?[0-9]+")
_DECIMAL = re.compile(r"[+-]?[0-9]+(?:\.([0-9]+))?")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_BOOLS = {"true": True, "yes": True, "false": False, "no": False}


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of values; scale: decimal places of a ``decimal``."""

    name: str
    scale: int = 0

    def __str__(self) -> str:
        return f"decimal({self.scale})" if self.name == "decimal" else self.name

    @property
    def is_number(self) -> bool:
        return self.name in ("int", "decimal")


INT = Kind("int")
TEXT = Kind("text")
DATE = Kind("date")
BOOL = Kind("bool")
NULL = Kind("null")  # of the bare word NULL, which goes with every other kind


def decimal(scale: int) -> Kind:
    """The decimal kind with so many places, at most ``MAX_SCALE``."""
    return Kind("decimal", min(scale, MAX_SCALE))


def common(one: Kind, other: Kind) -> Kind | None:
    """The kind that values of both can be widened to; None when there is none."""
    if one == other or other == NULL:
        return one
    if one == NULL:
        return other
    if one.is_number and other.is_number:
        return decimal(max(one.scale, other.scale))
    return None


def kind_of(value: Value) -> Kind:
    """The kind of a value given from Python. Raises KindFault."""
    match value:
        case None:
            return NULL
        case bool():
            return BOOL
        case int():
            return INT
        case str():
            return TEXT
        case datetime():
            pass
        case date():
            return DATE
        case Decimal() if value.is_finite():
            places = max(0, -int(value.as_tuple().exponent))
            if places <= MAX_SCALE:
                return decimal(places)
    raise KindFault(f"{value!r} is no value of any kind")


def rounded(value: Decimal | int, scale: int) -> Decimal:
    """The value with exactly so many places, halves away from zero; zero has no sign."""
    return EXACT.plus(EXACT.quantize(Decimal(value), Decimal(1).scaleb(-scale)))


def widened(value: Value, kind: Kind) -> Value:
    """The value in a kind that its own widens to."""
    if isinstance(value, int | Decimal) and kind.name == "decimal":
        return rounded(value, kind.scale)
    return value


def read(text: str, kind: Kind) -> Value:
    """The value that a text means. Raises ValueError saying what it is not."""
    match kind.name:
        case "int" if _INT.fullmatch(text):
            return int(text)
        case "decimal" if found := _DECIMAL.fullmatch(text):
            if len(found[1] or "") > kind.scale:
                raise ValueError(f"{text!r} has more than {kind.scale} decimal places")
            return rounded(Decimal(text), kind.scale)
        case "date" if _DATE.fullmatch(text):
            return _date(text)
        case "bool" if text.lower() in _BOOLS:
            return _BOOLS[text.lower()]
        case "text":
            return text
    raise ValueError(f"{text!r} is no {kind.name}")


def shown(value: Value) -> str:
    """The value as plain text; NULL as an empty one."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case date():
            return value.isoformat()
        case Decimal():
            return f"{value:f}"
        case _:
            return str(value)


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{text!r} is no date") from None
