"""The trusted half of a split judge: checks run here, each job's candidate in a process beside.

Jobs arrive on descriptor 5: eight bytes of length with the link to the candidate as a descriptor,
then JSON (``source``, ``setup``, ``checks``, ``groups``, ``entry_point``, ``names``, ``seed``,
``memory``). Tests find ``bounded``, for values of theirs that may be too large to compare. Lines
back: ``failed`` for the first check that fails; ``at`` where the candidate keeps one waiting. The
last line of a job is one of ``end``, ``syntax`` or ``failed_load`` (it did not load), ``gone``,
``forged``, ``left`` (how the candidate ended), each with the counts.
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
from tools.testing.large_values import bounded
from tools.testing.plain_values import NotPlain
from tools.testing.remote_objects import Candidate, EndedItself, Forged, Gone, raised
from tools.testing.seen_checks import compiled, values
from tools.testing.split_link import Link

SETUP, CHECK = "<tests>", "<check>"
TEXT = 2_000
JOBS_FD = 5
RECURSION = 4_000  # values that nest deeply are decoded here
DIGITS = 100_000  # of an integer as text: a longer one keeps the judge busy, by its square


class Judge:
    """One job from loading to its counts."""

    def __init__(self, job: dict[str, Any], link: int, emit: Emit) -> None:
        self.job = job
        self.emit = emit
        self.at = 0
        self.passed: dict[str, int] = {name: 0 for name, _ in job["groups"]}
        self.failed: dict[str, Any] | None = None
        self.told = -1
        self.loaded = False
        self.link = Link(link, self.waiting)
        self.candidate = Candidate(self.link)

    def waiting(self) -> None:
        """The candidate takes its time: say where, in case it never comes back."""
        if self.told != self.at:
            self.told = self.at
            self.emit({"type": "at", "check": self.at, "passed": self.passed})

    def run(self) -> None:
        """All of it; the last line says how it ended."""
        last: dict[str, Any] = {"type": "end"}
        try:
            unloaded = self._load()
            if unloaded is not None:
                last = unloaded
            elif self.failed is None:
                self._check_all()
        except Gone:
            last = {"type": "gone"}
        except Forged as error:
            last = {"type": "forged", "text": str(error)}
        except MemoryError:  # what came was larger than it looked
            last = {"type": "failed_load", "kind": "MemoryError", "text": "the answer's values"}
        except EndedItself as error:
            last = {"type": "left", "text": clip(str(error), TEXT)}
        self.link.close()
        self.emit({**last, "check": self.at, "loaded": self.loaded, "passed": self.passed})

    def _load(self) -> dict[str, Any] | None:
        """Bring candidate and tests up; the last line where the candidate does not load."""
        job = self.job
        found = self.candidate.load(job["source"], job["seed"], job["names"], job["memory"])
        if isinstance(found, list):
            return self._not_loaded(found)
        self.loaded = True
        self.space: dict[str, Any] = {"__name__": "__tests__", "bounded": bounded}
        random.seed(job["seed"])
        self.space.update(found)
        if job["entry_point"] in found:
            self.space["candidate"] = found[job["entry_point"]]
        try:
            exec(compiled(job["setup"], SETUP), self.space)
        except Exception as error:  # tests that need what the candidate lacks fail all at once
            self._fail(error, job["setup"][:200])
        # Helpers of the prompt are the judge's own; what is asked for is the candidate's.
        self.space.update(found)
        return None

    def _not_loaded(self, answer: list[Any]) -> dict[str, Any]:
        if answer[0] == "syntax":
            return {"type": "syntax", "text": clip(f"{answer[1]}: {answer[2]}", TEXT)}
        if answer[0] == "foreign":
            return {"type": "failed_load", "text": str(answer[1])[:TEXT], "kind": "NotPlain"}
        error = raised(answer)
        if isinstance(error, EndedItself):
            raise error
        kind = str(answer[1][0])[:200] if answer[1] else "?"
        return {"type": "failed_load", "text": clip(f"{kind}: {answer[2]}", TEXT), "kind": kind}

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
    sys.set_int_max_str_digits(DIGITS)
    sock = socket.socket(fileno=JOBS_FD)
    while True:
        sys.setrecursionlimit(RECURSION)
        head, fds, _, _ = socket.recv_fds(sock, 8, 1)
        if len(head) < 8 or not fds:
            return
        job = json.loads(_exactly(sock, int.from_bytes(head, "big")))
        Judge(job, fds[0], emit).run()


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
