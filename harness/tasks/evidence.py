"""``evidence.json``: read, written, and whether it still speaks of the task as it is."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

from pydantic import ValidationError

from harness.errors import ConfigError
from harness.sandbox.protocol import repos_dir
from harness.tasks.task import Evidence, RepoTask
from harness.toml_file import read_regular

FILE = "evidence.json"


def read_evidence(folder: Path) -> Evidence | None:
    """The evidence in a task's folder, None where there is none. Raises ConfigError."""
    path = folder / FILE
    try:
        if not os.path.lexists(path):
            return None
        return Evidence.model_validate_json(read_regular(path))
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"]) or "file"
        raise ConfigError(
            f"{field}: {first['msg']}",
            where=str(path),
            remedy=f"make it again: {command(folder)}",
        ) from None


def command(folder: Path) -> str:
    """The command that makes the evidence of the task in ``folder``, from wherever it is typed."""
    repository = folder.resolve().parents[1]
    shipped = repository.parent == repos_dir().resolve()
    data = "" if shipped else f" --data {shlex.quote(str(repository))}"
    return f"proctor task validate {folder.name}{data}"


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
    if task.evidence_problem is not None:
        raise task.evidence_problem
    state = "no evidence" if task.evidence is None else "evidence for an older version of it"
    raise ConfigError(
        f"task {task.id} has {state}",
        where=str(task.root),
        remedy=f"run: {command(task.root)}",
    )
