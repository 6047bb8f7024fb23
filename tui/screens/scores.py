"""All scores of a run, as ``proctor show`` prints them."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from harness.report.scores import Summary
from tui.bindings import bindings
from tui.model.panes import TextBlocks
from tui.outside import copy_out
from tui.plain import Plain
from tui.widgets.block_list import BlockList
from tui.widgets.key_bar import KeyBar


def scores_text(summary: Summary, width: int) -> str:
    """The tables and lines of ``proctor show RUN --subjects-table``, ``width`` cells wide."""
    from rich.console import Console

    from harness.report.table import summary_table

    console = Console(width=width, color_system=None, force_terminal=False, legacy_windows=False)
    made = summary_table(summary, every_part=True)
    lines = console.render_lines(made, console.options, pad=False)
    return "\n".join("".join(part.text for part in line).rstrip() for line in lines)


class ScoreList(BlockList):
    ENTER = ""


class Scores(ModalScreen[None]):
    """Made anew for the width that there is."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("scores")

    def __init__(self, summary: Summary) -> None:
        super().__init__(classes="dialog")
        self._summary = summary

    def compose(self) -> ComposeResult:
        with Vertical(classes="box whole full"):
            yield Plain("Scores", classes="question")
            yield ScoreList(id="score-list")
        yield KeyBar([("j k", "scroll")])

    def on_mount(self) -> None:
        self.query_one(BlockList).focus()
        self.call_after_refresh(self._fill)

    def on_resize(self, _event: events.Resize) -> None:
        self.call_after_refresh(self._fill)

    def _fill(self) -> None:
        shown = self.query_one(BlockList)
        text = scores_text(self._summary, max(20, shown.text_width))
        shown.show(TextBlocks(content=text, numbered=False, empty="No sample has a score yet."))

    def action_copy(self) -> None:
        copy_out(self.app, scores_text(self._summary, 120), "scores")

    def action_back(self) -> None:
        self.dismiss(None)
