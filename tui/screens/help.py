"""The help: every key of the screen below and of what has the focus there, from the one table."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from tui.bindings import KEYS, SCOPES, bindings
from tui.plain import Plain
from tui.theme import RUN_STATES, STATES
from tui.widgets.block_list import BlockList
from tui.widgets.key_bar import KeyBar

NOTES = [
    ("runs", ", ".join(f"{mark.symbol} {mark.word}" for mark in RUN_STATES.values())),
    ("samples", ", ".join(f"{mark.symbol} {mark.word}" for mark in STATES.values())),
    (
        "filter samples",
        "by name, state (unresolved, no score), kind of error (wrong answer, no answer, timeout), "
        "exception, ending, suite, subject, group (STEM, social sciences), category, epoch (#2), "
        "flagged; several, parted by spaces or commas, have all to be true",
    ),
    ("mouse", "the wheel scrolls, a click selects, a click on a first line opens"),
    ("select text", "hold Shift (macOS terminals: Option) while dragging"),
    ("colours", "T goes through dark, light and high contrast; NO_COLOR works"),
    ("a torn screen", "run: reset"),
]


class Help(ModalScreen[None]):
    """Keys by their ids, only those that do something where the help was asked for; scopes as
    they come first in them."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("help")

    def __init__(self, scopes: list[str], ids: set[str]) -> None:
        super().__init__(classes="dialog")
        self._scopes, self._ids = scopes, ids

    def compose(self) -> ComposeResult:
        from tui.model.panes import FactBlocks  # much to load, for a screen seldom asked for

        keys = [key for key in KEYS if key.id in self._ids]
        with Vertical(classes="box whole wide"):
            yield Plain("Keys", classes="question")
            blocks = FactBlocks()
            blocks.put(
                [
                    *(
                        (SCOPES[s], [(k.shown, k.words) for k in keys if k.scope == s])
                        for s in self._scopes
                    ),
                    ("Good to know", NOTES),
                ]
            )
            yield BlockList(blocks, id="help-list")
        yield KeyBar([("j k", "scroll")])

    def on_mount(self) -> None:
        self.query_one(BlockList).focus()

    def action_back(self) -> None:
        self.dismiss(None)
