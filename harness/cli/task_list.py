"""``proctor task list``."""

from __future__ import annotations

import click

from harness.cli.common import emit_json, json_option
from harness.cli.task_choice import chosen_tasks, data_option, facts_of
from harness.errors import ConfigError, ExitCode
from harness.state.sanitize import safe_line


@click.command("list", short_help="List tasks by glob.")
@click.argument("glob", nargs=-1)
@data_option
@json_option
def list_tasks(glob: tuple[str, ...], data: str | None, as_json: bool) -> int:
    """List the tasks whose id matches a GLOB (all without one).

    Exit code 1 when one of them is broken.
    """
    broken: dict[str, ConfigError] = {}
    tasks = list(chosen_tasks(glob, data, broken).values())
    code = int(ExitCode.INCOMPLETE if broken else ExitCode.OK)
    if as_json:
        rows = [{"id": name, "problem": str(error)} for name, error in broken.items()]
        emit_json([*[facts_of(task) for task in tasks], *rows])
        return code
    width = max(len(name) for name in (*(task.id for task in tasks), *broken, ""))
    for task in tasks:
        facts = facts_of(task)
        click.echo(
            f"{task.id:<{width}}  {facts['language']:<10}  {facts['category']:<7}  "
            f"difficulty {facts['difficulty']}  evidence {facts['evidence']}"
        )
    for name, error in broken.items():
        click.echo(f"{name:<{width}}  BROKEN: {safe_line(str(error), 600)}")
    return code
