"""The queue is shared, the number at work is kept, a sample stays where it was put."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from harness.execution.pending import PlannedSample
from harness.execution.scheduler import Scheduler


class Work:
    """Counts what is at work, in all and by endpoint."""

    def __init__(self) -> None:
        self.now: Counter[int | None] = Counter()
        self.most: Counter[int | None] = Counter()
        self.most_at_once = 0
        self.order: list[str] = []
        self.cancelled: list[tuple[str, str]] = []

    async def __call__(self, sample: PlannedSample, endpoint: int | None) -> None:
        self.order.append(sample.key)
        self.now[endpoint] += 1
        self.most[endpoint] = max(self.most[endpoint], self.now[endpoint])
        self.most_at_once = max(self.most_at_once, self.now.total())
        try:
            await asyncio.sleep(0.005)
        except asyncio.CancelledError as cancel:
            self.cancelled.append((sample.key, cancel.args[0]))
        finally:
            self.now[endpoint] -= 1


def samples(number: int) -> list[PlannedSample]:
    return [PlannedSample(f"t{n}@1", 0, f"t{n}", 1) for n in range(number)]


async def test_no_more_than_concurrency_are_at_work_and_all_are_done_in_order() -> None:
    work = Work()
    await Scheduler(iter(samples(20)), work, concurrency=3).run()
    assert work.most_at_once == 3
    assert work.order == [sample.key for sample in samples(20)]
    assert set(work.most) == {None}


async def test_endpoints_fill_in_proportion_to_their_slots() -> None:
    work = Work()
    await Scheduler(iter(samples(40)), work, concurrency=8, slots=(3, 1)).run()
    assert work.most == {0: 6, 1: 2}


async def test_a_slow_endpoint_does_not_hold_the_others_up() -> None:
    done: Counter[int | None] = Counter()

    async def work(_sample: PlannedSample, endpoint: int | None) -> None:
        await asyncio.sleep(0.5 if endpoint == 0 else 0.001)
        done[endpoint] += 1

    await Scheduler(iter(samples(30)), work, concurrency=2, slots=(1, 1)).run()
    assert done[0] < 5 < done[1]


async def test_a_cancelled_sample_knows_why_and_others_go_on() -> None:
    work = Work()
    scheduler = Scheduler(iter(samples(6)), work, concurrency=2)
    running = asyncio.create_task(scheduler.run())
    await asyncio.sleep(0.001)
    assert scheduler.cancel("t1@1", "cancelled")
    assert scheduler.cancel("t1@1", "interrupted")  # the first reason stays
    assert not scheduler.cancel("t5@1", "cancelled")
    await running
    assert work.cancelled == [("t1@1", "cancelled")]
    assert len(work.order) == 6


async def test_what_work_lets_through_ends_the_run() -> None:
    async def work(sample: PlannedSample, _endpoint: int | None) -> None:
        if sample.task_id == "t2":
            raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        await Scheduler(iter(samples(100)), work, concurrency=1).run()


async def test_fewer_at_work_after_the_number_was_lowered() -> None:
    work = Work()
    scheduler = Scheduler(iter(samples(30)), work, concurrency=6)
    running = asyncio.create_task(scheduler.run())
    await asyncio.sleep(0.002)
    scheduler.set_concurrency(1)
    while work.now.total() > 1:
        await asyncio.sleep(0.001)
    work.most_at_once = 0
    await running
    assert work.most_at_once == 1


async def test_an_endpoint_that_was_left_gets_no_more_samples() -> None:
    work = Work()
    scheduler = Scheduler(iter(samples(10)), work, concurrency=2, slots=(1, 1))
    scheduler.leave(0)
    await scheduler.run()
    assert work.most == {1: 2} and len(work.order) == 10
