"""The process that forks children and buries them.

It is forked from the server before any sample's data arrive, so what it forks inherits a heap
that holds no test and no expected value: programs can be started warm, without a new interpreter.
It is a subreaper, so that nothing a child leaves behind escapes its count.

In namespaces every child gets its own; but the candidates of single-shot suites are forked by a
second spawner, the nursery, which is the first process of namespaces in which they follow one
another. It says when one left anything behind, and is then replaced.
"""

from __future__ import annotations

import array
import fcntl
import gc
import json
import os
import resource
import select
import signal
import socket
import sys
import time
from collections.abc import Sequence
from typing import Any, NoReturn

from tools.box import kernel, layout, limits, streams
from tools.box.child import SPARE_FD, Confinement, Task, become

MESSAGE = 200_000
NURSERY_FD = 5
_CLEAR_S = 20.0
_NAMESPACES = kernel.CLONE_NEWUSER | kernel.CLONE_NEWPID | kernel.CLONE_NEWIPC | kernel.CLONE_NEWNS
_FOLDERS = ("/tmp", "/dev/shm")  # all that a candidate can write to in the nursery's namespaces


def send(sock: socket.socket, message: dict[str, Any], fds: Sequence[int] = ()) -> None:
    """One message with descriptors."""
    ancillary = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))] if fds else []
    sock.sendmsg([json.dumps(message).encode()], ancillary)


def receive(sock: socket.socket) -> tuple[dict[str, Any], list[int]] | None:
    """One message with its descriptors; None when the other side is gone."""
    try:
        data, fds, _, _ = socket.recv_fds(sock, MESSAGE, 16)
    except ConnectionResetError:  # it died with messages unread
        return None
    return (json.loads(data), fds) if data else None


