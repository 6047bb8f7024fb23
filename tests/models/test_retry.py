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
        send, policy, before_wait=lambda _attempt, wait, *_: waits.append(wait)
    )
    assert done == 3 and waits[0] == 0.0 and waits[1] > 0


async def gave_up(policy: RetryPolicy, **asked: float) -> tuple[str, list[str]]:
    """Why nothing more was sent to a server that stays busy, and what was told on the way."""
    told: list[str] = []

    async def send(attempt: int) -> None:
        raise Failure("http", "HTTP 500: boom", status=500, **asked)

    with pytest.raises(Failure) as caught:
        await send_with_retries(send, policy, before_wait=lambda *given: told.append(given[-1]))
    return caught.value.ending, told


async def test_each_retry_says_when_it_ends_and_the_last_why() -> None:
    ending, told = await gave_up(RetryPolicy(first_s=0.2, longest_s=0.2, total_s=0.9))
    assert told and all(text.startswith("gives up after ") for text in told)
    assert ending.startswith("given up after ") and "sendings" in ending
    ending, _ = await gave_up(RetryPolicy(first_s=0.2, total_s=0.0))
    assert ending.startswith("given up after 1 sending and ")


async def test_a_wait_beyond_the_budget_is_told_as_the_servers_wish() -> None:
    ending, told = await gave_up(RetryPolicy(total_s=600), retry_after_s=86400)
    assert not told
    assert ending == (
        "the server asked to wait 86400 s, more than the 600 s that --retry-wait allows"
    )


async def test_a_wait_within_the_budget_is_not_refused_for_its_jitter() -> None:
    _, told = await gave_up(RetryPolicy(total_s=0.2), retry_after_s=0.2)
    assert told == ["gives up after 0 s more"]


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
