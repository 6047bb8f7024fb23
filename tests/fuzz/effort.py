"""How long fuzzing looks: by default half a minute for all, N times that by PROCTOR_FUZZ=N.

By default the inputs are the same each time: what a change breaks is then its own doing. With
PROCTOR_FUZZ they are new ones.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

TIMES = max(1, int(os.environ.get("PROCTOR_FUZZ") or 1))


def examples(number: int) -> settings:
    """Settings for so many examples by default; without deadlines, for machines are loaded."""
    return settings(
        max_examples=number * TIMES,
        deadline=None,
        derandomize="PROCTOR_FUZZ" not in os.environ,
        print_blob=True,
        suppress_health_check=[
            HealthCheck.too_slow,
            HealthCheck.function_scoped_fixture,
            HealthCheck.data_too_large,
            HealthCheck.filter_too_much,
        ],
    )
