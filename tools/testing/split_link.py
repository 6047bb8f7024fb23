"""Frames between judge and candidate: a length, then JSON, over the socket on descriptor 5."""

from __future__ import annotations

import os
import select
import socket
from collections.abc import Callable
from typing import Any

from tools.testing.plain_values import NotPlain, dumps, loads

LINK_FD = 5
FRAME = 64 * 1024 * 1024
_WAIT_S = 0.1


class LinkClosed(Exception):
    """The other side is gone."""


class Link:
    """Sends and receives frames; blocking. Keeps its own references to what it needs."""

    def __init__(self, fd: int = LINK_FD) -> None:
        self._sock = socket.socket(fileno=fd)

    def send(self, data: Any, dumps: Callable[[Any], bytes] = dumps) -> None:
        """Raises LinkClosed, and NotPlain for a frame that is too large."""
        body = dumps(data)
        if len(body) > FRAME:
            raise NotPlain(f"a value of more than {FRAME >> 20} MiB")
        try:
            self._sock.sendall(len(body).to_bytes(4, "big") + body)
        except OSError:
            raise LinkClosed from None

    def receive(self, idle: Callable[[], None] | None = None) -> Any:
        """The next frame's JSON data. ``idle`` is called once when it takes long.

        Raises LinkClosed, NotPlain.
        """
        if idle is not None and not select.select([self._sock], [], [], _WAIT_S)[0]:
            idle()
        size = int.from_bytes(self._exactly(4), "big")
        if size > FRAME:
            raise NotPlain("a frame that is too large")
        return loads(self._exactly(size))

    def close(self) -> None:
        """The other side reads the end of its link."""
        self._sock.close()

    def _exactly(self, size: int, read: Callable[[int, int], bytes] = os.read) -> bytes:
        fd = self._sock.fileno()
        try:
            data = read(fd, size)
        except OSError:
            raise LinkClosed from None
        if len(data) == size:
            return data
        parts = bytearray(data)
        while data and len(parts) < size:
            try:
                data = read(fd, min(size - len(parts), 1 << 20))
            except OSError:
                raise LinkClosed from None
            parts += data
        if len(parts) < size:
            raise LinkClosed
        return bytes(parts)
