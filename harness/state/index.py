"""Where each event of a transcript begins: 100,000 of them are found in a moment, and only those
that are shown are validated."""

from __future__ import annotations

import os
import re
from array import array
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path

from harness.events.union import TranscriptEvent, transcript_event
from harness.store.lines import decode
from harness.store.transcript import run_folder_of, whole

_CHUNK = 8 * 1024 * 1024
_CACHED = 4000
# The writer puts seq, time, elapsed and type first, and turn next where an event has one.
_PEEK = re.compile(rb'"type":"([a-z_]{1,40})"(?:,"turn":(\d{1,9}))?')
_PEEK_BYTES = 200


class TranscriptIndex:
    """Rows of one attempt: a file, or the part of a shared one. Follows a file that grows."""

    def __init__(self, path: Path, offset: int = 0, length: int | None = None) -> None:
        self.path = path
        self._folder = run_folder_of(path)
        self._starts = array("Q")
        self._end = offset
        self._limit = None if length is None else offset + length
        self._kinds: list[str] = []
        self._turn_rows: dict[int, int] = {}
        self._cache: OrderedDict[int, TranscriptEvent | None] = OrderedDict()
        self._fd = -1

    def refresh(self, at_most: int | None = None) -> int:
        """Take in rows written since, about ``at_most`` bytes of them; returns how many rows."""
        if self._fd < 0:
            try:
                self._fd = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC)
            except OSError:  # not there yet: the next refresh looks again
                return 0
        before, taken = len(self._starts), 0
        while at_most is None or taken < at_most:
            size = os.fstat(self._fd).st_size
            if self._limit is not None:
                size = min(size, self._limit)
            found = self._take(size, _CHUNK)
            if found == 0:
                break
            taken += found
        return len(self._starts) - before

    def _take(self, size: int, want: int) -> int:
        """Index one chunk; returns its bytes. A row longer than a chunk is read whole."""
        while True:
            # A shared file that was damaged may end before this part of it begins.
            chunk = os.pread(self._fd, max(0, min(want, size - self._end)), self._end)
            last = chunk.rfind(b"\n") + 1
            if last or self._end + len(chunk) >= size or not chunk:
                break
            want *= 2
        position = 0
        while position < last:
            end = chunk.find(b"\n", position)
            self._add(chunk, position, end)
            position = end + 1
        self._end += last
        return last

    def _add(self, chunk: bytes, position: int, end: int) -> None:
        row = len(self._starts)
        self._starts.append(self._end + position)
        peek = _PEEK.search(chunk, position, min(end, position + _PEEK_BYTES))
        kind = peek[1].decode() if peek else ""
        self._kinds.append(kind)
        if peek and peek[2] and kind in ("model_request", "model_turn"):
            self._turn_rows.setdefault(int(peek[2]), row)

    def __len__(self) -> int:
        return len(self._starts)

    @property
    def turns(self) -> int:
        """The largest turn number seen."""
        return max(self._turn_rows, default=0)

    def row_of_turn(self, turn: int) -> int | None:
        """The row where a turn begins (its first request, else its reply)."""
        return self._turn_rows.get(turn)

    def kind(self, row: int) -> str:
        """The event's type as its line says, without validating it; empty when it says none."""
        return self._kinds[row]

    def raw(self, row: int) -> bytes:
        """The line of a row without its newline. Raises IndexError."""
        start = self._starts[row]
        end = self._starts[row + 1] if row + 1 < len(self._starts) else self._end
        return os.pread(self._fd, end - start - 1, start)

    def event(self, row: int) -> TranscriptEvent | None:
        """The event of a row, None when its line is damaged. Raises IndexError."""
        if row in self._cache:
            self._cache.move_to_end(row)
            return self._cache[row]
        event = self._decode(row)
        self._cache[row] = event
        if len(self._cache) > _CACHED:
            self._cache.popitem(last=False)
        return event

    def events(self, start: int = 0, stop: int | None = None) -> Iterator[TranscriptEvent | None]:
        """Events of many rows, past the cache."""
        for row in range(start, len(self) if stop is None else min(stop, len(self))):
            yield self._decode(row)

    def _decode(self, row: int) -> TranscriptEvent | None:
        try:
            return whole(decode(self.raw(row), transcript_event), self._folder)
        except ValueError:
            return None

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
