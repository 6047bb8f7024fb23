"""The bottom line: the keys that do something now, the most useful ones when there is no room."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from textual import events
from textual.app import App
from textual.screen import Screen

from tui.bindings import BY_ID, Key
from tui.render.lines import Line, Span, cells
from tui.widgets.lines_bar import LinesBar

_LAST = 90
"""Keys from here on (help, back) stay at the end however narrow it is."""


class KeyBar(LinesBar):
    """Made from the bindings that are active. ``hints``: keys of a field or a button, as shown
    and with their words; ``words``: what keys do here by their ids."""

    DEFAULT_CSS = "KeyBar { dock: bottom; background: $panel; }"

    def __init__(
        self, hints: Sequence[tuple[str, str]] = (), words: Mapping[str, str] | None = None
    ) -> None:
        super().__init__()
        self._hints = hints
        self._words = words or {}

    def on_mount(self) -> None:
        super().on_mount()
        self.screen.bindings_updated_signal.subscribe(self, self._updated)
        self.call_after_refresh(self._make)

    def _updated(self, screen: Screen[object]) -> None:
        if screen is self.screen and not self.app._exit:
            self._make()

    def on_resize(self, _event: events.Resize) -> None:
        self._make()

    def _make(self) -> None:
        active: dict[str, str] = {}
        for _, binding, enabled, _ in self.screen.active_bindings.values():
            key = BY_ID.get(binding.id or "")
            if key is not None and key.bar and enabled:
                active.setdefault(key.words, key.id)
        found = sorted((BY_ID[i] for i in active.values()), key=lambda key: key.bar)
        last = [key for key in found if key.bar >= _LAST]
        enter = getattr(self.app.focused, "ENTER", "")
        words = {**({"list.open": enter} if enter else {}), **self._words}
        found = [replace(k, words=words.get(k.id, k.brief or k.words)) for k in found]
        found = [Key("", "", "", does, keys, 1) for keys, does in self._hints] + found
        room = self.size.width - sum(_width(k.shown, k.words) for k in last) - 1
        shown = []
        for key in found:
            if key.bar >= _LAST:
                continue
            room -= _width(key.shown, key.words)
            if room < 0:
                break
            shown.append(key)
        spans: list[Span] = [(" ", "")]
        targets = []
        column = 1
        for key in [*shown, *last]:
            width = _width(key.shown, key.words)
            if key.keys:
                targets.append((column, column + width - 2, partial(self._run, key.keys)))
            column += width
            spans += [(key.shown, "key"), (" ", ""), (key.words, "muted"), ("  ", "")]
        line: Line = tuple(spans)
        self.put([line])
        self.targets(targets)

    def _run(self, keys: str) -> None:
        app: App[object] = self.app
        app.simulate_key(keys.split(",")[0])


def _width(shown: str, words: str) -> int:
    return cells(shown) + cells(words) + 3
