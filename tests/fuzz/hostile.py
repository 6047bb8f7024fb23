"""A box whose server says what it likes: a real channel, with a script at its other end."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from harness.sandbox.channel import Channel
from harness.sandbox.protocol import BoxSpec
from harness.sandbox.remote import RemoteBox

T = TypeVar("T")


@dataclass(frozen=True)
class Answer:
    """Bytes sent for a request. silent: the stream stays open after them, else it ends."""

    data: bytes
    silent: bool = False


def frame(header: Any, payload: bytes = b"", *, size: Any = None) -> bytes:
    """A frame as a hostile box may write it: nothing is checked. Any JSON is a header, NaN and
    huge numbers too; ``size`` is announced instead of the payload's length."""
    if isinstance(header, dict) and (payload or size is not None):
        header = {**header, "payload": len(payload) if size is None else size}
    return json.dumps(header).encode() + b"\n" + payload


def docker_stream(data: bytes, sizes: list[int]) -> bytes:
    """The bytes as Docker multiplexes them, in pieces of these sizes."""
    out, at = bytearray(), 0
    for size in [*sizes, len(data)]:
        piece = data[at : at + size]
        at += len(piece)
        out += b"\x01\0\0\0" + len(piece).to_bytes(4, "big") + piece
    return bytes(out)


def ask_hostile(
    answer: Answer, ask: Callable[[RemoteBox], Awaitable[T]], *, multiplexed: bool = False
) -> T:
    """What ``ask`` makes of a box that gives this answer to its first request."""

    async def both() -> T:
        ours, theirs = socket.socketpair()
        for end in (ours, theirs):
            end.setblocking(False)
        loop = asyncio.get_running_loop()
        _, channel = await loop.create_connection(
            lambda: Channel(multiplexed=multiplexed), sock=ours
        )
        spec = BoxSpec(run_id="fuzz", sample="a@1", purpose="grade")

        async def nothing() -> None:
            return None

        async def unknown() -> str:
            return "unknown"

        box = RemoteBox("hostile", spec, channel, remove=nothing, explain=unknown)

        async def play() -> None:
            await loop.sock_recv(theirs, 1 << 20)
            try:
                await loop.sock_sendall(theirs, answer.data)
            except OSError:
                return
            if not answer.silent:
                theirs.close()

        playing = asyncio.create_task(play())
        try:
            async with asyncio.timeout(20):
                return await ask(box)
        finally:
            playing.cancel()
            await box.close()
            theirs.close()

    return asyncio.run(both())
