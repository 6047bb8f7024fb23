"""``transcripts/shots-0000.jsonl``: single-shot attempts share files, found by offset.

A file an attempt would be 14,042 files for one pass of a large suite.
"""

from __future__ import annotations

from pathlib import Path

from harness.events.base import TranscriptRef
from harness.store import layout
from harness.store.appender import Appender, cut_torn_line
from harness.store.faults import storage_error

_ROTATE_AT = 64 * 1024 * 1024


class ShotFiles:
    """Appends whole attempts, in one write each, to the newest file; begins another at 64 MiB."""

    def __init__(self, folder: Path, *, rotate_at: int = _ROTATE_AT) -> None:
        self._folder = folder
        self._rotate_at = rotate_at
        self._out: Appender | None = None
        self._number = 0

    def append(self, lines: bytes) -> TranscriptRef:
        """Raises StorageError."""
        if self._out is None:
            self._out = self._newest()
        elif self._out.size >= self._rotate_at:
            self._out.sync()
            self._out.close()
            self._number += 1
            self._out = Appender(self._folder / layout.shots_file(self._number))
        offset = self._out.append(lines)
        return TranscriptRef(file=layout.shots_file(self._number), offset=offset, length=len(lines))

    def sync(self) -> None:
        if self._out is not None:
            self._out.sync()

    def close(self) -> None:
        if self._out is not None:
            self._out.close()
            self._out = None

    def _newest(self) -> Appender:
        transcripts = self._folder / layout.TRANSCRIPTS
        try:
            transcripts.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise storage_error(error, transcripts) from error
        names = sorted(path.name for path in transcripts.glob("shots-*.jsonl"))
        numbers = [int(name[6:-6]) for name in names if name[6:-6].isdecimal()]
        self._number = max(numbers, default=0)
        path = self._folder / layout.shots_file(self._number)
        cut_torn_line(path)
        return Appender(path)
