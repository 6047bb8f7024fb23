"""Who works on a run folder: an flock held by the runner, which a kill releases at once.

Where the file system knows no locks, or only local ones (some network mounts), the lock file's
time, renewed by the runner, stands in: a fresh beat of another host means that it is running.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import socket
import time
from dataclasses import dataclass
from pathlib import Path

from harness.errors import ConflictError
from harness.store import layout
from harness.store.atomic import write_all
from harness.store.faults import storage_error

BEAT_S = 5.0
# A runner that has not renewed its beat for this long is taken for dead.
STALE_S = 60.0
# A viewer holds a shared lock for microseconds while it looks.
_PATIENCE_S = 0.5
_UNSUPPORTED = {errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL}


@dataclass(frozen=True)
class Owner:
    """The process in the lock file; ``beat`` is the time of its last renewal."""

    host: str
    pid: int
    beat: float


class FolderLock:
    """The exclusive lock of a run folder's runner."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / layout.LOCK
        self._fd = -1

    def acquire(self) -> None:
        """Raises ConflictError when another process works on the folder, StorageError."""
        try:
            fd = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise storage_error(error, self._path) from error
        try:
            owner = _owner(fd)
            supported = self._flock(fd, owner)
            if owner is not None and _beating(owner, any_host=not supported):
                raise _conflict(self._path, owner)
            os.ftruncate(fd, 0)
            os.lseek(fd, 0, os.SEEK_SET)
            write_all(fd, json.dumps({"host": socket.gethostname(), "pid": os.getpid()}).encode())
            os.fsync(fd)
        except OSError as error:
            os.close(fd)
            raise storage_error(error, self._path) from error
        except BaseException:
            os.close(fd)
            raise
        self._fd = fd

    def _flock(self, fd: int, owner: Owner | None) -> bool:
        deadline = time.monotonic() + _PATIENCE_S
        while True:
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return True
            except OSError as error:
                if error.errno in _UNSUPPORTED:
                    return False
                if error.errno not in (errno.EWOULDBLOCK, errno.EACCES):
                    raise
                if time.monotonic() > deadline:
                    raise _conflict(self._path, owner) from None
            time.sleep(0.02)

    def beat(self) -> None:
        """Renew the time of the lock file."""
        if self._fd >= 0:
            os.utime(self._fd)

    def release(self) -> None:
        """Give the folder up; safe to call twice."""
        if self._fd >= 0:
            try:
                os.ftruncate(self._fd, 0)
            finally:
                os.close(self._fd)
                self._fd = -1


def is_running(folder: Path) -> bool:
    """Whether a runner works on the folder now; needs no right to write there."""
    try:
        fd = os.open(folder / layout.LOCK, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        try:
            fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
            supported = True
        except OSError as error:
            if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
                return True
            supported = False
        owner = _owner(fd)
        return owner is not None and _beating(owner, any_host=not supported)
    finally:
        os.close(fd)


def owner_of(folder: Path) -> Owner | None:
    """The process named in the lock file, None when it was given up."""
    try:
        fd = os.open(folder / layout.LOCK, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        return _owner(fd)
    finally:
        os.close(fd)


def _owner(fd: int) -> Owner | None:
    try:
        said = json.loads(os.pread(fd, 4096, 0))
        return Owner(str(said["host"]), int(said["pid"]), os.fstat(fd).st_mtime)
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return None


def _beating(owner: Owner, *, any_host: bool) -> bool:
    """Whether a lock that flock does not show may be held all the same."""
    if owner.host == socket.gethostname() and not any_host:
        return False
    return time.time() - owner.beat < STALE_S


def _conflict(path: Path, owner: Owner | None) -> ConflictError:
    who = f"process {owner.pid} on {owner.host}" if owner else "another process"
    return ConflictError(
        f"{who} is working on this run",
        where=str(path.parent),
        remedy="watch it, or stop it with: proctor cancel",
    )
