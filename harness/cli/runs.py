"""``proctor runs``."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from harness.cli.common import emit_json, json_option, run_folders, said

if TYPE_CHECKING:
    from harness.store.runs import RunInfo


@click.command("runs", short_help="List the runs, the newest first.")
@json_option
def command(as_json: bool) -> None:
    """List the runs, the newest first."""
    from harness.state.sanitize import safe
    from harness.store.runs import run_info

    rows = [run_info(path) for path in run_folders()]
    if as_json:
        emit_json([asdict(row) for row in rows])
        return
    if not rows:
        said("there is no run yet; start one with: proctor run repos")
        return
    width = max(len(row.run_id) for row in rows)
    for row in rows:
        click.echo(safe(f"{row.run_id:<{width}}  {row.state:<11}  {_words(row)}"))


def _words(row: RunInfo) -> str:
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
