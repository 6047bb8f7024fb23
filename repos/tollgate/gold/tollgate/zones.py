"""Time zones: a standard offset and, if any, a rule for daylight saving time."""

import calendar
import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from tollgate.errors import ParseError

_ZONE = re.compile(r"([+-])(\d\d):(\d\d)(?:/(EU|US))?")
_HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Zone:
    """`UTC`, `+05:30`, `+01:00/EU`, `-05:00/US`."""

    offset: timedelta = timedelta(0)
    daylight: str | None = None

    @classmethod
    def parse(cls, text: str) -> "Zone":
        if text == "UTC":
            return cls()
        match = _ZONE.fullmatch(text)
        if match is None or int(match.group(3)) > 59:
            raise ParseError(f"not a zone (UTC, +05:30, +01:00/EU, -05:00/US): {text!r}")
        size = timedelta(hours=int(match.group(2)), minutes=int(match.group(3)))
        offset = -size if match.group(1) == "-" else size
        if not timedelta(hours=-12) <= offset <= timedelta(hours=14):
            raise ParseError(f"offset out of range (-12:00 to +14:00): {text!r}")
        return cls(offset, match.group(4))

    def offset_at(self, moment: datetime) -> timedelta:
        """What local time is ahead of UTC at an instant."""
        return self.offset + _HOUR if self._is_daylight(moment) else self.offset

    def day_of(self, moment: datetime) -> date:
        """The local day of an instant."""
        return (moment + self.offset_at(moment)).date()

    def midnight(self, day: date) -> datetime:
        """The instant at which a local day begins."""
        local = datetime.combine(day, time(), UTC)
        early = local - self.offset - _HOUR
        if self.daylight and self._is_daylight(early):
            return early
        return local - self.offset

    def _is_daylight(self, moment: datetime) -> bool:
        if self.daylight is None:
            return False
        year = (moment + self.offset).year
        begin, end = _eu(year) if self.daylight == "EU" else self._us(year)
        return begin <= moment < end

    def _us(self, year: int) -> tuple[datetime, datetime]:
        """02:00 local time, second Sunday of March to first Sunday of November."""
        begin = _at(_sunday(year, 3, 2), 2) - self.offset
        end = _at(_sunday(year, 11, 1), 2) - self.offset - _HOUR
        return begin, end

    def __str__(self) -> str:
        if self == Zone():
            return "UTC"
        minutes = abs(self.offset) // timedelta(minutes=1)
        sign = "-" if self.offset < timedelta(0) else "+"
        rule = f"/{self.daylight}" if self.daylight else ""
        return f"{sign}{minutes // 60:02}:{minutes % 60:02}{rule}"


def _eu(year: int) -> tuple[datetime, datetime]:
    """01:00 UTC, last Sunday of March to last Sunday of October."""
    return _at(_last_sunday(year, 3), 1), _at(_last_sunday(year, 10), 1)


def _at(day: date, hour: int) -> datetime:
    return datetime.combine(day, time(hour), UTC)


def _sunday(year: int, month: int, nth: int) -> date:
    first = date(year, month, 1)
    return first + timedelta(days=(6 - first.weekday()) % 7 + 7 * (nth - 1))


def _last_sunday(year: int, month: int) -> date:
    last = date(year, month, calendar.monthrange(year, month)[1])
    return last - timedelta(days=(last.weekday() + 1) % 7)
