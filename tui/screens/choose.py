"""A list to choose from; typing narrows it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input

from tui.bindings import bindings
from tui.plain import Plain, content
from tui.render.lines import Line, text_of
from tui.widgets.block_list import BlockList
from tui.widgets.key_bar import KeyBar

Option = tuple[str, Line]
# From what is typed to the values of the options that are meant.
Finder = Callable[[str], set[str]]


class _Options:
    def __init__(self, options: list[Option], find: Finder | None) -> None:
        self.all = self.shown = options
        self._find = find
        self.empty = "Nothing matches.\nEscape leaves."

    def narrow(self, text: str) -> None:
        words = text.lower().replace(",", " ").split()
        if self._find is not None and words:
            found = self._find(text)
            self.shown = [option for option in self.all if option[0] in found]
        else:
            self.shown = [o for o in self.all if all(w in text_of(o[1]).lower() for w in words)]

    def __len__(self) -> int:
        return len(self.shown)

    def key(self, index: int) -> Hashable:
        return self.shown[index][0]

    def index_of(self, key: Hashable) -> int | None:
        return next((i for i, option in enumerate(self.shown) if option[0] == key), None)

    def estimates(self, start: int) -> list[int]:
        return [1] * (len(self) - start)

    def revision(self, index: int) -> Hashable:
        return 0

    def lines(self, index: int, width: int) -> list[Line]:
        return [self.shown[index][1]]

    def toggle(self, index: int) -> bool:
        return False

    def text(self, index: int) -> str:
        return text_of(self.shown[index][1])


class _List(BlockList):
    COMPACT = True


class Choose(ModalScreen[str | None]):
    """Gives the value of the option chosen, None when left by Escape. find: where more than the
    options' own words is searched; hint: what can be typed."""

    BINDINGS: ClassVar[list[BindingType]] = [b for b in bindings("dialog") if b.key == "escape"]  # type: ignore[union-attr]

    def __init__(
        self,
        title: str,
        options: list[Option],
        current: str = "",
        *,
        find: Finder | None = None,
        hint: str = "",
    ) -> None:
        super().__init__(classes="dialog")
        self._title, self._options, self._current = title, _Options(options, find), current
        self._hint = f"type to narrow: {hint}" if hint else "type to narrow"

    def compose(self) -> ComposeResult:
        with Vertical(classes="box tall"):
            yield Plain(content(self._title), classes="question")
            yield Input(placeholder=self._hint, compact=True)
            yield _List(self._options, id="options")
        yield KeyBar([("↑ ↓", "move"), ("enter", "choose"), ("a-z", "narrow")])

    def on_mount(self) -> None:
        shown = self.query_one("#options", BlockList)
        shown.can_focus = False
        shown.styles.height = max(2, min(len(self._options), self.app.size.height - 10))
        self.query_one(Input).focus()
        index = self._options.index_of(self._current)
        if index:
            self.call_after_refresh(shown.move_to, index)

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        self._options.narrow(event.value)
        self.query_one("#options", BlockList).show(self._options)

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self._choose(self.query_one("#options", BlockList).cursor)

    @on(BlockList.Chosen)
    def _chosen(self, event: BlockList.Chosen) -> None:
        event.stop()
        self._choose(event.index)

    def _choose(self, index: int) -> None:
        if index < len(self._options):
            self.dismiss(str(self._options.key(index)))

    def on_key(self, event: events.Key) -> None:
        shown = self.query_one("#options", BlockList)
        moves = {"down": 1, "up": -1, "ctrl+n": 1, "ctrl+j": 1, "pagedown": 10, "pageup": -10}
        if event.key in moves:
            event.stop()
            event.prevent_default()
            shown.move_to(shown.cursor + moves[event.key])

    def action_cancel(self) -> None:
        self.dismiss(None)
