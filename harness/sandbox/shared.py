"""Boxes used again and again: for work whose result no score rests on.

A ``SharedBoxes`` is a provider on top of another one. A box that is closed is reset (every process
killed, everything writable emptied) and handed to the next who opens one of its kind; a box that
failed or was sealed by a snapshot is really closed. At most ``jobs`` are at work at a time, so
that callers may ask for as many as they like.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeVar

from harness.errors import SandboxError
from harness.sandbox.protocol import (
    Attestation,
    Box,
    BoxSpec,
    CandidateReport,
    CandidateSpec,
    ChildReport,
    ChildSpec,
    Limits,
    ProbeReport,
    Provider,
    ToolReply,
)

_T = TypeVar("_T")
_RENEW = 0.5  # of a box's lifetime, at which it ends itself


def default_jobs() -> int:
    """As many boxes at work as this process has cores."""
    return max(1, len(os.sched_getaffinity(0)))


@dataclass
class Kept:
    """A box that stays as it was left. holds: paths that its users laid into it."""

    found: Box | None = None
    holds: frozenset[str] = frozenset()
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def box(self) -> Box:
        """The box, for whom ``kept`` gave it to."""
        assert self.found is not None  # opened before it is handed out
        return self.found


class SharedBoxes:
    """See the module. ``close`` closes the boxes, not the provider below."""

    def __init__(self, provider: Provider, jobs: int | None = None) -> None:
        self.inner = provider
        self.name: Literal["docker", "podman", "bubblewrap"] = provider.name
        self.jobs = jobs or default_jobs()
        self._free = asyncio.Semaphore(self.jobs)
        self._idle: dict[BoxSpec, list[tuple[Box, float]]] = {}
        self._kept: dict[BoxSpec, Kept] = {}
        self._closed = False

    async def open(self, spec: BoxSpec) -> Box:
        """A box like ``spec``, new or as new; waits for a free place. A control box is always a
        new one and waits for none, as who opens it may hold a place already."""
        if spec.purpose == "control":
            return await self.inner.open(spec)
        kind = replace(spec, run_id="shared", sample="shared", purpose="validate")
        await self._free.acquire()
        try:
            box, born = await self._take(kind)
        except BaseException:
            self._free.release()
            raise
        return _SharedBox(box, lambda good: self._give_back(kind, box, born, good))

    @contextlib.asynccontextmanager
    async def kept(self, spec: BoxSpec) -> AsyncIterator[Kept]:
        """The one box for ``spec`` that stays as it was left, for one user at a time; it is
        closed with the others, and replaced after an error."""
        kept = self._kept.setdefault(spec, Kept())
        async with kept.lock, self._free:
            if self._closed:
                raise SandboxError("the shared boxes are closed")
            if kept.found is None:
                kept.found, kept.holds = await self.inner.open(spec), frozenset()
            try:
                yield kept
            except BaseException:
                box, kept.found = kept.found, None
                await box.close()
                raise

    async def _take(self, kind: BoxSpec) -> tuple[Box, float]:
        if self._closed:
            raise SandboxError("the shared boxes are closed")
        if idle := self._idle.get(kind):
            return idle.pop()
        return await self.inner.open(kind), time.monotonic()

    async def _give_back(self, kind: BoxSpec, box: Box, born: float, good: bool) -> None:
        try:
            if good and time.monotonic() - born < _RENEW * kind.limits.lifetime_s:
                try:
                    await box.reset()
                except SandboxError:
                    good = False
                if good and not self._closed:
                    self._idle.setdefault(kind, []).append((box, born))
                    return
            await box.close()
        finally:
            self._free.release()

    async def close(self) -> None:
        """Close all boxes that are not in use; those in use are closed by their users. Raises the
        first SandboxError when all are tried."""
        self._closed = True
        boxes = [box for idle in self._idle.values() for box, _ in idle]
        self._idle.clear()
        boxes += [kept.found for kept in self._kept.values() if kept.found is not None]
        ends = await asyncio.gather(*(box.close() for box in boxes), return_exceptions=True)
        for problem in ends:
            if isinstance(problem, BaseException):
                raise problem

    async def probe(self, limits: Limits) -> ProbeReport:
        """See protocol.Provider."""
        return await self.inner.probe(limits)

    async def setup(self, progress: Any) -> None:
        """See protocol.Provider."""
        await self.inner.setup(progress)

    async def setup_extra(self, name: str, progress: Any) -> None:
        """See protocol.Provider."""
        await self.inner.setup_extra(name, progress)

    async def clean(self, *, run_id: str | None = None) -> list[str]:
        """See protocol.Provider."""
        return await self.inner.clean(run_id=run_id)


@contextlib.asynccontextmanager
async def shared_boxes(provider: Provider, jobs: int | None = None) -> AsyncIterator[SharedBoxes]:
    """``provider`` with its boxes shared; one that shares them already is used as it is."""
    if isinstance(provider, SharedBoxes):
        yield provider
        return
    shared = SharedBoxes(provider, jobs)
    try:
        yield shared
    finally:
        await shared.close()


class _SharedBox:
    """A box on loan."""

    def __init__(self, box: Box, give_back: Callable[[bool], Coroutine[Any, Any, None]]) -> None:
        self._box = box
        self._give_back = give_back
        self._good = True
        self._closed = False

    @property
    def attestation(self) -> Attestation:
        return self._box.attestation

    @property
    def box_id(self) -> str:
        return self._box.box_id

    async def _tried(self, call: Coroutine[Any, Any, _T]) -> _T:
        try:
            return await call
        except BaseException:
            self._good = False  # whatever it was, also a call that was cancelled half way
            raise

    async def put_tree(self, folder: str, archive: bytes) -> None:
        await self._tried(self._box.put_tree(folder, archive))

    async def call_tool(self, name: str, arguments: object, *, timeout_s: float) -> ToolReply:
        return await self._tried(self._box.call_tool(name, arguments, timeout_s=timeout_s))

    async def run(self, child: ChildSpec) -> ChildReport:
        return await self._tried(self._box.run(child))

    async def candidate(self, spec: CandidateSpec) -> CandidateReport:
        return await self._tried(self._box.candidate(spec))

    async def reset(self) -> None:
        await self._tried(self._box.reset())

    async def snapshot(self, folder: str = "work") -> bytes:
        self._good = False  # sealed
        return await self._box.snapshot(folder)

    async def death(self) -> str:
        return await self._box.death()

    async def close(self) -> None:
        if not self._closed:
            self._closed = True
            await self._give_back(self._good)
