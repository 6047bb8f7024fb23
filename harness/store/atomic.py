"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from harness.store.faults import storage_error

# How often a file is written again that a sweep took away.
_TRIES = 3


def write_atomic(path: Path, content: bytes, *, sync: bool = True) -> None:
    """Write ``content`` beside ``path`` and rename it there; ``sync`` makes it survive a crash of
    the machine. The file is readable by its owner only. Raises StorageError."""
    temporary = path.with_name(f".{path.name[:100]}.{secrets.token_hex(4)}.tmp")
    try:
        for tries_left in reversed(range(_TRIES)):
            _write(temporary, content, sync)
            try:
                temporary.replace(path)
            except FileNotFoundError:
                if not tries_left:
                    raise
            else:
                break
        if sync:
            sync_folder(path.parent)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink()
        raise storage_error(error, path) from error


def _write(path: Path, content: bytes, sync: bool) -> None:
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        write_all(fd, content)
        if sync:
            os.fsync(fd)
    finally:
        os.close(fd)


def sweep(folder: Path) -> None:
    """Remove what killed writers left in ``folder``. A living one whose file goes with them writes
    it again."""
    for left in folder.glob(".*.tmp"):
        with suppress(OSError):
            left.unlink()


def write_all(fd: int, content: bytes) -> None:
    """Write every byte, also where the kernel takes only a part at once."""
    written = os.write(fd, content)
    while written < len(content):
        written += os.write(fd, memoryview(content)[written:])


def sync_folder(folder: Path) -> None:
    """Make the names in ``folder`` durable."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def sync_file(path: Path) -> None:
    """Make the content of an existing file durable."""
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
