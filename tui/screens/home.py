"""Home: all runs, those that run live; new ones begin here."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType

from harness.errors import ProctorError
from tui.bindings import bindings
from tui.commands import proctor
from tui.model.runs import (
    RunBlocks,
    bounds_of,
    head_line,
    read_runs,
    renewed,
    shows_intervals,
    wanted_bounds,
)
from tui.plain import clean, clean_line, plural
from tui.screens.base import ProctorScreen
from tui.screens.dialogs import Ask, Type
from tui.widgets.block_list import BlockList
from tui.widgets.find_bar import FindBar
from tui.widgets.key_bar import KeyBar
from tui.widgets.lines_bar import LinesBar

if TYPE_CHECKING:
    from harness.store.runs import RunInfo

# What runs is looked at each second, the whole folder each few: other terminals start runs too.
_LIVE_S = 1.0
_ALL_S = 5.0


class RunList(BlockList):
    COMPACT = True
    ENTER = "open"


class HomeScreen(ProctorScreen):
    """``root`` is the folder of all runs; None: the user's."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("home")

    def __init__(self, root: Path | None = None) -> None:
        super().__init__()
        self.root = root
        self.blocks = RunBlocks(empty="Reading the runs …")
        self._read = False
        self._busy = False

    def compose(self) -> ComposeResult:
        yield LinesBar(id="home-title")
        yield LinesBar(id="home-head")
        yield RunList(self.blocks, id="runs")
        yield FindBar("/", "suite, model, name, state", id="home-search")
        yield KeyBar()
        yield self.too_small()

    def on_mount(self) -> None:
        self._load()
        self.set_interval(_LIVE_S, self._renew)
        self.set_interval(_ALL_S, self._load)
        self.call_after_refresh(self.run_list.focus)

    def on_screen_resume(self) -> None:
        self._load()

    def on_resize(self) -> None:
        self.call_after_refresh(self._resized)

    def _resized(self) -> None:
        self._show_head()
        self._find_bounds()

    @property
    def run_list(self) -> RunList:
        return self.query_one(RunList)

    @property
    def chosen(self) -> RunInfo | None:
        """The run that the cursor is on."""
        index = self.run_list.cursor
        return self.blocks.shown[index] if index < len(self.blocks.shown) else None

    # --- reading

    @work(exclusive=True, group="load")
    async def _load(self) -> None:
        if not self.is_current and self._read:
            return
        self._put(await asyncio.to_thread(read_runs, self.root))

    @work(exclusive=True, group="renew")
    async def _renew(self) -> None:
        if self._busy or not self.is_current:
            return
        if any(run.state == "running" for run in self.blocks.runs):
            self._put(await asyncio.to_thread(renewed, self.blocks.runs))

    def _put(self, runs: list[RunInfo]) -> None:
        keep = self.blocks.key(self.run_list.cursor) if self.chosen else None
        self.blocks.now = self.proctor.now()
        if runs == self.blocks.runs and self._read:
            self.run_list.relayout()  # how long ago they began goes on
            return
        self._read = True
        self.blocks.runs = runs
        self.blocks.refresh()
        self.run_list.changed(keep)
        self._show_title()
        self._find_bounds()
        self.refresh_bindings()

    @work(exclusive=True, group="bounds")
    async def _find_bounds(self) -> None:
        if not shows_intervals(self.run_list.text_width):
            return  # nor is scipy loaded
        for score, tasks in wanted_bounds(self.blocks.runs) - self.blocks.bounds.keys():
            # scipy takes most of a second to import: not in the interface's own thread.
            found = await asyncio.to_thread(bounds_of, score, tasks)
            self.blocks.bounds[score, tasks] = found
        self.run_list.relayout()

    def _show_title(self) -> None:
        running = sum(run.state == "running" for run in self.blocks.runs)
        total = len(self.blocks.runs)
        title = [(" Proctor", "title"), (f"  {plural(total, 'run')}", "muted")]
        if running:
            title.append((f"  ● {running} running", "running"))
        if self.blocks.words:
            title.append((f"  {len(self.blocks)} match", "accent"))
        order = "backwards" if self.blocks.backwards else ""
        right = ((f"by {self.blocks.sort} {order}".strip() + " ", "muted"),)
        self.query_one("#home-title", LinesBar).put([tuple(title)], right)
        self._show_head()

    def _show_head(self) -> None:
        width = self.run_list.text_width
        line = head_line(width, self.blocks) if len(self.blocks) else ()
        self.query_one("#home-head", LinesBar).put([line])

    def _again(self) -> None:
        keep = self.blocks.key(self.run_list.cursor) if self.chosen else None
        self.blocks.refresh()
        self.run_list.changed(keep)
        self._show_title()

    # --- keys

    @on(BlockList.Chosen, "#runs")
    def _opened(self, event: BlockList.Chosen) -> None:
        event.stop()
        from tui.screens.human import run_screen

        run = self.chosen
        if run is None:
            return
        try:
            self.app.push_screen(run_screen(run.path))
        except ProctorError as error:
            self.say(clean_line(str(error), 600), error=True)

    @on(BlockList.Moved, "#runs")
    def _moved(self, event: BlockList.Moved) -> None:
        event.stop()
        self.refresh_bindings()

    def action_replay(self) -> None:
        from tui.screens.replay import ReplayScreen

        run = self.chosen
        if run is None:
            return
        try:
            self.app.push_screen(ReplayScreen(run.path))
        except ProctorError as error:
            self.say(clean_line(str(error), 600), error=True)

    @work
    async def action_new(self) -> None:
        from tui.screens.human import run_screen
        from tui.screens.new_run import NewRun

        folder = await self.app.push_screen_wait(NewRun())
        if folder is None:
            return
        try:
            self.app.push_screen(run_screen(Path(folder)))
        except ProctorError as error:
            self.say(clean_line(str(error), 600), error=True)

    @work(exclusive=True, group="resume")
    async def action_resume(self) -> None:
        run = self.chosen
        if run is None:
            return
        self.say(f"Resuming {clean_line(run.run_id)} …")
        done = await proctor("run", "--resume", str(run.path), "--detach", "--json")
        if not done.ok:
            self.say(clean(done.problem, 600), error=True)
        self._load()

    @work
    async def action_edit(self) -> None:
        run = self.chosen
        if run is None:
            return
        from harness.store.labels import read_labels, write_labels

        name, note = read_labels(run.path)
        fields = [("name", name), ("note", note)]
        answer = await self.app.push_screen_wait(Type("Name and note", fields, "Enter keeps them"))
        if answer is None or answer == [name, note]:
            return
        try:
            write_labels(run.path, name=answer[0], note=answer[1])
        except ProctorError as error:
            self.say(clean_line(str(error), 600), error=True)
        self._load()

    @work
    async def action_delete(self) -> None:
        run = self.chosen
        if run is None:
            return
        detail = (
            f"{clean_line(run.run_id)}\n{run.scored} of {plural(run.planned, 'sample')} scored. "
        )
        ask = Ask("Delete this run for good?", detail + "There is no way back.", ["Delete"])
        if await self.app.push_screen_wait(ask) != 0:
            return
        try:
            from harness.store.prune import delete_run

            await asyncio.to_thread(delete_run, run.path)
        except ProctorError as error:
            self.say(clean_line(str(error), 600), error=True)
        self._load()

    @work
    async def action_compare(self) -> None:
        from tui.screens.compare import choose_other

        run = self.chosen
        if run is not None:
            await choose_other(self, run, self.blocks.runs)

    def action_search(self) -> None:
        self.query_one("#home-search", FindBar).begin()

    @on(FindBar.Typed, "#home-search")
    def _typed(self, event: FindBar.Typed) -> None:
        event.stop()
        self.blocks.words = event.text
        self._again()
        event.bar.count(f"{len(self.blocks)} of {len(self.blocks.runs)}")

    @on(FindBar.Closed, "#home-search")
    def _search_left(self, event: FindBar.Closed) -> None:
        event.stop()
        self.run_list.focus()

    def action_sort(self) -> None:
        self.blocks.next_sort()
        self._again()

    def action_reverse(self) -> None:
        self.blocks.backwards = not self.blocks.backwards
        self._again()

    def action_reload(self) -> None:
        self._load()

    def action_back(self) -> None:
        bar = self.query_one("#home-search", FindBar)
        if self.blocks.words:
            bar.end()
            self.blocks.words = ""
            self._again()
        else:
            self.proctor.leave()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        run = self.chosen if self.is_mounted else None
        match action:
            case "replay" | "compare":
                return run is not None and run.problem is None
            case "edit":
                return run is not None and run.problem is None
            case "delete":
                return run is not None and run.state != "running"
            case "resume":
                return run is not None and run.state == "interrupted"
        return True
