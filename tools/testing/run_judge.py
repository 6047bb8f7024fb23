"""The trusted half of a split judge: checks run here, each job's candidate in a process beside.

Jobs arrive on descriptor 5: eight bytes of length with the link to the candidate as a descriptor,
then JSON (``source``, ``setup``, ``checks``, ``groups``, ``entry_point``, ``names``, ``seed``,
``memory``). Lines back: ``begin``; ``loaded``; ``failed`` for the first check that fails; ``at``
with the counts where the candidate keeps one waiting. The last line of a job is one of ``end``
(with the counts), ``syntax`` or ``failed_load`` (it did not load), ``gone``, ``forged``, ``left``
(how the candidate ended).
"""

from __future__ import annotations

# Loaded before the fork that becomes a judge: what the checks of the classic suites import.
import collections  # noqa: F401
import copy  # noqa: F401
import itertools  # noqa: F401
import json
import linecache  # noqa: F401
import math  # noqa: F401
import random
import socket
import sys
import typing  # noqa: F401
from typing import Any

from tools.testing.channel import Emit, clip, emitter
from tools.testing.plain_values import NotPlain
from tools.testing.remote_objects import Candidate, EndedItself, Forged, Gone, raised
from tools.testing.seen_checks import compiled, values
from tools.testing.split_link import Link

SETUP, CHECK = "<tests>", "<check>"
TEXT = 2_000
JOBS_FD = 5
RECURSION = 4_000  # values that nest deeply are decoded here


class Judge:
    """One job from loading to its counts."""

    def __init__(self, job: dict[str, Any], link: Link, emit: Emit) -> None:
        self.job = job
        self.emit = emit
        self.at = 0
        self.passed: dict[str, int] = {name: 0 for name, _ in job["groups"]}
        self.failed: dict[str, Any] | None = None
        self.told = -1
        self.candidate = Candidate(link, self.waiting)

    def waiting(self) -> None:
        """The candidate takes its time: say where, in case it never comes back."""
        if self.told != self.at:
            self.told = self.at
            self.emit({"type": "at", "check": self.at, "passed": self.passed})

    def run(self) -> None:
        """All of it; every way to end is one last line."""
        try:
            if not self._load():
                return
            self._check_all()
            self.emit({"type": "end", "passed": self.passed})
        except Gone:
            self.emit({"type": "gone", "check": self.at, "passed": self.passed})
        except Forged as error:
            self.emit({"type": "forged", "text": str(error), "passed": self.passed})
        except EndedItself as error:
            text = clip(str(error), TEXT)
            line = {"type": "left", "check": self.at, "text": text, "passed": self.passed}
            self.emit(line)

    def _load(self) -> bool:
        job = self.job
        if job["memory"]:
            self.candidate.limit(job["memory"])
        found = self.candidate.load(job["source"], job["seed"], job["names"])
        if isinstance(found, list):
            self._not_loaded(found)
            return False
        self.emit({"type": "loaded"})
        self.space: dict[str, Any] = {"__name__": "__tests__"}
        random.seed(job["seed"])
        self.space.update(found)
        if job["entry_point"] in found:
            self.space["candidate"] = found[job["entry_point"]]
        try:
            exec(compiled(job["setup"], SETUP), self.space)
        except Exception as error:  # tests that need what the candidate lacks fail all at once
            self._fail(error, job["setup"][:200])
            self.emit({"type": "end", "passed": self.passed})
            return False
        # Helpers of the prompt are the judge's own; what is asked for is the candidate's.
        self.space.update(found)
        return True

    def _not_loaded(self, answer: list[Any]) -> None:
        if answer[0] == "syntax":
            text = f"{answer[1]}: {answer[2]}"
            self.emit({"type": "syntax", "text": clip(text, TEXT)})
            return
        if answer[0] == "foreign":
            self.emit({"type": "failed_load", "text": str(answer[1])[:TEXT], "kind": "NotPlain"})
            return
        error = raised(answer)
        if isinstance(error, EndedItself):
            raise error
        kind = str(answer[1][0])[:200] if answer[1] else "?"
        self.emit({"type": "failed_load", "text": clip(f"{kind}: {answer[2]}", TEXT), "kind": kind})

    def _check_all(self) -> None:
        for name, count in self.job["groups"]:
            for _ in range(count):
                self._check(name, self.job["checks"][self.at])
                self.at += 1

    def _check(self, group: str, text: str) -> None:
        random.seed(self.job["seed"])
        self.candidate.seed = self.job["seed"]
        try:
            exec(compiled(text, CHECK), self.space)
        except Exception as error:  # whatever a check raises, it failed
            if self.failed is None:
                self._fail(error, text)
        else:
            self.passed[group] += 1

    def _fail(self, error: Exception, check: str) -> None:
        where, got, expected = values(error, {SETUP, CHECK})
        kind = getattr(error, "told_as", type(error).__name__)
        if where is not None and where.startswith(SETUP):
            lines = self.job["setup"].split("\n")
            number = int(where.rpartition(":")[2])
            check = lines[number - 1].strip() if number <= len(lines) else check
        asserted = isinstance(error, AssertionError)
        self.failed = {
            "type": "failed",
            "index": self.at,
            "check": clip(check, TEXT),
            "kind": kind,
            "got": got if asserted or isinstance(error, NotPlain) else None,
            "expected": expected if asserted else None,
            "error": clip(f"{kind}: {error}" if str(error) else kind, TEXT),
        }
        self.emit(self.failed)


def main() -> None:
    """Judge one job after another until the server is gone."""
    emit = emitter(JOBS_FD)
    sys.set_int_max_str_digits(0)
    sock = socket.socket(fileno=JOBS_FD)
    while True:
        sys.setrecursionlimit(RECURSION)
        head, fds, _, _ = socket.recv_fds(sock, 8, 1)
        if len(head) < 8 or not fds:
            return
        job = json.loads(_exactly(sock, int.from_bytes(head, "big")))
        emit({"type": "begin"})
        link = Link(fds[0])
        try:
            Judge(job, link, emit).run()
        finally:
            link.close()


def _exactly(sock: socket.socket, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        part = sock.recv(min(size - len(data), 1 << 20))
        if not part:
            return b""
        data += part
    return bytes(data)


if __name__ == "__main__":
    main()
