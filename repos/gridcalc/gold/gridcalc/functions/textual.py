"""Functions of text. Positions count from 1."""

from decimal import Decimal

from gridcalc.criteria import wildcard_pattern
from gridcalc.errors import ErrorValue, Fault, FormatError
from gridcalc.formats import shown
from gridcalc.registry import Arguments, function, require
from gridcalc.values import Scalar, to_text

MAX_TEXT = 32767


@function("LEN", 1, 1)
def _len(arguments: Arguments) -> Scalar:
    return Decimal(len(arguments.text(0)))


@function("LEFT", 1, 2)
def _left(arguments: Arguments) -> Scalar:
    count = arguments.integer(1, default=1)
    require(count >= 0)
    return arguments.text(0)[:count]


@function("RIGHT", 1, 2)
def _right(arguments: Arguments) -> Scalar:
    text, count = arguments.text(0), arguments.integer(1, default=1)
    require(count >= 0)
    return text[max(0, len(text) - count) :]


@function("MID", 3, 3)
def _mid(arguments: Arguments) -> Scalar:
    start, count = arguments.integer(1), arguments.integer(2)
    require(start >= 1 and count >= 0)
    return arguments.text(0)[start - 1 : start - 1 + count]


@function("UPPER", 1, 1)
def _upper(arguments: Arguments) -> Scalar:
    return arguments.text(0).upper()


@function("LOWER", 1, 1)
def _lower(arguments: Arguments) -> Scalar:
    return arguments.text(0).lower()


@function("TRIM", 1, 1)
def _trim(arguments: Arguments) -> Scalar:
    return " ".join(part for part in arguments.text(0).split(" ") if part)


@function("CONCAT", 1, None)
def _concat(arguments: Arguments) -> Scalar:
    return _limited("".join(_texts(arguments, 0)))


@function("TEXTJOIN", 3, None)
def _textjoin(arguments: Arguments) -> Scalar:
    separator, skip_blanks = arguments.text(0), arguments.flag(1)
    return _limited(separator.join(t for t in _texts(arguments, 2) if t or not skip_blanks))


def _texts(arguments: Arguments, start: int) -> list[str]:
    return [
        to_text(value) for index in range(start, len(arguments)) for value in arguments.area(index)
    ]


@function("REPT", 2, 2)
def _rept(arguments: Arguments) -> Scalar:
    text, count = arguments.text(0), arguments.integer(1)
    require(count >= 0 and len(text) * count <= MAX_TEXT)
    return text * count


@function("FIND", 2, 3)
def _find(arguments: Arguments) -> Scalar:
    text, start = arguments.text(1), arguments.integer(2, default=1)
    require(1 <= start <= len(text) + 1)
    found = text.find(arguments.text(0), start - 1)
    require(found >= 0)
    return Decimal(found + 1)


@function("SEARCH", 2, 3)
def _search(arguments: Arguments) -> Scalar:
    text, start = arguments.text(1), arguments.integer(2, default=1)
    require(1 <= start <= len(text) + 1)
    found = wildcard_pattern(arguments.text(0)).search(text, start - 1)
    if found is None:
        raise Fault(ErrorValue.VALUE)
    return Decimal(found.start() + 1)


@function("SUBSTITUTE", 3, 4)
def _substitute(arguments: Arguments) -> Scalar:
    text, old, new = arguments.text(0), arguments.text(1), arguments.text(2)
    if not old:
        return text
    if not arguments.given(3):
        return _limited(text.replace(old, new))
    nth = arguments.integer(3)
    require(nth >= 1)
    pieces = text.split(old)
    if nth >= len(pieces):
        return text
    return old.join(pieces[:nth]) + new + old.join(pieces[nth:])


@function("VALUE", 1, 1)
def _value(arguments: Arguments) -> Scalar:
    return arguments.number(0)


@function("TEXT", 2, 2)
def _text(arguments: Arguments) -> Scalar:
    value, code = arguments.scalar(0), arguments.text(1)
    if isinstance(value, ErrorValue):
        raise Fault(value)
    try:
        return shown(value, code)
    except FormatError:
        raise Fault(ErrorValue.VALUE) from None


def _limited(text: str) -> str:
    require(len(text) <= MAX_TEXT)
    return text
