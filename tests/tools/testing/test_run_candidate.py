"""What is done before a candidate is forked must not show in one."""

from __future__ import annotations

import random
import sys

from tools.testing.run_candidate import warm


def test_the_rehearsal_leaves_nothing_that_a_candidate_could_see() -> None:
    random.seed(5)
    state, modules, limit = random.getstate(), set(sys.modules), sys.getrecursionlimit()
    warm()
    assert random.getstate() == state
    assert set(sys.modules) == modules
    assert sys.getrecursionlimit() == limit
