"""Search in a transcript's list: marks, jumps, the count beside the bar."""

from __future__ import annotations

import asyncio

from tui.model.search import Search
from tui.model.transcript import TranscriptBlocks
from tui.widgets.block_list import BlockList
from tui.widgets.find_bar import FindBar


class Finder:
    """Moves ``shown`` to what is found in its blocks."""

    def __init__(self, shown: BlockList, bar: FindBar) -> None:
        self._list, self._bar = shown, bar
        self._search: Search | None = None
        self._blocks: TranscriptBlocks | None = None

    @property
    def active(self) -> bool:
        return self._search is not None

    def has(self, text: str) -> bool:
        """Whether ``text`` is what is searched for already."""
        return self._search is not None and self._search.needle == text.lower()

    async def find(self, blocks: TranscriptBlocks, text: str, start: int) -> None:
        """Look through all rows, a part at a time; the first hit from ``start`` on is shown."""
        self._list.needle = text.lower()
        self._blocks = blocks
        if not text:
            self._search = None
            self._bar.count("")
            self._list.relayout()
            return
        search = self._search = Search(blocks.rows, text, blocks.shown)
        jumped = False
        while not search.done:
            search.advance()
            if not jumped and (later := [row for row in search.hits if row >= start]):
                jumped = True
                self._show(later[0])
            self._bar.count(f"{len(search.hits)} …")
            await asyncio.sleep(0)
        if not jumped and search.hits:
            self._show(search.hits[0])
        self._count(self._row())
        self._list.relayout()

    def hit(self, row: int | None, step: int) -> None:
        """The next hit after ``row``, or the one before."""
        search = self._search
        if search is None:
            return
        search.finish()
        found = search.next(-1 if row is None else row, step)
        if found is not None:
            self._show(found)
        self._count(self._row())

    def cut(self, rows: int) -> None:
        """Rows from here on are not there any more."""
        if self._search is not None:
            self._search.cut(rows)

    def close(self) -> None:
        """End the search; its marks go."""
        self._search = None
        self._list.needle = ""
        self._bar.end()
        self._list.relayout()

    def _row(self) -> int | None:
        return self._blocks.row(self._list.cursor) if self._blocks else None

    def _count(self, row: int | None) -> None:
        search = self._search
        if search is None:
            return
        total = len(search.hits)
        here = search.number(row) if row is not None else 0
        words = f"{here} of {total}" if here else f"{total} found" if total else "not found"
        self._bar.count(words)

    def _show(self, row: int) -> None:
        blocks, search = self._blocks, self._search
        index = blocks.index_of(row) if blocks else None
        if blocks is None or search is None or index is None or blocks.row(index) != row:
            return  # a filter hides it
        if self._line(index, search.needle) is None:
            blocks.unfold(row)
        self._list.move_to(index, line=self._line(index, search.needle) or 0)

    def _line(self, index: int, needle: str) -> int | None:
        for number, spans in enumerate(self._list.window.lines(index)):
            if needle in "".join(text for text, _ in spans).lower():
                return number
        return None
