"""``proctor task mutate``."""

from __future__ import annotations

import contextlib
import os
import shlex
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harness.cli.common import asynchronous, emit_json, json_option, said
from harness.errors import ExitCode, UsageError
from harness.words import counted

if TYPE_CHECKING:
    from harness.config import Resolved
    from harness.tasks.mutate.making import Reporter, Tally


@click.command("mutate", short_help="Make fresh tasks by planting defects in a repository.")
@click.argument("repo", metavar="REPO")
@click.option(
    "--count", type=click.IntRange(1, 999), default=10, show_default=True, help="Tasks to make."
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**63 - 1),
    default=0,
    show_default=True,
    help="The same seed makes the same tasks, byte for byte.",
)
@click.option("--difficulty", type=click.IntRange(1, 5), help="Only tasks of this difficulty.")
@click.option("--out", metavar="DIR", help="Folder to make (default: in the user's data folder).")
@click.option("--model", help="Let a model write the reports, from the same facts.")
@click.option("--base-url", metavar="URL", help="Its OpenAI-compatible endpoint.")
@click.option("--jobs", type=click.IntRange(1, 64), help="Boxes at a time (default: the cores).")
@click.option("--sandbox", default=None, help="Containment to use.")
@json_option
@asynchronous
async def mutate(
    repo: str,
    count: int,
    seed: int,
    difficulty: int | None,
    out: str | None,
    model: str | None,
    base_url: str | None,
    jobs: int | None,
    sandbox: str | None,
    as_json: bool,
) -> int:
    """Make fresh tasks in REPO, a shipped repository's name or the path of your own.

    Defects that programmers make are planted and tried; those that hidden tests notice and lint
    does not give away become tasks with their evidence. Ctrl+C keeps what was tried and made: the
    same command goes on from there.

    Exit code 1 when fewer than --count could be made.
    """
    from harness.cli.containment import never
    from harness.cli.fresh import Teller, kept, provider_for
    from harness.config import load_config, resolve
    from harness.tasks.mutate.fresh import (
        TEMPLATE,
        Recipe,
        fresh_home,
        grounds_of,
        make_root,
        require_own,
    )

    if base_url is not None and model is None:
        raise UsageError("--base-url is for --model, which is not given")
    recipe = Recipe(
        grounds_of([repository_folder(repo)]), seed, count, difficulty, model or TEMPLATE
    )
    root = Path(out).expanduser().resolve() if out else fresh_home() / recipe.name
    require_own(recipe, root)
    flags = {"sandbox": sandbox, "model": model, "base_url": [base_url] if base_url else None}
    settings = resolve(flags, os.environ, load_config())
    async with reporter_of(model, settings) as reporter:
        provider = await provider_for(recipe, settings["sandbox"], ask=never, say=said)
        try:
            with kept(said):
                tallies = await make_root(
                    recipe, root, provider, jobs=jobs, reporter=reporter, progress=Teller(said)
                )
        finally:
            await provider.close()
    (tally,) = tallies.values()
    made = len(tally.tasks)
    if as_json:
        emit_json({"root": str(root), **recipe.facts(), **facts_of(tally)})
    else:
        for line in table(tally):
            click.echo(line)
        click.echo(f"{counted(made, 'task')} in {root}")
        if made:
            click.echo(f"run them:  proctor run repos --data {shlex.quote(str(root))} --model ...")
    if made < count:
        said(
            f"only {made} of {counted(count, 'task')} could be made: every place for a defect "
            f"({tally.places}) was tried, noticed by hidden tests and unlike others: {tally.kept}"
        )
        hint = "leave --difficulty out, or " if difficulty else ""
        said(f"-> {hint}ask for fewer, or give the repository more hidden tests")
    return int(ExitCode.OK if made == count else ExitCode.INCOMPLETE)


