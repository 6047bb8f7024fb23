"""The server's view of its children: start, stop, wait, clear, sweep."""

from __future__ import annotations

import os
import select
import socket
import time
from collections.abc import Sequence
from typing import Any

from tools.box import layout, limits, spawner
from tools.box.child import Confinement
from tools.box.inbox import Inbox
from tools.box.supervise import Capture

HELPER_S = 120.0
_HELPER_ERRORS = 4000


class Failure(Exception):
    """An operation that cannot be done; ``kind`` is for the harness, the text for a person."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


class Spawned:
    """Speaks with a spawner; ``ended`` holds the reports of its children that are over."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.ended: dict[int, dict[str, Any]] = {}
        self._next = 0
        self._cleared: dict[str, Any] | None = None

    def start(self, task: dict[str, Any], fds: Sequence[int]) -> int:
        """Start a child with descriptors ``fds``, which get the numbers task["fds"]."""
        self._next += 1
        message = {"op": "start", "id": self._next, "task": task}
        try:
            spawner.send(self.sock, message, fds)
        except OSError as error:
            raise Failure("spawn_failed", f"cannot start a child: {error}") from None
        return self._next

    def kill(self, ident: int) -> None:
        """Kill a child; its end is still to be waited for."""
        spawner.send(self.sock, {"op": "kill", "id": ident})

    def receive(self) -> None:
        """Take one message of the spawner; the box cannot go on without it."""
        got = spawner.receive(self.sock)
        if got is None:
            os.write(2, b"the spawner died\n")
            os._exit(5)
        message = got[0]
        if "ended" in message:
            self.ended[message["ended"]] = message
        else:
            self._cleared = message

    def clear(self) -> int:
        """Kill every process but the server's own; returns how many were nobody's."""
        self._cleared = None
        spawner.send(self.sock, {"op": "clear"})
        while self._cleared is None:
            self.receive()
        if not self._cleared["cleared"]:
            os.write(2, b"processes could not be killed\n")
            os._exit(6)
        return int(self._cleared["leftovers"])


class Children(Spawned):
    """The box's children: of the spawner that starts with the box."""

    def __init__(self, inbox: Inbox, confinement: Confinement, close: Sequence[int]) -> None:
        sock, self.spawner_pid = spawner.start(confinement, close)
        super().__init__(sock)
        self.inbox = inbox
        self.confinement = confinement

    @property
    def separate(self) -> bool:
        """Whether each child has namespaces of its own."""
        return self.confinement.kind == "namespaces"

    def hear(self) -> None:
        """Take input while busy: only beats are expected, the rest waits."""
        self.inbox.fill()

    def helper(
        self,
        module: str,
        function: str,
        args: list[Any],
        *,
        data: bytes = b"",
        uid: int | None = None,
    ) -> bytes:
        """Run one of our own functions as a child; returns what it wrote to descriptor 4.

        Raises Failure with what it wrote to its standard error when it does not exit with 0.
        """
        given = memory_file(data)
        out, out_end = os.pipe2(os.O_CLOEXEC)
        errors, errors_end = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        task = {
            "argv": [],
            "module": module,
            "function": function,
            "args": args,
            "cwd": "/",
            "uid": uid or layout.CHILD_UID,
            "cpu_s": HELPER_S,
            "fds": [3, 4, 2],
        }
        ident = self.start(task, (given, out_end, errors_end))
        for fd in (given, out_end, errors_end):
            os.close(fd)
        captured, result = Capture(errors, _HELPER_ERRORS), bytearray()
        poll = select.poll()
        for fd in (self.inbox.fd, self.sock.fileno(), out):
            poll.register(fd, select.POLLIN)
        deadline, open_ = time.monotonic() + HELPER_S, True
        while open_ or ident not in self.ended:
            for fd, _ in poll.poll(1000):
                if fd == self.inbox.fd:
                    self.hear()
                elif fd == out:
                    chunk = os.read(out, 1 << 20)
                    result += chunk
                    if not chunk:
                        open_ = False
                        poll.unregister(out)
                else:
                    self.receive()
            if time.monotonic() > deadline:
                self.kill(ident)
                deadline += HELPER_S
        captured.read()
        os.close(out)
        os.close(errors)
        report = self.ended.pop(ident)
        if "failed" in report:
            raise Failure("spawn_failed", f"{function}: {report['failed']}")
        if report["status"] != 0:
            text = captured.text().decode("utf-8", "replace").strip()
            code = os.waitstatus_to_exitcode(report["status"])
            raise Failure("refused" if code == 3 else "helper_failed", text or f"status {code}")
        return bytes(result)

    def sweep(self, *, trees: bool) -> None:
        """Empty the shared folders (and the trees) after every process is gone.

        Raises Failure when something stays: the next child would find it.
        """
        folders = [] if self.separate else list(layout.SWEPT)
        if trees:
            folders.append(layout.TREES)
        for uid in (layout.CHILD_UID, layout.PARTNER_UID):
            if not _litter(folders):
                return
            self.helper("tools.box.files", "sweep", [folders], uid=uid)
            if self.separate:
                break
        if left := _litter(folders):
            raise Failure("not_swept", f"left behind: {', '.join(left)[:500]}")


def _litter(folders: list[str]) -> list[str]:
    found = []
    for folder in folders:
        try:
            found += [f"{folder}/{name}" for name in os.listdir(folder)]
        except OSError:
            continue
    for kind in ("shm", "msg", "sem"):
        try:
            if limits.kernel_text(f"/proc/sysvipc/{kind}").count("\n") > 1:
                found.append(f"SysV {kind}")
        except OSError:
            continue
    return found


def memory_file(data: bytes) -> int:
    """Descriptor of an anonymous file that holds ``data``, at its start."""
    fd = os.memfd_create("data", os.MFD_CLOEXEC)
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]
    os.lseek(fd, 0, os.SEEK_SET)
    return fd


def socket_pair() -> tuple[socket.socket, socket.socket]:
    """Two ends of a stream between processes of the box."""
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
