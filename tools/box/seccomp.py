"""A system call filter, written as BPF by hand: no library for it exists in a bare box.

It closes what a namespace does not: nested user namespaces, tracing, the session keyring, address
families that no network namespace covers (AF_VSOCK), and kernel surface no test needs. clone3
answers ENOSYS, since its flags lie in memory that a filter cannot read; libc then uses clone.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import struct

from tools.box.kernel import PR_SET_SECCOMP, prctl

# name: (x86_64, aarch64); None where the machine has no such call
_DENIED: dict[str, tuple[int | None, int | None]] = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "userfaultfd": (323, 282),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "fanotify_init": (300, 262),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "syslog": (103, 116),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "adjtimex": (159, 171),
    "clock_adjtime": (305, 266),
    "iopl": (172, None),
    "ioperm": (173, None),
    "modify_ldt": (154, None),
}
_ABSENT: dict[str, tuple[int, int]] = {
    "clone3": (435, 435),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "memfd_secret": (447, 447),
    # freed only after its killed owner is gone: the kernel then looks for more to kill, the server
    "memfd_create": (319, 279),
}
# Memory that no cgroup counts in bubblewrap, and that the watchdog could not see.
_UNCOUNTED: dict[str, tuple[int, int]] = {
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
}
_CLONE, _SOCKET = (56, 220), (41, 198)
_NAMESPACE_FLAGS = 0x7E020000  # every CLONE_NEW* that clone can be given
_FAMILIES = (1, 2, 10, 16)  # unix, inet, inet6, netlink
_ARCH = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}

_ALLOW, _ERRNO, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_LOAD, _JEQ, _JGE, _JSET, _RET = 0x20, 0x15, 0x35, 0x45, 0x06


def _op(code: int, k: int, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("=HBBI", code, yes, no, k)


def build(*, memory_counted: bool) -> bytes:
    """The filter's program. memory_counted: a cgroup counts memory, else its loopholes close too.

    Raises OSError on a machine whose call numbers are not known here.
    """
    machine = platform.machine()
    if machine not in _ARCH:
        raise OSError(errno.ENOTSUP, f"no system call filter for machine {machine}")
    column, arch = _ARCH[machine]
    program = [_op(_LOAD, 4), _op(_JEQ, arch, 1), _op(_RET, _KILL), _op(_LOAD, 0)]
    if machine == "x86_64":
        program += [_op(_JGE, 0x40000000, 0, 1), _op(_RET, _ERRNO | errno.ENOSYS)]  # x32
    absent = {**_ABSENT, **({} if memory_counted else _UNCOUNTED)}
    for table, code in ((_DENIED, errno.EPERM), (absent, errno.ENOSYS)):
        for numbers in table.values():
            number = numbers[column]
            if number is not None:
                program += [_op(_JEQ, number, 0, 1), _op(_RET, _ERRNO | code)]
    program += [
        _op(_JEQ, _CLONE[column], 0, 4),
        _op(_LOAD, 16),
        _op(_JSET, _NAMESPACE_FLAGS, 0, 1),
        _op(_RET, _ERRNO | errno.EPERM),
        _op(_RET, _ALLOW),
    ]
    count = len(_FAMILIES)
    program += [_op(_JEQ, _SOCKET[column], 0, count + 2), _op(_LOAD, 16)]
    program += [_op(_JEQ, family, count - index) for index, family in enumerate(_FAMILIES)]
    program += [_op(_RET, _ERRNO | errno.EAFNOSUPPORT), _op(_RET, _ALLOW)]
    return b"".join(program)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


class Ready:
    """A program laid out for the kernel before a child is forked, which then has less to do."""

    def __init__(self, program: bytes) -> None:
        self._buffer = ctypes.create_string_buffer(program, len(program))
        address = ctypes.cast(self._buffer, ctypes.c_void_p)
        self._holder = _Program(len(program) // 8, address)
        self._address = ctypes.addressof(self._holder)

    def install(self) -> None:
        """Set the filter for this process and all it starts; needs no_new_privs. Raises OSError."""
        prctl(PR_SET_SECCOMP, 2, self._address)


def install(program: bytes) -> None:
    """As ``Ready.install``, for a program that is used once."""
    Ready(program).install()
