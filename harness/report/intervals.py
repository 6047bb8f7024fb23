"""Intervals and estimators. scipy is imported at the first call: it takes most of a second."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

CONFIDENCE = 0.95


@functools.lru_cache(maxsize=256)
def wilson(successes: int, trials: int) -> tuple[float, float] | None:
    """Wilson score interval at 95 %; None without trials."""
    if trials == 0:
        return None
    from scipy.stats import binomtest

    interval = binomtest(successes, trials).proportion_ci(CONFIDENCE, method="wilson")
    return (float(interval.low), float(interval.high))


def wilson_over_tasks(rates: Sequence[float]) -> tuple[float, float] | None:
    """Interval over tasks, each with its own rate over its epochs (0 to 1).

    Samples of one task are not independent, so a task counts once. A fractional sum is rounded
    outwards, which widens the interval by less than one task; with one epoch nothing is rounded.
    """
    # Sums of thirds come out a hair off the integer they are.
    total = round(math.fsum(rates), 9)
    low = wilson(math.floor(total), len(rates))
    high = wilson(math.ceil(total), len(rates))
    return None if low is None or high is None else (low[0], high[1])


def pass_at_k(attempts: int, successes: int, k: int) -> float | None:
    """Unbiased chance that one of ``k`` samples succeeds, from ``attempts`` samples of a task.

    1 - C(n-c, k) / C(n, k), after Chen et al. 2021 (arXiv:2107.03374); None when attempts < k.
    """
    if k < 1 or attempts < k:
        return None
    return 1.0 - math.comb(attempts - successes, k) / math.comb(attempts, k)
