"""``proctor task``: the group; each command has a file of its own."""

from __future__ import annotations

import click

from harness.cli.groups import HelpfulGroup
from harness.cli.task_list import list_tasks
from harness.cli.task_mutate import mutate
from harness.cli.task_new import new
from harness.cli.task_show import show
from harness.cli.task_validate import validate


@click.group("task", cls=HelpfulGroup, short_help="List, show and validate repository tasks.")
def command() -> None:
    """Tasks of the repositories."""


for each in (list_tasks, show, new, validate, mutate):
    command.add_command(each)
