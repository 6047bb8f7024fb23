"""The cap on open boxes: a box costs memory, whatever the number of requests in flight."""

from __future__ import annotations

import asyncio
from typing import Any

from harness.sandbox.protocol import (
    Attestation,
    Box,
    BoxSpec,
    ChildReport,
    ChildSpec,
    Limits,
    ProbeReport,
    Provider,
    ToolReply,
)


class BoxCap:
    """At most ``number`` samples have boxes open. A sample that has one may open further ones at
    once: waiting for a second while holding a first could wait for ever."""

    def __init__(self, number: int) -> None:
        self._permits = asyncio.Semaphore(max(1, number))

    def provider(self, inner: Provider) -> Provider:
        """``inner`` as one sample sees it."""
        return _SampleProvider(inner, self._permits)


class _SampleProvider:
    def __init__(self, inner: Provider, permits: asyncio.Semaphore) -> None:
        self._inner = inner
        self.name = inner.name
        self._permits = permits
        self._open = 0
        self._lock = asyncio.Lock()

    async def probe(self, limits: Limits) -> ProbeReport:
        return await self._inner.probe(limits)

    async def open(self, spec: BoxSpec) -> Box:
        if spec.purpose == "pool":  # shared by many samples, bounded by its suite
            return await self._inner.open(spec)
        async with self._lock:
            if self._open == 0:
                await self._permits.acquire()
            self._open += 1
        try:
            return _CountedBox(await self._inner.open(spec), self)
        except BaseException:
            self.closed()
            raise

    def closed(self) -> None:
        self._open -= 1
        if self._open == 0:
            self._permits.release()

    async def setup(self, progress: Any) -> None:
        await self._inner.setup(progress)

    async def clean(self, *, run_id: str | None = None) -> list[str]:
        return await self._inner.clean(run_id=run_id)

    async def close(self) -> None:
        """The run closes its provider, not a sample."""


class _CountedBox:
    def __init__(self, inner: Box, owner: _SampleProvider) -> None:
        self._inner = inner
        self._owner: _SampleProvider | None = owner

    @property
    def attestation(self) -> Attestation:
        return self._inner.attestation

    @property
    def box_id(self) -> str:
        return self._inner.box_id

    async def put_tree(self, folder: str, archive: bytes) -> None:
        await self._inner.put_tree(folder, archive)

    async def call_tool(self, name: str, arguments: object, *, timeout_s: float) -> ToolReply:
        return await self._inner.call_tool(name, arguments, timeout_s=timeout_s)

    async def run(self, child: ChildSpec) -> ChildReport:
        return await self._inner.run(child)

    async def snapshot(self, folder: str = "work") -> bytes:
        return await self._inner.snapshot(folder)

    async def death(self) -> str:
        return await self._inner.death()

    async def close(self) -> None:
        try:
            await self._inner.close()
        finally:
            owner, self._owner = self._owner, None
            if owner is not None:
                owner.closed()
