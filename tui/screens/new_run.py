"""A new run: suites, model, containment as doctor found them; what is refused says why."""

from __future__ import annotations

import asyncio
import shlex
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Button, Input

from tui.bindings import bindings
from tui.commands import proctor
from tui.model.new_run import (
    ChoiceBlocks,
    model_choices,
    run_arguments,
    sandbox_choices,
    suite_choices,
)
from tui.plain import Plain, clean, content
from tui.screens.base import ProctorScreen
from tui.widgets.block_list import BlockList
from tui.widgets.key_bar import KeyBar
from tui.widgets.lines_bar import LinesBar

_FIELDS = (
    ("model", "other model", "a name that the server knows"),
    ("base_url", "base URL", "http://127.0.0.1:8080/v1"),
    ("data", "suites' data", "PATH or SUITE=PATH, several parted by spaces; empty: as configured"),
    ("limit", "tasks at most", "all"),
    ("epochs", "epochs", "1"),
    ("concurrency", "at a time", "the server's slots, else 4"),
    ("name", "name", "shown in lists"),
)


class ChoiceList(BlockList):
    """Choices; space marks as enter does."""

    COMPACT = True
    ENTER = "mark"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("space", "open_block", show=False)]


class NewRun(ProctorScreen):
    """Dismissed with the folder of the run that was started, or None."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("new")

    def __init__(self) -> None:
        super().__init__()
        self.suites = ChoiceBlocks(many=True)
        self.models = ChoiceBlocks()
        self.sandboxes = ChoiceBlocks(marked=["auto"])
        self._starting = False

    def compose(self) -> ComposeResult:
        yield LinesBar(id="new-title")
        with VerticalScroll(id="new-form"):
            yield Plain("Suites", classes="label")
            yield ChoiceList(self.suites, id="new-suites")
            yield Plain("Model", classes="label")
            yield ChoiceList(self.models, id="new-models")
            yield Plain("Containment", classes="label")
            yield ChoiceList(self.sandboxes, id="new-sandboxes")
            yield Plain("Details", classes="label")
            with Vertical(id="new-fields"):
                for name, label, hint in _FIELDS:
                    with Horizontal(classes="field"):
                        yield Plain(label, classes="field-name")
                        yield Input(placeholder=hint, id=f"new-{name}", compact=True)
        with Vertical(id="new-bottom"):
            yield Plain("", id="new-command")
            yield Plain("", id="new-problem")
            with Horizontal(id="new-buttons"):
                yield Button("Start", id="new-start", compact=True, variant="primary")
                yield Button("Never mind", id="new-leave", compact=True)
        yield KeyBar([("tab", "next")])
        yield self.too_small()

    def on_mount(self) -> None:
        title = ((" New run", "title"), ("  Tab goes on, Enter marks", "muted"))
        self.query_one("#new-title", LinesBar).put([title])
        self._look()
        self._command()
        self.query_one("#new-suites", BlockList).focus()

    @work
    async def _look(self) -> None:
        self.models.put(await asyncio.to_thread(model_choices, None))
        self._put("new-models")
        done = await proctor("doctor", "--json")
        if done.document is None:
            self._problem(done.problem)
            return
        self.suites.put(suite_choices(done.document))
        self.sandboxes.put(sandbox_choices(done.document))
        self.models.put(await asyncio.to_thread(model_choices, done.document))
        for name in ("new-suites", "new-models", "new-sandboxes"):
            self._put(name)

    def _put(self, name: str) -> None:
        shown = self.query_one(f"#{name}", BlockList)
        rows = sum(
            len(shown.blocks.lines(i, max(20, self.size.width - 8)))
            for i in range(len(shown.blocks))
        )
        shown.styles.height = max(1, min(rows, 12))
        shown.show(shown.blocks)

    # --- the command that it makes

    def _arguments(self) -> tuple[list[str], str]:
        fields = {name: self.query_one(f"#new-{name}", Input).value for name, _, _ in _FIELDS}
        model = self.models.marked[0] if self.models.marked else ""
        sandbox = self.sandboxes.marked[0] if self.sandboxes.marked else ""
        return run_arguments(self.suites.marked, model, sandbox, fields)

    def _command(self) -> None:
        arguments, missing = self._arguments()
        text = f"To start: {missing}" if missing else f"proctor {shlex.join(arguments)}"
        self.query_one("#new-command", Plain).update(content(text))

    def _problem(self, text: str) -> None:
        self.query_one("#new-problem", Plain).update(Content(clean(text, 800)))

    @on(Input.Changed)
    def _typed(self) -> None:
        self._command()

    @on(BlockList.Toggled)
    def _marked(self) -> None:
        self._command()

    # --- starting

    @on(Button.Pressed, "#new-start")
    def action_start(self) -> None:
        arguments, missing = self._arguments()
        if missing:
            self._problem(f"Before it can start: {missing}.")
        elif not self._starting:
            self._start(arguments)

    @work(exclusive=True, group="start")
    async def _start(self, arguments: list[str]) -> None:
        self._starting = True
        self._problem("Checking and starting …")
        done = await proctor(*arguments, "--detach", "--json")
        self._starting = False
        if not done.ok:
            self._problem(done.problem)
            return
        self.dismiss(str(done.document["folder"]))

    @on(Button.Pressed, "#new-leave")
    def action_leave(self) -> None:
        self.dismiss(None)
