"""The cap on open boxes: a box costs memory, whatever the number of requests in flight."""

from __future__ import annotations

import asyncio
from typing import Any, cast

from harness.sandbox.protocol import Box, BoxSpec, Provider


class BoxCap:
    """At most ``number`` samples have boxes open. A sample that has one may open further ones at
    once: waiting for a second while holding a first could wait for ever."""

    def __init__(self, number: int) -> None:
        self._permits = asyncio.Semaphore(max(1, number))

    def provider(self, inner: Provider) -> Provider:
        """``inner`` as one sample sees it."""
        return cast(Provider, _SampleProvider(inner, self._permits))


class _SampleProvider:
    """All of ``inner``, with boxes counted and without its end."""

    def __init__(self, inner: Provider, permits: asyncio.Semaphore) -> None:
        self._inner = inner
        self._permits = permits
        self._open = 0
        self._lock = asyncio.Lock()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def open(self, spec: BoxSpec) -> Box:
        if spec.purpose == "pool":  # shared by many samples, bounded by its suite
            return await self._inner.open(spec)
        async with self._lock:
            if self._open == 0:
                await self._permits.acquire()
            self._open += 1
        try:
            return cast(Box, _CountedBox(await self._inner.open(spec), self))
        except BaseException:
            self.closed()
            raise

    def closed(self) -> None:
        self._open -= 1
        if self._open == 0:
            self._permits.release()

    async def close(self) -> None:
        """The run closes its provider, not a sample."""


class _CountedBox:
    """All of ``inner``; closing it gives the permit back, once."""

    def __init__(self, inner: Box, owner: _SampleProvider) -> None:
        self._inner = inner
        self._owner: _SampleProvider | None = owner

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def close(self) -> None:
        try:
            await self._inner.close()
        finally:
            owner, self._owner = self._owner, None
            if owner is not None:
                owner.closed()
