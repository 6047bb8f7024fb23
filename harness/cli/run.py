"""``proctor run SUITE...``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from harness.cli.common import (
    answer,
    asynchronous,
    checked_name,
    emit_json,
    json_option,
    run_name,
    said,
)
from harness.cli.options import setting_options


@click.command("run", short_help="Run suites against a model.")
@click.argument("suite", nargs=-1)
@click.option("--task", "task_globs", multiple=True, metavar="GLOB", help="Only these tasks.")
@setting_options()
@click.option("--batch", is_flag=True, help="Headless output.")
@click.option("--detach", is_flag=True, help="Start the run and return; it outlives the terminal.")
@click.option("--name", default=None, help="A name for the run: for lists, and to find it by.")
@click.option("--note", default="", help="A note kept with the run.")
@click.option("--on-finish", metavar="CMD", help="Command to run at the end (PROCTOR_RUN, stdin).")
@click.option("--resume", metavar="RUN", help="Run what has no score yet.")
@click.option("--extend", metavar="RUN", help="Same plan, larger --limit or more --epochs.")
@click.option(
    "--fresh",
    type=click.IntRange(1, 9999),
    metavar="N",
    help="Make N fresh tasks by planting defects, and run these (suite repos).",
)
@click.option(
    "--fresh-seed",
    type=click.IntRange(0, 2**63 - 1),
    default=None,
    metavar="S",
    help="Seed of the fresh tasks: the same seed makes the same ones [default: 0].",
)
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
    fresh: int | None,
    fresh_seed: int | None,
    yes: bool,
    as_json: bool,
    **flags: Any,
) -> int:
    """Run SUITE... against a model and grade what it does.

    RUN is a path, a run id, a unique beginning of one, a run's name, or last.
    """
    import asyncio
    import os

    from harness.cli import by_hand, interface
    from harness.cli import fresh as fresh_tasks
    from harness.cli.assemble import Request
    from harness.cli.start import continue_run, new_run
    from harness.config import load_config, resolve
    from harness.errors import ExitCode, UsageError

    if resume and extend:
        raise UsageError("--resume and --extend exclude each other", remedy="give one of them")
    if fresh is not None and (resume or extend):
        raise UsageError("--fresh is for a new run", remedy="leave it out: the plan has it")
    name = checked_name(name)
    resolved = resolve(flags, os.environ, load_config())
    if not detach and by_hand.is_human(resolved["model"], resume or extend):
        by_hand.check(
            batch=batch,
            as_json=as_json,
            fail_under=resolved["fail_under"] is not None,
            terminal=interface.wanted(),
        )
    ask = _asker(yes, as_json)
    sources: tuple[Path, ...] = ()
    if fresh is not None:
        resolved, sources = await fresh_tasks.with_fresh(
            resolved, suite, fresh, fresh_seed or 0, ask=ask, say=said
        )
    elif fresh_seed is not None:
        raise UsageError("--fresh-seed is for --fresh N, which is not given")
    request = Request(suite, resolved, task_globs, name, note, on_finish, sources=sources)
    if resume or extend:
        from harness.cli.common import find_run

        await fresh_tasks.restore(
            find_run(resume or extend or ""), resolved["sandbox"], ask=ask, say=said
        )
        folder = continue_run(resume or extend or "", request, extend=bool(extend))
    else:
        folder = await new_run(request, ask=ask, say=said)
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
    return lambda question: answer(lambda: click.confirm(question, default=True, err=True))
