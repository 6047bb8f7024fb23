"""Many proofs of one level side by side, and words on how they go on."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from harness.errors import ConfigError

T = TypeVar("T")
R = TypeVar("R")
Say = Callable[[str], None]
QUIET_S = 15.0  # without a word; then it is said what is at work


@dataclass(frozen=True)
class Proved(Generic[T, R]):
    """One item's end: its result, or what is wrong with it. seconds: that it took."""

    item: T
    result: R | None
    problem: str | None
    seconds: float


async def prove_level(
    level: str,
    items: Sequence[T],
    name: Callable[[T], str],
    prove: Callable[[T, Say], Awaitable[R]],
    *,
    width: int,
    say: Say,
) -> list[Proved[T, R]]:
    """``prove`` every item, ``width`` at a time; the order is kept. ``prove`` is given a function
    to tell its steps to; a ConfigError is the item's problem, other errors end all."""
    waiting = list(enumerate(items))
    ended: dict[int, Proved[T, R]] = {}
    words = _Words(level, len(items), say)

    async def work() -> None:
        while waiting:
            number, item = waiting.pop(0)
            began = time.monotonic()
            result, problem = None, None
            try:
                result = await prove(item, words.steps_of(name(item)))
            except ConfigError as error:
                problem = str(error)
            ended[number] = Proved(item, result, problem, time.monotonic() - began)
            words.ended(name(item), ended[number].seconds, problem is None)

    workers = [asyncio.ensure_future(work()) for _ in range(min(width, len(items)))]
    ticker = asyncio.ensure_future(words.tick())
    try:
        await asyncio.gather(*workers)
    finally:
        for each in (*workers, ticker):
            each.cancel()
        await asyncio.gather(*workers, ticker, return_exceptions=True)
    return [ended[number] for number in range(len(items))]


class _Words:
    """Says what ended, what is left, and, when all is quiet, what is at work."""

    def __init__(self, level: str, total: int, say: Say) -> None:
        self._level = level
        self._total = total
        self._say = say
        self._done = 0
        self._began = self._last = time.monotonic()
        self._at_work: dict[str, str] = {}

    def steps_of(self, name: str) -> Say:
        """Takes the steps of the item ``name``, which begins."""
        self._at_work[name] = "begins"

        def step(what: str) -> None:
            self._at_work[name] = what

        return step

    def ended(self, name: str, seconds: float, valid: bool) -> None:
        """One item ended."""
        self._at_work.pop(name, None)
        self._done += 1
        left = self._total - self._done
        per_item = (time.monotonic() - self._began) / self._done
        eta = f", about {duration(left * per_item)} left" if left else ""
        state = "valid" if valid else "FAILED"
        self._tell(f"{self._done}/{self._total}  {name}: {state}, {seconds:.1f} s{eta}")

    async def tick(self) -> None:
        """Until it is cancelled: tell what is at work when nothing was told for a while."""
        while True:
            await asyncio.sleep(QUIET_S / 5)
            if time.monotonic() - self._last >= QUIET_S and self._at_work:
                at_work = "; ".join(f"{name}: {what}" for name, what in self._at_work.items())
                self._tell(f"{self._done}/{self._total}  at work: {at_work}")

    def _tell(self, text: str) -> None:
        self._last = time.monotonic()
        self._say(f"{self._level} {text}")


def duration(seconds: float) -> str:
    """Seconds in words, as exact as a guess needs."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min"
