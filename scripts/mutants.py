"""How defects planted at random fare in each repository: the table in ``repos/README.md``.

For each repository a number of defects is tried for each of three seeds, in the order in which
``proctor task mutate`` tries them. Printed: how many were kept, of how many kinds, why the others
were dropped, seconds.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from harness.sandbox.select import choose
from harness.sandbox.shared import SharedBoxes, shared_boxes
from harness.tasks.mutate.distinct import Kept, single_of
from harness.tasks.mutate.outcome import OutcomeCache
from harness.tasks.mutate.registry import kinds
from harness.tasks.mutate.repo import Ground, load_ground
from harness.tasks.mutate.stream import Stream, in_turn
from harness.tasks.mutate.trial import Trials
from harness.tasks.repository import default_roots, repositories

SEEDS = (1, 2, 3)
HEAD = (
    "| repository | places | tried | kept | kinds kept | no test notices | too many notice | "
    "lint gives it away | other | seconds |\n|---|---|---|---|---|---|---|---|---|---|"
)


async def row(ground: Ground, boxes: SharedBoxes, count: int) -> str:
    """The table's line for one repository."""
    begun = time.monotonic()
    places = await asyncio.to_thread(ground.plants)
    kept_kinds: set[str] = set()
    against: Counter[str] = Counter()
    tried = kept_in_all = 0
    with tempfile.TemporaryDirectory() as folder:
        trials = Trials(ground, boxes, OutcomeCache(Path(folder) / "tried"))
        for place, seed in enumerate(SEEDS):
            order = in_turn(places, Stream("fresh", seed, ground.name, 0))
            some = order[: count // len(SEEDS) + (place < count % len(SEEDS))]
            outcomes = await asyncio.gather(*(trials.outcome((plant,)) for plant in some))
            kept = Kept()
            for plant, outcome in zip(some, outcomes, strict=True):
                single = single_of(plant, outcome, ground.text(plant.path))
                reason = outcome.against or kept.against(single)
                tried += 1
                against[reason] += bool(reason)
                if not reason:
                    kept.singles.append(single)
                    kept_kinds.add(plant.kind)
            kept_in_all += len(kept.singles)
    named = ("no test notices", "too many tests notice", "lint gives it away")
    rest = sum(against.values()) - sum(against[name] for name in named)
    known = len(kinds(ground.repository.spec.language))
    cells = (
        ground.name, len(places), tried, f"{kept_in_all} ({100 * kept_in_all // tried} %)",
        f"{len(kept_kinds)} of {known}", *(against[name] for name in named), rest,
        round(time.monotonic() - begun),
    )  # fmt: skip
    return f"| {' | '.join(str(cell) for cell in cells)} |"


async def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100, help="defects to try in a repository")
    parser.add_argument("--sandbox", default="auto")
    parser.add_argument("names", nargs="*", help="repositories (all without one)")
    given = parser.parse_args()
    provider = await choose(given.sandbox, {"python", "typescript"})
    print(HEAD, flush=True)
    try:
        async with shared_boxes(provider) as boxes:
            for folder in repositories(default_roots()[0]):
                if not given.names or folder.name in given.names:
                    print(await row(load_ground(folder), boxes, given.count), flush=True)
    finally:
        await provider.close()
    print(f"in {provider.name}, {boxes.jobs} boxes at a time", file=sys.stderr)


if __name__ == "__main__":
    asyncio.run(main())
