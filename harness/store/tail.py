"""Following a file that grows: fstat and pread, no notification, works on any file system."""

from __future__ import annotations

import os
import stat
from pathlib import Path

# One poll reads at most this much, so that opening a large file does not stall a viewer's frame.
_AT_ONCE = 4 * 1024 * 1024


class Tail:
    """Whole new lines of a file at each ``poll``; the file need not exist yet.

    The position never passes the last newline read, so a torn last line that is cut later does
    no harm. A file that was replaced by another of the same name is read from its beginning, and
    ``generation`` counts that.
    """

    def __init__(self, path: Path, offset: int = 0, *, at_once: int = _AT_ONCE) -> None:
        self.path = path
        self.offset = offset
        self.generation = 0
        self._at_once = at_once
        self._fd = -1
        self._want = at_once

    def poll(self) -> list[bytes]:
        """New lines without their newlines; empty when there are none."""
        if self._fd < 0 and not self._open():
            return []
        lines = self._read()
        if not lines and self._replaced():
            self.close()
            self.offset = 0
            self.generation += 1
            if self._open():
                lines = self._read()
        return lines

    @property
    def behind(self) -> int:
        """Bytes that the file holds beyond what was read."""
        return max(0, os.fstat(self._fd).st_size - self.offset) if self._fd >= 0 else 0

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def _open(self) -> bool:
        try:
            fd = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError:  # not there yet, or no longer: the next poll looks again
            return False
        if not stat.S_ISREG(os.fstat(fd).st_mode):  # a folder or a pipe has no lines
            os.close(fd)
            return False
        self._fd = fd
        return True

    def _read(self) -> list[bytes]:
        size = os.fstat(self._fd).st_size
        if size < self.offset:
            self.offset = size
        if size == self.offset:
            return []
        data = os.pread(self._fd, min(self._want, size - self.offset), self.offset)
        end = data.rfind(b"\n") + 1
        if end == 0:
            if len(data) == self._want:  # one line longer than a read: ask for more next time
                self._want *= 2
            return []
        self._want = self._at_once
        self.offset += end
        return data[: end - 1].split(b"\n")

    def _replaced(self) -> bool:
        mine = os.fstat(self._fd)
        try:
            there = self.path.stat()
        except OSError:
            return False
        return (there.st_dev, there.st_ino) != (mine.st_dev, mine.st_ino)
