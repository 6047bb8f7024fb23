"""The tabs of a sample in one line, with what is in them."""

from __future__ import annotations

from functools import partial

from textual import events
from textual.message import Message

from tui.render.lines import Line, Span, cells
from tui.widgets.lines_bar import LinesBar

TABS = ("transcript", "diff", "tests", "files", "raw", "info")
# Of a tree; a question with one answer has none.
TREE_TABS = frozenset({"diff", "files"})


class TabBar(LinesBar):
    """Numbers and names; the chosen one is marked by brackets and weight, not by colour alone."""

    DEFAULT_CSS = "TabBar { background: $surface; }"

    class Picked(Message):
        def __init__(self, tab: str) -> None:
            super().__init__()
            self.tab = tab

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._chosen = TABS[0]
        self._notes: dict[str, str] = {}
        self._status: Line = ()
        self._tree = True

    def update(self, chosen: str, notes: dict[str, str], status: Line, *, tree: bool) -> None:
        """notes: a few characters beside a tab's name; status: right of all tabs; tree: whether
        the sample has one."""
        new = (chosen, notes, status, tree)
        if new != (self._chosen, self._notes, self._status, self._tree) or not self._lines:
            self._chosen, self._notes, self._status, self._tree = new
            self._make()

    def on_resize(self, _event: events.Resize) -> None:
        self._make()

    def _make(self) -> None:
        full = self._spans(notes=True)
        spans, targets = full if self._fits(full[0]) else self._spans(notes=False)
        self.put([tuple(spans)], self._status)
        self.targets(targets)

    def _fits(self, spans: list[Span]) -> bool:
        used = sum(cells(text) for text, _ in spans) + sum(cells(t) for t, _ in self._status)
        return used < self.size.width

    def _spans(self, *, notes: bool) -> tuple[list[Span], list[tuple[int, int, partial[None]]]]:
        spans: list[Span] = []
        targets: list[tuple[int, int, partial[None]]] = []
        column = 0
        for number, tab in enumerate(TABS, start=1):
            if tab in TREE_TABS and not self._tree:
                continue
            note = self._notes.get(tab, "") if notes else ""
            on = tab == self._chosen
            left, right = ("[", "]") if on else (" ", " ")
            parts: list[Span] = [
                (left, "accent"),
                (f"{number} ", "muted"),
                (tab.capitalize(), "title" if on else "text"),
                (f" {note}" if note else "", "muted"),
                (right, "accent"),
            ]
            width = sum(cells(text) for text, _ in parts)
            targets.append((column, column + width, partial(self._pick, tab)))
            column += width
            spans += parts
        return spans, targets

    def _pick(self, tab: str) -> None:
        self.post_message(self.Picked(tab))
