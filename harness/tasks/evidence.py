"""``evidence.json``: read, written, and whether it still speaks of the task as it is."""

from __future__ import annotations

import os
from pathlib import Path

from pydantic import ValidationError

from harness.errors import ConfigError
from harness.tasks.task import Evidence, RepoTask

FILE = "evidence.json"


def read_evidence(folder: Path) -> Evidence | None:
    """The evidence in a task's folder, None where there is none. Raises ConfigError."""
    path = folder / FILE
    try:
        return Evidence.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"]) or "file"
        raise ConfigError(
            f"{field}: {first['msg']}",
            where=str(path),
            remedy=f"make it again: proctor task validate {folder.name}",
        ) from None


def write_evidence(folder: Path, evidence: Evidence) -> None:
    """Write ``evidence.json`` by an atomic rename."""
    path = folder / FILE
    temporary = path.with_suffix(".json.new")
    temporary.write_text(evidence.model_dump_json(indent=2) + "\n", encoding="utf-8")
    os.replace(temporary, path)  # noqa: PTH105


def is_fresh(task: RepoTask) -> bool:
    """Whether core evidence was made for exactly this task."""
    return task.evidence is not None and task.evidence.core.subject == task.subject


def require_fresh(task: RepoTask) -> Evidence:
    """The task's evidence. Raises ConfigError with the command to run when missing or stale."""
    if task.evidence is not None and is_fresh(task):
        return task.evidence
    state = "no evidence" if task.evidence is None else "evidence for an older version of it"
    raise ConfigError(
        f"task {task.id} has {state}",
        where=str(task.root),
        remedy=f"run: proctor task validate {task.id}",
    )
