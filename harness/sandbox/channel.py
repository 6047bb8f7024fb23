"""The stream of frames to one box. What comes out of it is hostile until it is parsed.

Memory is bounded by what the request at hand may be answered with; a byte nobody asked for, a
broken frame, a time-out or a cancelled request ends the channel, and every later use of it raises
SandboxLost with the first reason.
"""

from __future__ import annotations

import asyncio
from typing import Any, cast

from harness.errors import SandboxLost
from tools.wire import HEADER_LIMIT, WireError, decode_header, encode, shallow

_STDERR_KEPT = 8192
_DOCKER_STDOUT, _DOCKER_STDERR = 1, 2

Frame = tuple[dict[str, Any], bytes]


class Channel(asyncio.Protocol):
    """One request at a time; others wait their turn. multiplexed: Docker's 8-byte stream heads."""

    def __init__(self, *, multiplexed: bool) -> None:
        self.lost: str | None = None
        self.closed = asyncio.get_running_loop().create_future()
        self._multiplexed = multiplexed
        self._lock = asyncio.Lock()
        self._transport: asyncio.Transport | None = None
        self._writable = asyncio.Event()
        self._writable.set()
        self._head = bytearray()
        self._kind, self._left = 0, 0
        self._buffer = bytearray()
        self._scanned = 0
        self._header: tuple[dict[str, Any], int] | None = None
        self._waiting: asyncio.Future[Frame] | None = None
        self._payload_limit = 0
        self._stderr = bytearray()
        self._next_id = 0
        self._beat: asyncio.TimerHandle | None = None

    @property
    def stderr(self) -> str:
        """The last of what the box's server wrote to its standard error."""
        return self._stderr.decode("utf-8", "replace").strip()

    @property
    def connected(self) -> bool:
        """Whether a transport has taken it over."""
        return self._transport is not None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._fail(f"its stream ended{f' ({exc})' if exc else ''}")
        if not self.closed.done():
            self.closed.set_result(None)

    def eof_received(self) -> bool:
        return False

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._writable.set()

    def data_received(self, data: bytes) -> None:
        try:
            if self._multiplexed:
                self._demultiplex(data)
            else:
                self._feed(data)
        except WireError as error:
            self._fail(f"it sent what is no frame: {error}")

    def _demultiplex(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            if self._left:
                part = view[: self._left]
                view = view[len(part) :]
                self._left -= len(part)
                if self._kind == _DOCKER_STDOUT:
                    self._feed(part)
                else:
                    self.add_stderr(bytes(part))
                continue
            need = 8 - len(self._head)
            self._head += view[:need]
            view = view[need:]
            if len(self._head) == 8:
                self._kind = self._head[0]
                self._left = int.from_bytes(self._head[4:], "big")
                if self._kind not in (_DOCKER_STDOUT, _DOCKER_STDERR):
                    raise WireError("unknown stream of the container")
                self._head.clear()

    def add_stderr(self, data: bytes) -> None:
        """Keep the end of the server's standard error."""
        self._stderr += data
        del self._stderr[:-_STDERR_KEPT]

    def _feed(self, data: bytes | memoryview) -> None:
        if self._waiting is None or self._waiting.done():
            raise WireError("data that nobody asked for")
        self._buffer += data
        if self._header is None:
            end = self._buffer.find(b"\n", self._scanned)
            if end < 0:
                self._scanned = len(self._buffer)
                if self._scanned > HEADER_LIMIT:
                    raise WireError("header line too long")
                return
            line = bytes(self._buffer[: end + 1])
            self._header = decode_header(line)
            if not shallow(line, self._header[0]):
                raise WireError("header nested too deeply")
            del self._buffer[: end + 1]
            self._scanned = 0
            if self._header[1] > self._payload_limit:
                raise WireError(
                    f"payload of {self._header[1]} bytes, {self._payload_limit} allowed"
                )
        header, size = self._header
        if len(self._buffer) > size:
            raise WireError("more bytes than announced")
        if len(self._buffer) == size:
            payload = bytes(self._buffer)
            self._buffer.clear()
            self._header = None
            self._waiting.set_result((header, payload))

    def _fail(self, reason: str) -> None:
        if self.lost is None:
            self.lost = reason
        if self._beat is not None:
            self._beat.cancel()
        self._writable.set()
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_exception(SandboxLost(f"the box is lost: {self.lost}"))
        if self._transport is not None:
            self._transport.abort()

    def start_beats(self, heartbeat_s: float) -> None:
        """Send a sign of life three times in ``heartbeat_s``, whatever else goes on."""
        if self.lost is not None or self._transport is None:
            return
        if self._writable.is_set():
            self._transport.write(encode({"op": "beat"}))
        loop = asyncio.get_running_loop()
        self._beat = loop.call_later(heartbeat_s / 3, self.start_beats, heartbeat_s)

    def write_raw(self, data: bytes) -> None:
        """Send bytes ahead of the first frame."""
        if self._transport is not None and self.lost is None:
            self._transport.write(data)

    async def request(
        self,
        op: str,
        fields: dict[str, Any] | None = None,
        payload: bytes = b"",
        *,
        timeout_s: float,
        payload_limit: int = 0,
    ) -> Frame:
        """Send one frame and return the answer's header and payload, whether ok or not.

        Raises SandboxLost; WireError when the request itself passes the limits.
        """
        async with self._lock:
            self._next_id += 1
            ident = self._next_id
            frame = encode({**(fields or {}), "id": ident, "op": op}, payload)
            if self.lost is not None or self._transport is None:
                raise SandboxLost(f"the box is lost: {self.lost or 'it was never connected'}")
            self._payload_limit = payload_limit
            self._waiting = asyncio.get_running_loop().create_future()
            try:
                self._transport.write(frame)
                async with asyncio.timeout(timeout_s):
                    await self._writable.wait()
                    header, data = await self._waiting
            except TimeoutError:
                self._fail(f"no answer to {op!r} within {timeout_s:g} s")
                raise SandboxLost(f"the box is lost: {self.lost}") from None
            except asyncio.CancelledError:
                self._fail(f"{op!r} was cancelled")
                raise
            finally:
                if self._waiting.done() and not self._waiting.cancelled():
                    self._waiting.exception()  # seen, so that asyncio does not report it
                self._waiting = None
            if header.get("id") != ident or not isinstance(header.get("ok"), bool):
                self._fail("its answer does not match the request")
                raise SandboxLost(f"the box is lost: {self.lost}")
            return header, data

    async def close(self) -> None:
        """Close the stream and wait until it is closed."""
        self._fail("it was closed")
        if self._transport is not None:
            await self.closed
