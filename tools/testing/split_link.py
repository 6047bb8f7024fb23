"""Frames between judge and candidate: a length, then JSON, over the socket on descriptor 5."""

from __future__ import annotations

import os
import socket
import struct
from collections.abc import Callable
from typing import Any

from tools.testing.plain_values import NotPlain, dumps, loads

LINK_FD = 5
FRAME = 64 * 1024 * 1024
_READ = 1 << 14  # larger ones are mapped and unmapped each time
_WAIT = struct.pack("ll", 0, 100_000)  # after so many microseconds ``idle`` is called


class LinkClosed(Exception):
    """The other side is gone."""


class Link:
    """Sends and receives frames; blocking. idle: called when an answer takes long."""

    def __init__(self, fd: int = LINK_FD, idle: Callable[[], None] | None = None) -> None:
        self._fd = fd
        self._idle = idle
        self._buffer = b""
        if idle is not None:
            sock = socket.socket(fileno=fd)
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, _WAIT)
            sock.detach()

    def send(self, data: Any) -> None:
        """Raises LinkClosed, and NotPlain for a frame that is too large."""
        body = dumps(data)
        if len(body) > FRAME:
            raise NotPlain(f"a value of more than {FRAME >> 20} MiB")
        data = memoryview(len(body).to_bytes(4, "big") + body)
        try:
            while data:
                data = data[os.write(self._fd, data) :]
        except OSError:
            raise LinkClosed from None

    def receive(self) -> Any:
        """The next frame's JSON data. Raises LinkClosed, NotPlain."""
        data = self._buffer
        while len(data) < 4:
            data += self._read(_READ)
        end = 4 + int.from_bytes(data[:4], "big")
        if end > FRAME + 4:
            raise NotPlain("a frame that is too large")
        if len(data) < end:
            parts = bytearray(data)
            while len(parts) < end:
                parts += self._read(min(end - len(parts), 1 << 20))
            data = bytes(parts)
        self._buffer = data[end:]
        return loads(data[4:end])

    def _read(self, size: int) -> bytes:
        while True:
            try:
                data = os.read(self._fd, size)
            except BlockingIOError:
                if self._idle is not None:
                    self._idle()
                continue
            except OSError:
                raise LinkClosed from None
            if not data:
                raise LinkClosed
            return data

    def close(self) -> None:
        """The other side reads the end of its link."""
        os.close(self._fd)
