"""The boxes of a pool: opened when they are needed, kept warm, replaced when anything is odd."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from dataclasses import replace

from harness.errors import SandboxError, SandboxLost
from harness.sandbox.protocol import Attestation, Box, BoxSpec, CandidateSpec, Provider

# A box ends itself at its lifetime; one is renewed well before.
_RENEW = 0.5
_ALIVE = CandidateSpec(
    job={
        "source": "def f():\n    return 1\n",
        "setup": "",
        "checks": ["assert candidate() == 1"],
        "groups": [["all", 1]],
        "entry_point": "f",
        "names": ["f"],
        "seed": 0,
        "memory": 0,
    },
    wall_s=30.0,
    cpu_s=10.0,
)


class PoolBoxes:
    """At most ``size`` boxes at work at a time, besides a control now and then."""

    def __init__(self, provider: Provider, spec: BoxSpec, size: int) -> None:
        self.provider = provider
        self.spec = spec
        self.size = max(1, size)
        self.attestation: Attestation | None = None
        self._free = asyncio.Semaphore(self.size)
        self._idle: list[tuple[Box, float]] = []
        self._open: dict[Box, int | None] = {}
        # Processors of open boxes: of a box's processes one waits for the other, and waking one on
        # another processor costs more than it gains.
        self._used: list[int] = []
        self._closed = False

    @contextlib.asynccontextmanager
    async def box(self) -> AsyncIterator[Box]:
        """A warm box for one job. It goes back unless the job raised: then it is closed."""
        async with self._free:
            box, born = await self._take()
            try:
                yield box
            except BaseException:
                await self._discard(box)
                raise
            if self._closed or time.monotonic() - born > _RENEW * self.spec.limits.lifetime_s:
                await self._discard(box)
            else:
                self._idle.append((box, born))

    async def _take(self) -> tuple[Box, float]:
        if self._closed:
            raise SandboxError("the pool is closed")
        if self._idle:
            return self._idle.pop()
        number = min(range(self.size), key=self._used.count)
        self._used.append(number)
        try:
            box = await self._opened(replace(self.spec, processor=number))
        except BaseException:
            self._used.remove(number)
            raise
        self._open[box] = number
        return box, time.monotonic()

    async def _opened(self, spec: BoxSpec) -> Box:
        box = await self.provider.open(spec)
        self._open[box] = None
        self.attestation = self.attestation or box.attestation
        return box

    async def _discard(self, box: Box) -> None:
        number = self._open.pop(box, None)
        if number is not None:
            self._used.remove(number)
        await box.close()

    @contextlib.asynccontextmanager
    async def control(self) -> AsyncIterator[None]:
        """Beside a job that may kill its box: raises SandboxLost at the end unless another box
        of the kind lived all the while and works."""
        box = await self._opened(replace(self.spec, purpose="control"))
        try:
            yield
            report = await box.candidate(_ALIVE)
            if not report.results or report.results[-1].get("type") != "end":
                raise SandboxLost("a box died, and the control box does not work either")
        finally:
            await self._discard(box)

    async def attested(self) -> Attestation:
        """What the boxes are; opens one where there is none yet."""
        if self.attestation is None:
            async with self.box():
                pass
        assert self.attestation is not None  # set by the first box
        return self.attestation

    async def close(self) -> None:
        """Close every box; raises the first SandboxError when all are tried."""
        self._closed = True
        boxes, self._idle = list(self._open), []
        self._open.clear()
        found = await asyncio.gather(*(box.close() for box in boxes), return_exceptions=True)
        for problem in found:
            if isinstance(problem, BaseException):
                raise problem


class Gate:
    """Many at a time, or one alone."""

    def __init__(self) -> None:
        self._inside = 0
        self._alone = False
        self._changed = asyncio.Condition()

    @contextlib.asynccontextmanager
    async def together(self) -> AsyncIterator[None]:
        """Beside others, when nobody is (or waits to be) alone."""
        async with self._changed:
            await self._changed.wait_for(lambda: not self._alone)
            self._inside += 1
        try:
            yield
        finally:
            async with self._changed:
                self._inside -= 1
                self._changed.notify_all()

    @contextlib.asynccontextmanager
    async def alone(self) -> AsyncIterator[None]:
        """With nobody else inside."""
        async with self._changed:
            await self._changed.wait_for(lambda: not self._alone)
            self._alone = True
            try:
                await self._changed.wait_for(lambda: self._inside == 0)
            except BaseException:
                self._alone = False
                self._changed.notify_all()
                raise
        try:
            yield
        finally:
            async with self._changed:
                self._alone = False
                self._changed.notify_all()
