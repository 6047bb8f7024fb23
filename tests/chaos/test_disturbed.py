"""Runs that are killed, interrupted, frozen and robbed of their boxes, and then resumed.

A few kinds at random each time; PROCTOR_SEED repeats them, PROCTOR_SOAK=N runs N episodes.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.chaos.episodes import DISTURBANCES, MODELS, Field, run_episode
from tests.support import boxes
from tests.support.proctor_process import Home

SEED = int(os.environ.get("PROCTOR_SEED") or random.SystemRandom().randrange(10**6))
EPISODES = int(os.environ.get("PROCTOR_SOAK") or 3)
TASKS = ("stockroom-last-day", "stockroom-number-mixups", "stockroom-backorders")

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]
_fields: dict[str, Field] = {}


@pytest.fixture(scope="module")
def fields(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Folder of all episodes; what was made in it is closed at the end."""
    yield tmp_path_factory.mktemp("chaos")
    for field in _fields.values():
        field.close()
    _fields.clear()


@pytest.mark.parametrize("number", range(EPISODES))
async def test_disturbed_runs_end_as_calm_ones(number: int, fields: Path) -> None:
    chance = random.Random(f"{SEED}-{number}")
    sandbox = ("docker", "bubblewrap")[(SEED + number) % 2]
    kinds = [k for k in DISTURBANCES if sandbox == "docker" or k != "die_before_start"]
    # Kinds in turn from a random one, so that a share of them is never twice the same.
    kind = kinds[(SEED + number) // 2 % len(kinds)]
    model = chance.choice(MODELS)
    said = f"PROCTOR_SEED={SEED}, episode {number}: {kind}, {model}, {sandbox}"
    print(said)
    await (await boxes.require(sandbox)).close()
    if sandbox not in _fields:
        _fields[sandbox] = Field(Home(fields / sandbox, sandbox), TASKS, EPISODES > 20)
    try:
        run_episode(_fields[sandbox], kind, model, chance)
    except BaseException as error:
        error.add_note(said)
        raise
