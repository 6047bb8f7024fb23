"""Passing tool calls to the process that runs them, and watching that it answers."""

from __future__ import annotations

import json
import select
import socket
import time
from typing import Any

from tools.box import layout
from tools.box.children import Children, socket_pair
from tools.box.inbox import EndOfInput, Inbox
from tools.wire import encode

_TOOL_CPU_S = 24 * 3600.0  # the host lives as long as its box; each call has a clock of its own


class Tooling:
    """Starts the tool host on the first call and again after anything that killed it."""

    def __init__(self, inbox: Inbox, children: Children, hello: dict[str, Any]) -> None:
        self.inbox = inbox
        self.children = children
        self._protocol = hello["tool_protocol"]
        self._lint = hello.get("lint") or {}
        self._sock: socket.socket | None = None
        self._answers: Inbox | None = None
        self._poll = select.poll()

    def stop(self) -> None:
        """Close the host's socket; the processes themselves go with the next clear."""
        if self._sock is not None:
            self._sock.close()
            self._sock = self._answers = None
            self.children.clear()
            self.children.ended.clear()

    def _start(self) -> None:
        ours, theirs = socket_pair()
        task = {
            "argv": [],
            "module": "tools.box.toolhost",
            "function": "serve",
            "args": [f"{layout.TREES}/work", self._protocol, self._lint],
            "cwd": f"{layout.TREES}/work",
            "uid": layout.CHILD_UID,
            "cpu_s": _TOOL_CPU_S,
            "fds": [5, 1, 2],
        }
        self.children.start(task, (theirs.fileno(), 2, 2))
        theirs.close()
        self._sock, self._answers = ours, Inbox(ours.fileno())
        self._poll = select.poll()
        self._poll.register(self.inbox.fd, select.POLLIN)
        self._poll.register(ours, select.POLLIN)

    def call(self, header: dict[str, Any]) -> bytes:
        """One call; returns the whole answer frame. A host that dies or hangs is ended."""
        if self._sock is None:
            self._start()
        assert self._sock is not None and self._answers is not None
        ident = header["id"]
        request = {"id": ident, "name": header["name"], "arguments": header["arguments"]}
        deadline = time.monotonic() + header["timeout_s"]
        try:
            self._sock.sendall(json.dumps(request).encode() + b"\n")
            while (answer := self._answers.frame()) is None:
                left = deadline - time.monotonic()
                if left <= 0:
                    raise TimeoutError
                for fd, _ in self._poll.poll(left * 1000):
                    if fd == self.inbox.fd:
                        self.inbox.fill()
                    else:
                        self._answers.fill()
        except TimeoutError:
            return self._failed(ident, "tool_timeout", "the tool did not end in time")
        except EndOfInput:
            if self._answers is None or not _hung_up(self._sock):
                raise
            return self._failed(ident, "tool_died", "the tool's process died")
        except (OSError, ValueError) as error:
            return self._failed(ident, "tool_died", f"the tool's process failed: {error}")
        if answer[0].get("id") != ident:
            return self._failed(ident, "tool_died", "the tool's process answered out of turn")
        return encode(answer[0], answer[1])

    def _failed(self, ident: int, kind: str, message: str) -> bytes:
        self.stop()
        return encode({"id": ident, "ok": False, "error": {"kind": kind, "message": message}})


def _hung_up(sock: socket.socket) -> bool:
    poll = select.poll()
    poll.register(sock, 0)
    return bool(poll.poll(0))
