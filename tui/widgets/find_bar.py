"""One line to type into: a search or a filter, with a count beside it."""

from __future__ import annotations

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input

from tui.plain import Plain, content


class FindBar(Horizontal):
    """Hidden until ``begin``. Enter keeps the text and gives the focus back, Escape clears it."""

    DEFAULT_CSS = """
    FindBar { height: 1; display: none; background: $panel; }
    FindBar.-open { display: block; }
    FindBar > .find-word { width: auto; color: $primary; text-style: bold; padding: 0 1; }
    FindBar > Input { width: 1fr; height: 1; border: none; padding: 0; background: $panel; }
    FindBar > Input:focus { border: none; }
    FindBar > .find-count { width: auto; padding: 0 1; color: $foreground-muted; }
    """

    class Typed(Message):
        """The text is another; ``final`` when Enter was pressed."""

        def __init__(self, bar: FindBar, text: str, *, final: bool) -> None:
            super().__init__()
            self.bar, self.text, self.final = bar, text, final

        @property
        def control(self) -> FindBar:
            return self.bar

    class Closed(Message):
        """The bar was left; ``cleared`` when by Escape."""

        def __init__(self, bar: FindBar, *, cleared: bool) -> None:
            super().__init__()
            self.bar, self.cleared = bar, cleared

        @property
        def control(self) -> FindBar:
            return self.bar

    def __init__(self, word: str, hint: str, *, id: str) -> None:
        super().__init__(id=id)
        self._word, self._hint = word, hint
        self._count = ""

    def compose(self) -> ComposeResult:
        yield Plain(self._word, classes="find-word")
        yield Input(placeholder=self._hint, select_on_focus=False, compact=True)
        yield Plain("", classes="find-count")

    @property
    def text(self) -> str:
        return self.query_one(Input).value

    @property
    def open(self) -> bool:
        return self.has_class("-open")

    def begin(self) -> None:
        """Show the bar and take the focus; the old text is there to be typed over."""
        self.add_class("-open")
        field = self.query_one(Input)
        field.action_select_all()
        field.focus()

    def end(self, *, clear: bool = True) -> None:
        """Hide the bar, by default with its text."""
        if clear:
            self.query_one(Input).value = ""
        self.remove_class("-open")

    def hint(self, text: str) -> None:
        """What can be typed, shown while nothing is."""
        self._hint = self.query_one(Input).placeholder = text

    def count(self, text: str) -> None:
        """Say how much was found."""
        if text != self._count:
            self._count = text
            self.query_one(".find-count", Plain).update(content(text))

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        self.post_message(self.Typed(self, event.value, final=False))

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.post_message(self.Typed(self, event.value, final=True))
        if not event.value:
            self.remove_class("-open")
        self.post_message(self.Closed(self, cleared=not event.value))

    def on_key(self, event: events.Key) -> None:
        if event.key == "escape":
            event.stop()
            event.prevent_default()
            self.end()
            self.post_message(self.Closed(self, cleared=True))
