"""The bar at the bottom of a terminal while a run goes on."""

from __future__ import annotations

from collections.abc import Callable

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from harness.cli.tally import Tally, duration
from harness.state.sanitize import safe

# More running samples than this do not fit beside the bar.
_SHOWN = 6


class LiveBar:
    """Redrawn four times a second; ``status`` gives the line under the bar."""

    def __init__(self, console: Console, status: Callable[[], str]) -> None:
        self._status = status
        self._live = Live(
            console=console, auto_refresh=False, transient=True, redirect_stderr=False
        )
        self._live.start()

    def update(self, tally: Tally, elapsed: float) -> None:
        """Draw ``tally``."""
        head = Table.grid(padding=(0, 1))
        head.add_row(
            ProgressBar(
                total=max(1, tally.session_planned), completed=tally.session_done, width=30
            ),
            Text(f"{tally.session_done} of {tally.session_planned}"),
            Text(f"{duration(elapsed)}, {tally.time_left(elapsed)}"),
        )
        running = [f"{key} (turn {turn})" for key, turn in list(tally.running.items())[:_SHOWN]]
        more = len(tally.running) - len(running)
        if more > 0:
            running.append(f"and {more} more")
        lines = [Text(self._status(), overflow="ellipsis", no_wrap=True)]
        if running:
            lines.append(Text("running: " + ", ".join(running), overflow="ellipsis", no_wrap=True))
        if tally.notes:
            sample, note = next(iter(tally.notes.items()))
            others = f" (and {len(tally.notes) - 1} more)" if len(tally.notes) > 1 else ""
            text = safe(f"{sample}: {note}{others}")
            lines.append(Text(text, overflow="ellipsis", no_wrap=True))
        self._live.update(Group(head, *lines), refresh=True)

    def stop(self) -> None:
        """Take the bar away; what was printed above it stays."""
        self._live.stop()
