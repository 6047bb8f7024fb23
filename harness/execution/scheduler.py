"""Runs samples side by side: one shared queue, each sample on one endpoint from start to end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass

from harness.execution.pending import PlannedSample
from harness.execution.stop import Reason

# A session without endpoints (oracle, noop) counts as one.
_NO_ENDPOINT = (1,)


@dataclass
class Running:
    """A sample at work. ``reason`` is set when it was told to end."""

    sample: PlannedSample
    endpoint: int | None
    task: asyncio.Task[None]
    reason: Reason | None = None


class Scheduler:
    """Keeps ``concurrency`` samples at work until the queue is empty or ``close`` was called.

    ``slots`` are the endpoints' slots (1 where unknown): a new sample goes to the endpoint whose
    slots are used least. ``work`` must handle its own errors; one that it lets through ends
    ``run``.
    """

    def __init__(
        self,
        samples: Iterator[PlannedSample],
        work: Callable[[PlannedSample, int | None], Awaitable[None]],
        *,
        concurrency: int,
        slots: tuple[int, ...] = (),
    ) -> None:
        self._samples = samples
        self._work = work
        self._slots = slots
        self._used = [0] * len(slots or _NO_ENDPOINT)
        self._left: set[int] = set()
        self._again: dict[str, frozenset[int]] = {}  # for samples at work: where not to
        self._returned: list[tuple[PlannedSample, frozenset[int]]] = []
        self._wake = asyncio.Event()
        self._closed = False
        self._exhausted = False
        self._paused = False
        self._error: BaseException | None = None
        self.concurrency = concurrency
        self.running: dict[str, Running] = {}

    async def run(self) -> None:
        """Until nothing is left to start and nothing runs. Raises what ``work`` let through."""
        while True:
            self._fill()
            if self._error is not None:
                raise self._error
            if not self.running and (self._closed or (self._exhausted and not self._returned)):
                return
            await self._wake.wait()
            self._wake.clear()

    def close(self) -> None:
        """Start no more samples."""
        self._closed = True
        self._wake.set()

    def pause(self, paused: bool) -> None:
        """Hold the queue, or let it go on; samples at work are not touched."""
        self._paused = paused
        self._wake.set()

    def set_concurrency(self, number: int) -> None:
        """How many samples run side by side from now on; those at work are not touched."""
        self.concurrency = number
        self._wake.set()

    def leave(self, endpoint: int) -> None:
        """Send no more samples to an endpoint; one other at least must be left."""
        self._left.add(endpoint)

    def elsewhere(self, sample: PlannedSample, tried: frozenset[int]) -> bool:
        """Run a sample that is at work once more when it has ended, at an endpoint that is not
        among ``tried``; False without one."""
        if self._closed or not set(range(len(self._slots))) - tried - self._left:
            return False
        self._again[sample.key] = tried
        return True

    def cancel(self, key: str, reason: Reason) -> bool:
        """End a sample that is at work; False when it is not."""
        running = self.running.get(key)
        if running is None:
            return False
        if running.reason is None:
            running.reason = reason
            running.task.cancel(reason)
        return True

    def cancel_all(self, reason: Reason) -> None:
        """End every sample that is at work."""
        for key in list(self.running):
            self.cancel(key, reason)

    def _fill(self) -> None:
        while not (self._closed or self._paused or self._error):
            if len(self.running) >= self.concurrency:
                return
            if self._returned:
                self._start(*self._returned.pop(0))
                continue
            sample = None if self._exhausted else next(self._samples, None)
            if sample is None:
                self._exhausted = True
                return
            self._start(sample)

    def _start(self, sample: PlannedSample, tried: frozenset[int] = frozenset()) -> None:
        slots = self._slots or _NO_ENDPOINT
        left = [n for n in range(len(slots)) if n not in self._left]
        usable = [n for n in left if n not in tried] or left
        number = min(usable, key=lambda n: (self._used[n] / slots[n], n))
        endpoint = number if self._slots else None
        self._used[number] += 1
        task = asyncio.ensure_future(self._work(sample, endpoint))
        self.running[sample.key] = Running(sample, endpoint, task)

        def done(task: asyncio.Task[None]) -> None:
            self._used[number] -= 1
            del self.running[sample.key]
            if sample.key in self._again:
                self._returned.append((sample, self._again.pop(sample.key)))
            if not task.cancelled() and task.exception() is not None and self._error is None:
                self._error = task.exception()
            self._wake.set()

        task.add_done_callback(done)
