"""``proctor compare RUN RUN``: paired, with what the comparison could have shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from harness.cli.common import emit_json, find_run, json_option, said
from harness.words import counted

if TYPE_CHECKING:
    from harness.report.compare import Comparison

# Tasks that are the same in both runs are only counted unless --all is given.
_MOST_ROWS = 200


@click.command("compare", short_help="Compare two runs task by task.")
@click.argument("first", metavar="RUN")
@click.argument("second", metavar="RUN")
@click.option("--all", "everything", is_flag=True, help="Show tasks that do not differ, too.")
@json_option
def command(first: str, second: str, everything: bool, as_json: bool) -> int:
    """Compare two runs of the same tasks: where they differ, and whether that can be chance.

    RUN is a path, a run id, a unique beginning of one, a run's name, or last. Exit code 3 when the
    runs do not compare.
    """
    from harness.errors import ExitCode
    from harness.report.compare_runs import compare_folders

    found = compare_folders(find_run(first), find_run(second))
    if as_json:
        emit_json(found.model_dump(mode="json"))
    else:
        _print(found, everything)
    return int(ExitCode.CONFLICT if found.verdict == "not_comparable" else ExitCode.OK)


def _print(found: Comparison, everything: bool) -> None:
    from harness.report.compare_words import headline, sentences
    from harness.state.sanitize import safe

    click.echo(safe(f"first:  {found.a}, model {found.model_a}"))
    click.echo(safe(f"second: {found.b}, model {found.model_b}"))
    for line in found.other:
        click.echo(safe(f"  {line}"))
    for suite in found.suites:
        click.echo(safe(f"\n{suite.suite}: {headline(suite)}"))
        for line in sentences(suite):
            click.echo(safe(f"  {line}"))
    _table(found, everything)


def _table(found: Comparison, everything: bool) -> None:
    from rich.table import Table
    from rich.text import Text

    from harness.cli.console import console
    from harness.report.compare_words import outcome_words
    from harness.state.sanitize import safe_line

    pairs = [pair for pair in found.pairs if everything or pair.better != "same"]
    same = len(found.pairs) - len(pairs)
    if pairs:
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
        for name in ("", "task", "first", "second"):
            # the name of a task gives way where there is no room, the words never
            table.add_column(Text(name), no_wrap=name != "task")
        sign = {"a": "<", "b": ">", "no_score": "?", "same": "="}
        for pair in pairs if everything else pairs[:_MOST_ROWS]:
            table.add_row(
                sign[pair.better],
                Text(safe_line(f"{pair.suite} {pair.task_id}"), no_wrap=True, overflow="ellipsis"),
                outcome_words(pair, "a"),
                outcome_words(pair, "b"),
            )
        click.echo()
        console().print(table)
        if not everything and len(pairs) > _MOST_ROWS:
            said(f"{len(pairs) - _MOST_ROWS} more; --all shows them")
    if same:
        tasks = f"{same} of {counted(len(found.pairs), 'task')} {'is' if same == 1 else 'are'}"
        click.echo(f"\n{tasks} the same in both runs")
