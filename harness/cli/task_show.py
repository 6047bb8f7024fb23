"""``proctor task show``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from harness.cli.common import emit_json, json_option
from harness.cli.task_choice import data_option, facts_of, one_task
from harness.errors import UsageError

if TYPE_CHECKING:
    from harness.tasks.task import RepoTask


@click.command("show", short_help="Show one task and its evidence.")
@click.argument("task_id", metavar="TASK")
@click.option(
    "--as-model", is_flag=True, help="The very text that a model is given, and nothing else."
)
@data_option
@json_option
def show(task_id: str, as_model: bool, data: str | None, as_json: bool) -> None:
    """Show TASK: its instruction, its trees' sizes, what its evidence proves."""
    if as_model and as_json:
        raise UsageError("--as-model and --json exclude each other", remedy="leave one out")
    task = one_task(task_id, data)
    if as_model:
        click.echo(_first_message(task))
        return
    facts = {**facts_of(task), "instruction": task.spec.instruction.strip(), **_proved(task)}
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


def _first_message(task: RepoTask) -> str:
    """What an episode begins with: the list of files and the instruction."""
    from harness.agent.prompts import user_message

    files = {path: file.content for path, file in task.start.items() if not path.endswith("/")}
    return user_message(files, task.spec.instruction)


def _proved(task: RepoTask) -> dict[str, Any]:
    """What evidence says, fresh or not."""
    if task.evidence is None:
        return {}
    core, full = task.evidence.core, task.evidence.full
    facts: dict[str, Any] = {
        "proved_in": ", ".join(core.providers),
        "lint_findings": core.lint_findings,
        "fail_to_pass": list(core.fail_to_pass),
        "pass_to_pass": list(core.pass_to_pass),
        "without_twin": list(core.without_twin),
    }
    if full is not None:
        facts["shares_of_defects"] = list(full.shares)
        facts["exploits"] = [f"{name}: {status}" for name, status in full.exploits.items()]
    return facts
