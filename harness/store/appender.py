"""An append-only file of lines: the only way in which a run's streams grow."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from pathlib import Path

from harness.store.atomic import write_all
from harness.store.faults import storage_error

_CHUNK = 64 * 1024


class Appender:
    """Appends whole lines by one O_APPEND write each. Safe to use from several threads.

    A write that fails half-way is taken back, so that the file always ends with a whole line as
    long as this process lives; what a kill tears is cut by ``cut_torn_line`` before the next
    session appends.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        try:
            self._fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
            self.size = os.fstat(self._fd).st_size
        except OSError as error:
            raise storage_error(error, path) from error

    def append(self, lines: bytes) -> int:
        """Append ``lines`` (ending in a newline); returns the offset they begin at.

        Raises StorageError; the file is then as it was before.
        """
        with self._lock:
            offset = self.size
            try:
                write_all(self._fd, lines)
            except OSError as error:
                with suppress(OSError):  # the first error is the one to tell
                    os.ftruncate(self._fd, offset)
                raise storage_error(error, self.path) from error
            self.size = offset + len(lines)
            return offset

    def sync(self) -> None:
        """Make everything appended so far durable. Raises StorageError."""
        try:
            os.fsync(self._fd)
        except OSError as error:
            raise storage_error(error, self.path) from error

    def close(self) -> None:
        """Close the file; safe to call twice."""
        with self._lock:
            if self._fd >= 0:
                os.close(self._fd)
                self._fd = -1


def cut_torn_line(path: Path) -> int:
    """Cut what follows the last newline; returns the number of bytes cut. Nothing else changes.

    Raises StorageError.
    """
    try:
        fd = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return 0
    except OSError as error:
        raise storage_error(error, path) from error
    try:
        size = os.fstat(fd).st_size
        end = _after_last_newline(fd, size)
        if end < size:
            os.ftruncate(fd, end)
            os.fsync(fd)
        return size - end
    except OSError as error:
        raise storage_error(error, path) from error
    finally:
        os.close(fd)


def last_line(path: Path) -> bytes | None:
    """The last whole line of a file without its newline, None when there is none."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        end = _after_last_newline(fd, os.fstat(fd).st_size)
        if end == 0:
            return None
        start = _after_last_newline(fd, end - 1)
        return os.pread(fd, end - 1 - start, start)
    finally:
        os.close(fd)


def _after_last_newline(fd: int, size: int) -> int:
    position = size
    while position > 0:
        start = max(0, position - _CHUNK)
        found = os.pread(fd, position - start, start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        position = start
    return 0
