"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from harness.store.faults import storage_error


def write_atomic(path: Path, content: bytes, *, sync: bool = True) -> None:
    """Write ``content`` beside ``path`` and rename it there; ``sync`` makes it survive a crash of
    the machine. The file is readable by its owner only. Raises StorageError."""
    temporary = path.with_name(f".{path.name[:100]}.{secrets.token_hex(4)}.tmp")
    try:
        fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            write_all(fd, content)
            if sync:
                os.fsync(fd)
        finally:
            os.close(fd)
        temporary.replace(path)
        if sync:
            sync_folder(path.parent)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink()
        raise storage_error(error, path) from error


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
