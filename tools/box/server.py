"""The box's main process: frames in on descriptor 0, frames out on descriptor 1.

It is the only process in the box that speaks with the harness, and no child can signal, trace or
read it. Operations: hello, ping, put_tree, tool, run, candidate, reset, snapshot,
exit.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from contextlib import suppress
from typing import Any, NoReturn

from tools.box import attest, watch
from tools.box.candidates import Candidates
from tools.box.children import Children, Failure
from tools.box.inbox import EndOfInput, Inbox
from tools.box.prepare import prepare
from tools.box.run import run_child
from tools.box.tooling import Tooling
from tools.wire import WireError, encode

Answer = tuple[dict[str, Any], bytes]


class Server:
    """State of an open box."""

    def __init__(self, inbox: Inbox, out: int) -> None:
        self.inbox = inbox
        self.out = out
        self.sealed = False
        self.children: Children
        self.tooling: Tooling
        self.candidates: Candidates

    def serve(self) -> NoReturn:
        """Answer frames until the input ends."""
        try:
            while True:
                header, payload = self.inbox.wait()
                self._answer(header, payload)
        except EndOfInput:
            os._exit(0)
        except WireError as error:
            print(f"bad frame: {error}", file=sys.stderr, flush=True)
            os._exit(2)

    def _answer(self, header: dict[str, Any], payload: bytes) -> None:
        ident, name = header.get("id"), header.get("op")
        if name == "exit":
            os._exit(0)
        if name == "tool" and not self.sealed:
            self._write(self.tooling.call(header))
            return
        operation = getattr(self, f"op_{name}", None)
        try:
            if operation is None:
                raise Failure("unknown_operation", f"no operation {str(name)[:50]!r}")
            if self.sealed and name not in ("ping", "snapshot"):
                raise Failure("sealed", "the box takes no further calls after its snapshot")
            answer, data = operation(header, payload)
            frame = encode({"id": ident, "ok": True, **answer}, data)
        except Failure as failure:
            error = {"kind": failure.kind, "message": str(failure)[:4000]}
            frame = encode({"id": ident, "ok": False, "error": error})
        self._write(frame)

    def _write(self, frame: bytes) -> None:
        view = memoryview(frame)
        while view:
            view = view[os.write(self.out, view) :]

    def op_ping(self, header: dict[str, Any], payload: bytes) -> Answer:
        return {}, b""

    def op_hello(self, header: dict[str, Any], payload: bytes) -> Answer:
        if header.get("processor") is not None:
            _stay_on(header["processor"])
        confinement = prepare(header)
        self.children = Children(self.inbox, confinement, close=(self.inbox.fd, self.out))
        self.tooling = Tooling(self.inbox, self.children, header)
        self.candidates = Candidates(self.inbox, self.children)
        limits = header["limits"]
        watch.start(self.inbox, lifetime_s=limits["lifetime_s"], heartbeat_s=limits["heartbeat_s"])
        signal.alarm(0)  # the bootstrap's, for a runner that stands still before this
        child = json.loads(self.children.helper("tools.box.attest", "child_facts", []))
        return {"facts": {**attest.facts(), "child": child}}, b""

    def op_put_tree(self, header: dict[str, Any], payload: bytes) -> Answer:
        self.children.helper("tools.box.files", "put", [header["folder"]], data=payload)
        return {}, b""

    def op_run(self, header: dict[str, Any], payload: bytes) -> Answer:
        self.tooling.stop()
        self.candidates.stop()
        return run_child(self.inbox, self.children, header, payload)

    def op_candidate(self, header: dict[str, Any], payload: bytes) -> Answer:
        self.tooling.stop()
        return self.candidates.judge(header, payload)

    def op_reset(self, header: dict[str, Any], payload: bytes) -> Answer:
        self.tooling.stop()
        self.candidates.stop()
        leftovers = self.children.clear()
        self.children.sweep(trees=True)
        return {"leftovers": leftovers}, b""

    def op_snapshot(self, header: dict[str, Any], payload: bytes) -> Answer:
        self.tooling.stop()
        self.candidates.stop()
        self.children.clear()
        self.sealed = True
        return {}, self.children.helper("tools.box.files", "get", [header["folder"]])


def _stay_on(number: int) -> None:
    """Use one processor of those that there are: processes that wait for one another lose more by
    waking each other across processors than they gain. Where it is forbidden they are slower."""
    with suppress(OSError):
        allowed = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {allowed[number % len(allowed)]})


def main() -> NoReturn:
    """Entry point of the bootstrap, with the archive already in place."""
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    inbox, out = Inbox(os.dup(0)), os.dup(1)
    null = os.open("/dev/null", os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    Server(inbox, out).serve()
