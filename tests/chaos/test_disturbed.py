"""Runs that are killed, stopped, starved and robbed of their boxes, and then resumed.

A few kinds at random each time; PROCTOR_SEED repeats them, PROCTOR_SOAK=N runs N episodes
(``make chaos N=1000``).
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.chaos import tally
from tests.chaos.daemon import Daemon, why_none
from tests.chaos.disturbances import KINDS, Kind
from tests.chaos.episodes import run_episode
from tests.chaos.ground import Field
from tests.cli.tiny_repo import THREE
from tests.support import boxes
from tests.support.proctor_process import Home
from tests.support.tiny_tasks import write_tiny_tasks

SEED = int(os.environ.get("PROCTOR_SEED") or random.SystemRandom().randrange(10**6))
EPISODES = int(os.environ.get("PROCTOR_SOAK") or 4)
ONLY = os.environ.get("PROCTOR_CHAOS", "").replace(",", " ").split()
TASKS = ("stockroom-last-day", "stockroom-number-mixups", "stockroom-backorders")
REAL = 4  # one episode of so many plays shipped tasks, the others tiny ones

# Every kind in every sandbox in turn, in an order that the seed decides: a share of them is never
# twice the same, and a whole round misses none.
ROUND = [(kind, sandbox) for kind in KINDS for sandbox in kind.sandboxes]
ROUND = [pair for pair in ROUND if not ONLY or pair[0].name in ONLY or pair[1] in ONLY]
random.Random(SEED).shuffle(ROUND)

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]
_fields: dict[str, Field] = {}


@pytest.fixture(scope="module")
def fields(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Folder of all episodes, with tiny tasks; what was made in it is closed at the end."""
    folder = tmp_path_factory.mktemp("chaos")
    write_tiny_tasks(folder / "tiny")
    yield folder
    for field in _fields.values():
        field.close()
    _fields.clear()


def ground(folder: Path, kind: Kind, sandbox: str, *, real: bool) -> Field:
    """Where episodes of this kind take place; made once."""
    real = real and not kind.own_daemon  # two such daemons would be one too many
    name = "own-daemon" if kind.own_daemon else f"{sandbox}-real" if real else sandbox
    if name not in _fields:
        daemon = None
        if kind.own_daemon:
            daemon = Daemon.make("chaos")
            try:
                daemon.start()
                daemon.load_box()
            except BaseException:
                daemon.close()
                raise
        host = None if daemon is None else daemon.host
        home = Home(folder / name, sandbox, docker_host=host)
        tasks, data = (TASKS, None) if real else (THREE, folder / "tiny")
        _fields[name] = Field(home, tasks, data, EPISODES > 40, daemon)
    return _fields[name]


def require(kind: Kind) -> None:
    """Skip, with the reason, what cannot be done here."""
    if kind.root and os.geteuid() != 0:
        pytest.skip(f"{kind.name} needs root")
    if kind.own_daemon and (reason := why_none()):
        pytest.skip(reason)


@pytest.mark.parametrize("number", range(EPISODES))
async def test_disturbed_runs_end_as_calm_ones(number: int, fields: Path) -> None:
    chance = random.Random(f"{SEED}-{number}")
    kind, sandbox = ROUND[number % len(ROUND)]
    model = chance.choice(kind.models)
    said = f"PROCTOR_SEED={SEED}, episode {number}: {kind.name}, {model}, {sandbox}"
    print(said)
    began, outcome = time.monotonic(), "failed"
    try:
        require(kind)
        await (await boxes.require(sandbox)).close()
        run_episode(ground(fields, kind, sandbox, real=number % REAL == 0), kind, model, chance)
        outcome = "passed"
    except pytest.skip.Exception:
        outcome = "skipped"
        raise
    except BaseException as error:
        error.add_note(said)
        raise
    finally:
        tally.note(kind.name, sandbox, outcome, time.monotonic() - began)
