"""The suite ``repos``: a model mends small repositories with tools; hidden tests decide."""

from __future__ import annotations

import fnmatch
from pathlib import Path
from typing import Any

from harness.errors import UsageError
from harness.grading.subject import Subject, subject_of
from harness.plan import SuitePlan, TaskRef
from harness.suites.agentic import AgenticTask, run_agentic
from harness.suites.protocol import SampleContext, SampleResult, SuiteOptions, stratified
from harness.suites.sealing import require_planned
from harness.tasks.evidence import require_fresh
from harness.tasks.manifest import read_manifest
from harness.tasks.repository import default_roots, load_tasks
from harness.tasks.task import RepoTask

PROTOCOL = "proctor-1"


class ReposSuite:
    """Tasks under ``repos/`` (or other roots) with our own tool protocol."""

    name = "repos"
    version = "1"
    executes_code = True
    agentic = True
    summary = "Mend small Python and TypeScript repositories with tools; hidden tests decide"

    def __init__(self) -> None:
        self._tasks: dict[str, RepoTask] = {}

    def plan(self, options: SuiteOptions) -> SuitePlan:
        """Choose tasks and seal them. Raises UsageError when nothing matches, ConfigError for a
        malformed task or one without fresh evidence."""
        from harness.agent.prompts import prompt_digest

        if options.protocol not in (None, PROTOCOL):
            raise UsageError(
                f"suite {self.name} has no protocol {options.protocol!r}", remedy=f"use {PROTOCOL}"
            )
        tasks = load_tasks(_roots(options))
        ids = choose(list(tasks), options.task_globs)
        for task_id in ids:
            require_fresh(tasks[task_id])
        order = stratified(ids, lambda i: tasks[i].spec.category, options.limit)
        self._tasks = {task_id: tasks[task_id] for task_id in order}
        split = "all" if len(order) == len(tasks) else f"{len(order)} of {len(tasks)}"
        return SuitePlan(
            name=self.name,
            version=self.version,
            protocol=PROTOCOL,
            executes_code=True,
            tasks=tuple(TaskRef(id=i, digest=tasks[i].digest) for i in order),
            split=split,
            prompt_digest=prompt_digest(PROTOCOL),
            options=_fresh(_roots(options)),
        )

    def languages(self, plan: SuitePlan) -> set[str]:
        """Languages of the planned tasks."""
        return {self.task(ref.id).repository.spec.language for ref in plan.tasks}

    def load(self, plan: SuitePlan, options: SuiteOptions) -> None:
        """Load the planned tasks. Raises ConflictError when one is gone or no longer the same."""
        tasks = load_tasks(_roots(options))
        require_planned(
            plan,
            {task_id: task.digest for task_id, task in tasks.items()},
            remedy="begin a new run, or restore the tasks",
        )
        self._tasks = {ref.id: tasks[ref.id] for ref in plan.tasks}

    def task(self, task_id: str) -> RepoTask:
        """A loaded task. Raises UsageError when it is not part of the plan."""
        task = self._tasks.get(task_id)
        if task is None:
            raise UsageError(f"suite {self.name} has no loaded task {task_id!r}")
        return task

    def describe(self) -> dict[str, Any]:
        """The shipped tasks by repository, category and difficulty."""
        tasks = load_tasks(default_roots())
        return {
            "protocol": PROTOCOL,
            "tasks": [{"id": i, **task.describe()} for i, task in sorted(tasks.items())],
        }

    async def run_sample(self, context: SampleContext) -> SampleResult:
        """One attempt: episode, snapshot, grading."""
        task = self.task(context.task_id)
        return await run_agentic(context, agentic_task(task, subject_of(task)))

    async def close(self) -> None:
        return None


def agentic_task(task: RepoTask, subject: Subject) -> AgenticTask:
    """What an attempt needs of a repository task."""
    return AgenticTask(
        subject=subject,
        source=task,
        instruction=task.spec.instruction,
        category=task.spec.category,
        difficulty=task.spec.difficulty,
        about=task.describe(),
        protocol=PROTOCOL,
    )


def choose(ids: list[str], globs: tuple[str, ...]) -> list[str]:
    """The ids that match one of ``globs`` (all when there are none). Raises UsageError for a glob
    that matches nothing."""
    if not globs:
        return sorted(ids)
    chosen: set[str] = set()
    for glob in globs:
        hits = fnmatch.filter(ids, glob)
        if not hits:
            raise UsageError(
                f"no task matches {glob!r}", remedy="see: proctor task list, or proctor suites NAME"
            )
        chosen.update(hits)
    return sorted(chosen)


def _fresh(roots: list[Path]) -> dict[str, Any]:
    """What the plan says of fresh tasks: count, seed, and the repositories by digest."""
    for root in roots:
        manifest = read_manifest(root)
        if manifest is not None:
            kept = {k: v for k, v in manifest.items() if k not in ("tasks", "complete")}
            return {"fresh": kept}
    return {}


def _roots(options: SuiteOptions) -> list[Path]:
    return list(options.task_roots) or default_roots()
