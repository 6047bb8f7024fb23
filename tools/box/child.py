"""Turning a freshly forked process into a contained child. Nothing here runs in the server.

Two confinements: ``uid`` (Docker, Podman: the container is the wall, an unprivileged uid keeps
the child off the server) and ``namespaces`` (bubblewrap: each child its own user, pid, ipc and
mount namespaces with its own /tmp, since all of them share the server's uid outside).
"""

from __future__ import annotations

import gc
import json
import os
import resource
import signal
import sys
import time
from typing import Any, NamedTuple, NoReturn

from tools.box import kernel, layout, limits, seccomp, streams

SPARE_FD = 16  # in the spawner all descriptors given to a child lie from here on
OPEN_FILES = 512


class Confinement(NamedTuple):
    """How children of this box are contained; fixed at hello."""

    kind: str  # "uid" or "namespaces"
    ids: tuple[int, int]  # the server's uid and gid
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
    """What a forked process is to become. ``fds``: the numbers its descriptors get, in order.
    first: in namespaces, it is their first process itself, out of reach of all others there."""

    argv: list[str]
    module: str | None
    function: str
    args: list[Any]
    cwd: str
    uid: int
    cpu_s: float
    fds: list[int]
    first: bool = False


def become(
    task: Task,
    fds: list[int],
    report: int,
    confinement: Confinement,
    given: streams.Streams | None,
    *,
    inside: bool,
) -> NoReturn:
    """Confine this process and run the task in it; what goes wrong before that goes to report.

    inside: the spawner is confined itself, so most is inherited. given: for a warm task.
    """
    try:
        os.setsid()  # kill(0) of a child must not reach the server's group
        report = _place(fds, task.fds, report)
        if confinement.kind == "uid":
            os.setresgid(task.uid, task.uid, task.uid)
            os.setresuid(task.uid, task.uid, task.uid)
        elif not inside:
            _settle_namespaces(task, report, confinement)
        _limit(task, confinement)
        if confinement.kind == "namespaces" and not inside:
            kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
            confinement.filter.install()
        if not task.first:
            kernel.prctl(kernel.PR_SET_DUMPABLE, 1)
        _run(task, report, given)
    except BaseException as error:  # the fork must never return into the spawner's loop
        text = f"{type(error).__name__}: {error}"
        os.write(report, json.dumps({"failed": text[:2000]}).encode() + b"\n")
        os._exit(127)


def _place(fds: list[int], wanted: list[int], report: int) -> int:
    """Give ``fds`` the ``wanted`` numbers and close all else but report; returns its new number."""
    for source, number in zip(fds, wanted, strict=True):
        os.dup2(source, number)
    top = max(2, *wanted) + 1
    for number in range(top):
        if number not in wanted:
            if number > 2:
                os.closerange(number, number + 1)
            else:
                os.dup2(SPARE_FD - 1, number)  # the null device
    os.dup2(report, top, inheritable=False)
    os.closerange(top + 1, 4096)
    return top


def _limit(task: Task, confinement: Confinement) -> None:
    cpu = max(1, int(task.cpu_s + 0.999))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN_FILES, OPEN_FILES))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
    if confinement.kind == "namespaces":
        resource.setrlimit(resource.RLIMIT_DATA, (confinement.memory, confinement.memory))


def _settle_namespaces(task: Task, report: int, confinement: Confinement) -> None:
    """In the first process of fresh namespaces; returns in the process that runs the task.

    The first, its init, is out of the task's reach (no tracing, signals of its own namespace do
    nothing to it); its end kills all that the task left.
    """
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    kernel.map_own_ids(*confinement.ids)
    kernel.mount(None, "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
    kernel.mount("proc", "/proc", "proc", kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC)
    kernel.mount_tmpfs("/tmp", *confinement.tmp, "1777")
    kernel.mount_tmpfs("/dev/shm", *confinement.shm, "1777")
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
    # an init is spared the signals it has no handler for, and Python had set some
    kernel.default_signal(signal.SIGCHLD)
    if not task.first:
        inner = os.fork()
        if inner:
            _init(inner, report)
        os.setsid()
    kernel.drop_capabilities()


def _init(inner: int, report: int) -> NoReturn:
    """First process of a child's pid namespace: waits, counts what is left, reports."""
    os.closerange(0, report)
    while True:
        pid, status, usage = os.wait4(-1, 0)
        if pid == inner:
            break
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


def _run(task: Task, report: int, given: streams.Streams | None) -> NoReturn:
    try:
        os.chdir(task.cwd)
    except FileNotFoundError:
        os.makedirs(task.cwd, exist_ok=True)
        os.chdir(task.cwd)
    kernel.default_signal(signal.SIGCHLD)
    if task.module is None:
        os.execvpe(task.argv[0], task.argv, layout.child_environment())
    main = getattr(sys.modules[task.module], task.function)
    os.close(report)
    if given is not None:
        sys.stdin, sys.stdout, sys.stderr = given
    gc.enable()
    code = 1
    try:
        code = int(main(*task.args) or 0)
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
