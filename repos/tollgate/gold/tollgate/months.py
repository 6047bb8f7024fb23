"""Calendar months, and the span of time that one takes in a zone."""

import calendar
import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from tollgate.errors import ParseError
from tollgate.zones import Zone

_MONTH = re.compile(r"(\d{4})-(\d\d)")


@dataclass(frozen=True, slots=True)
class Span:
    """From `start` on, up to but not including `end`."""

    start: datetime
    end: datetime

    def __contains__(self, moment: datetime) -> bool:
        return self.start <= moment < self.end


@dataclass(frozen=True, slots=True, order=True)
class Month:
    """A month of a year; months compare and sort by time."""

    year: int
    number: int

    @classmethod
    def parse(cls, text: str) -> "Month":
        """Read `2024-03`."""
        match = _MONTH.fullmatch(text)
        if match is None or not 1 <= int(match.group(2)) <= 12 or int(match.group(1)) == 0:
            raise ParseError(f"not a month (YYYY-MM): {text!r}")
        return cls(int(match.group(1)), int(match.group(2)))

    @classmethod
    def of(cls, day: date) -> "Month":
        return cls(day.year, day.month)

    @classmethod
    def at(cls, moment: datetime, zone: Zone) -> "Month":
        """The month that an instant falls into in a zone."""
        return cls.of(zone.day_of(moment))

    def following(self) -> "Month":
        return Month(self.year + 1, 1) if self.number == 12 else Month(self.year, self.number + 1)

    @property
    def days(self) -> int:
        return calendar.monthrange(self.year, self.number)[1]

    @property
    def first(self) -> date:
        return date(self.year, self.number, 1)

    @property
    def last(self) -> date:
        return date(self.year, self.number, self.days)

    def span(self, zone: Zone) -> Span:
        """Local midnight to local midnight."""
        return Span(zone.midnight(self.first), zone.midnight(self.following().first))

    def each_day(self) -> list[date]:
        return [self.first + timedelta(days=n) for n in range(self.days)]

    def __str__(self) -> str:
        return f"{self.year:04}-{self.number:02}"
