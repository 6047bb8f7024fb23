"""Frames that arrive on the server's input, read without blocking any other duty."""

from __future__ import annotations

import os
import time
from typing import Any

from tools.wire import HEADER_LIMIT, WireError, decode_header

READ_SIZE = 1 << 16  # what a pipe holds


class EndOfInput(Exception):
    """The harness closed its end: the box has no reason to live."""


class Inbox:
    """Collects frames from a descriptor; ``beat`` frames only renew ``last_heard``."""

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self.last_heard = time.monotonic()
        self._buffer = bytearray()
        self._scanned = 0
        self._header: tuple[dict[str, Any], int] | None = None

    def fill(self) -> None:
        """One read, which blocks when nothing is there. Raises EndOfInput."""
        data = os.read(self.fd, READ_SIZE)
        if not data:
            raise EndOfInput
        self._buffer += data
        self.last_heard = time.monotonic()

    def frame(self) -> tuple[dict[str, Any], bytes] | None:
        """The next whole frame, or None. Raises WireError."""
        while True:
            if self._header is None:
                end = self._buffer.find(b"\n", self._scanned)
                if end < 0:
                    self._scanned = len(self._buffer)
                    if self._scanned > HEADER_LIMIT:
                        raise WireError("header line too long")
                    return None
                self._header = decode_header(bytes(self._buffer[: end + 1]))
                del self._buffer[: end + 1]
                self._scanned = 0
            header, size = self._header
            if len(self._buffer) < size:
                return None
            payload = bytes(self._buffer[:size])
            del self._buffer[:size]
            self._header = None
            if header.get("op") != "beat":
                return header, payload

    def wait(self) -> tuple[dict[str, Any], bytes]:
        """The next frame, however long it takes. Raises EndOfInput, WireError."""
        while (frame := self.frame()) is None:
            self.fill()
        return frame
