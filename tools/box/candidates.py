"""The operation ``candidate``: one job of a split judge, with a judge that outlives its jobs.

The judge runs trusted text only, so it is kept from job to job; the candidate is a fresh child
each time, of a uid (or namespaces) from which it can neither signal nor read the judge. When its
judge is done a candidate ends by itself; one that does not, or that leaves a process behind (in
namespaces: or a trace in a folder), has everything in the box killed, the judge too, which is then
started anew.
"""

from __future__ import annotations

import array
import os
import select
import socket
import time
from typing import Any

from tools.box import layout, limits, spawner
from tools.box.children import Children, Failure, Spawned, socket_pair
from tools.box.inbox import Inbox
from tools.box.supervise import Bounds, Capture, Lines, Supervisor, drain

LINK_FD = 5
JOBS = 500  # a judge is started anew after so many, so that nothing can pile up in it
_LOOK = 20  # in namespaces: what the judge uses is looked up before every so many
_FOREVER_S = 24 * 3600.0
_LEAVE_S = 0.25  # a candidate's time to end by itself, and a judge's to say how it was
_OWN_TASKS = 4  # the server and its watch, the spawner, the judge
_LAST = (b'"end"', b'"gone"', b'"forged"', b'"left"', b'"syntax"', b'"failed_load"')


