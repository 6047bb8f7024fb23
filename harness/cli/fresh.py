"""Fresh tasks for a run: made or found before the plan is sealed, made again before a resume."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.errors import UsageError
from harness.words import counted

if TYPE_CHECKING:
    from harness.cli.containment import Ask
    from harness.config import Resolved
    from harness.sandbox.protocol import Provider
    from harness.tasks.mutate.fresh import Recipe
    from harness.tasks.mutate.making import Tally

Say = Callable[[str], None]
SUITE = "repos"
EVERY_S = 3.0  # between two lines on how far the making is


@dataclass
class Teller:
    """Says how far the making of tasks is, now and then."""

    say: Say
    repository: str = ""
    begun: float = field(default_factory=time.monotonic)
    told: float = 0.0
    known: int = 0

    def __call__(self, name: str, tally: Tally, wanted: int) -> None:
        now = time.monotonic()
        if name != self.repository:
            self.repository, self.begun, self.told = name, now, now
            self.say(
                f"{name}: {counted(tally.places, 'place')} for a defect, "
                f"{counted(wanted, 'task')} wanted"
            )
        if now - self.told < EVERY_S:
            return
        self.told = now
        spent, made = now - self.begun, len(tally.tasks)
        rate = f"{tally.tried / spent:.1f} a second" if spent else ""
        left = ""
        if made:
            seconds = spent / made * max(min(wanted, tally.places) - made, 0)
            left = f", about {seconds / 60:.0f} min left" if seconds >= 90 else ""
            left = left or f", about {seconds:.0f} s left"
        tried = f"{counted(tally.tried, 'defect')} tried"
        self.say(f"{name}: {made} of {counted(wanted, 'task')}, {tried}, {rate}{left}")


@contextlib.contextmanager
def kept(say: Say) -> Iterator[None]:
    """Says, where the making is broken off, that nothing of it is lost."""
    try:
        yield
    except (asyncio.CancelledError, KeyboardInterrupt):
        say("what was tried and made is kept: the same command goes on from there")
        raise


async def with_fresh(
    settings: Resolved, suites: tuple[str, ...], count: int, seed: int, *, ask: Ask, say: Say
) -> tuple[Resolved, tuple[Path, ...]]:
    """The settings with fresh tasks in the place of the repositories' own, and the folders that
    these are in. Raises UsageError, ConfigError, ContainmentError, SandboxError."""
    from harness.config.resolve import Value
    from harness.tasks.mutate.fresh import Recipe, fresh_home, grounds_of
    from harness.tasks.repository import default_roots

    if SUITE not in suites:
        raise UsageError(f"--fresh is for suite {SUITE}, which is not run")
    given, rest = _split(settings["data"] or (), suites)
    sources = tuple(given) or tuple(default_roots())
    recipe = Recipe(grounds_of(sources), seed, count)
    root = fresh_home() / recipe.name
    await _found_or_made(recipe, root, settings["sandbox"], ask=ask, say=say)
    data = Value([*rest, f"{SUITE}={root}"], "flag --fresh")
    return replace(settings, values={**settings.values, "data": data}), sources


async def restore(folder: Path, sandbox: str, *, ask: Ask, say: Say) -> None:
    """Make the fresh tasks of a run again where they are gone. Raises ConfigError, UsageError,
    ContainmentError, SandboxError."""
    from harness.store.run_folder import RunFolder
    from harness.tasks.mutate.fresh import grounds_of, recipe_from

    run = RunFolder.open(folder)
    for plan in run.plan.suites:
        facts: dict[str, Any] | None = plan.options.get("fresh") if plan.name == SUITE else None
        data = run.launch.data_of(plan.name)
        if facts is None or data is None:
            continue
        root = Path(data)
        if root.is_dir() and any(root.iterdir()):
            continue  # loading tells what is no longer the same
        sources = [Path(each) for each in run.launch.task_roots]
        recipe = recipe_from(facts, grounds_of(sources))
        say("the fresh tasks of this run are gone: they are made again")
        used = run.plan.containment.provider if run.plan.containment else sandbox
        await _found_or_made(recipe, root, used, ask=ask, say=say)


async def _found_or_made(recipe: Recipe, root: Path, sandbox: str, *, ask: Ask, say: Say) -> None:
    from harness.tasks.mutate.fresh import found_root, make_root

    found = found_root(recipe, root)
    if found is not None:
        say(f"{len(found)} fresh tasks of seed {recipe.seed} are there already: {root}")
        return
    provider = await provider_for(recipe, sandbox, ask=ask, say=say)
    try:
        with kept(say):
            tallies = await make_root(recipe, root, provider, progress=Teller(say))
    finally:
        await provider.close()
    made = sum(len(tally.tasks) for tally in tallies.values())
    if made < recipe.count:
        short = [
            f"{name} has {len(tally.tasks)} of {recipe.shares()[name]}"
            for name, tally in tallies.items()
            if len(tally.tasks) < recipe.shares()[name]
        ]
        raise UsageError(
            f"only {made} of {recipe.count} fresh tasks can be made: {', '.join(short)}",
            remedy=f"ask for fewer: --fresh {made}",
        )
    say(f"{made} fresh tasks of seed {recipe.seed}: {root}")


async def provider_for(recipe: Recipe, sandbox: str, *, ask: Ask, say: Say) -> Provider:
    """A containment that runs what the recipe's repositories are written in."""
    from harness.cli.containment import chosen_provider

    languages = {str(ground.repository.spec.language) for ground in recipe.grounds}
    return await chosen_provider(sandbox, languages, ask, say)


def _split(data: list[str] | tuple[()], suites: tuple[str, ...]) -> tuple[list[Path], list[str]]:
    """Folders of repositories among the values of ``--data``, and the other suites' data."""
    given: list[Path] = []
    rest: list[str] = []
    for item in data:
        suite, mark, value = item.partition("=")
        if mark and suite != SUITE:
            rest.append(item)
            continue
        path = Path(value if mark else item).expanduser().resolve()
        if not path.is_dir():
            raise UsageError("--data is no folder", where=str(path))
        given.append(path)
    if given and not any("=" in item for item in data) and len(suites) > 1:
        raise UsageError(
            "--data does not say for which suite",
            where=", ".join(suites),
            remedy=f"say it: --data {SUITE}={os.fspath(given[0])}",
        )
    return given, rest
