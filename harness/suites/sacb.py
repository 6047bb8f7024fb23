"""The suite ``sacb``: tasks in the record format of SACB, with SACB's own tool semantics.

Nothing of it is shipped: ``--data PATH`` names a file or folder of records, else the hub's data
set is taken. A record has ``task_id``, ``lang``, ``category``, ``instruction``, ``files``,
``tests`` and, where there, ``difficulty``, ``gold``, ``fail_to_pass``, ``pass_to_pass`` (maps and
lists may be JSON strings).
"""

from __future__ import annotations

from typing import Any

from harness.errors import UsageError
from harness.plan import SuitePlan, TaskRef
from harness.suites.agentic import AgenticTask, run_agentic
from harness.suites.protocol import SampleContext, SampleResult, SuiteOptions, stratified
from harness.suites.repos import choose
from harness.suites.sacb_records import REQUIRED, SOURCE, SacbTask, read_tasks
from harness.suites.sealing import require_planned

PROTOCOL = "sacb"


class SacbSuite:
    """SACB's tasks with the tool semantics of SACB, so that scores compare."""

    name = "sacb"
    version = "1"
    executes_code = True
    agentic = True
    summary = "SACB's records (--data PATH, or the hub), with SACB's own tool semantics"

    def __init__(self) -> None:
        self._tasks: dict[str, SacbTask] = {}

    def plan(self, options: SuiteOptions) -> SuitePlan:
        """Choose tasks and seal them. Raises UsageError, ConfigError naming the line and field."""
        from harness.agent.prompts import prompt_digest

        if options.protocol not in (None, PROTOCOL):
            raise UsageError(
                f"suite {self.name} has no protocol {options.protocol!r}", remedy=f"use {PROTOCOL}"
            )
        tasks = read_tasks(options.data)
        ids = choose(list(tasks), options.task_globs)
        order = stratified(ids, lambda i: tasks[i].category, options.limit)
        self._tasks = {task_id: tasks[task_id] for task_id in order}
        return SuitePlan(
            name=self.name,
            version=self.version,
            protocol=PROTOCOL,
            executes_code=True,
            tasks=tuple(TaskRef(id=i, digest=tasks[i].digest) for i in order),
            split="all" if len(order) == len(tasks) else f"{len(order)} of {len(tasks)}",
            prompt_digest=prompt_digest(PROTOCOL),
        )

    def languages(self, plan: SuitePlan) -> set[str]:
        """Languages of the planned tasks."""
        return {self.task(ref.id).language for ref in plan.tasks}

    def load(self, plan: SuitePlan, options: SuiteOptions) -> None:
        """Load the planned tasks. Raises ConflictError when one is gone or no longer the same."""
        tasks = read_tasks(options.data)
        require_planned(
            plan,
            {task_id: task.digest for task_id, task in tasks.items()},
            remedy="give the file that the run was planned with (--data)",
        )
        self._tasks = {ref.id: tasks[ref.id] for ref in plan.tasks}

    def task(self, task_id: str) -> SacbTask:
        """A loaded task. Raises UsageError when it is not part of the plan."""
        task = self._tasks.get(task_id)
        if task is None:
            raise UsageError(f"suite {self.name} has no loaded task {task_id!r}")
        return task

    def describe(self) -> dict[str, Any]:
        """Where the records come from, and what each must hold."""
        return {"protocol": PROTOCOL, "source": SOURCE.describe(), "fields": list(REQUIRED)}

    async def run_sample(self, context: SampleContext) -> SampleResult:
        """One attempt: episode, snapshot, grading."""
        task = self.task(context.task_id)
        about = {
            "language": task.language,
            "category": task.category,
            "difficulty": task.difficulty,
        }
        agentic = AgenticTask(
            subject=task.subject(),
            source=task,
            instruction=task.instruction,
            category=task.category,
            difficulty=task.difficulty,
            about=about,
            protocol=PROTOCOL,
        )
        return await run_agentic(context, agentic)

    async def close(self) -> None:
        return None
