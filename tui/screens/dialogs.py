"""Questions: one with answers, one with a line or two to type."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Input

from tui.bindings import bindings
from tui.plain import Plain, content
from tui.widgets.key_bar import KeyBar

# How often the detail of a question that changes by itself is asked for.
_RENEW_S = 0.25


class Ask(ModalScreen[int | None]):
    """A question with answers; gives the number of the one chosen, None for none. ``detail`` may
    be a function that is asked again and again; the question goes when that gives None."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("dialog")

    def __init__(
        self, question: str, detail: str | Callable[[], str | None], answers: list[str]
    ) -> None:
        super().__init__(classes="dialog")
        self._question, self._detail, self._answers = question, detail, answers

    def compose(self) -> ComposeResult:
        detail = self._detail if isinstance(self._detail, str) else self._detail() or ""
        with Vertical(classes="box"):
            yield Plain(content(self._question), classes="question")
            for line in detail.split("\n"):
                yield Plain(content(line), classes="detail")
            with Horizontal(classes="buttons"):
                for number, answer in enumerate(self._answers):
                    yield Button(content(answer), id=f"answer-{number}", compact=True)
                yield Button("Never mind", id="answer-none", compact=True)
        words = {"dialog.yes": self._answers[0].lower()}
        yield KeyBar([("← →", "choose"), ("enter", "take it")], words)

    def on_mount(self) -> None:
        self.query_one("#answer-none", Button).focus()
        if callable(self._detail):
            self.set_interval(_RENEW_S, self._renew)

    def _renew(self) -> None:
        detail = self._detail() if callable(self._detail) else self._detail
        if detail is None:
            if self.is_current:
                self.dismiss(None)
            return
        lines = detail.split("\n")
        for shown, line in zip(self.query(".detail").results(Plain), lines, strict=False):
            shown.update(content(line))

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        number = str(event.button.id).removeprefix("answer-")
        self.dismiss(None if number == "none" else int(number))

    def action_answer(self, number: int) -> None:
        self.dismiss(number)

    def action_cancel(self) -> None:
        self.dismiss(None)

    def on_key(self, event: events.Key) -> None:
        if event.key in ("left", "h", "right", "l"):
            event.stop()
            forward = event.key in ("right", "l")
            self.focus_next() if forward else self.focus_previous()


class Type(ModalScreen[list[str] | None]):
    """Fields to type into; gives their texts, None when left by Escape."""

    BINDINGS: ClassVar[list[BindingType]] = [b for b in bindings("dialog") if b.key == "escape"]  # type: ignore[union-attr]

    def __init__(self, title: str, fields: list[tuple[str, str]], hint: str = "") -> None:
        super().__init__(classes="dialog")
        self._title, self._fields, self._hint = title, fields, hint

    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            yield Plain(content(self._title), classes="question")
            for number, (label, value) in enumerate(self._fields):
                if label:
                    yield Plain(content(label), classes="detail")
                yield Input(value, id=f"field-{number}", compact=True)
            if self._hint:
                yield Plain(content(self._hint), classes="detail")
        move = [("tab", "next field")] if len(self._fields) > 1 else []
        yield KeyBar([*move, ("enter", "keep")])

    def on_mount(self) -> None:
        self.query_one("#field-0", Input).focus()

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        last = f"field-{len(self._fields) - 1}"
        if event.input.id != last:
            self.focus_next()
            return
        self.dismiss([self.query_one(f"#field-{n}", Input).value for n in range(len(self._fields))])

    def action_cancel(self) -> None:
        self.dismiss(None)
