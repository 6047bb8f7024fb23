"""Two runs side by side: what the comparison shows, then their tasks, those that differ first."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType

from harness.errors import ProctorError
from harness.report.compare import Comparison
from harness.report.compare_runs import compare_folders
from harness.store.runs import RunInfo
from tui.bindings import bindings
from tui.model.compare import PairBlocks, as_text, facts, head
from tui.model.runs import score_words
from tui.outside import copy_out
from tui.plain import clean_line
from tui.render.lines import Line, clip
from tui.screens.base import ProctorScreen
from tui.screens.choose import Choose, Option
from tui.widgets.block_list import BlockList
from tui.widgets.key_bar import KeyBar
from tui.widgets.lines_bar import LinesBar


class PairList(BlockList):
    """The tasks of both runs."""

    COMPACT = True
    ENTER = "both transcripts"


class CompareScreen(ProctorScreen):
    """``a`` and ``b`` are run folders."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("compare")
    DEFAULT_CSS = """
    CompareScreen > #compare-title { height: 2; background: $surface; }
    CompareScreen > #compare-facts { height: 1; }
    CompareScreen > #compare-head { height: 1; }
    """

    def __init__(self, a: Path, b: Path) -> None:
        super().__init__()
        self.a, self.b = a, b
        self.found: Comparison | None = None
        self.blocks = PairBlocks(empty="Comparing …")

    def compose(self) -> ComposeResult:
        yield LinesBar(id="compare-title")
        yield LinesBar(id="compare-facts")
        yield LinesBar(id="compare-head")
        yield PairList(self.blocks, id="pairs")
        yield KeyBar()
        yield self.too_small()

    def on_mount(self) -> None:
        self._compare()
        self.query_one(PairList).focus()

    def on_resize(self) -> None:
        self.call_after_refresh(self._show)

    @work(exclusive=True, group="compare")
    async def _compare(self) -> None:
        try:
            # Reads both runs, and scipy takes most of a second to import.
            self.found = await asyncio.to_thread(compare_folders, self.a, self.b)
        except ProctorError as error:
            self.blocks.empty = f"They cannot be compared.\n{clean_line(str(error), 600)}"
            self.query_one(PairList).show(self.blocks)
            return
        self.blocks.put(self.found)
        self.query_one(PairList).show(self.blocks)
        self._show()

    def _show(self) -> None:
        found, width = self.found, self.size.width
        if found is None:
            return
        title: list[Line] = [
            (
                (f" {word}  ", "label"),
                (clip(clean_line(model), max(8, width // 3)), "strong"),
                ("  ", ""),
                (clip(clean_line(run), width - 12 - width // 3), "muted"),
            )
            for word, model, run in (
                ("first ", found.model_a, found.a),
                ("second", found.model_b, found.b),
            )
        ]
        self.query_one("#compare-title", LinesBar).put(title)
        lines = facts(found, width, max(3, self.size.height // 2 - 2))
        bar = self.query_one("#compare-facts", LinesBar)
        bar.styles.height = len(lines)
        bar.put(lines)
        shown = self.query_one(PairList)
        self.query_one("#compare-head", LinesBar).put([head(shown.text_width)])

    @on(BlockList.Chosen, "#pairs")
    def _opened(self, event: BlockList.Chosen) -> None:
        event.stop()
        from tui.screens.pair import PairScreen

        try:
            self.app.push_screen(PairScreen(self.a, self.b, self.blocks.shown, event.index))
        except ProctorError as error:
            self.say(clean_line(str(error), 600), error=True)

    def action_same(self) -> None:
        shown = self.query_one(PairList)
        keep = self.blocks.key(shown.cursor) if len(self.blocks) else None
        self.blocks.everything = not self.blocks.everything
        self.blocks.refresh()
        shown.changed(keep)
        self.say("all tasks" if self.blocks.everything else "only tasks that differ")

    def action_swap(self) -> None:
        self.a, self.b = self.b, self.a
        self._compare()

    def action_copy(self) -> None:
        if self.found is not None:
            copy_out(self.app, as_text(self.found), "comparison")

    def action_back(self) -> None:
        self.proctor.leave()


async def choose_other(screen: ProctorScreen, run: RunInfo, runs: Sequence[RunInfo]) -> None:
    """Ask which run to compare ``run`` with, those of the same suites first; then compare."""
    others = [r for r in runs if r.path != run.path and r.problem is None]
    if not others:
        screen.say("There is no other run to compare it with.")
        return
    others.sort(key=lambda r: set(r.suites) != set(run.suites))
    options: list[Option] = [(str(r.path), _words(r)) for r in others]
    title = f"Compare {clean_line(run.model)} ({clean_line(run.run_id)}) with"
    chosen = await screen.app.push_screen_wait(Choose(title, options))
    if chosen is not None:
        screen.app.push_screen(CompareScreen(run.path, Path(chosen)))


def _words(run: RunInfo) -> Line:
    score = score_words(run)
    return (
        (f"{clean_line('+'.join(run.suites))}  {clean_line(run.model)}", "text"),
        (f"  {score}  ", "strong"),
        (clean_line(run.name or run.run_id), "muted"),
    )
