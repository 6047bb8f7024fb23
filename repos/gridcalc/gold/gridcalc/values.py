"""Values of cells and how one kind of value stands in for another."""

import re
from datetime import date, timedelta
from decimal import (
    ROUND_HALF_EVEN,
    ROUND_HALF_UP,
    Context,
    Decimal,
    DivisionByZero,
    InvalidOperation,
    Overflow,
)

from gridcalc.errors import ErrorValue, Fault

Scalar = Decimal | str | bool | date | ErrorValue | None
"""`None` is a blank cell."""

ARITHMETIC = Context(
    prec=28, rounding=ROUND_HALF_EVEN, traps=[InvalidOperation, DivisionByZero, Overflow]
)
SIGNIFICANT = Context(prec=15, rounding=ROUND_HALF_UP)
"""Digits that count when two numbers are compared."""

SHOWN_DECIMALS = 10
EPOCH = date(1899, 12, 30)
FIRST_DAY = date(1900, 1, 1)

_NUMBER = re.compile(r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d*)?")


def read_number(text: str) -> Decimal | None:
    """The number that a text spells, with thousands separators and a percent sign allowed."""
    body = text.strip()
    percent = body.endswith("%")
    body = body.removesuffix("%").rstrip()
    if not _NUMBER.fullmatch(body) or not any(character.isdigit() for character in body):
        return None
    number = Decimal(body.replace(",", ""))
    return number.scaleb(-2) if percent else number


def serial(day: date) -> Decimal:
    """Days since 30 December 1899, the number behind a date."""
    return Decimal((day - EPOCH).days)


def from_serial(number: Decimal) -> date:
    """The date behind a number; parts of a day are dropped."""
    try:
        day = EPOCH + timedelta(days=int(number // 1))
    except OverflowError:
        raise Fault(ErrorValue.NUM) from None
    if day < FIRST_DAY:
        raise Fault(ErrorValue.NUM)
    return day


def to_number(value: Scalar) -> Decimal:
    """The value as a number; text counts when it spells one."""
    if isinstance(value, ErrorValue):
        raise Fault(value)
    if value is None:
        return Decimal(0)
    if isinstance(value, bool):
        return Decimal(int(value))
    if isinstance(value, date):
        return serial(value)
    if isinstance(value, str):
        number = read_number(value)
        if number is None:
            raise Fault(ErrorValue.VALUE)
        return number
    return value


def to_integer(value: Scalar) -> int:
    """The value as a whole number; a fraction is cut off."""
    return int(to_number(value))


def to_text(value: Scalar) -> str:
    """The value as text, numbers as in the General format."""
    if isinstance(value, ErrorValue):
        raise Fault(value)
    return general(value)


def to_flag(value: Scalar) -> bool:
    """The value as a truth value; numbers are true unless 0."""
    if isinstance(value, ErrorValue):
        raise Fault(value)
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        word = value.strip().upper()
        if word not in ("TRUE", "FALSE"):
            raise Fault(ErrorValue.VALUE)
        return word == "TRUE"
    return to_number(value) != 0


def to_date(value: Scalar) -> date:
    """The value as a date; text counts when it is written year-month-day."""
    if isinstance(value, date):
        return value
    if isinstance(value, str):
        day = read_date(value)
        if day is not None:
            return day
    return from_serial(to_number(value))


def read_date(text: str) -> date | None:
    """A date written as 2024-03-01, or None."""
    body = text.strip()
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", body):
        return None
    try:
        day = date.fromisoformat(body)
    except ValueError:
        return None
    return day if day >= FIRST_DAY else None


def general(value: Scalar) -> str:
    """How a value without a format is shown."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, Decimal):
        return _plain(value)
    if isinstance(value, date):
        return value.isoformat()
    return str(value)


def _plain(number: Decimal) -> str:
    places = max(0, min(SHOWN_DECIMALS, -int(number.as_tuple().exponent)))
    wide = Context(prec=400, rounding=ROUND_HALF_UP)
    text = format(number.quantize(Decimal(1).scaleb(-places), context=wide), "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def is_numeric(value: Scalar) -> bool:
    """Numbers and dates, but neither truth values nor text that looks like a number."""
    return isinstance(value, Decimal | date)


def compare(left: Scalar, right: Scalar) -> int:
    """-1, 0 or 1: numbers and dates come before text, text before truth values.

    A blank is 0, "" or FALSE, whichever the other side calls for. The case of letters does not
    matter.
    """
    for value in (left, right):
        if isinstance(value, ErrorValue):
            raise Fault(value)
    left, right = _like(left, right), _like(right, left)
    ranks = (_rank(left), _rank(right))
    if ranks[0] != ranks[1]:
        return -1 if ranks[0] < ranks[1] else 1
    if isinstance(left, str) and isinstance(right, str):
        a, b = left.casefold(), right.casefold()
        return (a > b) - (a < b)
    x, y = SIGNIFICANT.plus(to_number(left)), SIGNIFICANT.plus(to_number(right))
    return (x > y) - (x < y)


def _like(value: Scalar, other: Scalar) -> Scalar:
    if value is not None:
        return value
    if isinstance(other, bool):
        return False
    return "" if isinstance(other, str) else Decimal(0)


def _rank(value: Scalar) -> int:
    if isinstance(value, bool):
        return 2
    return 1 if isinstance(value, str) else 0
