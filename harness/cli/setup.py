"""``proctor setup [docker|podman|bubblewrap|local]``."""

from __future__ import annotations

import click

from harness.cli.common import asynchronous, said


@click.command("setup", short_help="Build what a sandbox needs, or fetch the local model.")
@click.argument(
    "what", required=False, type=click.Choice(["docker", "podman", "bubblewrap", "local"])
)
@click.option(
    "--for",
    "extra",
    type=click.Choice(["classeval"]),
    help="Add the packages that this suite's tasks import.",
)
@asynchronous
async def command(what: str | None, extra: str | None) -> int:
    """Build what is missing for docker, podman or bubblewrap, or fetch the small local model.

    Without an argument: for the first runtime that is there.
    """
    from harness.cli.provision import prepare, prepare_local
    from harness.errors import ExitCode

    if what == "local":
        await prepare_local(said)
    else:
        await prepare(what, said, extra)
    return int(ExitCode.OK)