def start(confinement: Confinement, close: Sequence[int]) -> tuple[socket.socket, int]:
    """Fork the spawner; returns the server's end of its socket, and its pid."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    pid = os.fork()
    if pid == 0:
        ours.close()
        for fd in close:
            os.close(fd)
        _Spawner(theirs, confinement).serve()
    theirs.close()
    return ours, pid


def nursery(confinement: Confinement) -> NoReturn:
    """Serve as the first process of its namespaces, confined already, on descriptor 5."""
    _Spawner(socket.socket(fileno=NURSERY_FD), confinement, inside=True).serve()


class _Spawner:
    def __init__(
        self, sock: socket.socket, confinement: Confinement, *, inside: bool = False
    ) -> None:
        self.sock = sock
        self.confinement = confinement
        self.inside = inside
        self.children: dict[int, tuple[int, int]] = {}  # pid: request id, report descriptor
        self._oom, self._calm = -1, b""
        self._untouched: list[tuple[int, ...]] = []

    def serve(self) -> NoReturn:
        try:
            self._settle()
            wake, woken = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
            signal.signal(signal.SIGCHLD, lambda *_: None)
            signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
            poll = select.poll()
            poll.register(self.sock, select.POLLIN)
            poll.register(wake, select.POLLIN)
            while True:
                for fd, _ in poll.poll():
                    if fd == wake:
                        os.read(wake, 4096)
                        self._reap()
                    elif (got := receive(self.sock)) is None:
                        os._exit(0)
                    else:
                        self._handle(*got)
        finally:
            os._exit(70)  # never back into the server's code

    def _settle(self) -> None:
        """Whatever children can inherit, so that each has less to do."""
        os.environ.clear()
        os.environ.update(layout.child_environment())
        os.umask(0o022)
        for number in (signal.SIGPIPE, signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        self.sock = socket.socket(fileno=fcntl.fcntl(self.sock.detach(), fcntl.F_DUPFD, SPARE_FD))
        null = os.open("/dev/null", os.O_RDWR)
        for fd in range(3, SPARE_FD):
            os.dup2(null, fd)
        if null >= SPARE_FD:
            os.close(null)
        kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
        if self.inside:
            self._untouched = _state()
        elif self.confinement.kind == "namespaces":
            kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
        else:
            os.setgroups([])
            kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
            self.confinement.filter.install()
        if not self.inside:
            self._oom = os.open("/proc/self/oom_score_adj", os.O_RDWR | os.O_CLOEXEC)
            self._calm = os.read(self._oom, 16)
        gc.disable()  # a collection would touch, and so copy, every page in each child
        gc.freeze()

    def _handle(self, message: dict[str, Any], fds: list[int]) -> None:
        if message["op"] == "start":
            self._start(message["id"], Task(**message["task"]), fds)
        elif message["op"] == "kill":
            for pid, (ident, _) in self.children.items():
                if ident == message["id"]:
                    os.kill(pid, signal.SIGKILL)
        else:
            self._clear()

    def _start(self, ident: int, task: Task, fds: list[int]) -> None:
        given = None
        if task.module is not None:
            if task.module not in sys.modules:  # once, here; every later fork has it
                __import__(task.module)
                getattr(sys.modules[task.module], "warm", _nothing)()
            given = streams.prepared(fds, task.fds)
            gc.freeze()  # else a child's first collection copies all of it
        reading, writing = os.pipe2(os.O_CLOEXEC)
        os.set_blocking(reading, False)
        try:
            pid = self._fork()
        except OSError as error:
            os.close(reading)
            os.close(writing)
            send(self.sock, {"ended": ident, "failed": f"fork: {error}", "refused": True})
            return
        if pid == 0:
            signal.set_wakeup_fd(-1)
            if task.first:
                task = task._replace(args=[self.confinement])
            become(task, fds, writing, self.confinement, given, inside=self.inside)
        os.close(writing)
        for fd in fds:
            os.close(fd)
        self.children[pid] = (ident, reading)

    def _fork(self) -> int:
        """A child that the kernel takes first where memory runs out. Raises OSError."""
        if self.inside:
            return kernel.fork()  # as this process is itself
        namespaces, pid = self.confinement.kind == "namespaces", -1
        # Counted per user namespace since Linux 5.14; what holds as one is made is its cap.
        soft, hard = resource.getrlimit(resource.RLIMIT_NPROC) if namespaces else (0, 0)
        os.write(self._oom, b"1000")
        try:
            if namespaces:
                resource.setrlimit(resource.RLIMIT_NPROC, (self.confinement.pids, hard))
            pid = kernel.fork(_NAMESPACES if namespaces else 0)
            return pid
        finally:
            if pid:
                os.write(self._oom, self._calm)
                if namespaces:
                    resource.setrlimit(resource.RLIMIT_NPROC, (soft, hard))

    def _reap(self) -> int:
        """Collect what has ended; returns how many orphans were among them."""
        orphans = 0
        while True:
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return orphans
            if pid == 0:
                return orphans
            if pid not in self.children:
                orphans += 1
                continue
            ident, reading = self.children.pop(pid)
            ended = {
                "ended": ident,
                "status": status,
                "cpu": usage.ru_utime + usage.ru_stime,
                "rss": usage.ru_maxrss * 1024,
                "leftovers": 0,
                "full": False,
            }
            try:
                for line in os.read(reading, 65536).splitlines():
                    ended |= json.loads(line)
            except (BlockingIOError, ValueError):
                pass
            os.close(reading)
            if self.inside:
                ended |= self._left_behind()
            send(self.sock, ended)

    def _left_behind(self) -> dict[str, Any]:
        """In the nursery, what a candidate leaves to the next: processes (which are killed),
        anything it ever wrote to a folder."""
        left = 0
        while self._has_children():
            try:
                os.kill(-1, signal.SIGKILL)
                os.wait4(-1, 0)
                left += 1
            except (ProcessLookupError, ChildProcessError):
                continue
        state = _state()
        touched = state != self._untouched
        return {"leftovers": left, "touched": touched, "full": touched and limits.full(_FOLDERS)}

    def _clear(self) -> None:
        """Kill every process but the server and this one, until none is left."""
        leftovers = 0
        deadline = time.monotonic() + _CLEAR_S
        while time.monotonic() < deadline:
            try:
                if self.inside or self.confinement.kind == "uid":
                    os.kill(-1, signal.SIGKILL)  # spares pid 1, the server, and the caller
                else:
                    for pid in _children_of(os.getpid()):
                        os.kill(pid, signal.SIGKILL)
                    if not self._has_children():
                        raise ProcessLookupError
            except ProcessLookupError:
                leftovers += self._reap()
                if not self._has_children():
                    send(self.sock, {"cleared": True, "leftovers": leftovers})
                    return
            leftovers += self._reap()
            time.sleep(0.0002)
        send(self.sock, {"cleared": False, "leftovers": leftovers})

    def _has_children(self) -> bool:
        try:
            os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return False
        return True


def _nothing() -> None:
    """What most modules do to be warm."""


def _state() -> list[tuple[int, ...]]:
    """Of the folders: changed by every file that was ever made or removed in them."""
    found = [os.stat(folder) for folder in _FOLDERS]
    return [(each.st_mode, each.st_uid, each.st_mtime_ns, each.st_ctime_ns) for each in found]


def _children_of(parent: int) -> list[int]:
    """Direct children by /proc: those adopted as well as those forked."""
    found = []
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{int(name)}/stat", "rb") as file:
                fields = file.read().rpartition(b")")[2].split()
        except (ValueError, OSError):
            continue
        if int(fields[1]) == parent:
            found.append(int(name))
    return found
