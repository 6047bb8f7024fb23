"""How a run is told to end: once to close what is open, twice to go at once."""

from __future__ import annotations

import asyncio
import signal
from typing import Literal

Reason = Literal["interrupted", "cancelled"]


class StopSignal:
    """Asked once: no new samples, open ones are closed cleanly and stay pending. Asked twice:
    the session ends without waiting for them; boxes are then removed by their reaper."""

    def __init__(self) -> None:
        self.reason: Reason | None = None
        self.detail = ""
        self.stopping = asyncio.Event()
        self.at_once = asyncio.Event()

    def request(self, reason: Reason = "interrupted", detail: str = "") -> None:
        """Ask to stop; the second time at once. Call it from the loop's thread."""
        if self.stopping.is_set():
            self.at_once.set()
            return
        self.reason, self.detail = reason, detail
        self.stopping.set()

    def install(self, loop: asyncio.AbstractEventLoop) -> None:
        """Let SIGINT and SIGTERM ask."""
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self.request)

    def remove(self, loop: asyncio.AbstractEventLoop) -> None:
        """Undo ``install``."""
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)
