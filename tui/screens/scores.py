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
from tui.model.records import Records
from tui.outside import copy_out
from tui.plain import Plain, clean_line
from tui.widgets.block_list import BlockList
from tui.widgets.key_bar import KeyBar

LOOK_S = 0.25


def scores_text(summary: Summary, width: int) -> str:
    """The tables and lines of ``proctor show RUN --subjects-table``, ``width`` cells wide."""
    from rich.console import Console

    from harness.report.table import summary_table

    console = Console(width=width, color_system=None, force_terminal=False, legacy_windows=False)
    made = summary_table(summary, every_part=True)
    lines = console.render_lines(made, console.options, pad=False)
    return "\n".join("".join(part.text for part in line).rstrip() for line in lines)


class ScoreList(BlockList):
    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "open_block"  # nothing here opens


class Scores(ModalScreen[None]):
    """Made anew for the width that there is, and for what ``records`` take in meanwhile."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("scores"), *bindings("app")]

    def __init__(self, records: Records) -> None:
        super().__init__(classes="dialog")
        self._records = records
        self._shown: tuple[Summary | None, str, int] | None = None

    def compose(self) -> ComposeResult:
        with Vertical(classes="box whole full"):
            yield Plain("Scores", classes="question")
            yield ScoreList(id="score-list")
        yield KeyBar([("j k", "scroll")])

    def on_mount(self) -> None:
        self.query_one(BlockList).focus()
        self.call_after_refresh(self._fill)
        self.set_interval(LOOK_S, self._fill)

    def on_resize(self, _event: events.Resize) -> None:
        self.call_after_refresh(self._fill)

    def _fill(self) -> None:
        shown = self.query_one(BlockList)
        now = (self._records.summary, self._records.problem, max(20, shown.text_width))
        if self._shown is not None and self._shown[0] is now[0] and self._shown[1:] == now[1:]:
            return
        self._shown = now
        cursor, top = shown.cursor, shown.window.top
        shown.show(TextBlocks(content=self._text(now[2]), numbered=False))
        shown.move_to(cursor)
        shown.window.top = top  # the reader stays where they are
        shown.relayout()

    def _text(self, width: int) -> str:
        if self._records.problem:
            return f"The scores are unknown: {clean_line(self._records.problem)}"
        if self._records.summary is None:
            return "Reading the scores …"
        return scores_text(self._records.summary, width)

    def action_copy(self) -> None:
        copy_out(self.app, self._text(120), "scores")

    def action_back(self) -> None:
        self.dismiss(None)
