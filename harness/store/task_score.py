"""The score of a suite: the mean over its tasks, each of which counts once whatever its epochs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from harness.plan import SuitePlan


def task_rates(samples: Iterable[tuple[str, bool]]) -> list[float]:
    """Share of resolved samples of each task (0 to 1), from (task id, resolved) of scored ones."""
    tasks: dict[str, list[bool]] = defaultdict(list)
    for task, resolved in samples:
        tasks[task].append(resolved)
    return [sum(wins) / len(wins) for wins in tasks.values()]


def headline(suite: SuitePlan, rates: Sequence[float]) -> float | None:
    """The mean of ``rates``; None without any, and where only a part of the suite's tasks was
    ever answered: the number would not be the suite's."""
    return mean(rates) if "partial" not in suite.options else None


def mean(values: Sequence[float]) -> float | None:
    """None for no values."""
    return sum(values) / len(values) if values else None
