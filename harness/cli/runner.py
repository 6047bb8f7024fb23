"""``proctor _runner FOLDER``: the process of a detached run; it takes only the folder."""

from __future__ import annotations

import click

from harness.cli.common import asynchronous


@click.command("_runner", hidden=True)
@click.argument("folder")
@asynchronous
async def command(folder: str) -> int:
    """Carry out the plan that lies in FOLDER."""
    from harness.cli.session import carry_out
    from harness.store.run_folder import RunFolder

    return int(await carry_out(RunFolder.open(folder), watch=False))
