"""Deleting runs: which ones, how much they hold, and never one that a process works on."""

from __future__ import annotations

import os
import re
import secrets
import shutil
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from harness.errors import StorageError, UsageError
from harness.store import layout
from harness.store.faults import storage_error
from harness.store.lock import FolderLock
from harness.store.runs import RunInfo

_AGE = re.compile(r"(\d{1,6})\s*([hdw])")
_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}


def parse_age(text: str) -> timedelta:
    """``12h``, ``30d`` or ``8w``. Raises UsageError."""
    found = _AGE.fullmatch(text.strip().lower())
    if found is None:
        raise UsageError(f"{text!r} is no age", remedy="write 12h, 30d or 8w")
    return int(found[1]) * _UNITS[found[2]]


def to_prune(
    runs: Iterable[RunInfo],
    *,
    now: datetime,
    older_than: timedelta | None = None,
    failed: bool = False,
    keep: int | None = None,
) -> list[RunInfo]:
    """Of ``runs``, the newest first, those to delete: all conditions given hold for each.

    failed: no sample of it has a score. keep: the newest so many stay, whatever else. Runs at
    work, and folders that cannot be read (a newer version may have made them), always stay.
    """
    chosen = []
    for position, run in enumerate(runs):
        if run.state in ("running", "unreadable") or (keep is not None and position < keep):
            continue
        if older_than is not None and now - age_of(run) <= older_than:
            continue
        if failed and run.scored > 0:
            continue
        chosen.append(run)
    return chosen


def age_of(run: RunInfo) -> datetime:
    """When something of the run was written last."""
    latest = 0.0
    for name in (layout.PLAN, layout.RUN_LOG, layout.SAMPLES):
        with suppress(OSError):
            latest = max(latest, (run.path / name).stat().st_mtime)
    return datetime.fromtimestamp(latest, UTC)


def folder_bytes(folder: Path) -> int:
    """Bytes on disk of all files below ``folder``; links are not followed."""
    total = 0
    for place, _, files in os.walk(folder):
        for name in files:
            with suppress(OSError):  # deleted meanwhile
                total += (Path(place) / name).lstat().st_blocks * 512
    return total


def delete_run(path: Path) -> None:
    """Delete a run folder for good.

    Raises ConflictError when a process works on it, StorageError when it cannot be deleted.
    """
    if not (path / layout.PLAN).exists():
        raise UsageError("is no run folder", where=str(path))
    lock = FolderLock(path)
    lock.acquire()
    # Renamed first: whoever looks meanwhile sees the run whole, or not at all.
    doomed = path.with_name(f".deleted-{path.name[:120]}-{secrets.token_hex(3)}")
    try:
        path.rename(doomed)
        (doomed / layout.PLAN).unlink()  # what may be left after a crash is no run
    except OSError as error:
        raise storage_error(error, path) from error
    finally:
        lock.release()
    shutil.rmtree(doomed, ignore_errors=True)
    if doomed.exists():
        raise StorageError("could not be deleted whole", where=str(doomed))
