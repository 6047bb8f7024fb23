"""The exact sign test over paired tasks, and what it can show; scipy is imported late."""

from __future__ import annotations

import functools

ALPHA = 0.05
"""Chance of telling equal runs apart; shared out evenly when several suites are tested."""
# 2 * 0.5 ** 64 is below any level that anybody asks for.
_MOST = 64


@functools.lru_cache(maxsize=1024)
def sign_test(wins: int, losses: int) -> float:
    """Two-sided exact p-value of ``wins`` against ``losses``; 1 without any. On discordant pairs
    this is McNemar's exact test."""
    if wins + losses == 0:
        return 1.0
    from scipy.stats import binomtest

    return float(binomtest(wins, wins + losses, 0.5).pvalue)


def smallest_showing(tasks: int, alpha: float = ALPHA) -> int | None:
    """The least number of discordant tasks, all one way, with p < alpha; None when there are
    fewer ``tasks`` than that."""
    return next((n for n in range(1, min(tasks, _MOST) + 1) if sign_test(n, 0) < alpha), None)
