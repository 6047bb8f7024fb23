"""Waits between sendings, and the brake that an endpoint's samples share."""

from __future__ import annotations

import asyncio
import email.utils
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.models.failures import Failure, http_failure, retry_after
from harness.models.retry import Brake, Resend, RetryPolicy, send_with_retries


@given(failed=st.integers(1, 10_000), asked=st.none() | st.floats(0, 1000))
def test_waits_grow_to_a_bound_and_never_undercut_what_is_asked(
    failed: int, asked: float | None
) -> None:
    policy = RetryPolicy()
    wait = policy.wait_s(failed, asked)
    assert wait >= max(asked or 0, policy.first_s)
    assert wait <= max(1.5 * policy.longest_s, 1.1 * (asked or 0))


def test_retry_after_in_every_form() -> None:
    assert retry_after({"retry-after": "3"}) == 3.0
    assert retry_after({"retry-after-ms": "1500", "retry-after": "9"}) == 1.5
    date = email.utils.formatdate(time.time() + 60, usegmt=True)
    assert 50 < (retry_after({"retry-after": date}) or 0) <= 60
    assert retry_after({"retry-after": "soon"}) is None
    assert retry_after({}) is None


@pytest.mark.parametrize(
    ("status", "again"),
    [
        (400, False),
        (401, False),
        (404, False),
        (408, True),
        (409, True),
        (422, False),
        (425, True),
        (429, True),
        (500, True),
        (501, False),
        (502, True),
        (503, True),
        (529, True),
    ],
)
def test_which_answers_are_worth_another_try(status: int, again: bool) -> None:
    assert http_failure(status, {}, b"{}").retryable is again


async def test_resends_are_immediate_and_waits_are_announced() -> None:
    waits: list[float] = []

    async def send(attempt: int) -> int:
        if attempt == 1:
            raise Resend("empty_reply", "again")
        if attempt == 2:
            raise Failure("connection", "away")
        return attempt

    policy = RetryPolicy(first_s=0.01, total_s=1)
    done = await send_with_retries(
        send, policy, before_wait=lambda _attempt, wait, _failure: waits.append(wait)
    )
    assert done == 3 and waits[0] == 0.0 and waits[1] > 0


async def test_other_exceptions_pass_at_once() -> None:
    tries = 0

    async def send(attempt: int) -> None:
        nonlocal tries
        tries += 1
        raise ValueError("not a failure")

    with pytest.raises(ValueError, match="not a failure"):
        await send_with_retries(send, RetryPolicy(), before_wait=lambda *_: None)
    assert tries == 1


async def test_the_brake_holds_everyone_until_released() -> None:
    now = 0.0
    brake = Brake(clock=lambda: now)
    assert brake.hold(5.0) and not brake.hold(3.0)
    waiting = [asyncio.create_task(brake.passed()) for _ in range(3)]
    await asyncio.sleep(0)
    assert not any(task.done() for task in waiting)
    assert brake.release() and not brake.release()
    assert await brake.passed() == 0.0
    now = 6.0
    await asyncio.gather(*waiting)
