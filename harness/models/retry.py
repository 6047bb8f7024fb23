"""When a request is sent again: one layer of retries, one brake an endpoint."""

from __future__ import annotations

import asyncio
import math
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

import tenacity

from harness.models.failures import Failure
from harness.words import counted

T = TypeVar("T")


@dataclass(frozen=True)
class RetryPolicy:
    """Waits grow from first_s by doubling to longest_s, each with up to a half of jitter on top;
    ``total_s`` caps the waits of one turn. What a server asks for (Retry-After) is the least.
    ``timeouts``: sendings that end in silence, each of which has taken long already."""

    first_s: float = 0.5
    longest_s: float = 30.0
    total_s: float = 600.0
    timeouts: int = 3

    def ending(self, failure: Failure, sendings: int, waited_s: float) -> str:
        """Why nothing is sent any more after ``failure``, in words."""
        asked, left = failure.retry_after_s, self.total_s - waited_s
        if asked is not None and asked > left:
            rest = "what is left of the" if waited_s >= 1 else "the"
            return (
                f"the server asked to wait {asked:.0f} s, more than {rest} {self.total_s:.0f} s "
                "that --retry-wait allows"
            )
        return f"given up after {counted(sendings, 'sending')} and {waited_s:.0f} s of waiting"

    def wait_s(self, failed: int, asked_s: float | None) -> float:
        """Seconds to wait after the ``failed``-th failure (from 1)."""
        wait = min(self.longest_s, self.first_s * 2.0 ** min(failed - 1, 30))
        wait *= 1 + random.random() / 2
        return max(wait, (asked_s or 0.0) * (1 + random.random() / 10))


class Brake:
    """Holds back every request to an endpoint while it is over its limit or away, so that the
    samples on it do not all find that out for themselves."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._until = 0.0
        self._spread_s = 0.0
        self.on = False

    def hold(self, seconds: float) -> bool:
        """Hold requests back for so long from now; True when the brake was off before."""
        self._until = max(self._until, self._clock() + seconds)
        self._spread_s = min(seconds / 4, 2.0)
        was_on, self.on = self.on, True
        return not was_on

    def release(self) -> bool:
        """A request went through; True when the brake was on."""
        was_on, self.on, self._until = self.on, False, 0.0
        return was_on

    async def passed(self) -> float:
        """Wait until requests may go; returns the seconds waited."""
        started = self._clock()
        held = False
        while (left := self._until - self._clock()) > 0:
            held = True
            await asyncio.sleep(min(left, 1.0))  # in pieces, for a release may come earlier
        if held:  # not all at the same moment
            await asyncio.sleep(self._spread_s * random.random())
        return self._clock() - started


async def send_with_retries(
    send: Callable[[int], Awaitable[T]],
    policy: RetryPolicy,
    *,
    before_wait: Callable[[int, float, Failure, str], None],
    worth: Callable[[Failure], bool] = lambda failure: failure.retryable,
) -> T:
    """Call ``send(attempt)`` until it returns; attempts count from 1.

    Retried are Failures that are ``worth`` it, until the waits would add up to more than the
    policy's total; the last Failure is then raised, its ``ending`` says why. A Resend is repeated
    at once. before_wait(attempt, seconds, failure, gives_up) is called before each wait;
    ``gives_up`` says when it ends.
    """
    waited = 0.0
    silent = 0

    def wait(state: tenacity.RetryCallState) -> float:
        failure = _failure(state)
        if isinstance(failure, Resend):
            return 0.0
        wait_s, left = policy.wait_s(state.attempt_number, failure.retry_after_s), left_s()
        # what a server asks for is not refused for the sake of the jitter on top
        return left if (failure.retry_after_s or math.inf) <= left < wait_s else wait_s

    def exhausted(state: tenacity.RetryCallState) -> bool:
        nonlocal silent
        failure = _failure(state)
        silent += failure.kind == "timeout"
        if silent >= policy.timeouts:
            failure.ending = (
                f"given up after {counted(silent, 'sending')} without an answer in time"
            )
        elif waited + state.upcoming_sleep > policy.total_s + 1e-6:
            failure.ending = policy.ending(failure, state.attempt_number, waited)
        return bool(failure.ending)

    def announce(state: tenacity.RetryCallState) -> None:
        nonlocal waited
        waited += state.upcoming_sleep
        failure, gives_up = _failure(state), f"gives up after {left_s():.0f} s more"
        if isinstance(failure, Resend):
            gives_up = ""
        elif failure.kind == "timeout":
            gives_up = f"gives up after {policy.timeouts - silent} more"
        before_wait(state.attempt_number, state.upcoming_sleep, failure, gives_up)

    def left_s() -> float:
        return policy.total_s - waited

    retrying = tenacity.AsyncRetrying(
        retry=tenacity.retry_if_exception(lambda e: isinstance(e, Failure) and worth(e)),
        wait=wait,
        stop=exhausted,
        before_sleep=announce,
        reraise=True,
    )
    async for attempt in retrying:
        with attempt:
            return await send(attempt.retry_state.attempt_number)
    raise AssertionError("unreachable: tenacity raises the last failure")


class Resend(Failure):
    """A failure that is answered by sending once more without a wait."""

    @property
    def retryable(self) -> bool:
        return True


def _failure(state: tenacity.RetryCallState) -> Failure:
    error = state.outcome.exception() if state.outcome is not None else None
    if not isinstance(error, Failure):
        raise AssertionError("only failures are retried")
    return error
