"""``proctor replay RUN|TRANSCRIPT``: a stored transcript, in the interface or as text."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from harness.errors import UsageError


@click.command("replay", short_help="Replay stored transcripts.")
@click.argument("source", metavar="RUN|TRANSCRIPT")
@click.option("--sample", metavar="ID", help="Only this sample (a unique beginning will do).")
@click.option("--batch", is_flag=True, help="Plain text, also on a terminal.")
@click.option(
    "--speed", type=click.FloatRange(0.25, 64.0), metavar="X", help="Play at once, X times as fast."
)
def command(source: str, sample: str | None, batch: bool, speed: float | None) -> int:
    """Replay the transcripts of RUN (a path, an id, a unique beginning of one, a name, or last), or
    one TRANSCRIPT file: in the interface on a terminal, else as text."""
    from harness.cli import interface
    from harness.cli.common import find_run
    from harness.cli.transcript_text import transcript_lines
    from harness.state.sanitize import safe

    path = Path(source).expanduser()
    parts: Iterable[Iterable[Any]]
    if path.is_file():
        if sample is not None:
            raise UsageError("--sample needs a run, not a transcript", remedy="leave --sample out")
        if not batch and interface.wanted():
            return interface.show("run_replay", path, None, speed)
        from harness.store.transcript import read_transcript

        parts = [read_transcript(path)]
    else:
        from harness.cli.samples import attempt_events, choose_sample, sample_keys
        from harness.store.run_folder import RunFolder

        folder = RunFolder.open(find_run(source))
        if not batch and interface.wanted():
            return interface.show("run_replay", folder.path, sample, speed)
        keys = [choose_sample(folder, sample)] if sample else sample_keys(folder)
        if not keys:
            raise UsageError("this run has no transcript yet", where=str(folder.path))
        parts = (attempt_events(folder, key) for key in keys)
    for events in parts:
        for line in transcript_lines(events):
            click.echo(safe(line))
        click.echo()
    return 0
