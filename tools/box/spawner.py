"""The process that forks children and buries them.

It is forked from the server before any sample's data arrive, so what it forks inherits a heap
that holds no test and no expected value: programs can be started warm, without a new interpreter.
It is a subreaper, so that nothing a child leaves behind escapes its count.
"""

from __future__ import annotations

import array
import gc
import json
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Sequence
from typing import Any, NoReturn

from tools.box import kernel, layout
from tools.box.child import Confinement, Task, become

MESSAGE = 200_000
_CLEAR_S = 20.0


def send(sock: socket.socket, message: dict[str, Any], fds: Sequence[int] = ()) -> None:
    """One message with descriptors."""
    ancillary = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))] if fds else []
    sock.sendmsg([json.dumps(message).encode()], ancillary)


def receive(sock: socket.socket) -> tuple[dict[str, Any], list[int]] | None:
    """One message with its descriptors; None when the other side is gone."""
    data, fds, _, _ = socket.recv_fds(sock, MESSAGE, 16)
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


class _Spawner:
    def __init__(self, sock: socket.socket, confinement: Confinement) -> None:
        self.sock = sock
        self.confinement = confinement
        self.children: dict[int, tuple[int, int]] = {}  # pid: request id, report descriptor

    def serve(self) -> NoReturn:
        try:
            os.environ.clear()
            os.environ.update(layout.child_environment())  # here once, for all warm children
            gc.disable()  # a collection would touch, and so copy, every page in each child
            gc.freeze()
            kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
            if self.confinement.kind == "namespaces":
                kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
            wake, woken = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
            signal.signal(signal.SIGCHLD, lambda *_: None)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
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
        if task.module is not None and task.module not in sys.modules:
            __import__(task.module)  # once, here; every later fork has it
            gc.freeze()  # else a child's first collection copies all of it
        reading, writing = os.pipe2(os.O_CLOEXEC)
        os.set_blocking(reading, False)
        try:
            pid = os.fork()
        except OSError as error:
            os.close(reading)
            os.close(writing)
            send(self.sock, {"ended": ident, "failed": f"fork: {error}", "refused": True})
            return
        if pid == 0:
            signal.set_wakeup_fd(-1)
            become(task, fds, writing, self.confinement)
        os.close(writing)
        for fd in fds:
            os.close(fd)
        self.children[pid] = (ident, reading)

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
            send(self.sock, ended)

    def _clear(self) -> None:
        """Kill every process but the server and this one, until none is left."""
        leftovers = 0
        deadline = time.monotonic() + _CLEAR_S
        while time.monotonic() < deadline:
            try:
                if self.confinement.kind == "uid":
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
