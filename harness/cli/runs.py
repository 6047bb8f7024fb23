"""``proctor runs``: list them, name them, delete old ones."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from harness.cli.common import checked_name, emit_json, find_run, json_option, run_folders, said
from harness.errors import UsageError

if TYPE_CHECKING:
    from harness.store.runs import RunInfo


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
    width = max(len(row.run_id) for row in rows)
    for row in rows:
        line = f"{row.run_id:<{width}}  {state_word(row):<11}  {words(row)}"
        click.echo(safe_line(line, 1000))


def words(row: RunInfo) -> str:
    """What a line of the list says after id and state."""
    if row.problem is not None:
        return row.problem
    parts = [
        f"{row.resolved} resolved",
        f"{row.scored} of {row.planned} scored",
        f"{'+'.join(row.suites)} {row.model}",
    ]
    if row.name:
        parts.append(row.name)
    return ", ".join(parts)
