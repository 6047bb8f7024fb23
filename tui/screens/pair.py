"""One task in two runs: both transcripts next to each other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal

from harness.errors import ProctorError
from harness.ids import sample_key
from harness.report.compare import TaskPair
from harness.state.follow import RunFollower
from tui.bindings import bindings
from tui.model.source import LiveSource
from tui.plain import clean_line
from tui.render.lines import Line, middle, width_of
from tui.screens.base import ProctorScreen
from tui.theme import STATES
from tui.widgets.key_bar import KeyBar
from tui.widgets.sample_pane import SamplePane

_POLL_S = 1 / 15
_SIDES = ("first", "second")


class _Side:
    """One of the runs: what is known of it, and the sample shown."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.follower = RunFollower(folder)
        self.follower.catch_up()
        self.key = ""
        self.source: LiveSource | None = None


class PairScreen(ProctorScreen):
    """``pairs[index]`` is shown first; an epoch in which the runs differ is preferred.

    Raises ProctorError when a run cannot be read.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("pair")
    DEFAULT_CSS = """
    PairScreen > #pair { height: 1fr; }
    PairScreen #pane-first { border-right: solid $border; }
    PairScreen.-narrow .-behind { display: none; }
    PairScreen.-narrow #pane-first { border-right: none; }
    """

    def __init__(self, a: Path, b: Path, pairs: Sequence[TaskPair], index: int) -> None:
        super().__init__()
        self._sides = [_Side(a), _Side(b)]
        self._pairs, self._at = list(pairs), index
        self._gone = False

    def compose(self) -> ComposeResult:
        with Horizontal(id="pair"):
            yield SamplePane(id="pane-first")
            yield SamplePane(id="pane-second")
        yield KeyBar()
        yield self.too_small()

    def on_mount(self) -> None:
        self._show()
        self.set_interval(_POLL_S, self._poll)

    @property
    def panes(self) -> list[SamplePane]:
        return [self.query_one(f"#pane-{side}", SamplePane) for side in _SIDES]

    @property
    def front(self) -> int:
        """The pane that has the focus; the only one shown where there is no room for two."""
        return 1 if self.panes[1].has_focus_within else 0

    # --- what is shown

    def _show(self) -> None:
        pair = self._pairs[self._at]
        key = sample_key(pair.task_id, _epoch(pair))
        for side, pane in zip(self._sides, self.panes, strict=True):
            side.key, side.source = key, None
            sample = side.follower.view.samples.get(key)
            if sample is not None and sample.attempt:
                side.source = LiveSource(side.folder, sample)
                pane.show(side.source, side.folder, key, empty="")
            else:
                pane.show(None, side.folder, key, empty="This run has no transcript of it.")
        self._show_titles()
        self.call_after_refresh(self._focus, 0)

    def _show_titles(self) -> None:
        for name, side, pane in zip(_SIDES, self._sides, self.panes, strict=True):
            sample = side.follower.view.samples.get(side.key)
            model = clean_line(side.follower.plan.model.name, 60)
            title: Line = ((f"{name}  ", "label"), (model, "strong"))
            if sample is not None:
                mark = STATES[sample.state]
                title = (*title, (f"  {mark.symbol} {mark.word}", mark.role))
            place = f"{self._at + 1}/{len(self._pairs)}"
            if name == "first" or self.narrow:
                width = self.size.width if self.narrow else self.size.width // 2
                number = f"  {place}" if self.narrow else ""
                room = max(8, width - width_of(title) - len(number) - 4)
                task = sample.task_id if sample is not None else side.key
                place = middle(clean_line(task), room) + number
            pane.put_title(title, ((place, "muted"),))

    def _poll(self) -> None:
        if self._gone or not self.is_current:
            return
        try:
            for side, pane in zip(self._sides, self.panes, strict=True):
                if side.follower.poll():
                    self._show_titles()
                sample = side.follower.view.samples.get(side.key)
                if sample is None or side.source is None:
                    continue
                if side.source.poll(sample):
                    pane.update()
        except (ProctorError, OSError) as error:
            self._gone = True
            self.say(clean_line(str(error), 400), error=True)

    # --- keys

    def _focus(self, number: int) -> None:
        for index, pane in enumerate(self.panes):
            pane.set_class(index != number, "-behind")
        self.panes[number].focus_content()

    def action_other(self) -> None:
        self._focus(1 - self.front)

    def action_task(self, step: int) -> None:
        self._at = (self._at + step) % len(self._pairs)
        self._show()

    def action_both(self, step: int) -> None:
        for pane in self.panes:
            pane.action_turn(step)
        self.panes[self.front].focus_content()

    def action_back(self) -> None:
        pane = self.panes[self.front]
        if pane.searching:
            pane.clear_search()
        else:
            self.proctor.leave()

    def on_unmount(self) -> None:
        for side in self._sides:
            side.follower.close()


def _epoch(pair: TaskPair) -> int:
    """The first epoch in which the runs differ, else the first one that both have."""
    differing = [e for e, left, right in pair.verdicts if left is not right]
    both = [e for e, left, right in pair.verdicts if left is not None and right is not None]
    return next(iter([*differing, *both]), 1)
