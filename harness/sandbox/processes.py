"""bubblewrap boxes as processes of the host: found by the marker on their command line."""

from __future__ import annotations

import contextlib
import os
import time

import psutil

from harness.errors import ConflictError
from harness.sandbox.owner import Owner, me
from harness.words import counted

GONE_S = 10.0
_PREFIX = "proctor;"


def marker(name: str, run_id: str, who: Owner) -> str:
    """What a box's command line says of it."""
    return f"{_PREFIX}{name};{run_id};{who}"


def _parse(command: list[str]) -> tuple[str, str, Owner] | None:
    for text in command:
        parts = text.split(";")
        if text.startswith(_PREFIX) and len(parts) == 4:
            who = Owner.parse(parts[3])
            return None if who is None else (parts[1], parts[2], who)
    return None


def _ownerless(run_id: str | None) -> list[tuple[int, str]]:
    found = []
    for process in psutil.process_iter(["pid", "name", "cmdline"]):
        if process.info["name"] != "bwrap":
            continue
        told = _parse(process.info["cmdline"] or [])
        if told is None or (run_id is not None and told[1] != run_id):
            continue
        if told[2].provably_gone() or (run_id is not None and told[2] == me()):
            found.append((process.info["pid"], told[0]))
    return found


def clean(run_id: str | None) -> list[str]:
    """Kill boxes that are ours and ownerless; as ``sweep.clean``. Raises ConflictError."""
    removed: list[str] = []
    deadline, empty = time.monotonic() + GONE_S, 0
    while empty < 2:
        found = _ownerless(run_id)
        if found and time.monotonic() > deadline:
            raise ConflictError(f"could not be ended: {counted(len(found), 'box', 'boxes')}")
        for pid, name in found:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, 9)
            if name not in removed:
                removed.append(name)
        empty = 0 if found else empty + 1
        time.sleep(0.02)
    return removed
