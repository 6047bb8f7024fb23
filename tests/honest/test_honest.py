"""A share of the honest solutions is graded clean in each containment; PROCTOR_SEED repeats it."""

from __future__ import annotations

import os
import random

import pytest

from tests.honest.cases import cases, graded, share
from tests.support import boxes

SEED = int(os.environ.get("PROCTOR_SEED") or random.SystemRandom().randrange(10**6))


def test_the_tables_hold_200_different_solutions() -> None:
    ids = [case.id for case in cases()]
    assert len(ids) == len(set(ids)) >= 200


@pytest.mark.parametrize("name", ["docker", "bubblewrap"])
async def test_honest_solutions_are_graded_clean(name: str) -> None:
    provider = await boxes.require(name)
    try:
        wrong = [
            f"{case.id}: {found.fault}"
            async for case, found in graded(share(SEED), provider)
            if found.fault
        ]
    finally:
        await provider.close()
    assert not wrong, f"PROCTOR_SEED={SEED}\n" + "\n".join(wrong)
