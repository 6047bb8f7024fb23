"""``proctor cancel RUN``."""

from __future__ import annotations

import time
from pathlib import Path

import click

from harness.cli.common import emit_json, find_run, json_option, said
from harness.errors import ConflictError, ExitCode

# A runner looks at its commands ten times a second; one that is silent for this long is stuck.
PATIENCE_S = 10.0


@click.command("cancel", short_help="Stop a run, or one sample of it.")
@click.argument("run", metavar="RUN")
@click.option("--sample", metavar="ID", help="Only this sample (a unique beginning will do).")
@json_option
def command(run: str, sample: str | None, as_json: bool) -> int:
    """Ask the runner of RUN to stop; what has no score stays pending and can be resumed.

    Exit code 3 when nobody works on the run, or the runner refuses.
    """
    from harness.control import append_command
    from harness.store import layout
    from harness.store.lock import is_running
    from harness.store.run_folder import RunFolder

    folder = RunFolder.open(find_run(run))
    key = None
    if sample is not None:
        from harness.cli.samples import choose_sample

        key = choose_sample(folder, sample)
    if not is_running(folder.path):
        raise ConflictError("nobody works on this run", where=str(folder.path))
    log = folder.path / layout.RUN_LOG
    offset = log.stat().st_size if log.exists() else 0
    sent = append_command(folder.path, "cancel_sample" if key else "cancel_run", sample=key)
    accepted, detail = _answer(folder.path, offset, sent)
    if as_json:
        emit_json({"run": folder.run_id, "sample": key, "accepted": accepted, "detail": detail})
    elif accepted:
        said(f"{key or folder.run_id} is being cancelled")
    if not accepted:
        if as_json:
            return int(ExitCode.CONFLICT)
        raise ConflictError(detail, where=str(folder.path))
    return int(ExitCode.OK)


def _answer(folder: Path, offset: int, sent: str) -> tuple[bool, str]:
    """Wait for the runner's acknowledgement."""
    from harness.events.run import ControlAcknowledged
    from harness.events.union import run_event
    from harness.store import layout
    from harness.store.lines import decode
    from harness.store.lock import is_running
    from harness.store.tail import Tail

    tail = Tail(folder / layout.RUN_LOG, offset)
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        running = is_running(folder)
        for line in tail.poll():
            event = decode(line, run_event)
            if isinstance(event, ControlAcknowledged) and event.command_id == sent:
                return event.accepted, event.detail or "the runner refuses"
        if not running:
            return False, "the run ended before it was told"
        time.sleep(0.1)
    return False, "the runner does not answer"
