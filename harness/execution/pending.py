"""Which samples of a plan have no score yet."""

from __future__ import annotations

from collections.abc import Container, Iterator

from harness.errors import UsageError
from harness.ids import sample_key
from harness.plan import Plan, SuitePlan
from harness.store.planned import PlannedSample, planned

__all__ = ["PlannedSample", "check_unique", "pending", "planned"]


def pending(plan: Plan, final: Container[str]) -> Iterator[PlannedSample]:
    """Planned samples minus the final ones: what a session has to do, first time or resumed."""
    return (sample for sample in planned(plan) if sample.key not in final)


def check_unique(plan: Plan) -> None:
    """Raises UsageError when two suites share a task id: their samples would be one."""
    seen: dict[str, SuitePlan] = {}
    for suite in plan.suites:
        for task in suite.tasks:
            other = seen.setdefault(sample_key(task.id, 1), suite)
            if other is not suite:
                raise UsageError(
                    f"the suites {other.name} and {suite.name} both have a task {task.id!r}",
                    remedy="run them as two runs",
                )
