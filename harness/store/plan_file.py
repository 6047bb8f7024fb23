"""``plan.json``: read with its digest checked against the sessions that carried it out."""

from __future__ import annotations

import json
from pathlib import Path

from pydantic import ValidationError

from harness.errors import ConflictError, StorageError, UsageError
from harness.ids import canonical_json, sha256_hex
from harness.plan import PLAN_VERSION, Plan
from harness.store import layout
from harness.store.faults import storage_error
from harness.store.sessions import SessionFiles


def read_plan(folder: Path) -> tuple[Plan, str]:
    """The plan of a run folder and its digest.

    The digest is taken of what the file says, not of what this version would write. Raises
    UsageError (no run, or of a newer version), StorageError (unreadable), ConflictError (edited).
    """
    path = folder / layout.PLAN
    try:
        content = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise UsageError(
            "not a run folder: it has no plan.json",
            where=str(folder),
            remedy="proctor runs lists the runs",
        ) from None
    except OSError as error:
        raise storage_error(error, path) from error
    try:
        said = json.loads(content.decode("utf-8", "surrogatepass"))
        digest = sha256_hex(canonical_json(said))
    except (ValueError, RecursionError) as error:
        raise StorageError(f"the plan cannot be read: {error}", where=str(path)) from None
    version = said.get("version") if isinstance(said, dict) else None
    if isinstance(version, int) and version > PLAN_VERSION:
        raise UsageError(
            f"the run was made by a newer version of Proctor (plan version {version})",
            where=str(folder),
            remedy="update Proctor to open it",
        )
    try:
        plan = Plan.model_validate(said)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        raise StorageError(f"{field}: {first['msg']}", where=str(path)) from None
    sessions = SessionFiles(folder)
    known = [sessions.read(number).plan for number in sessions.numbers()]
    if digest not in known:
        raise ConflictError(
            "plan.json was changed after it was sealed: its digest is not the recorded one",
            where=str(path),
            remedy="restore the file, or begin a new run",
        )
    return plan, digest
