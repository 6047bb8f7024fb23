"""Number formats: codes such as `#,##0.00;(#,##0.00)` or `d mmm yyyy`, and what they show."""

import re
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache

from gridcalc.errors import Fault, FormatError
from gridcalc.values import Scalar, from_serial, general, serial

MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

_WIDE = Context(prec=400, rounding=ROUND_HALF_UP)
_PIECE = re.compile(
    r"""
      (?P<quoted>"[^"]*")
    | \\(?P<escaped>.)
    | (?P<digits>[0#.,]+)
    | (?P<date>y+|m+|d+)
    | (?P<percent>%)
    | (?P<bare>[-+ $€£()/:])
    """,
    re.VERBOSE | re.IGNORECASE,
)
_DIGITS = re.compile(r"(?P<whole>#*(?:,#+)*0*(?:,[#0]+)*)(?:\.(?P<part>0*#*))?(?P<scale>,*)")
_DATE_CODES = ("yyyy", "yy", "mmmm", "mmm", "mm", "m", "dddd", "ddd", "dd", "d")


@dataclass(frozen=True)
class Digits:
    """How many digits of a number are shown: at least `whole` before the point."""

    whole: int
    least: int
    most: int
    grouped: bool
    thousands: int

    @classmethod
    def parse(cls, text: str) -> "Digits":
        """Read a run of `0`, `#`, `,` and `.`. Raises FormatError."""
        match = _DIGITS.fullmatch(text)
        if match is None or not set(text) & set("0#"):
            raise FormatError(f"{text!r} is no pattern of digits")
        whole, part = match["whole"], match["part"] or ""
        return cls(whole.count("0"), part.count("0"), len(part), "," in whole, len(match["scale"]))

    def rounded(self, number: Decimal) -> Decimal:
        """The number as it is shown, in thousands and so on; halves go away from zero."""
        scaled = _WIDE.multiply(number, Decimal(1).scaleb(-3 * self.thousands))
        return scaled.quantize(Decimal(1).scaleb(-self.most), context=_WIDE)

    def render(self, number: Decimal) -> str:
        """A number that is rounded and not below zero."""
        whole, _, part = format(number, "f").partition(".")
        whole = whole.lstrip("0").rjust(self.whole, "0")
        if self.grouped:
            whole = _grouped(whole)
        part = part[: self.least] + part[self.least :].rstrip("0")
        return f"{whole}.{part}" if part else whole


@dataclass(frozen=True)
class DatePart:
    """A part of a date, such as `mmm`."""

    code: str

    def render(self, day: date) -> str:
        if self.code == "yyyy":
            return f"{day.year:04}"
        if self.code == "yy":
            return f"{day.year % 100:02}"
        if self.code in ("mmmm", "mmm"):
            return MONTHS[day.month - 1][: None if self.code == "mmmm" else 3]
        if self.code in ("dddd", "ddd"):
            return DAYS[day.weekday()][: None if self.code == "dddd" else 3]
        number = day.month if self.code.startswith("m") else day.day
        return f"{number:02}" if len(self.code) == 2 else str(number)


@dataclass(frozen=True)
class Section:
    """One of the parts that `;` separates: literals around one run of digits, or parts of dates."""

    parts: tuple[str | Digits | DatePart, ...]
    percent: int

    @property
    def digits(self) -> Digits | None:
        return next((part for part in self.parts if isinstance(part, Digits)), None)

    @property
    def is_date(self) -> bool:
        return any(isinstance(part, DatePart) for part in self.parts)

    def rounded(self, number: Decimal) -> Decimal:
        """The number as the section shows it."""
        scaled = _WIDE.multiply(number, Decimal(100**self.percent))
        return scaled if self.digits is None else self.digits.rounded(scaled)

    def render(self, number: Decimal) -> str:
        """A number without its sign."""
        rounded = abs(self.rounded(number))
        day = from_serial(number) if self.is_date else None
        text = ""
        for part in self.parts:
            if isinstance(part, Digits):
                text += part.render(rounded)
            elif isinstance(part, DatePart):
                assert day is not None
                text += part.render(day)
            else:
                text += part
        return text


@dataclass(frozen=True)
class NumberFormat:
    """Sections for positive numbers, negative ones and zero."""

    sections: tuple[Section, ...]

    def render(self, number: Decimal) -> str:
        """A number; one that rounds to zero is zero. Raises Fault for what is no date."""
        section, sign = self.sections[0], ""
        if section.is_date:
            return section.render(number)
        if number < 0 and section.rounded(number) < 0 and len(self.sections) == 1:
            sign = "-"
        elif number < 0 and len(self.sections) > 1 and self.sections[1].rounded(number) < 0:
            section = self.sections[1]
        elif len(self.sections) > 2 and section.rounded(number) == 0:
            section = self.sections[2]
        return sign + section.render(number)


@lru_cache(maxsize=256)
def parse_format(code: str) -> NumberFormat:
    """Read a format code. Raises FormatError."""
    sections = tuple(_section(text) for text in _split(code))
    if not code or len(sections) > 3:
        raise FormatError(f"a format has one to three sections, {code!r} has not")
    if len(sections) > 1 and any(section.is_date for section in sections):
        raise FormatError("a format for dates has one section")
    return NumberFormat(sections)


def show(value: Scalar, code: str | None) -> str:
    """What a cell with a value and a format shows; formats change numbers and dates only."""
    try:
        return shown(value, code)
    except Fault as fault:
        return str(fault.error)


def shown(value: Scalar, code: str | None) -> str:
    """As `show`. Raises Fault for a number that is no date but should be shown as one."""
    if isinstance(value, date):
        number = serial(value)
    elif isinstance(value, Decimal):
        number = value
    else:
        return general(value)
    if code is None:
        return general(value)
    return parse_format(code).render(number)


def _split(code: str) -> list[str]:
    """The code cut at each `;` that is neither quoted nor escaped."""
    sections = [""]
    for match in re.finditer(r'"[^"]*"|\\.|.', code, re.DOTALL):
        if match[0] == ";":
            sections.append("")
        else:
            sections[-1] += match[0]
    return sections


def _section(text: str) -> Section:
    parts: list[str | Digits | DatePart] = []
    percent = position = 0
    while position < len(text):
        match = _PIECE.match(text, position)
        if match is None:
            raise FormatError(f"{text[position]!r} means nothing in a format")
        position = match.end()
        piece = match[0]
        if match["digits"]:
            parts.append(Digits.parse(piece))
        elif match["date"]:
            if piece.lower() not in _DATE_CODES:
                raise FormatError(f"{piece!r} is no part of a date")
            parts.append(DatePart(piece.lower()))
        else:
            percent += bool(match["percent"])
            parts.append(piece.strip('"') if match["quoted"] else match["escaped"] or piece)
    section = Section(tuple(parts), percent)
    if sum(isinstance(part, Digits) for part in parts) + section.is_date > 1:
        raise FormatError(f"{text!r} shows more than one number")
    return section


def _grouped(digits: str) -> str:
    head = len(digits) % 3
    groups = [digits[:head]] if head else []
    groups += [digits[at : at + 3] for at in range(head, len(digits), 3)]
    return ",".join(groups)
