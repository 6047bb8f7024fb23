"""Streaming text of an attempt, for viewers only: ``live/<key>.jsonl``.

Lines are ``{"turn", "kind", "offset", "text"}``, offset in characters within that turn's kind: a
reader cuts its text there and adds. Single-shot attempts, whose events reach their shared file
only at the end, also show them here as ``{"event": {...}}``. The file is append-only for the
attempt, superseded by the stored events and removed at the sample's end.
"""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import suppress
from pathlib import Path

from harness.errors import StorageError
from harness.store.appender import Appender

# Viewers look 15 times a second; writing more often is not seen.
INTERVAL_S = 1 / 15


class LiveFile:
    """Coalesces deltas. The file is made by the first flush, so that an attempt that is quicker
    than one interval costs none."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._out: Appender | None = None
        self._pending: list[tuple[int, str, list[str]]] = []
        self._events: list[bytes] = []
        self._offsets: dict[tuple[int, str], int] = {}
        self._due: float | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._closed = False

    def delta(self, turn: int, kind: str, text: str) -> None:
        """Add streamed text."""
        if self._closed:
            return
        if self._pending and self._pending[-1][:2] == (turn, kind):
            self._pending[-1][2].append(text)
        else:
            self._pending.append((turn, kind, [text]))
        self._schedule()

    def restart(self, turn: int) -> None:
        """The turn is asked for again: what was streamed of it is void."""
        self._pending = [item for item in self._pending if item[0] != turn]
        for key in self._offsets:
            if key[0] == turn:
                self._offsets[key] = 0
                self._pending.append((*key, [""]))
        if self._pending:
            self._schedule()

    def settle(self, turn: int) -> None:
        """The turn is stored: what still waits of it need not be shown."""
        self._pending = [item for item in self._pending if item[0] != turn]

    def event(self, line: bytes) -> None:
        """Show a stored event's line that is not in a file of its own yet."""
        if not self._closed:
            self._events.append(line)
            if self._out is not None:
                self._schedule()

    def flush(self) -> None:
        """Write what is pending."""
        self._due = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._closed or not (self._pending or (self._events and self._out)):
            return  # events alone make no file: without deltas an attempt is over soon
        lines = [b'{"event":' + line.rstrip(b"\n") + b"}\n" for line in self._events]
        for turn, kind, parts in self._pending:
            text = "".join(parts)
            offset = self._offsets.get((turn, kind), 0)
            self._offsets[turn, kind] = offset + len(text)
            row = {"turn": turn, "kind": kind, "offset": offset, "text": text}
            lines.append(json.dumps(row, separators=(",", ":")).encode("ascii") + b"\n")
        self._pending, self._events = [], []
        try:
            if self._out is None:
                self._out = Appender(self._path)
            for line in lines:
                self._out.append(line)
        except StorageError:
            # Live text is a convenience; the stored events, written next, report a full disk.
            self._closed = True

    def remove(self) -> None:
        """End of the attempt: the file goes."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._pending, self._events = [], []
        if self._out is not None:
            self._out.close()
            self._out = None
            with suppress(OSError):  # a viewer's convenience: nothing depends on its absence
                self._path.unlink(missing_ok=True)

    def _schedule(self) -> None:
        now = time.monotonic()
        if self._due is None:
            self._due = now + INTERVAL_S
            with suppress(RuntimeError):  # without a loop the next delta looks at the clock
                self._timer = asyncio.get_running_loop().call_later(INTERVAL_S, self.flush)
        elif now >= self._due:
            self.flush()
