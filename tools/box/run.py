"""The operation ``run``: one child (and its partner) from start to a report."""

from __future__ import annotations

import json
import os
import signal
from contextlib import ExitStack
from typing import Any

from tools.box import layout, limits
from tools.box.children import Children, Failure, memory_file, socket_pair
from tools.box.inbox import Inbox
from tools.box.supervise import FLOOD_FACTOR, Bounds, Capture, Lines, Supervisor, drain

PARTNER_FD = 5
_DISPATCH = f"""
import sys
sys.path.insert(0, {layout.ARCHIVE!r})
from tools.__main__ import main
sys.exit(main())
"""


def run_child(
    inbox: Inbox, children: Children, header: dict[str, Any], payload: bytes
) -> tuple[dict[str, Any], bytes]:
    """Run what ``header`` describes with ``payload`` as its standard input. Raises Failure."""
    with ExitStack() as stack:
        return _run(stack, inbox, children, header, payload)


def _pipe(stack: ExitStack) -> tuple[int, int]:
    """A pipe whose read end does not block and is closed with ``stack``."""
    reading, writing = os.pipe2(os.O_CLOEXEC)
    os.set_blocking(reading, False)
    stack.callback(os.close, reading)
    return reading, writing


def _task(spec: dict[str, Any], uid: int, fds: list[int]) -> dict[str, Any]:
    """The spawner's task for a child's spec: forked warm, or a new interpreter, or a command."""
    argv, module = list(spec["argv"]), None
    if spec["program"] is not None:
        if spec.get("warm"):
            module = f"tools.testing.{spec['program']}"
        else:
            python = layout.PYTHON if os.path.exists(layout.PYTHON) else "python3"
            argv = [python, "-P", "-s", "-B", "-c", _DISPATCH, spec["program"]]
    cwd = os.path.normpath(os.path.join(layout.TREES, spec["cwd"]))
    return {
        "argv": argv,
        "module": module,
        "function": "main",
        "args": [],
        "cwd": cwd,
        "uid": uid,
        "cpu_s": spec["cpu_s"],
        "fds": fds,
    }


def _run(
    stack: ExitStack, inbox: Inbox, children: Children, spec: dict[str, Any], payload: bytes
) -> tuple[dict[str, Any], bytes]:
    before = limits.read_counters()
    out, out_end = _pipe(stack)
    err, err_end = _pipe(stack)
    results, results_end = _pipe(stack)
    captures = [Capture(out, spec["output_bytes"]), Capture(err, spec["output_bytes"])]
    lines = Lines(results, spec["results_bytes"])
    config = memory_file(json.dumps(spec["config"]).encode())
    given = [memory_file(payload), out_end, err_end, config, results_end]
    numbers = [0, 1, 2, 3, 4]

    confinement = children.confinement
    bounds = Bounds(
        wall_s=spec["wall_s"],
        cpu_s=spec["cpu_s"],
        flood=FLOOD_FACTOR * spec["output_bytes"],
        memory=confinement.memory,
        counted=not children.separate,
        inodes=confinement.inodes(),
    )
    own = {1, os.getpid(), children.spawner_pid}
    supervisor = Supervisor(bounds, own, layout.TREES)
    partner = None
    if spec.get("partner"):
        partner, partner_end = _start_partner(stack, children, spec["partner"], captures)
        given.append(partner_end)
        numbers.append(PARTNER_FD)
    main = children.start(_task(spec, layout.CHILD_UID, numbers), given)
    for fd in given:
        os.close(fd)
    supervisor.watch(
        captures,
        lines,
        [(inbox.fd, children.hear), (children.sock.fileno(), children.receive)],
        ended=lambda: main in children.ended,
        stop=lambda: children.kill(main),
    )
    wall_s = supervisor.wall_s
    full = limits.full((layout.TREES, *(() if children.separate else ("/tmp", "/dev/shm"))))
    leftovers = children.clear()
    drain([*captures, lines])
    report = children.ended.pop(main)
    partner_report = None if partner is None else children.ended.pop(partner, None)
    after = limits.read_counters()
    children.sweep(trees=bool(spec.get("reset")))
    for each in (report, partner_report):
        if each is not None and "failed" in each:
            raise Failure("spawn_failed", each["failed"])

    code, number, stopped = _ending(report, supervisor.stopped)
    # no counter here: so near the limit, which counts the server's own too, a fork was refused
    crowded = (
        children.separate and supervisor.peak_threads >= confinement.pids - layout.SERVER_PROCESSES
    )
    answer: dict[str, Any] = {
        "exit_code": code,
        "signal": number,
        "stopped": stopped,
        "oom_kills": _rise(before.oom_kills, after.oom_kills) + (stopped == "memory"),
        "pids_refused": _rise(before.pids_refused, after.pids_refused) + crowded,
        "disk_full": bool(full or report["full"] or supervisor.disk_full),
        "results_truncated": lines.truncated,
        "leftovers": leftovers + report["leftovers"],
        "wall_s": round(wall_s, 6),
        "cpu_s": round(_cpu(before.cpu_s, after.cpu_s, report, supervisor), 6),
        "peak_memory": max(report["rss"], supervisor.peak_memory),
    }
    if partner_report is not None:
        answer["partner_exit"] = os.waitstatus_to_exitcode(partner_report["status"])
    parts = {
        "stdout": captures[0].text(),
        "stderr": captures[1].text(),
        "results": lines.whole(),
    }
    answer["sizes"] = {name: len(data) for name, data in parts.items()}
    return answer, b"".join(parts.values())


def _start_partner(
    stack: ExitStack, children: Children, spec: dict[str, Any], captures: list[Capture]
) -> tuple[int, int]:
    """Start the partner; returns its id and the main child's end of the socket between them."""
    ours, theirs = socket_pair()
    given = [memory_file(b""), memory_file(json.dumps(spec["config"]).encode())]
    out, out_end = _pipe(stack)
    captures.append(Capture(out, spec["output_bytes"]))
    ends = [*given, out_end, theirs.detach()]
    task = _task({**spec, "cwd": "/tmp"}, layout.PARTNER_UID, [0, 3, 1, PARTNER_FD])
    ident = children.start(task, ends)
    for fd in ends:
        os.close(fd)
    return ident, ours.detach()


def _ending(
    report: dict[str, Any], stopped: str | None
) -> tuple[int | None, int | None, str | None]:
    """Exit code, signal and reason; a child that we stopped has neither of the first two."""
    code = os.waitstatus_to_exitcode(report["status"])
    if stopped is not None:
        return None, None, stopped
    if code == -signal.SIGXCPU:
        return None, None, "cpu"
    return (code, None, None) if code >= 0 else (None, -code, None)


def _rise(before: int | None, after: int | None) -> int:
    return 0 if before is None or after is None else max(0, after - before)


def _cpu(
    before: float | None, after: float | None, report: dict[str, Any], supervisor: Supervisor
) -> float:
    if before is not None and after is not None:
        return after - before
    return max(float(report["cpu"]), supervisor.cpu_s)
