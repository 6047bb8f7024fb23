"""Calendar arithmetic: dates, and spans such as `21d`, `6w`, `3m`, `2y`."""

import calendar
import re
from dataclasses import dataclass
from datetime import date, timedelta

from stockroom.errors import StockroomError

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_SPAN = re.compile(r"(\d+)([dwmy])")


def parse_date(text: str) -> date:
    """Read `YYYY-MM-DD`; no other form is taken."""
    if not _DATE.fullmatch(text):
        raise StockroomError(f"not a date (YYYY-MM-DD): {text!r}")
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise StockroomError(f"no such day: {text!r}") from None


@dataclass(frozen=True)
class Span:
    """A length of time: whole months, then days."""

    months: int = 0
    days: int = 0

    @classmethod
    def parse(cls, text: str) -> "Span":
        """Read a number with a unit: d(ays), w(eeks), m(onths), y(ears)."""
        match = _SPAN.fullmatch(text)
        if match is None:
            raise StockroomError(f"not a span (21d, 6w, 3m, 2y): {text!r}")
        number = int(match.group(1))
        match match.group(2):
            case "d":
                return cls(days=number)
            case "w":
                return cls(days=7 * number)
            case "m":
                return cls(months=number)
            case _:
                return cls(months=12 * number)

    def after(self, start: date) -> date:
        """The day this span after `start`; a day past the month's end becomes its last day."""
        years, month0 = divmod(start.year * 12 + start.month - 1 + self.months, 12)
        last = calendar.monthrange(years, month0 + 1)[1]
        moved = date(years, month0 + 1, min(start.day, last))
        return moved + timedelta(days=self.days)
