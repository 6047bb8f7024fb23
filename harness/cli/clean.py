"""``proctor clean``."""

from __future__ import annotations

import click

from harness.cli.common import asynchronous, emit_json, json_option, said


@click.command("clean", short_help="Remove boxes that a dead run left behind.")
@json_option
@asynchronous
async def command(as_json: bool) -> int:
    """Remove boxes that are provably ours and whose owner is gone; nothing else is touched.

    Exit code 3 when a runtime that answers could not be cleaned.
    """
    from harness.errors import ExitCode, ProctorError
    from harness.sandbox.protocol import Limits, Readiness
    from harness.sandbox.select import providers

    removed: dict[str, list[str]] = {}
    failed: dict[str, str] = {}
    for provider in providers():
        try:
            report = await provider.probe(Limits())
            if report.readiness not in (Readiness.NOT_INSTALLED, Readiness.NOT_RUNNING):
                removed[provider.name] = await provider.clean()
        except ProctorError as error:
            failed[provider.name] = str(error)
        finally:
            await provider.close()
    if as_json:
        emit_json({"removed": removed, "failed": failed})
    else:
        for name, boxes in removed.items():
            click.echo(f"{name}: {', '.join(boxes) if boxes else 'nothing to remove'}")
        for name, why in failed.items():
            said(f"{name}: could not be cleaned: {why}")
    return int(ExitCode.CONFLICT if failed else ExitCode.OK)
