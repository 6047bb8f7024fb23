"""Rate limits: token buckets and sliding windows, and the board that keeps their state."""

import re
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Protocol

from tollgate.clock import microseconds, parse_duration
from tollgate.errors import LimitExceeded, ParseError

_RATE = re.compile(r"(\d+)/(\S+)")
_MILLISECOND = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True)
class Rate:
    """So many units in a period."""

    units: int
    period: timedelta

    @classmethod
    def parse(cls, text: str) -> "Rate":
        """Read `100/60s`; the number may be left out of the period: `100/s`."""
        match = _RATE.fullmatch(text)
        if match is None or int(match.group(1)) == 0:
            raise ParseError(f"not a rate (100/60s): {text!r}")
        period = match.group(2)
        every = period if period[0].isdigit() else f"1{period}"
        return cls(int(match.group(1)), parse_duration(every))


@dataclass(frozen=True, slots=True)
class Answer:
    """Of a limiter asked for some units. `retry_after` is None where waiting will not help."""

    allowed: bool
    remaining: int
    retry_after: timedelta | None = timedelta(0)


class Limiter(Protocol):
    """Asked first, then taken from; asking changes nothing that can be seen."""

    def ask(self, now: datetime, units: int) -> Answer: ...

    def take(self, now: datetime, units: int) -> None: ...


class TokenBucket:
    """Holds `burst` units at most, starts full, fills evenly. Exact: no time is lost."""

    def __init__(self, rate: Rate, burst: int, now: datetime) -> None:
        self._per_microsecond = Fraction(rate.units, microseconds(rate.period))
        self._burst = burst
        self._level = Fraction(burst)
        self._since = now

    def ask(self, now: datetime, units: int) -> Answer:
        level = self._level_at(now)
        if units <= level:
            return Answer(True, int(level) - units)
        if units > self._burst:
            return Answer(False, int(level), None)
        wait = (units - level) / self._per_microsecond
        return Answer(False, int(level), timedelta(microseconds=-(-wait // 1)))

    def take(self, now: datetime, units: int) -> None:
        self._level = self._level_at(now) - units
        self._since = now

    def _level_at(self, now: datetime) -> Fraction:
        gained = microseconds(now - self._since) * self._per_microsecond
        return min(Fraction(self._burst), self._level + gained)


class SlidingWindow:
    """At most `units` in any `period`, for each of its rates. What was taken at an instant counts
    until just before a period later."""

    def __init__(self, rates: Sequence[Rate]) -> None:
        self._rates = tuple(rates)
        self._longest = max(rate.period for rate in rates)
        self._taken: deque[tuple[datetime, int]] = deque()

    def ask(self, now: datetime, units: int) -> Answer:
        answers = [self._ask_rate(rate, now, units) for rate in self._rates]
        remaining = min(answer.remaining for answer in answers)
        if all(answer.allowed for answer in answers):
            return Answer(True, remaining)
        return Answer(False, remaining, _longest_wait([a for a in answers if not a.allowed]))

    def take(self, now: datetime, units: int) -> None:
        while self._taken and self._taken[0][0] + self._longest <= now:
            self._taken.popleft()
        self._taken.append((now, units))

    def _ask_rate(self, rate: Rate, now: datetime, units: int) -> Answer:
        inside = [(at, taken) for at, taken in self._taken if at + rate.period > now]
        free = rate.units - sum(taken for _, taken in inside)
        if units <= free:
            return Answer(True, free - units)
        coming = free
        for at, taken in inside:
            coming += taken
            if units <= coming:
                return Answer(False, free, at + rate.period - now)
        return Answer(False, free, None)


def _longest_wait(answers: Sequence[Answer]) -> timedelta | None:
    waits = [answer.retry_after for answer in answers]
    known = [wait for wait in waits if wait is not None]
    return max(known) if len(known) == len(waits) else None


@dataclass(frozen=True, slots=True)
class LimitTerms:
    """A limit as it was agreed. `shared`: by all keys under whoever it was agreed with."""

    kind: str
    rates: tuple[Rate, ...]
    burst: int = 0
    shared: bool = False

    @classmethod
    def parse(cls, text: str) -> "LimitTerms":
        """Read `bucket 10/1s burst 20 per org`, `window 100/60s burst 20/1s per key`."""
        words = text.split()
        shared = words[-2:] == ["per", "org"]
        if shared or words[-2:] == ["per", "key"]:
            words = words[:-2]
        match words:
            case ["bucket", rate]:
                return cls("bucket", (Rate.parse(rate),), Rate.parse(rate).units, shared)
            case ["bucket", rate, "burst", burst] if burst.isdecimal() and int(burst) > 0:
                return cls("bucket", (Rate.parse(rate),), int(burst), shared)
            case ["window", rate]:
                return cls("window", (Rate.parse(rate),), shared=shared)
            case ["window", rate, "burst", burst]:
                return cls("window", (Rate.parse(rate), Rate.parse(burst)), shared=shared)
        raise ParseError(f"not a limit (bucket 10/1s burst 20, window 100/60s): {text!r}")

    def limiter(self, now: datetime) -> Limiter:
        if self.kind == "bucket":
            return TokenBucket(self.rates[0], self.burst, now)
        return SlidingWindow(self.rates)


@dataclass(frozen=True, slots=True)
class BoundLimit:
    """A limit's name and terms, and the key or organisation whose state it is."""

    name: str
    terms: LimitTerms
    holder: str


class LimitBoard:
    """The state of every limit of every holder. Changed terms start afresh."""

    def __init__(self) -> None:
        self._limiters: dict[tuple[str, str], tuple[LimitTerms, Limiter]] = {}

    def pass_through(self, limits: Sequence[BoundLimit], now: datetime, units: int) -> int | None:
        """Take from all limits or from none; what remains of the tightest (None: no limits).

        Raises LimitExceeded for the limit that takes longest to have enough again.
        """
        found = [(limit.name, self._limiter(limit, now)) for limit in limits]
        answers = [(name, limiter.ask(now, units)) for name, limiter in found]
        refused = [(name, answer) for name, answer in answers if not answer.allowed]
        if refused:
            name, answer = max(refused, key=_wait)
            wait = answer.retry_after
            raise LimitExceeded(name, None if wait is None else -(-wait // _MILLISECOND))
        for _, limiter in found:
            limiter.take(now, units)
        return min((answer.remaining for _, answer in answers), default=None)

    def _limiter(self, limit: BoundLimit, now: datetime) -> Limiter:
        known = self._limiters.get((limit.name, limit.holder))
        if known is not None and known[0] == limit.terms:
            return known[1]
        limiter = limit.terms.limiter(now)
        self._limiters[limit.name, limit.holder] = (limit.terms, limiter)
        return limiter


def _wait(refusal: tuple[str, Answer]) -> timedelta:
    wait = refusal[1].retry_after
    return timedelta.max if wait is None else wait
