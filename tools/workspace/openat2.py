"""The openat2 system call, which Python's os module does not offer."""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from typing import Final

_NUMBER: Final = 437  # the same on every Linux architecture
_RESOLVE_NO_MAGICLINKS: Final = 0x02
_RESOLVE_NO_SYMLINKS: Final = 0x04
_RESOLVE_BENEATH: Final = 0x08


class _How(ctypes.Structure):
    _fields_ = (
        ("flags", ctypes.c_uint64),
        ("mode", ctypes.c_uint64),
        ("resolve", ctypes.c_uint64),
    )


_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def open_beneath(path: str, flags: int, dir_fd: int) -> int:
    """Open a path that holds no link, below `dir_fd` and nowhere else.

    Raises OSError; ENOSYS or EPERM where the kernel or a seccomp filter does not let it.
    """
    if _libc is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    resolve = _RESOLVE_BENEATH | _RESOLVE_NO_MAGICLINKS | _RESOLVE_NO_SYMLINKS
    how = _How(flags | os.O_CLOEXEC, 0, resolve)
    descriptor = _libc.syscall(
        ctypes.c_long(_NUMBER),
        ctypes.c_int(dir_fd),
        ctypes.c_char_p(os.fsencode(path)),
        ctypes.byref(how),
        ctypes.c_size_t(ctypes.sizeof(how)),
    )
    if descriptor < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), path)
    return int(descriptor)
