"""What somebody types into a cell, and what to type to get a value again."""

from dataclasses import dataclass
from decimal import Decimal

from gridcalc.errors import ErrorValue
from gridcalc.nodes import Node
from gridcalc.parser import parse_formula
from gridcalc.values import Scalar, read_date, read_number


@dataclass(frozen=True)
class Entry:
    """A constant or a formula, and the format that the way it was typed suggests."""

    value: Scalar = None
    formula: Node | None = None
    format: str | None = None


def read_entry(text: str) -> Entry:
    """Read what was typed. Raises FormulaError."""
    if text.startswith("=") and len(text) > 1:
        return Entry(formula=parse_formula(text[1:]))
    if text.startswith("'"):
        return Entry(text[1:])
    return Entry(read_scalar(text), format=_suggested_format(text))


def read_scalar(text: str) -> Scalar:
    """A constant: number, date, truth value, error value, else the text as it is."""
    if text == "":
        return None
    number = read_number(text)
    if number is not None:
        return number
    word = text.strip().upper()
    if word in ("TRUE", "FALSE"):
        return word == "TRUE"
    for error in ErrorValue:
        if word == error.value:
            return error
    return read_date(text) or text


def write_entry(value: Scalar) -> str:
    """What to type for a constant; text that would be read as something else gets a `'`."""
    if isinstance(value, str):
        plain = read_scalar(value) == value and not value.startswith(("'", "="))
        return value if plain and value else "'" + value
    if isinstance(value, Decimal):
        return format(value, "f")
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    return str(value)


def _suggested_format(text: str) -> str | None:
    body = text.strip()
    if not body.endswith("%") or read_number(body) is None:
        return None
    places = len(body.rstrip("% ").partition(".")[2])
    return "0." + "0" * places + "%" if places else "0%"
