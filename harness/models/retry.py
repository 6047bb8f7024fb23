"""When a request is sent again: one layer of retries, one brake an endpoint."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

import tenacity

from harness.models.failures import Failure

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
    before_wait: Callable[[int, float, Failure], None],
) -> T:
    """Call ``send(attempt)`` until it returns; attempts count from 1.

    Retried are retryable Failures, until the waits would add up to more than the policy's total;
    the last Failure is then raised. A Resend is repeated at once. before_wait(attempt, seconds,
    failure) is called before each wait.
    """
    waited = 0.0
    silent = 0

    def wait(state: tenacity.RetryCallState) -> float:
        failure = _failure(state)
        if isinstance(failure, Resend):
            return 0.0
        return policy.wait_s(state.attempt_number, failure.retry_after_s)

    def exhausted(state: tenacity.RetryCallState) -> bool:
        nonlocal silent
        silent += _failure(state).kind == "timeout"
        return waited + state.upcoming_sleep > policy.total_s or silent >= policy.timeouts

    def announce(state: tenacity.RetryCallState) -> None:
        nonlocal waited
        waited += state.upcoming_sleep
        before_wait(state.attempt_number, state.upcoming_sleep, _failure(state))

    retrying = tenacity.AsyncRetrying(
        retry=tenacity.retry_if_exception(lambda e: isinstance(e, Failure) and e.retryable),
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