@contextlib.asynccontextmanager
async def reporter_of(model: str | None, settings: Resolved) -> AsyncIterator[Reporter]:
    """Who writes the reports: the templates, or the model that is asked for. Raises UsageError,
    EndpointError."""
    from harness.tasks.mutate.making import by_template

    if model is None:
        yield by_template
        return
    from harness.config.settings import SAMPLING
    from harness.models.registry import ModelRequest, build_model, plan_model
    from harness.plan import EpisodeLimits, Launch, Sampling
    from harness.tasks.mutate.by_model import ModelReporter
    from harness.tasks.mutate.fresh import fresh_home

    keys = {endpoint.api_key_env for endpoint in settings.endpoints}
    request = ModelRequest(
        name=settings.preset.model if settings.preset else model,
        base_urls=tuple(endpoint.url for endpoint in settings.endpoints),
        api_key_env=keys.pop() if len(keys) == 1 else settings["api_key_env"],
        sampling=Sampling(**{key: settings[key] for key in SAMPLING if settings[key] is not None}),
        tools=False,
        notify=said,
    )
    plan, endpoints = await plan_model(request)
    if plan.kind not in ("openai", "local"):
        raise UsageError(f"--model {model} cannot write reports", remedy="name a language model")
    built = build_model(plan, Launch(endpoints=tuple(endpoints)), EpisodeLimits())
    try:
        writer = ModelReporter(built, plan.name, fresh_home() / "reports")
        yield writer
        if writer.refused:
            reports = f"{counted(writer.refused, 'report')} of the model would not do"
            said(f"{reports}: the template wrote {'it' if writer.refused == 1 else 'them'}")
    finally:
        await built.close()


def repository_folder(text: str) -> Path:
    """The repository that REPO names. Raises UsageError."""
    from harness.tasks.repository import default_roots, repositories
    from harness.words import known_words

    path = Path(text).expanduser()
    if (path / "repo.toml").is_file():
        return path.resolve()
    shipped = {folder.name: folder for root in default_roots() for folder in repositories(root)}
    if text in shipped:
        return shipped[text]
    if path.is_dir():
        raise UsageError(
            "is no repository: it has no repo.toml",
            where=str(path),
            remedy="make one out of a project: proctor task new (README, section Your own tasks)",
        )
    raise UsageError(f"no repository is called {text!r}", remedy=known_words(text, shipped))


def facts_of(tally: Tally) -> dict[str, Any]:
    """What the making came to, for --json."""
    return {
        "places": tally.places,
        "tried": tally.tried,
        "kept": tally.kept,
        "dropped": dict(tally.against.most_common()),
        "kinds": dict(sorted(tally.kinds.items())),
        "refused": tally.refused,
        "tasks": tally.tasks,
        "defects": dict(sorted(tally.defects.items())),
        "difficulties": dict(sorted(tally.difficulties.items())),
        "seconds": round(tally.seconds, 1),
    }


def table(tally: Tally) -> list[str]:
    """What the making came to, in lines."""
    share = tally.kept / tally.tried if tally.tried else 0.0
    lines = [
        f"{'defects tried':<44}{tally.tried:>6}  of {counted(tally.places, 'place')}",
        f"{'kept':<44}{tally.kept:>6}  {share:.0%}",
        *(f"{'dropped: ' + why:<44}{n:>6}" for why, n in tally.against.most_common()),
        f"{'refused at admission':<44}{len(tally.refused):>6}",
        f"{'kinds used':<44}{len(tally.kinds):>6}  {_counted(tally.kinds)}",
        f"{'tasks':<44}{len(tally.tasks):>6}  {tally.seconds:.0f} s",
        f"  defects a task: {_numbers(tally.defects)}; difficulty: {_numbers(tally.difficulties)}",
    ]
    return [*lines, *(f"  refused: {why[:300]}" for why in tally.refused)]


def _counted(names: Counter[str]) -> str:
    return ", ".join(f"{name} {n}" if n > 1 else name for name, n in sorted(names.items()))


def _numbers(counts: Counter[int]) -> str:
    return ", ".join(f"{value}: {n}" for value, n in sorted(counts.items())) or "none"
