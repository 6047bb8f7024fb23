"""A few lines of styled text: titles, status, tabs. Not for what is long."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.segment import Segment
from textual import events
from textual.strip import Strip
from textual.widget import Widget

from tui.render.lines import Line, width_of
from tui.theme import palette


class LinesBar(Widget):
    """Shows ``lines``; ``right`` is set at the right edge of the first one where it fits."""

    DEFAULT_CSS = "LinesBar { height: 1; width: 1fr; }"

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._lines: list[Line] = []
        self._right: Line = ()
        self._targets: Sequence[tuple[int, int, Callable[[], None]]] = ()

    def put(self, lines: list[Line], right: Line = ()) -> None:
        """Show other lines."""
        if lines != self._lines or right != self._right:
            self._lines, self._right = lines, right
            self.refresh()

    def targets(self, targets: Sequence[tuple[int, int, Callable[[], None]]]) -> None:
        """What a click in columns from, to of the first line does."""
        self._targets = targets

    def on_mount(self) -> None:
        self.app.theme_changed_signal.subscribe(self, lambda _theme: self.refresh())

    def render_line(self, y: int) -> Strip:
        width, base = self.size.width, self.rich_style
        colours = palette(self.app.theme)
        spans = self._lines[y] if y < len(self._lines) else ()
        if y == 0 and self._right:
            room = width - width_of(spans) - width_of(self._right)
            if room >= 1:
                spans = (*spans, (" " * room, ""), *self._right)
        segments = [Segment(text, base + colours.style(role)) for text, role in spans]
        return Strip(segments).adjust_cell_length(width, base)

    def on_click(self, event: events.Click) -> None:
        if event.y == 0:
            for start, stop, act in self._targets:
                if start <= event.x < stop:
                    act()
                    return
