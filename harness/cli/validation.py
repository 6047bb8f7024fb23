"""Validating many tasks: repositories first, then core, then full, level by level."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from harness.cli.levels import Proved, Say, prove_level
from harness.errors import ConfigError
from harness.words import counted

if TYPE_CHECKING:
    from harness.sandbox.shared import SharedBoxes
    from harness.tasks.task import Evidence, Repository, RepositoryEvidence, RepoTask

# chosen: the tasks, and repositories without fresh evidence; fresh: all of it anew; stale: only
# what has no fresh evidence.
Mode = Literal["chosen", "fresh", "stale"]


async def validate_tasks(
    tasks: Sequence[RepoTask],
    *,
    sandbox: str | None,
    full: bool,
    say: Say,
    jobs: int | None = None,
    mode: Mode = "chosen",
    write: bool = True,
) -> list[dict[str, Any]]:
    """A row for each task that had to be proved: task, valid, problem, seconds.

    With ``write`` evidence is written as soon as it is there, without it compared with what is
    there. ``jobs``: boxes at work at a time, as many as there are cores without it. Raises
    UsageError, ContainmentError, SandboxError.
    """
    from harness.config import load_config, resolve
    from harness.sandbox.select import choose
    from harness.sandbox.shared import shared_boxes

    name = resolve({"sandbox": sandbox}, os.environ, load_config())["sandbox"]
    if mode == "stale":
        tasks = _without_fresh(tasks, full, say)
    if not tasks:
        return []
    languages = {str(task.repository.spec.language) for task in tasks}
    provider = await choose(name, languages)
    try:
        async with shared_boxes(provider, jobs) as boxes:
            validation = _Validation(boxes, full, mode, write, say)
            return await validation.run(tasks)
    finally:
        await provider.close()


def _without_fresh(tasks: Sequence[RepoTask], full: bool, say: Say) -> list[RepoTask]:
    from harness.tasks.evidence import is_fresh, is_full

    is_done = is_full if full else is_fresh
    wanted = [task for task in tasks if not is_done(task)]
    say(f"fresh evidence: {len(tasks) - len(wanted)} of {counted(len(tasks), 'task')}")
    return wanted


def _compare(task: RepoTask, found: Evidence) -> None:
    """Raises ConfigError where the task's evidence is not fresh or says something else."""
    from harness.tasks.evidence import command, require_fresh

    known = require_fresh(task).core
    changed = sorted(set(known.fail_to_pass) ^ set(found.core.fail_to_pass))
    if changed:
        raise ConfigError(
            f"evidence.json is not what was found: it differs in {changed[0]} "
            f"({counted(len(changed), 'test')} in all)",
            where=str(task.root),
            remedy=f"make it again: {command(task.root)}",
        )


@dataclass
class _Validation:
    boxes: SharedBoxes
    full: bool
    mode: Mode
    write: bool
    say: Say
    rows: dict[str, dict[str, Any]] = field(default_factory=dict)
    totals: list[str] = field(default_factory=list)

    async def run(self, tasks: Sequence[RepoTask]) -> list[dict[str, Any]]:
        from harness.tasks.evidence import is_fresh, is_full
        from harness.tasks.validate import validate_core, validate_full

        stale = self.mode == "stale"
        ready = await self._repositories(tasks)
        done = [task for task in ready if stale and is_fresh(task)]
        due = [task for task in ready if not (stale and is_fresh(task))]
        done += await self._tasks("core", due, validate_core)
        if self.full:
            due = [task for task in done if not (stale and is_full(task))]
            await self._tasks("full", due, validate_full)
        jobs = f"{self.boxes.jobs} {'box' if self.boxes.jobs == 1 else 'boxes'} at a time"
        self.say(f"time: {', '.join(self.totals)}; {jobs} in {self.boxes.name}")
        return [self.rows[task.id] for task in tasks if task.id in self.rows]

    async def _repositories(self, tasks: Sequence[RepoTask]) -> list[RepoTask]:
        """The tasks whose repositories are admitted, with their evidence."""
        from harness.tasks.evidence import repository_is_fresh, with_repository
        from harness.tasks.repository_proof import validate_repository

        def is_due(repository: Repository) -> bool:
            known = repository.evidence
            if self.mode == "fresh" or known is None or not repository_is_fresh(repository):
                return True
            return self.full and not known.random_orders

        async def prove(repository: Repository, step: Say) -> RepositoryEvidence:
            return await validate_repository(
                repository, self.boxes, orders=self.full, write=self.write, step=step
            )

        repositories = {task.repository.root: task.repository for task in tasks}
        due = [repository for repository in repositories.values() if is_due(repository)]
        ends = await self._level("repositories", due, lambda r: r.spec.name, prove)
        found = {end.item.root: end for end in ends}
        ready = []
        for task in tasks:
            end = found.get(task.repository.root)
            if end is None:
                ready.append(task)
            elif end.result is not None:
                ready.append(with_repository(task, end.result))
            else:
                self._row(task, end.problem, 0.0)
        return ready

    async def _tasks(
        self, level: str, tasks: Sequence[RepoTask], proof: Callable[..., Any]
    ) -> list[RepoTask]:
        """The tasks that were admitted, with their new evidence; all get their rows."""

        async def prove(task: RepoTask, step: Say) -> RepoTask:
            evidence = await proof(task, self.boxes, write=self.write, step=step)
            if not self.write:
                _compare(task, evidence)
            return replace(task, evidence=evidence)

        ends = await self._level(level, tasks, lambda task: task.id, prove)
        for end in ends:
            self._row(end.item, end.problem, end.seconds)
        return [end.result for end in ends if end.result is not None]

    async def _level(
        self, level: str, items: Sequence[Any], name: Callable[[Any], str], prove: Any
    ) -> list[Proved[Any, Any]]:
        if not items:
            return []
        began = time.monotonic()
        width = self.boxes.jobs + 1  # one more than boxes, so that none waits for a next task
        ends = await prove_level(level, items, name, prove, width=width, say=self.say)
        self.totals.append(f"{level} {len(items)} in {time.monotonic() - began:.1f} s")
        return ends

    def _row(self, task: RepoTask, problem: str | None, seconds: float) -> None:
        before = self.rows[task.id]["seconds"] if task.id in self.rows else 0.0
        self.rows[task.id] = {
            "task": task.id,
            "valid": problem is None,
            "problem": problem,
            "seconds": round(before + seconds, 2),
        }