class Candidates:
    """Keeps the judge; one job at a time."""

    def __init__(self, inbox: Inbox, children: Children) -> None:
        self.inbox = inbox
        self.children = children
        self.nursery: Spawned = children  # the spawner of candidates
        self._judge: int | None = None
        self._sock: socket.socket | None = None
        self._jobs = 0
        self._base: limits.Usage | None = None

    def stop(self) -> None:
        """Forget the judge, which goes with the next clear."""
        if self._sock is not None:
            self._sock.close()
        if self.nursery is not self.children:
            self.nursery.sock.close()
            self.nursery = self.children
        self._sock = self._judge = None

    def _start(self) -> None:
        self._clear()
        ours, theirs = socket_pair()
        ours.setblocking(False)
        self._judge = self._child(_task("run_judge", layout.CHILD_UID, "/"), theirs.detach(), 2)
        self._sock, self._jobs = ours, 0
        if self.children.separate:
            self.nursery = self._open_nursery()

    def _open_nursery(self) -> Spawned:
        """Raises Failure with the reason where it does not come up."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        task = _task("nursery", layout.CHILD_UID, "/") | {
            "module": "tools.box.spawner",
            "function": "nursery",
            "first": True,
        }
        ident = self._child(task, theirs.detach(), 2)
        spawner.send(ours, {"op": "clear"})
        if spawner.receive(ours) is None:
            while ident not in self.children.ended:
                self.children.receive()
            report = self.children.ended.pop(ident)
            raise Failure("spawn_failed", report.get("failed", "the nursery ended at its start"))
        return Spawned(ours)

    def _child(self, task: dict[str, Any], link: int, out: int) -> int:
        """Start a child with its link, and where its output goes. All but 2 are closed here."""
        given = [out, link]
        spawned = self.nursery if task["uid"] == layout.PARTNER_UID else self.children
        ident = spawned.start(task, given)
        for fd in given:
            if fd > 2:
                os.close(fd)
        return ident

    def _clear(self) -> int:
        self.stop()
        leftovers = self.children.clear()
        self.children.ended.clear()
        return leftovers

    def judge(self, spec: dict[str, Any], job: bytes) -> tuple[dict[str, Any], bytes]:
        """Run one job. Raises Failure where something of it could not be removed."""
        children = self.children
        if self._sock is None or self._jobs >= JOBS:
            self._start()
        assert self._sock is not None
        self._jobs += 1
        before = limits.read_counters()
        own = {1, os.getpid(), children.spawner_pid}
        if children.separate and self._jobs % _LOOK == 1:
            self._base = limits.survey(own)
        supervisor = Supervisor(self._bounds(spec), own, layout.TREES, self._base)
        out, out_end = os.pipe2(os.O_CLOEXEC)
        os.set_blocking(out, False)
        capture = Capture(out, spec["output_bytes"])
        lines = _Results(self._sock.fileno(), spec["results_bytes"])
        ours, theirs = socket_pair()
        task = _task("run_candidate", layout.PARTNER_UID, "/tmp", spec["cpu_s"])
        candidate = self._child(task, theirs.detach(), out_end)
        try:
            self._send(job, ours)
            self._watch(supervisor, capture, lines, candidate)
            full = limits.full((layout.TREES, *(() if children.separate else ("/tmp", "/dev/shm"))))
            report, leftovers = self._bury(candidate, supervisor, lines)
            drain([capture])
        finally:
            ours.close()
            os.close(out)
        wall_s = supervisor.wall_s
        after = limits.read_counters()
        children.sweep(trees=True)
        if "failed" in report:
            raise Failure("spawn_failed", report["failed"])
        crowded = (
            children.separate
            and supervisor.peak_threads >= children.confinement.pids - layout.SERVER_PROCESSES
        )
        cpu = None
        if before.cpu_s is not None and after.cpu_s is not None:
            cpu = after.cpu_s - before.cpu_s
        answer = {
            "stopped": supervisor.stopped,
            "candidate_exit": os.waitstatus_to_exitcode(report["status"]),
            "judge_ended": lines.judge_ended,
            "oom_kills": _rise(before.oom_kills, after.oom_kills)
            + (supervisor.stopped == "memory"),
            "pids_refused": _rise(before.pids_refused, after.pids_refused) + crowded,
            "disk_full": bool(full or report["full"] or supervisor.disk_full),
            "results_truncated": lines.truncated,
            "leftovers": leftovers + report["leftovers"],
            "wall_s": round(wall_s, 6),
            "cpu_s": round(cpu if cpu is not None else max(report["cpu"], supervisor.cpu_s), 6),
            "peak_memory": max(report["rss"], supervisor.peak_memory),
        }
        parts = {"stdout": capture.text(), "results": lines.whole()}
        answer["sizes"] = {name: len(data) for name, data in parts.items()}
        return answer, b"".join(parts.values())

    def _bounds(self, spec: dict[str, Any]) -> Bounds:
        confinement = self.children.confinement
        return Bounds(
            wall_s=spec["wall_s"],
            cpu_s=spec["cpu_s"],
            flood=spec["flood_bytes"],
            memory=confinement.memory,
            counted=not self.children.separate,
            inodes=confinement.inodes(),
        )

    def _send(self, job: bytes, link: socket.socket) -> None:
        """The job's bytes, with the judge's end of its link to the candidate."""
        assert self._sock is not None
        ancillary = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [link.fileno()]))]
        data = memoryview(len(job).to_bytes(8, "big") + job)
        try:
            self._sock.setblocking(True)
            self._sock.settimeout(20.0)
            sent = self._sock.sendmsg([data], ancillary)
            self._sock.sendall(data[sent:])
            self._sock.setblocking(False)
        except OSError as error:
            self._clear()
            raise Failure("judge_died", f"the judge takes no job: {error}") from None
        finally:
            link.close()

    def _watch(
        self, supervisor: Supervisor, capture: Capture, lines: _Results, candidate: int
    ) -> None:
        """Until the judge has said its last line, one of the two ended, or a limit was met."""
        children, judge = self.children, self._judge
        supervisor.watch(
            [capture],
            lines,
            [(self.inbox.fd, children.hear), *self._reports()],
            ended=lambda: (
                lines.last
                or judge in children.ended
                or candidate in self.nursery.ended
                or supervisor.stopped is not None
            ),
            stop=lambda: None,
        )
        if candidate in self.nursery.ended and judge not in children.ended and not lines.last:
            # The judge learns of it from its link and says so.
            self._until(lambda: lines.last or judge in children.ended, lines)

    def _until(self, done: Any, lines: _Results | None) -> None:
        """Take what comes for a moment, or until ``done``."""
        deadline = time.monotonic() + _LEAVE_S
        poll = select.poll()
        reports = dict(self._reports())
        for fd in reports:
            poll.register(fd, select.POLLIN)
        if lines is not None:
            poll.register(lines.fd, select.POLLIN)
        while not done() and (left := deadline - time.monotonic()) > 0:
            for fd, _ in poll.poll(left * 1000):
                if lines is not None and fd == lines.fd:
                    if not lines.read():
                        poll.unregister(fd)
                else:
                    reports[fd]()

    def _reports(self) -> list[tuple[int, Any]]:
        """Where spawners report, with what hears them."""
        found = [(self.children.sock.fileno(), self.children.receive)]
        if self.nursery is not self.children:
            found.append((self.nursery.sock.fileno(), self.nursery.receive))
        return found

    def _bury(
        self, candidate: int, supervisor: Supervisor, lines: _Results
    ) -> tuple[dict[str, Any], int]:
        """The candidate's end, and how many processes it left; all of them are gone then."""
        children, nursery = self.children, self.nursery
        if supervisor.stopped is None and not lines.judge_ended:
            self._until(lambda: candidate in nursery.ended, None)
        if candidate in nursery.ended and self._judge not in children.ended:
            report = nursery.ended[candidate]
            if self._quiet(report):
                return nursery.ended.pop(candidate), 0
        if supervisor.stopped is not None or self._judge in children.ended:
            lines.read()
        lines.judge_ended = lines.judge_ended or self._judge in children.ended
        left = 0 if nursery is children else nursery.clear()
        self.stop()
        left += children.clear()
        report = nursery.ended.pop(candidate)
        children.ended.clear()
        return report, left

    def _quiet(self, report: dict[str, Any]) -> bool:
        """Whether only the box's own processes are left, and nothing that the next could find."""
        if self.children.separate:
            return not report["leftovers"] and not report.get("touched", True)
        return limits.tasks() == _OWN_TASKS


class _Results(Lines):
    """The judge's lines of one job, on the socket that stays open for the next."""

    def __init__(self, fd: int, cap: int) -> None:
        super().__init__(fd, cap)
        self.last = False
        self.judge_ended = False

    def read(self) -> bool:
        """Take what is there; False when the judge is gone."""
        try:
            if not super().read():
                self.judge_ended = True
                return False
        except OSError:
            self.judge_ended = True
            return False
        end = self.whole()
        if len(end) == len(self._data) and end:
            final = end[end.rfind(b"\n", 0, -1) + 1 :]
            self.last = final.startswith(b'{"type": ') and final[9:].startswith(_LAST)
        return True


def _task(program: str, uid: int, cwd: str, cpu_s: float = _FOREVER_S) -> dict[str, Any]:
    return {
        "argv": [],
        "module": f"tools.testing.{program}",
        "function": "main",
        "args": [],
        "cwd": cwd,
        "uid": uid,
        "cpu_s": cpu_s,
        "fds": [1, LINK_FD],  # and the null device to read from
    }


def _rise(before: int | None, after: int | None) -> int:
    return 0 if before is None or after is None else max(0, after - before)
