"""What is said when the interface of a run is left: how the run stands, and how to come back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from harness.cli.common import run_name
from harness.control import CommandTail
from harness.errors import ProctorError
from harness.store.lock import is_running
from harness.store.run_folder import RunFolder


def farewell(path: Path) -> Iterator[str]:
    """Lines to tell of the run in ``path``."""
    name = run_name(path)
    running = is_running(path)
    stopping = running and _told_to_stop(path)
    if running:
        yield "the run is being stopped" if stopping else "the run goes on in the background"
    yield f"the run is in {path}"
    if stopping:
        yield f"go on with it:   proctor run --resume {name}"
        return
    if running:
        yield "come back to it: proctor, enter opens it"
        yield f"scores so far:   proctor show {name}"
        yield f"stop it:         proctor cancel {name}"
        return
    try:
        yield from _scores(RunFolder.open(path), name)
    except ProctorError as error:  # deleted while it was looked at, or damaged
        yield f"it cannot be read any more: {error}"


def _scores(folder: RunFolder, name: str) -> Iterator[str]:
    from harness.cli.run_facts import summary_of
    from harness.report.numbers import interval, percent

    summary = summary_of(folder)
    for suite in summary.suites:
        if suite.scored:
            counted = f"{suite.resolved} of {suite.scored} resolved"
            bounds = "" if suite.interval is None else f" (95 %: {interval(suite.interval)})"
            yield f"{suite.name}: {counted}, {percent(suite.score)}{bounds}"
    if not summary.complete:
        left = summary.planned - summary.scored
        yield f"{left} without a score; run them: proctor run --resume {name}"
    yield f"its scores:      proctor show {name}"
    yield f"its transcripts: proctor replay {name}"


def _told_to_stop(path: Path) -> bool:
    """Whether this session's runner was told to stop."""
    try:
        commands = CommandTail(path, RunFolder.open(path).latest_session().control_offset)
    except ProctorError:
        return False
    try:
        return any(command.command == "cancel_run" for command in commands.poll())
    finally:
        commands.close()
