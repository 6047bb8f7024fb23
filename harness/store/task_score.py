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


def is_part(suite: SuitePlan) -> bool:
    """Whether only a part of the tasks was ever answered: a number over them is not the suite's."""
    return "partial" in suite.options


def headline(suite: SuitePlan, rates: Sequence[float]) -> float | None:
    """The mean of ``rates``; None without any, and for a part of a suite."""
    return None if is_part(suite) else mean(rates)


def mean(values: Sequence[float]) -> float | None:
    """None for no values."""
    return sum(values) / len(values) if values else None
