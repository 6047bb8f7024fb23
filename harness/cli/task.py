"""``proctor task list|show|validate``."""

from __future__ import annotations

import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harness.cli.common import asynchronous, emit_json, json_option, said
from harness.errors import UsageError

if TYPE_CHECKING:
    from harness.tasks.task import RepoTask

_data = click.option(
    "--data", metavar="PATH", help="Folder of repositories instead of the shipped ones."
)


@click.group("task", short_help="List, show and validate repository tasks.")
def command() -> None:
    """Tasks of the repositories."""


@command.command("list")
@click.argument("glob", nargs=-1)
@_data
@json_option
def list_tasks(glob: tuple[str, ...], data: str | None, as_json: bool) -> None:
    """List the tasks whose id matches a GLOB (all without one)."""
    tasks = list(_chosen(glob, data).values())
    if as_json:
        emit_json([_facts(task) for task in tasks])
        return
    width = max(len(task.id) for task in tasks)
    for task in tasks:
        facts = _facts(task)
        click.echo(
            f"{task.id:<{width}}  {facts['language']:<10}  {facts['category']:<7}  "
            f"difficulty {facts['difficulty']}  evidence {facts['evidence']}"
        )


@command.command("show")
@click.argument("task_id", metavar="TASK")
@_data
@json_option
def show(task_id: str, data: str | None, as_json: bool) -> None:
    """Show TASK: its instruction, its trees' sizes, what its evidence proves."""
    task = _one(task_id, data)
    facts = {**_facts(task), "instruction": task.spec.instruction.strip()}
    if task.evidence is not None:
        core = task.evidence.core
        facts["fail_to_pass"] = list(core.fail_to_pass)
        facts["pass_to_pass"] = list(core.pass_to_pass)
        facts["without_twin"] = list(core.without_twin)
    if as_json:
        emit_json(facts)
        return
    for key, value in facts.items():
        if isinstance(value, list):
            click.echo(f"{key.replace('_', ' ')}: {len(value)}")
            for item in value:
                click.echo(f"  {item}")
        else:
            click.echo(f"{key.replace('_', ' ')}: {value}")


@command.command("validate")
@click.argument("glob", nargs=-1)
@_data
@click.option("--full", is_flag=True, help="Also the slower proofs: hunks, exploits, random order.")
@click.option("--stale", is_flag=True, help="Only tasks without fresh evidence.")
@click.option("--sandbox", default=None, help="Containment to use.")
@json_option
@asynchronous
async def validate(
    glob: tuple[str, ...],
    data: str | None,
    full: bool,
    stale: bool,
    sandbox: str | None,
    as_json: bool,
) -> int:
    """Prove by running that tasks are sound, and write their evidence.json.

    Exit code 1 when a task fails.
    """
    from harness.cli.validation import validate_tasks
    from harness.errors import ExitCode
    from harness.tasks.evidence import is_fresh

    tasks = [t for t in _chosen(glob, data).values() if not (stale and is_fresh(t))]
    results = await validate_tasks(tasks, sandbox=sandbox, full=full, say=said)
    if as_json:
        emit_json(results)
    else:
        for result in results:
            problem = f": {result['problem']}" if result["problem"] else ""
            state = "valid" if result["valid"] else "FAILED"
            click.echo(f"{result['task']}  {state}, {result['seconds']:.1f} s{problem}")
    valid = all(result["valid"] for result in results)
    return int(ExitCode.OK if valid else ExitCode.INCOMPLETE)


def _roots(data: str | None) -> list[Path]:
    from harness.tasks.repository import default_roots

    if data is None:
        return default_roots()
    path = Path(data).expanduser()
    if not path.is_dir():
        raise UsageError("--data is no folder", where=str(path))
    return [path]


def _chosen(globs: tuple[str, ...], data: str | None) -> dict[str, RepoTask]:
    from harness.tasks.repository import load_tasks

    tasks = load_tasks(_roots(data))
    if not globs:
        return tasks
    chosen: dict[str, RepoTask] = {}
    for glob in globs:
        found = {key: task for key, task in tasks.items() if fnmatch.fnmatchcase(key, glob)}
        if not found:
            raise _unknown(glob, tasks)
        chosen |= found
    return chosen


def _one(task_id: str, data: str | None) -> RepoTask:
    from harness.tasks.repository import load_tasks

    tasks = load_tasks(_roots(data))
    if task_id not in tasks:
        raise _unknown(task_id, tasks)
    return tasks[task_id]


def _unknown(text: str, tasks: dict[str, RepoTask]) -> UsageError:
    import difflib

    near = difflib.get_close_matches(text, tasks, 1)
    return UsageError(
        f"no task matches {text!r}",
        remedy=f"did you mean {near[0]!r}?" if near else "see: proctor task list",
    )


def _facts(task: RepoTask) -> dict[str, Any]:
    from harness.tasks.evidence import is_fresh

    evidence = "fresh" if is_fresh(task) else "missing" if task.evidence is None else "stale"
    return {
        "id": task.id,
        **task.describe(),
        "evidence": evidence,
        "files": len(task.start),
        "digest": task.digest,
    }
