"""One session in this process: the runner, with or without a printer that follows its folder."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, NoReturn

from harness.cli.common import said
from harness.cli.failures import hush, interrupted
from harness.cli.finish import finish
from harness.cli.outlet import code_after
from harness.errors import ExitCode, ProctorError
from harness.execution.stop import StopSignal
from harness.words import counted

if TYPE_CHECKING:
    from harness.cli.printer import Printer
    from harness.execution.runner import SessionSummary
    from harness.store.run_folder import RunFolder

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_FIRST = "stopping: open samples are closed and stay pending; Ctrl+C again stops at once"
_SECOND = "stopping at once"
# After the second Ctrl+C: time for the ends of transcripts and the session's last event.
_LAST_S = 3.0
# Single-shot runs of more samples tell of those without a score only, and where they stand.
_LINES = 200


async def carry_out(
    folder: RunFolder,
    *,
    fail_under: float | None = None,
    as_json: bool = False,
    watch: bool = True,
) -> ExitCode:
    """Run what has no score yet, tell the result and return the exit code.

    ``watch`` False is a detached runner: it prints nothing. Raises ProctorError.
    """
    printer = _printer(folder, as_json) if watch else None
    if printer is not None:
        printer.say(headline(folder))
    over = asyncio.Event()
    watching = asyncio.create_task(printer.follow(over)) if printer else None
    stop = StopSignal()
    loop = asyncio.get_running_loop()
    _listen(loop, stop, printer, as_json)
    try:
        session = await _run(folder, stop)
        if stop.at_once.is_set():
            # Neither threads nor clients are waited for; boxes end with this process.
            _leave(
                ExitCode.INTERRUPTED if session.by_signal else session.exit_code, as_json, printer
            )
    finally:
        over.set()
        if watching is not None:
            await watching
        _listen_no_more(loop, as_json)
    if session.error is not None and watch:
        _tell_failure(folder, session)
    code = await asyncio.to_thread(
        finish,
        folder,
        interrupted=session.reason == "interrupted",
        cleanup_proven=session.cleanup_proven,
        fail_under=fail_under,
        report=watch and session.error is None,
        as_json=as_json,
    )
    for number in _SIGNALS:  # all is said and done: the exit code stands
        loop.remove_signal_handler(number)
        signal.signal(number, signal.SIG_IGN)
    if session.error is not None:
        raise session.error
    return code


async def _run(folder: RunFolder, stop: StopSignal) -> SessionSummary:
    from harness.execution.prepare import close_parts, open_session
    from harness.execution.runner import run_session

    try:
        model, suites, provider = await open_session(folder, said)
    except ProctorError:
        folder.withdraw_session()
        raise
    try:
        session = await run_session(folder, model, suites, provider, stop=stop)
        if stop.at_once.is_set():
            return session
    except BaseException:
        await close_parts(model, provider)
        raise
    for problem in await close_parts(model, provider):
        said(f"warning: {problem}")
    return session


def headline(folder: RunFolder) -> str:
    """What is about to be run, in one line."""
    plan = folder.plan
    suites = " + ".join(f"{s.name} ({counted(len(s.tasks), 'task')})" for s in plan.suites)
    parts = [f"{folder.run_id}: {suites}"]
    if plan.epochs > 1:
        parts.append(f"{plan.epochs} epochs")
    parts.append(f"model {plan.model.name}, tools {plan.model.tool_protocol}")
    if plan.model.kind in ("openai", "local"):
        parts.append(f"context {plan.model.identity.context or 'unknown'} a slot")
    parts.append(f"in {plan.containment.provider}" if plan.containment else "no code is run")
    return ", ".join(parts)


def _printer(folder: RunFolder, as_json: bool) -> Printer:
    from harness.cli.printer import Printer
    from harness.outcome import Verdict
    from harness.suites.registry import suite

    resolved = sum(entry.verdict is Verdict.RESOLVED for entry in folder.index.entries.values())
    plan = folder.plan
    samples = plan.epochs * sum(len(suite.tasks) for suite in plan.suites)
    # without turns there is nothing to follow in a sample, and so many lines nobody reads
    brief = samples > _LINES and not any(suite(s.name).agentic for s in plan.suites)
    return Printer(
        folder.path,
        err=as_json,
        epochs=plan.epochs,
        resolved_before=resolved,
        brief=brief,
    )


def _listen(
    loop: asyncio.AbstractEventLoop, stop: StopSignal, printer: Printer | None, as_json: bool
) -> None:
    def heard() -> None:
        if stop.at_once.is_set():
            _leave(ExitCode.INTERRUPTED, as_json, printer)
        if printer is not None:
            printer.say(_SECOND if stop.stopping.is_set() else _FIRST)
        ask()

    def ask() -> None:
        stop.request("interrupted")
        if stop.at_once.is_set():
            loop.call_later(_LAST_S, _leave, ExitCode.INTERRUPTED, as_json, printer)

    def hung_up() -> None:
        hush()  # the terminal is gone; what is left to say has no reader
        ask()

    loop.add_signal_handler(signal.SIGINT, heard)
    loop.add_signal_handler(signal.SIGTERM, heard)
    if printer is None:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    else:
        loop.add_signal_handler(signal.SIGHUP, hung_up)


def _listen_no_more(loop: asyncio.AbstractEventLoop, as_json: bool) -> None:
    """The samples are over: a signal only cuts the report short."""
    for number in _SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            loop.add_signal_handler(number, _leave, ExitCode.INTERRUPTED, as_json, None)


def _leave(code: ExitCode, as_json: bool, printer: Printer | None) -> NoReturn:
    """End this process now. All that is stored is on disk, for every line is written whole; boxes
    end with the streams to them, and containers are removed by their reaper."""
    with suppress(OSError, ValueError):
        if printer is not None:
            printer.close()
        if code is ExitCode.INTERRUPTED:
            interrupted(as_json=as_json)
    final = int(code)
    with suppress(OSError, ValueError):
        final = code_after(final)
    with suppress(OSError, ValueError):
        sys.stderr.flush()
    os._exit(final)


def _tell_failure(folder: RunFolder, session: SessionSummary) -> None:
    from harness.cli.console import console

    console(err=True).print(
        f"the run failed with {session.scored} of {counted(session.planned, 'sample')} scored; "
        f"folder: {folder.path}",
        soft_wrap=True,
    )
