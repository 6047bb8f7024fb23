"""``proctor task list|show|validate``."""

from __future__ import annotations

import fnmatch
import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harness.cli.common import asynchronous, emit_json, json_option, said
from harness.cli.groups import HelpfulGroup
from harness.errors import ConfigError, ExitCode, UsageError
from harness.state.sanitize import safe_line
from harness.words import known_words

if TYPE_CHECKING:
    from harness.tasks.task import RepoTask

_data = click.option(
    "--data", metavar="PATH", help="Folder of repositories instead of the shipped ones."
)


@click.group("task", cls=HelpfulGroup, short_help="List, show and validate repository tasks.")
def command() -> None:
    """Tasks of the repositories."""


@command.command("list", short_help="List tasks by glob.")
@click.argument("glob", nargs=-1)
@_data
@json_option
def list_tasks(glob: tuple[str, ...], data: str | None, as_json: bool) -> int:
    """List the tasks whose id matches a GLOB (all without one).

    Exit code 1 when one of them is broken.
    """
    broken: dict[str, ConfigError] = {}
    tasks = list(_chosen(glob, data, broken).values())
    code = int(ExitCode.INCOMPLETE if broken else ExitCode.OK)
    if as_json:
        rows = [{"id": name, "problem": str(error)} for name, error in broken.items()]
        emit_json([*[_facts(task) for task in tasks], *rows])
        return code
    width = max(len(name) for name in (*(task.id for task in tasks), *broken, ""))
    for task in tasks:
        facts = _facts(task)
        click.echo(
            f"{task.id:<{width}}  {facts['language']:<10}  {facts['category']:<7}  "
            f"difficulty {facts['difficulty']}  evidence {facts['evidence']}"
        )
    for name, error in broken.items():
        click.echo(f"{name:<{width}}  BROKEN: {safe_line(str(error), 600)}")
    return code


@command.command("show", short_help="Show one task and its evidence.")
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


@command.command("validate", short_help="Prove that tasks are sound.")
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
    from harness.tasks.evidence import is_fresh

    broken: dict[str, ConfigError] = {}
    chosen = _chosen(glob, data, broken).values()
    tasks = [task for task in chosen if not (stale and is_fresh(task))]
    results = await validate_tasks(tasks, sandbox=sandbox, full=full, say=said)
    results += [
        {"task": name, "valid": False, "problem": str(error), "seconds": 0.0}
        for name, error in broken.items()
    ]
    if as_json:
        emit_json(results)
    else:
        for result in results:
            problem = f": {safe_line(result['problem'], 4000)}" if result["problem"] else ""
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


def _chosen(
    globs: tuple[str, ...], data: str | None, broken: dict[str, ConfigError]
) -> dict[str, RepoTask]:
    """Tasks that match; those among them that cannot be loaded go to ``broken``, as do whole
    repositories, whose tasks nobody knows. Raises UsageError."""
    from harness.tasks.repository import load_tasks

    problems: dict[str, ConfigError] = {}
    tasks = load_tasks(_roots(data), problems)
    chosen: dict[str, RepoTask] = {}
    for glob in globs or ("*",):
        found = {key: task for key, task in tasks.items() if fnmatch.fnmatchcase(key, glob)}
        wrong = {key: error for key, error in problems.items() if fnmatch.fnmatchcase(key, glob)}
        if not found and not wrong:
            raise _unknown(glob, tasks, problems, data)
        chosen |= found
        broken |= wrong
    return chosen


def _one(task_id: str, data: str | None) -> RepoTask:
    broken: dict[str, ConfigError] = {}
    tasks = _chosen((), data, broken)
    if task_id in broken:
        raise broken[task_id]
    if task_id not in tasks:
        raise _unknown(task_id, tasks, broken, data)
    return tasks[task_id]


def _unknown(
    text: str, tasks: Iterable[str], broken: dict[str, ConfigError], data: str | None
) -> UsageError:
    near = known_words(text, [*tasks, *broken]) or ""
    if broken and not near.startswith("did"):
        return next(iter(broken.values()))  # it may be of a repository that cannot be loaded
    where = f" --data {shlex.quote(data)}" if data else ""
    return UsageError(
        f"no task matches {text!r}",
        remedy=near if near.startswith("did") else f"see: proctor task list{where}",
    )


def _facts(task: RepoTask) -> dict[str, Any]:
    from harness.tasks.evidence import is_fresh

    evidence = "fresh" if is_fresh(task) else "missing" if task.evidence is None else "stale"
    if task.evidence_problem is not None:
        evidence = "malformed"
    return {
        "id": task.id,
        **task.describe(),
        "evidence": evidence,
        "files": len(task.start),
        "digest": task.digest,
    }
