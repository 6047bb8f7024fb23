"""The list of a run's samples with its filter."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical

from harness.state.view import RunView
from tui.bindings import bindings
from tui.model.reasons import Facts, examples
from tui.model.samples import SampleBlocks
from tui.widgets.block_list import BlockList
from tui.widgets.find_bar import FindBar


class SampleList(BlockList):
    """The samples of a run."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("samples")
    COMPACT = True
    ENTER = "open"


class SampleSide(Vertical):
    """``chosen`` is the key of the sample that the cursor keeps to while rows move."""

    def __init__(self, view: RunView, *, id: str) -> None:
        super().__init__(id=id)
        self.samples = SampleBlocks(view)
        self.samples.refresh()
        self.chosen: Hashable | None = None
        self._known: list[Facts] = []

    def learn(self, facts: Mapping[str, Facts], known: list[Facts]) -> None:
        """Take in what records say of the samples; ``known``: each of the facts once."""
        if facts is self.samples.facts:
            return
        self.samples.facts = facts
        if known != self._known:
            self._known = known
            self.query_one(FindBar).hint(examples(known))
        if self.samples.words:
            self.sort()
        else:
            self.shown.relayout()

    def compose(self) -> ComposeResult:
        yield SampleList(self.samples, id="samples")
        yield FindBar("filter", examples([]), id="sample-filter")

    @property
    def shown(self) -> SampleList:
        return self.query_one(SampleList)

    def sort(self) -> None:
        """Sort and filter anew."""
        self.samples.refresh()
        self.shown.changed(self.chosen)
        found = f"{len(self.samples)} of {len(self.samples.view.samples)}"
        self.query_one(FindBar).count(found if self.samples.words else "")

    def next_sort(self) -> str:
        """Sort by something else; returns by what."""
        name = self.samples.next_sort()
        self.sort()
        return name

    def reverse(self) -> None:
        self.samples.backwards = not self.samples.backwards
        self.sort()

    def filter(self) -> None:
        """Let the reader type a filter."""
        self.query_one(FindBar).begin()

    def neighbour(self, step: int) -> str | None:
        """The key of the sample that many rows on; it goes round."""
        if not len(self.samples):
            return None
        here = self.samples.index_of(self.chosen) or 0
        return str(self.samples.key((here + step) % len(self.samples)))

    @on(FindBar.Typed)
    def _filtered(self, event: FindBar.Typed) -> None:
        event.stop()
        self.samples.words = event.text
        self.sort()

    @on(FindBar.Closed)
    def _left(self, event: FindBar.Closed) -> None:
        event.stop()
        self.shown.focus()
