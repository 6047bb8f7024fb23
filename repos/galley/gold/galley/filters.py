"""Filters of templates, and the escaping of values."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from decimal import ROUND_HALF_UP, Decimal

from galley.expressions import Missing
from galley.numerals import numeral
from galley.width import shorten

_SPECIAL = re.compile(r"[\\`*\[\]{}|~#>]")
_STARTS_BLOCK = re.compile(r"([-+:]|\d+[.)])(?=\s|$|[-+])")


class Raw(str):
    """Text that is markup already and is not escaped."""


def escape(text: str) -> str:
    """The text so that the markup reader takes it literally, as a part of one paragraph."""
    words = " ".join(text.split())
    escaped = _SPECIAL.sub(lambda match: "\\" + match[0], words)
    start = _STARTS_BLOCK.match(escaped)
    if start is None:
        return escaped
    last = start.end() - 1
    return f"{escaped[:last]}\\{escaped[last:]}"


def shown(value: object) -> str:
    """A value as plain text."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def printed(value: object) -> str:
    """A value as markup."""
    return value if isinstance(value, Raw) else escape(shown(value))


def number(value: object, places: object = 0) -> str:
    """With thousands separators and so many decimals, halves away from zero."""
    exact = _decimal(value)
    unit = Decimal(1).scaleb(-_integer(places))
    rounded = exact.quantize(unit, ROUND_HALF_UP)
    return f"{rounded if rounded else abs(rounded):,}"


def plural(value: object, one: object, many: object) -> str:
    """The count and the word that goes with it."""
    return f"{value} {one if _decimal(value) == 1 else many}"


def join(values: object, separator: object = ", ") -> str:
    return str(separator).join(shown(value) for value in _sequence(values))


def sort(values: object, key: object = None) -> object:
    """In ascending order, by a key of each element if one is given; equal ones stay in order."""
    elements = _sequence(values)
    if key is None:
        return sorted(elements, key=_orderable)
    return sorted(elements, key=lambda element: _orderable(_mapping(element)[str(key)]))


def format_date(value: object, pattern: object = "%Y-%m-%d") -> str:
    if not isinstance(value, date):
        value = date.fromisoformat(str(value))
    return value.strftime(str(pattern))


def truncate(value: object, room: object) -> str:
    """Cut to so many columns, an ellipsis included."""
    return shorten(shown(value), _integer(room))


def default(value: object, other: object) -> object:
    """The other value where there is none, or an empty text; zero and false are values."""
    return other if value is None or value == "" or isinstance(value, Missing) else value


def length(value: object) -> int:
    return len(value) if isinstance(value, str | Mapping) else len(_sequence(value))


def _orderable(value: object) -> tuple[int, object]:
    """Numbers before texts; texts without regard to case."""
    if isinstance(value, int | float | Decimal):
        return 0, value
    return 1, str(value).casefold()


def _sequence(value: object) -> Sequence[object]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise TypeError(f"not a list: {value!r}")
    return list(value)


def _mapping(value: object) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise TypeError(f"not a mapping: {value!r}")
    return value


def _decimal(value: object) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal | str):
        raise TypeError(f"not a number: {value!r}")
    return Decimal(str(value))


def _integer(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"not a whole number: {value!r}")
    return value


FILTERS: dict[str, Callable[..., object]] = {
    "upper": lambda value: shown(value).upper(),
    "lower": lambda value: shown(value).lower(),
    "trim": lambda value: shown(value).strip(),
    "raw": lambda value: Raw(value),
    "number": number,
    "plural": plural,
    "join": join,
    "sort": sort,
    "date": format_date,
    "truncate": truncate,
    "default": default,
    "length": length,
    "first": lambda value: _sequence(value)[0],
    "last": lambda value: _sequence(value)[-1],
    "roman": lambda value: numeral(_integer(value), "roman"),
}
