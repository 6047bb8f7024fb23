"""Which tasks a command on tasks speaks of."""

from __future__ import annotations

import fnmatch
import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harness.errors import ConfigError, UsageError
from harness.words import known_words

if TYPE_CHECKING:
    from harness.tasks.task import RepoTask

data_option = click.option(
    "--data", metavar="PATH", help="Folder of repositories instead of the shipped ones."
)


def task_roots(data: str | None) -> list[Path]:
    from harness.tasks.repository import default_roots

    if data is None:
        return default_roots()
    path = Path(data).expanduser()
    if not path.is_dir():
        raise UsageError("--data is no folder", where=str(path))
    return [path]


def chosen_tasks(
    globs: tuple[str, ...], data: str | None, broken: dict[str, ConfigError]
) -> dict[str, RepoTask]:
    """Tasks that match; those among them that cannot be loaded go to ``broken``, as do whole
    repositories, whose tasks nobody knows. Raises UsageError."""
    from harness.tasks.repository import load_tasks

    problems: dict[str, ConfigError] = {}
    tasks = load_tasks(task_roots(data), problems)
    chosen: dict[str, RepoTask] = {}
    for glob in globs or ("*",):
        found = {key: task for key, task in tasks.items() if fnmatch.fnmatchcase(key, glob)}
        wrong = {key: error for key, error in problems.items() if fnmatch.fnmatchcase(key, glob)}
        if not found and not wrong:
            raise _unknown(glob, tasks, problems, data)
        chosen |= found
        broken |= wrong
    return chosen


def one_task(task_id: str, data: str | None) -> RepoTask:
    broken: dict[str, ConfigError] = {}
    tasks = chosen_tasks((), data, broken)
    if task_id in broken:
        raise broken[task_id]
    if task_id not in tasks:
        raise _unknown(task_id, tasks, broken, data)
    return tasks[task_id]


def _unknown(
    text: str, tasks: Iterable[str], broken: dict[str, ConfigError], data: str | None
) -> UsageError:
    of = next((name for name in broken if text.startswith(f"{name}-")), None)
    if of is not None:
        return broken[of]
    near = known_words(text, [*tasks, *broken]) or ""
    see = f"proctor task list{f' --data {shlex.quote(data)}' if data else ''}"
    if near.startswith("did"):
        remedy = near
    elif broken:
        remedy = f"it may be in what cannot be loaded ({', '.join(list(broken)[:3])}): {see}"
    else:
        remedy = f"see: {see}"
    return UsageError(f"no task matches {text!r}", remedy=remedy)


def facts_of(task: RepoTask) -> dict[str, Any]:
    from harness.tasks.evidence import is_fresh

    evidence = "fresh" if is_fresh(task) else "missing" if task.evidence is None else "stale"
    if task.evidence_problem is not None:
        evidence = "malformed"
    return {
        "id": task.id,
        **task.describe(),
        "evidence": evidence,
        "files": len(task.start),
        "digest": task.digest,
    }
