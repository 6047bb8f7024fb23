"""Turning a freshly forked process into a contained child. Nothing here runs in the server.

Two confinements: ``uid`` (Docker, Podman: the container is the wall, an unprivileged uid keeps
the child off the server) and ``namespaces`` (bubblewrap: each child its own user, pid, ipc and
mount namespaces with its own /tmp, since all of them share the server's uid outside).
"""

from __future__ import annotations

import fcntl
import gc
import importlib
import json
import os
import resource
import signal
import sys
import time
from typing import Any, NamedTuple, NoReturn

from tools.box import kernel, layout, limits, seccomp

_SPARE_FD = 256  # descriptors are parked from here on while the wanted numbers are filled
OPEN_FILES = 512


class Confinement(NamedTuple):
    """How children of this box are contained; fixed at hello."""

    kind: str  # "uid" or "namespaces"
    memory: int
    pids: int
    trees: tuple[int, int]  # bytes, inodes; so the next two
    tmp: tuple[int, int]
    shm: tuple[int, int]
    filter: seccomp.Ready

    def inodes(self) -> dict[str, int]:
        """Inodes that each writable folder may hold."""
        return {layout.TREES: self.trees[1], "/tmp": self.tmp[1], "/dev/shm": self.shm[1]}


class Task(NamedTuple):
    """What a forked process is to become. ``fds``: the numbers its descriptors get, in order."""

    argv: list[str]
    module: str | None
    function: str
    args: list[Any]
    cwd: str
    uid: int
    cpu_s: float
    fds: list[int]


def become(task: Task, fds: list[int], report: int, confinement: Confinement) -> NoReturn:
    """Confine this process and run the task in it; what goes wrong before that goes to report."""
    try:
        os.setsid()  # kill(0) of a child must not reach the server's group
        oom = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
        os.write(oom, b"1000")
        os.close(oom)
        report = _place(fds, task.fds, report)
        if confinement.kind == "namespaces":
            _enter_namespaces(task, report, confinement)
        else:
            os.setgroups([])
            os.setresgid(task.uid, task.uid, task.uid)
            os.setresuid(task.uid, task.uid, task.uid)
        _limit(task, confinement)
        kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
        confinement.filter.install()
        kernel.prctl(kernel.PR_SET_DUMPABLE, 1)
        _run(task, report)
    except BaseException as error:  # the fork must never return into the spawner's loop
        text = f"{type(error).__name__}: {error}"
        os.write(report, json.dumps({"failed": text[:2000]}).encode() + b"\n")
        os._exit(127)


def _place(fds: list[int], wanted: list[int], report: int) -> int:
    """Give ``fds`` the ``wanted`` numbers and close all else but report; returns its new number."""
    parked = [fcntl.fcntl(fd, fcntl.F_DUPFD, _SPARE_FD) for fd in fds]
    moved = fcntl.fcntl(report, fcntl.F_DUPFD, _SPARE_FD)
    for source, number in zip(parked, wanted, strict=True):
        os.dup2(source, number, inheritable=True)
    keep = set(wanted)
    for number in (0, 1, 2):
        if number not in keep:
            os.dup2(os.open("/dev/null", os.O_RDWR), number, inheritable=True)
            keep.add(number)
    top = max(keep) + 1
    for number in range(top):
        if number not in keep:
            os.closerange(number, number + 1)
    os.dup2(moved, top, inheritable=False)
    os.closerange(top + 1, 4096)
    return top


def _limit(task: Task, confinement: Confinement) -> None:
    cpu = max(1, int(task.cpu_s + 0.999))
    pairs = [
        (resource.RLIMIT_CORE, 0, 0),
        (resource.RLIMIT_NOFILE, OPEN_FILES, OPEN_FILES),
        (resource.RLIMIT_CPU, cpu, cpu + 1),
    ]
    if confinement.kind == "namespaces":
        pairs.append((resource.RLIMIT_DATA, confinement.memory, confinement.memory))
    for which, soft, hard in pairs:
        resource.setrlimit(which, (soft, hard))


def _enter_namespaces(task: Task, report: int, confinement: Confinement) -> None:
    """Returns in the process that runs the task: second of its pid namespace.

    The first, its init, is out of the task's reach (no tracing, signals of its own namespace do
    nothing to it); its end kills all that the task left. The outer process only waits for it.
    """
    uid, gid = os.getuid(), os.getgid()
    # Counted per user namespace since Linux 5.14; set before the namespace is made, as its cap.
    resource.setrlimit(resource.RLIMIT_NPROC, (confinement.pids, confinement.pids))
    kernel.unshare(
        kernel.CLONE_NEWUSER | kernel.CLONE_NEWPID | kernel.CLONE_NEWIPC | kernel.CLONE_NEWNS
    )
    kernel.map_own_ids(uid, gid)
    outer = os.fork()
    if outer:
        os.closerange(0, 4096)
        os.waitpid(outer, 0)
        os._exit(0)
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    kernel.mount(None, "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
    kernel.mount("proc", "/proc", "proc", kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC)
    kernel.mount_tmpfs("/tmp", *confinement.tmp, "1777")
    kernel.mount_tmpfs("/dev/shm", *confinement.shm, "1777")
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
    # an init is spared the signals it has no handler for, and Python had set some
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    inner = os.fork()
    if inner:
        _init(inner, report)
    os.setsid()
    kernel.drop_capabilities()


def _init(inner: int, report: int) -> NoReturn:
    """First process of a child's pid namespace: waits, counts what is left, reports."""
    for number in range(report):
        os.closerange(number, number + 1)
    orphans = 0
    while True:
        pid, status, usage = os.wait4(-1, 0)
        if pid == inner:
            break
        orphans += 1
    full = limits.full(("/tmp", "/dev/shm"))
    leftovers, cpu = 0, usage.ru_utime + usage.ru_stime
    deadline = time.monotonic() + 5.0
    while time.monotonic() < deadline:
        try:
            os.kill(-1, signal.SIGKILL)
            pid, _, more = os.wait4(-1, 0)
        except (ProcessLookupError, ChildProcessError):
            break
        leftovers += 1
        cpu += more.ru_utime + more.ru_stime
    line = {
        "status": status,
        "leftovers": leftovers,
        "full": full,
        "cpu": cpu,
        "rss": usage.ru_maxrss * 1024,
    }
    os.write(report, json.dumps(line).encode() + b"\n")
    os._exit(0)


def _run(task: Task, report: int) -> NoReturn:
    os.umask(0o022)
    os.makedirs(task.cwd, exist_ok=True)
    os.chdir(task.cwd)
    for number in (signal.SIGPIPE, signal.SIGCHLD, signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
    if task.module is None:
        os.execvpe(task.argv[0], task.argv, layout.child_environment())
    module = importlib.import_module(task.module)
    os.close(report)
    _reopen_streams()
    gc.enable()
    code = 1
    try:
        code = int(getattr(module, task.function)(*task.args) or 0)
    except SystemExit as exit_:
        code = exit_.code if isinstance(exit_.code, int) else int(exit_.code is not None)
    except BaseException:  # as an interpreter does at its top level
        import traceback

        traceback.print_exc()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            code = code or 120
    os._exit(code)


def _reopen_streams() -> None:
    """Fresh Python streams on the descriptors the child was given."""
    sys.stdin = open(0, encoding="utf-8", errors="surrogateescape", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", errors="surrogateescape", closefd=False)  # noqa: SIM115
    sys.stderr = open(  # noqa: SIM115
        2, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False
    )
