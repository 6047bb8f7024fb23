"""``proctor run SUITE...``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import click

from harness.cli.common import asynchronous, checked_name, emit_json, json_option, run_name, said
from harness.cli.options import setting_options


@click.command("run", short_help="Run suites against a model.")
@click.argument("suite", nargs=-1)
@click.option("--task", "task_globs", multiple=True, metavar="GLOB", help="Only these tasks.")
@setting_options()
@click.option("--batch", is_flag=True, help="Headless output.")
@click.option("--detach", is_flag=True, help="Start the run and return; it outlives the terminal.")
@click.option("--name", default=None, help="A name for the run, shown in lists.")
@click.option("--note", default="", help="A note kept with the run.")
@click.option("--on-finish", metavar="CMD", help="Command to run at the end (PROCTOR_RUN, stdin).")
@click.option("--resume", metavar="RUN", help="Run what has no score yet.")
@click.option("--extend", metavar="RUN", help="Same plan, larger --limit or more --epochs.")
@click.option("--yes", is_flag=True, help="Build what the sandbox lacks without asking.")
@json_option
@asynchronous
async def command(
    suite: tuple[str, ...],
    task_globs: tuple[str, ...],
    batch: bool,
    detach: bool,
    name: str | None,
    note: str,
    on_finish: str | None,
    resume: str | None,
    extend: str | None,
    yes: bool,
    as_json: bool,
    **flags: Any,
) -> int:
    """Run SUITE... against a model and grade what it does.

    RUN is a path, a run id, a unique beginning of one, or last.
    """
    import asyncio
    import os

    from harness.cli import by_hand, interface
    from harness.cli.assemble import Request
    from harness.cli.start import continue_run, new_run
    from harness.config import load_config, resolve
    from harness.errors import ExitCode, UsageError

    if resume and extend:
        raise UsageError("--resume and --extend exclude each other", remedy="give one of them")
    name = checked_name(name)
    resolved = resolve(flags, os.environ, load_config())
    if not detach and by_hand.is_human(resolved["model"], resume or extend):
        by_hand.check(
            batch=batch,
            as_json=as_json,
            fail_under=resolved["fail_under"] is not None,
            terminal=interface.wanted(),
        )
    request = Request(suite, resolved, task_globs, name, note, on_finish)
    if resume or extend:
        folder = continue_run(resume or extend or "", request, extend=bool(extend))
    else:
        folder = await new_run(request, ask=_asker(yes, as_json), say=said)
    if detach:
        from harness.execution.spawn import detach as spawn

        await asyncio.to_thread(spawn, folder.path)
        if as_json:
            emit_json({"run": folder.run_id, "folder": str(folder.path), "detached": True})
        else:
            click.echo(folder.run_id)
            said(f"it goes on in {folder.path}")
            said(f"follow it: proctor show {run_name(folder.path)}")
            said(f"stop it:   proctor cancel {run_name(folder.path)}")
        return int(ExitCode.OK)
    if not batch and not as_json and resolved["fail_under"] is None and interface.wanted():
        from harness.cli.farewell import farewell
        from harness.execution.spawn import detach as spawn

        await asyncio.to_thread(spawn, folder.path)
        code = await interface.show_here("watch", folder.path)
        for line in farewell(folder.path):
            said(line)
        return code
    from harness.cli.session import carry_out

    return int(await carry_out(folder, fail_under=resolved["fail_under"], as_json=as_json))


def _asker(yes: bool, as_json: bool) -> Callable[[str], bool]:
    """Asks on a terminal only: a script would wait for ever."""
    if yes:
        return lambda _question: True
    if as_json or not sys.stdin.isatty():
        return lambda _question: False
    return lambda question: click.confirm(question, default=True, err=True)
