"""Instants and durations. An instant is an aware `datetime` in UTC."""

import re
from datetime import UTC, datetime, timedelta
from typing import Protocol

from tollgate.errors import ParseError

_DURATION = re.compile(r"(\d+)(ms|s|m|h|d)")
_UNITS = {
    "ms": timedelta(milliseconds=1),
    "s": timedelta(seconds=1),
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
}


class Clock(Protocol):
    """Tells the present instant."""

    def now(self) -> datetime: ...


class ManualClock:
    """A clock that moves only when told to, and never back."""

    def __init__(self, start: str | datetime) -> None:
        self._now = instant(start)

    def now(self) -> datetime:
        return self._now

    def advance(self, duration: str | timedelta) -> None:
        """Go on by a duration such as `90s`."""
        step = parse_duration(duration) if isinstance(duration, str) else duration
        if step < timedelta(0):
            raise ValueError("a clock does not go back")
        self._now += step

    def move_to(self, moment: str | datetime) -> None:
        """Go on to an instant."""
        self.advance(instant(moment) - self._now)


def instant(moment: str | datetime) -> datetime:
    """The instant that a text (ISO 8601 with an offset or `Z`) or a datetime means."""
    if isinstance(moment, str):
        try:
            moment = datetime.fromisoformat(moment)
        except ValueError:
            raise ParseError(f"not an instant: {moment!r}") from None
    if moment.tzinfo is None:
        raise ParseError(f"an instant needs an offset or Z: {moment.isoformat()!r}")
    return moment.astimezone(UTC)


def show_instant(moment: datetime) -> str:
    """ISO 8601 with `Z`, to the second, finer only where it has to be."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def parse_duration(text: str) -> timedelta:
    """Read `500ms`, `10s`, `5m`, `1h` or `1d`; more than zero."""
    match = _DURATION.fullmatch(text)
    if match is None or int(match.group(1)) == 0:
        raise ParseError(f"not a duration (500ms, 10s, 5m, 1h, 1d): {text!r}")
    return int(match.group(1)) * _UNITS[match.group(2)]


def microseconds(duration: timedelta) -> int:
    """The duration as a whole number of microseconds."""
    return duration // timedelta(microseconds=1)
