"""``proctor runs``: list them, name them, delete old ones."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from harness.cli.common import checked_name, emit_json, find_run, json_option, run_folders, said
from harness.cli.console import folded, terminal_columns
from harness.errors import UsageError

if TYPE_CHECKING:
    from harness.store.runs import RunInfo

# Columns of the state, the longest of which is "interrupted", and of the gaps beside it.
_STATE = 15


@click.command("runs", short_help="List the runs, name them, delete old ones.")
@click.option("--name", nargs=2, metavar="RUN TEXT", help="Give RUN another name.")
@click.option("--note", nargs=2, metavar="RUN TEXT", help="Give RUN another note.")
@click.option("--prune", is_flag=True, help="Delete runs; shows which and asks first.")
@click.option("--older-than", metavar="AGE", help="With --prune: last written 12h, 30d, 8w ago.")
@click.option("--failed", is_flag=True, help="With --prune: runs without any score.")
@click.option(
    "--keep", type=click.IntRange(min=0), metavar="N", help="With --prune: keep the newest N."
)
@click.option("--yes", is_flag=True, help="With --prune: do not ask.")
@json_option
def command(
    name: tuple[str, str] | None,
    note: tuple[str, str] | None,
    prune: bool,
    older_than: str | None,
    failed: bool,
    keep: int | None,
    yes: bool,
    as_json: bool,
) -> int:
    """List the runs, the newest first.

    With several conditions --prune deletes what meets them all. A run that is being worked on is
    never deleted.
    """
    conditions = older_than is not None or failed or keep is not None
    if not prune and (conditions or yes):
        raise UsageError("--older-than, --failed, --keep and --yes go with --prune")
    if prune:
        if name or note:
            raise UsageError("--prune does not go with --name or --note", remedy="do one at a time")
        if not conditions:
            raise UsageError(
                "--prune needs to be told which runs",
                remedy="add --older-than 30d, --failed or --keep 20",
            )
        from harness.cli.prune import prune_runs

        return prune_runs(older_than, failed, keep, yes=yes, as_json=as_json)
    if name or note:
        _label(name, note, as_json)
    else:
        _list(as_json)
    return 0


def _label(name: tuple[str, str] | None, note: tuple[str, str] | None, as_json: bool) -> None:
    from harness.store.labels import read_labels, write_labels

    if name is not None:
        checked_name(name[1])
    folders = []
    for pair, key in ((name, "name"), (note, "note")):
        if pair is not None:
            folder = find_run(pair[0])
            write_labels(folder, **{key: pair[1]})
            folders.append(folder)
    if as_json:
        found = {folder.name: read_labels(folder) for folder in folders}
        emit_json([{"run": run, "name": both[0], "note": both[1]} for run, both in found.items()])
        return
    for folder in dict.fromkeys(folders):
        said(f"{folder.name}: {' / '.join(filter(None, read_labels(folder))) or 'no name'}")


def _list(as_json: bool) -> None:
    from harness.state.sanitize import safe_line
    from harness.store.runs import run_info, state_word

    rows = [run_info(path) for path in run_folders()]
    if as_json:
        emit_json([{**asdict(row), "state": state_word(row)} for row in rows])
        return
    if not rows:
        said("there is no run yet; start one with: proctor run repos")
        return
    columns = terminal_columns()
    lines = [(row.run_id, f"{state_word(row):<11}  {_fitting(row, columns)}") for row in rows]
    width = id_width(lines, columns)
    for run_id, rest in lines:
        click.echo(folded(safe_line(f"{run_id:<{width}}  {rest}", 1000)))


def id_width(lines: list[tuple[str, str]], columns: int | None) -> int:
    """How wide to make the column of ids, of lines of id and rest: a long id breaks no other's line
    that has room in ``columns`` (None: any length)."""
    widest = max(len(run_id) for run_id, _ in lines)
    if columns is None:
        return widest
    room = [columns - len(rest) - 2 for run_id, rest in lines if len(run_id + rest) + 2 <= columns]
    return min(widest, min(room, default=0))


def _fitting(row: RunInfo, columns: int | None) -> str:
    """The words of a line; where they are too long, without what the id says already."""
    from harness.ids import run_words

    text = words(row)
    too_long = columns is not None and len(row.run_id) + len(text) + _STATE > columns
    if too_long and row.problem is None and row.run_id[16:-5] == run_words(row.suites, row.model):
        return words(row, subject=False)
    return text


def words(row: RunInfo, *, subject: bool = True) -> str:
    """What a line of the list says after id and state; ``subject``: also suites and model."""
    if row.problem is not None:
        return row.problem
    parts = [f"{row.resolved} resolved", f"{row.scored} of {row.planned} scored"]
    if subject:
        parts.append(f"{'+'.join(row.suites)} {row.model}")
    if row.name and row.name != row.model:
        parts.append(row.name)
    return ", ".join(parts)
