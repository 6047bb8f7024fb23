"""The few system calls that Python 3.11 does not offer, through ctypes."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import ctypes
import errno
import os
import platform
import signal

CLONE_NEWNS = 0x00020000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000

MS_RDONLY = 1
MS_NOSUID = 2
MS_NODEV = 4
MS_NOEXEC = 8
MS_REMOUNT = 32
MS_BIND = 4096
MS_REC = 16384
MS_PRIVATE = 1 << 18

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_CAPBSET_DROP = 24
PR_SET_SECCOMP = 22
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38

_libc = ctypes.CDLL(None, use_errno=True)
_libc.mount.argtypes = (
    ctypes.c_char_p,
    ctypes.c_char_p,
    ctypes.c_char_p,
    ctypes.c_ulong,
    ctypes.c_char_p,
)
_libc.prctl.argtypes = (ctypes.c_int, *(ctypes.c_ulong,) * 4)


def _check(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def prctl(option: int, value: int = 0, third: int = 0) -> None:
    """prctl(2). Raises OSError."""
    _check(_libc.prctl(option, value, third, 0, 0), f"prctl {option}")


_now = ctypes.PyDLL(None, use_errno=True)  # keeps the interpreter's lock, as a fork must
_CLONE = {"x86_64": 56, "aarch64": 220}.get(platform.machine())


def fork(namespaces: int = 0) -> int:
    """As os.fork, for a process of one thread, without what Python and its modules do after a fork
    (new seeds, new locks): a tenth of a child's cost. namespaces: CLONE_NEW* flags of new ones, of
    which the child is the first process. Raises OSError.
    """
    if not namespaces:
        pid = int(_now.fork())
    elif _CLONE is None:
        raise OSError(errno.ENOTSUP, f"no clone for machine {platform.machine()}")
    else:
        flags = ctypes.c_ulong(namespaces | signal.SIGCHLD)
        pid = int(_now.syscall(ctypes.c_long(_CLONE), flags, *(ctypes.c_ulong(0),) * 4))
    if pid < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"fork: {os.strerror(number)}")
    return pid


def default_signal(number: int) -> None:
    """The default action again. The module ``signal`` wraps this in enumerations, which cost a
    fresh process more than a system call does."""
    _signal.signal(number, 0)


def unshare(flags: int) -> None:
    """unshare(2). Raises OSError."""
    _check(_libc.unshare(flags), f"unshare {flags:#x}")


def mount(source: str | None, target: str, kind: str | None, flags: int, data: str = "") -> None:
    """mount(2). Raises OSError."""
    encoded = [None if text is None else text.encode() for text in (source, target, kind)]
    _check(_libc.mount(*encoded, flags, data.encode()), f"mount {target}")


def mount_tmpfs(target: str, size: int, inodes: int, mode: str) -> None:
    """A tmpfs capped in bytes and inodes: either alone lets a child fill memory."""
    flags = MS_NOSUID | MS_NODEV
    mount("tmpfs", target, "tmpfs", flags, f"size={size},nr_inodes={inodes},mode={mode}")


def map_own_ids(uid: int, gid: int) -> None:
    """In a fresh user namespace: our ids map to themselves, nobody else's map at all."""
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{uid} {uid} 1"),
        ("gid_map", f"{gid} {gid} 1"),
    ):
        fd = os.open(f"/proc/self/{name}", os.O_WRONLY)
        os.write(fd, text.encode())
        os.close(fd)


class _CapHeader(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


def drop_capabilities() -> None:
    """Empty every capability set of this process, the bounding set included."""
    for capability in range(64):
        try:
            prctl(PR_CAPBSET_DROP, capability)
        except OSError:
            break  # past the kernel's last one
    header = _CapHeader(0x20080522, 0)  # _LINUX_CAPABILITY_VERSION_3
    _check(_libc.capset(ctypes.byref(header), (ctypes.c_uint32 * 6)()), "capset")
