"""One sample: its title, tabs and what is in them. The same live and in a replay."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import ContentSwitcher

from tui.bindings import bindings
from tui.model import extract
from tui.model.blocks import NoBlocks
from tui.model.facts import run_facts
from tui.model.hidden_tests import TestBlocks
from tui.model.marks import turn_row
from tui.model.panes import DiffBlocks, FactBlocks, RawBlocks
from tui.model.source import Source, has_tree, text_reader
from tui.model.transcript import KINDS, TAIL, TranscriptBlocks
from tui.outside import copy_out, copy_request, open_in
from tui.render.lines import Line
from tui.screens.choose import Choose
from tui.widgets.block_list import BlockList
from tui.widgets.find_bar import FindBar
from tui.widgets.finder import Finder
from tui.widgets.lines_bar import LinesBar
from tui.widgets.other_tabs import OtherTabs
from tui.widgets.tab_bar import TABS, TREE_TABS, TabBar


class SamplePane(Vertical):
    """Shows a Source. Whoever owns it polls the source and calls ``update``."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("sample")
    DEFAULT_CSS = """
    SamplePane { width: 1fr; height: 1fr; }
    SamplePane > #sample-title { height: 1; background: $surface; }
    SamplePane > ContentSwitcher { height: 1fr; }
    SamplePane #files { height: 1fr; }
    SamplePane #file-list { width: 34%; max-width: 48; border-right: solid $border; }
    """

    class Updated(Message):
        """Something of the sample changed that a screen may show elsewhere."""

    def __init__(self, *, id: str = "sample-pane") -> None:
        super().__init__(id=id)
        self.source: Source | None = None
        self.tab = TABS[0]
        self.title: Line = ()
        self._folder: Path | None = None
        self._key = ""
        self._generation = -1
        self._transcript: TranscriptBlocks | None = None
        self._others = OtherTabs(self.list)
        self._seen = 0

    def compose(self) -> ComposeResult:
        yield LinesBar(id="sample-title")
        yield TabBar(id="tabs")
        with ContentSwitcher(initial="transcript"):
            yield BlockList(id="transcript")
            yield BlockList(id="diff")
            yield BlockList(id="tests")
            with Horizontal(id="files"):
                yield _Names(id="file-list")
                yield BlockList(id="file")
            yield BlockList(id="raw")
            yield BlockList(id="info")
        yield FindBar("/", "search this transcript", id="find")

    def on_mount(self) -> None:
        self._finder = Finder(self.list("transcript"), self.query_one("#find", FindBar))

    # --- what is shown

    def show(self, source: Source | None, folder: Path | None, key: str, *, empty: str) -> None:
        """Show another sample; None shows ``empty``."""
        if self.source is not None and self.source is not source:
            self.source.close()
        self.source, self._folder, self._key = source, folder, key
        self._generation, self._others.run_facts = -1, []
        self._finder.close()
        if source is None:
            self._transcript = None
            self.list("transcript").show(NoBlocks(empty))
            self._others.empty(empty)
            self.put_title((), ())
            self._tab_bar()
            return
        self.update()

    def update(self) -> None:
        """Take in what changed in the source; quick when nothing did."""
        source = self.source
        if source is None:
            return
        if source.generation != self._generation:
            self._begin(source)
        blocks, transcript = self._transcript, self.list("transcript")
        assert blocks is not None
        blocks.view, blocks.rows = source.view, source.rows
        keep = blocks.key(transcript.cursor) if len(blocks) else None
        at_tail = keep == TAIL
        blocks.refresh()
        if self.tab == "transcript":
            transcript.changed(None if at_tail and transcript.follow else keep)
        if transcript.follow:
            self._seen = len(source.rows)
        self._finder.cut(len(source.rows))
        if self.tab in TREE_TABS and not has_tree(source):
            self._leave_tab()
        self._others.update(self.tab)
        self._tab_bar()

    def _begin(self, source: Source) -> None:
        self._generation = source.generation
        old = self._transcript
        self._transcript = TranscriptBlocks(
            source.rows,
            source.view,
            text_reader(source),
            source.live,
            empty="Nothing yet.\nThe transcript begins with the first event.",
        )
        if old is not None:
            self._transcript.reasoning_open = old.reasoning_open
            if old.only:
                self._transcript.filter(old.only)
        self._others.begin(source)
        transcript = self.list("transcript")
        running = source.live and source.view.verdict is None
        transcript.growing = source.live
        transcript.follow = running
        transcript.show(self._transcript, at_end=running or not source.live)
        self._seen = len(source.rows)
        self._load_run_facts()

    def put_title(self, title: Line, right: Line) -> None:
        """The line above the tabs."""
        self.title = title
        self.query_one("#sample-title", LinesBar).put([((" ", ""), *title)], (*right, (" ", "")))

    def _tab_bar(self) -> None:
        source = self.source
        notes: dict[str, str] = {}
        status: list[tuple[str, str]] = []
        if source is not None:
            view = source.view
            if view.changed:
                notes["diff"] = str(len(view.changed))
            if view.tests:
                passed = sum(t.outcome == "passed" for t in view.tests)
                notes["tests"] = f"{passed}/{len(view.tests)}"
            if self._transcript and self._transcript.only:
                status.append((f"only {self._transcript.only}  ", "accent"))
            transcript = self.list("transcript")
            new = len(source.rows) - self._seen
            if source.live and transcript.follow:
                status.append(("▼ at the end ", "running"))
            elif source.live and new > 0:
                status.append((f"{new} new, G shows them ", "accent"))
        tree = has_tree(source)
        self.query_one("#tabs", TabBar).update(self.tab, notes, tuple(status), tree=tree)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "tab" and parameters and isinstance(number := parameters[0], int):
            return has_tree(self.source) or TABS[number - 1] not in TREE_TABS
        return True

    @work(exclusive=True, group="facts")
    async def _load_run_facts(self) -> None:
        if self._folder is None:
            return
        key = self._key
        found = await asyncio.to_thread(run_facts, self._folder, key)
        if key == self._key:
            self._others.run_facts = found
            self._others.update(self.tab)

    def reload_facts(self) -> None:
        """Read the sample's record again: it has ended."""
        self._load_run_facts()

    # --- tabs

    def list(self, name: str) -> BlockList:
        return self.query_one(f"#{name}", BlockList)

    @property
    def current(self) -> BlockList:
        """The list that keys go to."""
        if self.tab != "files":
            return self.list(self.tab)
        return self.list("file") if self.list("file").has_focus else self.list("file-list")

    def focus_content(self) -> None:
        self.current.focus()

    def pick(self, tab: str) -> None:
        """Show a tab."""
        row = self._row()
        self.tab = tab
        self.query_one(ContentSwitcher).current = tab
        self._others.update(self.tab)
        if tab == "raw" and row is not None:
            self.call_after_refresh(self.list("raw").move_to, row)
        self.list("transcript").changed()
        self._tab_bar()
        self.current.focus()

    def _leave_tab(self) -> None:
        """Show the transcript in place of a tab that this sample has not; the focus stays outside
        when it was there."""
        inside = self.has_focus_within
        self.tab = TABS[0]
        self.query_one(ContentSwitcher).current = self.tab
        if inside:
            self.current.focus()

    @on(TabBar.Picked)
    def _picked(self, event: TabBar.Picked) -> None:
        event.stop()
        self.pick(event.tab)

    @on(BlockList.Moved, "#file-list")
    def _other_file(self, event: BlockList.Moved) -> None:
        event.stop()
        self._others.show_file()

    @on(BlockList.Chosen, "#file-list")
    def _chosen_file(self, event: BlockList.Chosen) -> None:
        event.stop()
        self.list("file").focus()

    @on(BlockList.Moved, "#transcript")
    @on(BlockList.Unpinned)
    def _moved(self, event: Message) -> None:
        if self.source is not None and self.list("transcript").follow:
            self._seen = len(self.source.rows)
        self._tab_bar()
        self.post_message(self.Updated())

    def action_tab(self, number: int) -> None:
        self.pick(TABS[number - 1])

    def _row(self) -> int | None:
        """The row that the cursor is on, in Transcript or Raw."""
        if self.tab == "raw":
            return self.list("raw").cursor
        if self._transcript is None:
            return None
        return self._transcript.row(self.list("transcript").cursor)

    # --- moving and folding

    def go_to_row(self, row: int, *, top: bool = True) -> None:
        """Put the transcript's cursor on a row."""
        if self._transcript is None:
            return
        index = self._transcript.index_of(row)
        if index is not None:
            self.list("transcript").move_to(index, top=top)

    def action_turn(self, step: int) -> None:
        source, row = self.source, self._row()
        if source is None:
            return
        if row is None:
            row = len(source.rows)
        found = turn_row(source.rows, row, step)
        if found is not None:
            self._to_transcript()
            self.go_to_row(found)

    def action_reasoning(self) -> None:
        if self._transcript is not None:
            self._transcript.toggle_reasoning()
            self.list("transcript").relayout()

    def action_unfold(self) -> None:
        blocks = self.current.blocks
        if isinstance(blocks, TranscriptBlocks | DiffBlocks | TestBlocks | RawBlocks | FactBlocks):
            blocks.open_all()
            self.current.relayout()

    @work
    async def action_filter(self) -> None:
        if self._transcript is None:
            return
        names = ["", *KINDS]
        options: list[tuple[str, Line]] = [
            (name, ((name or "everything", "text"),)) for name in names
        ]
        chosen = await self.app.push_screen_wait(Choose("Show only", options))
        if chosen is None or self._transcript is None:
            return
        self._to_transcript()
        row = self._row()
        self._transcript.filter(chosen)
        transcript = self.list("transcript")
        transcript.show(self._transcript)
        if row is not None:
            self.go_to_row(row, top=False)
        self._tab_bar()

    # --- search

    def action_search(self) -> None:
        if self._transcript is not None:
            self._to_transcript()
            self.query_one("#find", FindBar).begin()

    @on(FindBar.Typed, "#find")
    def _typed(self, event: FindBar.Typed) -> None:
        event.stop()
        if self._transcript is not None and not (event.final and self._finder.has(event.text)):
            self._find(event.text)

    @work(exclusive=True, group="search")
    async def _find(self, text: str) -> None:
        if self._transcript is not None:
            await self._finder.find(self._transcript, text, self._row() or 0)

    @on(FindBar.Closed, "#find")
    def _search_left(self, event: FindBar.Closed) -> None:
        event.stop()
        if event.cleared:
            self._finder.close()
        self.current.focus()

    def action_hit(self, step: int) -> None:
        if not self._finder.active:
            self.notify("Nothing is searched for: / begins.", markup=False)
            return
        self._to_transcript()
        self._finder.hit(self._row(), step)

    def _to_transcript(self) -> None:
        if self.tab != "transcript":
            self.pick("transcript")

    @property
    def searching(self) -> bool:
        return self._finder.active

    def clear_search(self) -> None:
        """End the search; its marks go."""
        self._finder.close()
        self.current.focus()

    # --- taking text out

    def action_copy(self) -> None:
        copy_out(self.app, extract.one(self.current.blocks, self.current.cursor), self.tab)

    def action_copy_all(self) -> None:
        copy_out(self.app, extract.whole(self.current.blocks), self.tab)

    @work(exclusive=True, group="curl")
    async def action_curl(self) -> None:
        source, row = self.source, self._row()
        event = source.rows.event(row) if source is not None and row is not None else None
        turn = getattr(event, "turn", 0)
        await copy_request(self.app, self._folder, self._key, turn)

    def action_copy_path(self) -> None:
        path = extract.path(self.current.blocks, self.current.cursor)
        if path:
            copy_out(self.app, path, "path")
        else:
            self.notify("This block is about no file.", markup=False)

    def action_pager(self) -> None:
        self._open("PAGER")

    def action_editor(self) -> None:
        self._open("EDITOR")

    def _open(self, variable: str) -> None:
        shown = self.current
        suffix = extract.suffix(shown.blocks, self.tab)
        open_in(self.app, variable, extract.one(shown.blocks, shown.cursor), suffix)

    def on_unmount(self) -> None:
        if self.source is not None:
            self.source.close()


class _Names(BlockList):
    COMPACT = True
    ENTER = "open"
