"""Validating tasks one after the other; each uses several boxes at a time by itself."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from harness.errors import ConfigError

if TYPE_CHECKING:
    from harness.tasks.task import RepoTask


async def validate_tasks(
    tasks: Sequence[RepoTask],
    *,
    sandbox: str | None,
    full: bool,
    say: Callable[[str], None],
) -> list[dict[str, Any]]:
    """A row for each task: task, valid, problem, seconds. Raises UsageError, ContainmentError,
    SandboxError."""
    from harness.config import load_config, resolve
    from harness.sandbox.select import choose
    from harness.tasks.validate import validate_core, validate_full

    name = resolve({"sandbox": sandbox}, os.environ, load_config())["sandbox"]
    languages = {task.repository.spec.language for task in tasks}
    rows: list[dict[str, Any]] = []
    if not tasks:
        return rows
    provider = await choose(name, {str(language) for language in languages})
    try:
        for number, task in enumerate(tasks, 1):
            say(f"[{number}/{len(tasks)}] {task.id} in {provider.name}")
            started = time.monotonic()
            problem = None
            try:
                await validate_core(task, provider)
                if full:
                    from harness.tasks.repository import load_tasks

                    # Core evidence was just written; full evidence is written beside it.
                    again = load_tasks([task.repository.root])[task.id]
                    await validate_full(again, provider)
            except ConfigError as error:
                problem = str(error)
            rows.append(
                {
                    "task": task.id,
                    "valid": problem is None,
                    "problem": problem,
                    "seconds": round(time.monotonic() - started, 2),
                }
            )
    finally:
        await provider.close()
    return rows
