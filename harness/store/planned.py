"""The samples of a plan, in plan order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from harness.ids import sample_key
from harness.plan import Plan


class PlannedSample(NamedTuple):
    """A sample of the plan; ``suite`` is its position in the plan."""

    key: str
    suite: int
    task_id: str
    epoch: int


def planned(plan: Plan) -> Iterator[PlannedSample]:
    """All samples in plan order: epoch by epoch, suite by suite, task by task."""
    for epoch in range(1, plan.epochs + 1):
        for number, suite in enumerate(plan.suites):
            for task in suite.tasks:
                yield PlannedSample(sample_key(task.id, epoch), number, task.id, epoch)
