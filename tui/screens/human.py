"""Playing by hand: a run's screen with a form below the transcript, for the person's tool calls."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical

from harness.control import append_command
from harness.errors import ProctorError
from harness.outcome import SampleState
from harness.state.view import SampleView, TranscriptView
from tui.bindings import bindings
from tui.model.source import text_reader
from tui.plain import clean_line
from tui.screens.run import RunScreen
from tui.theme import STATES
from tui.widgets.call_form import CallForm
from tui.widgets.key_bar import KeyBar
from tui.widgets.run_header import RunHeader
from tui.widgets.sample_pane import SamplePane
from tui.widgets.sample_side import SampleSide


def run_screen(folder: Path) -> RunScreen:
    """The screen for a run folder: with a form while a person's run is at work.

    Raises ProctorError.
    """
    screen = RunScreen(folder)
    follower = screen.follower
    if follower.plan.model.kind != "human" or not follower.running:
        return screen
    follower.close()
    return HumanScreen(folder)


class HumanScreen(RunScreen):
    """The run of a person who plays. Raises ProctorError when it cannot be read."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("human")
    SCORE_LINES = 1
    CSS = """
    HumanScreen #human-right { width: 1fr; }
    HumanScreen #run-left { width: 26; }
    HumanScreen.-one #run-left, HumanScreen.-narrow #run-left { display: none; }
    HumanScreen.-narrow SamplePane { display: block; }
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.following = True
        self._asked = ""  # the sample and turn that a call was sent for
        self._sent = ""
        self._told: str | None = None

    def compose(self) -> ComposeResult:
        yield RunHeader(id="run-header")
        with Horizontal(id="run-body"):
            yield SampleSide(self.follower.view, id="run-left")
            with Vertical(id="human-right"):
                yield SamplePane()
                yield CallForm(self._protocol(), self._paths, self._read_file)
        yield KeyBar()
        yield self.too_small()

    def on_mount(self) -> None:
        self.set_class(len(self.follower.view.samples) == 1, "-one")

    def take_focus(self) -> None:
        """Not when a turn comes: whoever types meanwhile goes on where they are."""
        self.form.begin()

    @property
    def form(self) -> CallForm:
        return self.query_one(CallForm)

    def _protocol(self) -> str:
        """Suites of a run by hand have one protocol of tools each; the first that is one counts."""
        from tools.schema import PROTOCOLS

        found = [suite.protocol for suite in self.follower.plan.suites]
        return next((name for name in found if name in PROTOCOLS), PROTOCOLS[0])

    # --- the tree as it is now

    @property
    def _view(self) -> TranscriptView | None:
        return self._source.view if self._source is not None else None

    def _paths(self) -> list[str]:
        return sorted(self._view.tree) if self._view is not None else []

    def _read_file(self, path: str) -> str | None:
        view, source = self._view, self._source
        state = view.tree.get(path) if view is not None else None
        return text_reader(source)(state.digest) if source is not None and state else None

    # --- whose turn it is

    def _waits(self) -> str:
        """The sample and turn that wait for a call, empty when none does."""
        view, sample = self._view, self._sample()
        if view is None or not view.asked or sample is None:
            return ""
        if sample.state is not SampleState.RUNNING or not self.follower.running:
            return ""
        asked = f"{sample.key} {sample.attempt} {view.asked}"
        return "" if asked == self._asked else asked

    def _poll(self) -> None:
        super()._poll()
        self._show_turn()

    def _show_turn(self) -> None:
        view, sample = self._view, self._sample()
        waits = self._waits()
        if waits:
            words = ""
        elif self._asked and self._sent:
            words = "Sent …"
        else:
            words = self._word_of(view, sample)
        if words != self._told:
            self._told = words
            self.form.say(words or self.form.tool.description)
            self.refresh_bindings()

    def _word_of(self, view: TranscriptView | None, sample: SampleView | None) -> str:
        if sample is not None and view is not None and view.verdict is not None:
            return f"This sample is over: {STATES[SampleState(view.verdict.value)].word}."
        if not self.follower.running:
            return "The run is over."
        if sample is not None and sample.state is SampleState.GRADING:
            return "The hidden tests run now."
        return "Wait: the tools are at work."

    # --- sending

    @on(CallForm.Made)
    def _made(self, event: CallForm.Made) -> None:
        event.stop()
        self._play(event.name, event.arguments)

    def _play(self, name: str, arguments: dict[str, Any]) -> None:
        asked = self._waits()
        if not asked or self.chosen is None:
            self.form.say(self._word_of(self._view, self._sample()), problem=True)
            return
        try:
            self._sent = append_command(
                self.folder,
                "human_call",
                sample=self.chosen,
                call={"name": name, "arguments": arguments},
            )
        except ProctorError as error:
            self.form.say(clean_line(str(error), 400), problem=True)
            return
        self._asked = asked
        self.form.clear()
        self.form.begin()
        self._show_turn()

    def _run_changed(self) -> None:
        super()._run_changed()
        answer = self.follower.view.acknowledged.get(self._sent)
        if answer is None:
            return
        self._sent = ""
        if not answer.accepted:
            self._asked = ""  # the turn still waits
            self.form.say(f"not played: {clean_line(answer.detail)}", problem=True)

    # --- keys

    def action_form(self) -> None:
        self.form.begin()

    def action_send(self) -> None:
        # From the list of tools it only opens the fields: pressed twice, it sends once.
        if self.form.in_fields:
            self.form.make()
        else:
            self.form.open_fields()

    def action_fill(self) -> None:
        self.form.fill()

    @on(CallForm.Left)
    def _left(self, event: CallForm.Left) -> None:
        event.stop()
        self.pane.focus_content()

    def action_other_pane(self) -> None:
        """Tab goes through the fields, and from the transcript to the form."""
        if self.form.has_focus_within:
            self.focus_next()
        else:
            self.form.begin()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("form", "send", "fill"):
            return self.follower.running
        return super().check_action(action, parameters)
