"""A hostile box on the other end of the channel: bounded memory, SandboxLost, never a hang."""

from __future__ import annotations

import asyncio
import contextlib
import resource
import socket
from collections.abc import AsyncIterator, Callable

import pytest

from harness.errors import SandboxLost
from harness.sandbox.channel import Channel
from tools.wire import HEADER_LIMIT, encode


class Peer:
    """The box's end, blocking, in a thread of the test's choice."""

    def __init__(self, multiplexed: bool, channel: Channel, sock: socket.socket) -> None:
        self.multiplexed = multiplexed
        self.channel = channel
        self.sock = sock

    def send(self, data: bytes, stream: int = 1) -> None:
        if self.multiplexed:
            data = bytes([stream, 0, 0, 0]) + len(data).to_bytes(4, "big") + data
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self.sock.sendall(data)

    def request(self) -> bytes:
        data = b""
        while not data.endswith(b"\n"):
            data += self.sock.recv(1)
        return data

    async def answer(self, data: bytes) -> None:
        def both() -> None:
            self.request()
            self.send(data)

        await asyncio.to_thread(both)


@pytest.fixture(params=[True, False], ids=["docker", "plain"])
async def peer(request: pytest.FixtureRequest) -> AsyncIterator[Peer]:
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    loop = asyncio.get_running_loop()
    _, channel = await loop.create_connection(lambda: Channel(multiplexed=request.param), sock=ours)
    yield Peer(request.param, channel, theirs)
    await channel.close()
    theirs.close()


async def ask(peer: Peer, data: bytes, **more: int) -> tuple[dict[str, object], bytes]:
    asking = asyncio.create_task(peer.channel.request("ping", timeout_s=5, **more))
    await peer.answer(data)
    return await asking


async def test_answer_with_payload(peer: Peer) -> None:
    header, payload = await ask(peer, encode({"id": 1, "ok": True}, b"x" * 100), payload_limit=100)
    assert (header["ok"], payload) == (True, b"x" * 100)


HOSTILE: dict[str, Callable[[], bytes]] = {
    "garbage": lambda: b"\x00\xff garbage\n",
    "no object": lambda: b"[1]\n",
    "deep nesting": lambda: b"[" * 100_000 + b"\n",
    "endless line": lambda: b"x" * (HEADER_LIMIT + 10),
    "huge payload announced": lambda: b'{"id":1,"ok":true,"payload":99999999999}\n',
    "more payload than asked for": lambda: encode({"id": 1, "ok": True}, b"x" * 101),
    "negative payload": lambda: b'{"id":1,"ok":true,"payload":-1}\n',
    "two answers": lambda: encode({"id": 1, "ok": True}) * 2,
    "another's id": lambda: encode({"id": 7, "ok": True}),
    "no verdict": lambda: encode({"id": 1}),
    "verdict of another type": lambda: encode({"id": 1, "ok": "yes"}),
}


@pytest.mark.parametrize("kind", list(HOSTILE))
async def test_hostile_answers_lose_the_box(peer: Peer, kind: str) -> None:
    with pytest.raises(SandboxLost):
        await ask(peer, HOSTILE[kind](), payload_limit=100)
    with pytest.raises(SandboxLost):
        await peer.channel.request("ping", timeout_s=5)


async def test_bytes_that_nobody_asked_for_lose_the_box(peer: Peer) -> None:
    peer.send(encode({"id": 1, "ok": True}))
    await asyncio.wait_for(peer.channel.closed, 5)
    with pytest.raises(SandboxLost, match="nobody asked"):
        await peer.channel.request("ping", timeout_s=5)


async def test_silence_is_a_timeout(peer: Peer) -> None:
    with pytest.raises(SandboxLost, match=r"within 0\.1 s"):
        await peer.channel.request("ping", timeout_s=0.1)


async def test_end_of_stream_while_waiting(peer: Peer) -> None:
    asking = asyncio.create_task(peer.channel.request("ping", timeout_s=5))
    await asyncio.to_thread(peer.request)
    peer.sock.close()
    with pytest.raises(SandboxLost, match="ended"):
        await asking


async def test_cancelled_request_ends_the_channel(peer: Peer) -> None:
    asking = asyncio.create_task(peer.channel.request("ping", timeout_s=5))
    await asyncio.to_thread(peer.request)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    with pytest.raises(SandboxLost, match="cancelled"):
        await peer.channel.request("ping", timeout_s=5)


async def test_concurrent_requests_take_turns(peer: Peer) -> None:
    asking = [asyncio.create_task(peer.channel.request("ping", timeout_s=5)) for _ in range(3)]
    for number in (1, 2, 3):
        await peer.answer(encode({"id": number, "ok": True}))
    assert [header["id"] for header, _ in await asyncio.gather(*asking)] == [1, 2, 3]


async def test_standard_error_is_kept_bounded() -> None:
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    loop = asyncio.get_running_loop()
    _, channel = await loop.create_connection(lambda: Channel(multiplexed=True), sock=ours)
    peer = Peer(True, channel, theirs)
    await asyncio.to_thread(peer.send, b"a" * 1_000_000 + b"the end", 2)
    theirs.close()
    await channel.closed
    assert channel.stderr.endswith("the end")
    assert len(channel.stderr) < 10_000
    await channel.close()


async def test_a_flood_does_not_grow_memory(peer: Peer) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    def flood() -> None:
        peer.request()
        chunk = b"x" * (1 << 20)
        for _ in range(200):
            peer.send(chunk)

    asking = asyncio.create_task(peer.channel.request("ping", timeout_s=10))
    flooding = asyncio.create_task(asyncio.to_thread(flood))
    with pytest.raises(SandboxLost):
        await asking
    await flooding
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 60_000
