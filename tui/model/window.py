"""The part of a long list that is in view. Pure: sizes come from outside, nothing is drawn.

The place is an anchor, a block and a line in it, so that heights may be estimates above and
below; they are corrected as blocks come into view.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable

from tui.model.blocks import Blocks
from tui.model.heights import Heights
from tui.render.lines import Line

# Rendered blocks that are kept; a few screens' worth, whatever the length of the list.
_CACHED = 600
# Blocks that come or go singly, against a jump.
_SOME = 500
Anchor = tuple[int, int]


class Window:
    """``shown``: (block, line in it, the line) of each row in view. Call ``fill`` after moving."""

    def __init__(self, blocks: Blocks) -> None:
        self.blocks = blocks
        self.width = 0
        self.rows = 1
        self.shown: list[tuple[int, int, Line]] = []
        self.top: Anchor = (0, 0)
        """The anchor: it stays through sizes that cannot honour it."""
        self.first: Anchor = (0, 0)
        """What the window begins with."""
        self._heights = Heights(blocks.estimates(0))
        self._all = Heights()
        self._cache: OrderedDict[tuple[Hashable, int, Hashable], list[Line]] = OrderedDict()

    def resize(self, width: int, rows: int) -> bool:
        """True when the width is another: lines break differently."""
        other, self.width, self.rows = width != self.width, width, rows
        return other

    def grow(self) -> None:
        """Blocks came or went at the end."""
        size, known = len(self.blocks), len(self._heights)
        if size < known - _SOME:
            # A replay jumped back and will come by again: what is known of the rest is kept.
            self._all = self._heights if known > len(self._all) else self._all
            self._heights = self._all.beginning(size)
        elif size < known:
            self._heights.truncate(size)
        elif size > known + _SOME and len(self._all) > known:
            self._heights = self._all if size >= len(self._all) else self._all.beginning(size)
        if size > len(self._heights):
            self._heights.extend(self.blocks.estimates(len(self._heights)))

    def forget_heights(self) -> None:
        """Heights are estimates again: what blocks show has changed as a whole."""
        self._heights, self._all = Heights(self.blocks.estimates(0)), Heights()

    def lines(self, index: int) -> list[Line]:
        """A block's lines at the width in use."""
        key = (self.blocks.key(index), self.width, self.blocks.revision(index))
        found = self._cache.get(key)
        if found is None:
            found = self._cache[key] = self.blocks.lines(index, self.width)
            if len(self._cache) > _CACHED:
                self._cache.popitem(last=False)
        else:
            self._cache.move_to_end(key)
        if index < len(self._heights):
            self._heights.set(index, len(found))
        return found

    def fill(self) -> None:
        """Work out ``shown``: from the anchor on, or the end of the list where that is nearer."""
        size = len(self.blocks)
        if size == 0:
            self.shown, self.top, self.first = [], (0, 0), (0, 0)
            return
        index = max(0, min(self.top[0], size - 1))
        skip = max(0, min(self.top[1], len(self.lines(index)) - 1))
        shown = self._take(index, skip)
        if len(shown) < self.rows and (index > 0 or skip > 0):
            index, skip = self.ending_with(size - 1)
            shown = self._take(index, skip)
        self.first, self.shown = (index, skip), shown

    def _take(self, index: int, skip: int) -> list[tuple[int, int, Line]]:
        shown: list[tuple[int, int, Line]] = []
        while index < len(self.blocks) and len(shown) < self.rows:
            lines = self.lines(index)
            for number in range(skip, min(len(lines), skip + self.rows - len(shown))):
                shown.append((index, number, lines[number]))
            index, skip = index + 1, 0
        return shown

    def ending_with(self, index: int) -> Anchor:
        """The anchor with which block ``index`` ends at the bottom."""
        left = self.rows
        while index >= 0:
            height = len(self.lines(index))
            if height >= left:
                return index, height - left
            left -= height
            index -= 1
        return 0, 0

    def to_end(self) -> None:
        """Anchor the end of the list."""
        if len(self.blocks):
            self.top = self.ending_with(len(self.blocks) - 1)

    def scroll(self, lines: int) -> None:
        """Move the anchor by lines."""
        index, skip = self.first
        skip += lines
        while skip < 0 and index > 0:
            index -= 1
            skip += len(self.lines(index))
        while index < len(self.blocks) - 1 and skip >= len(self.lines(index)):
            skip -= len(self.lines(index))
            index += 1
        self.top = (index, max(0, skip))

    def scroll_to(self, y: int) -> None:
        """Anchor line ``y`` of the whole list, as far as heights are known."""
        self.top = self._heights.find(y)

    def reveal(self, index: int, line: int | None = None, *, top: bool = False) -> None:
        """Anchor so that a block, or a line of it, is in view; as little as needed."""
        height = len(self.lines(index))
        seen = [number for i, number, _ in self.shown if i == index]
        if line is not None:
            if line not in seen:
                self.top = (index, max(0, line - self.rows // 3))
        elif top:
            self.top = (index, 0)
        elif len(seen) != height:
            above = (index, 0) < self.first or height >= self.rows
            self.top = (index, 0) if above else self.ending_with(index)

    @property
    def at_end(self) -> bool:
        """Whether the last line of the list is in view."""
        if not self.shown:
            return True
        index, number, _ = self.shown[-1]
        return index == len(self.blocks) - 1 and number == len(self.lines(index)) - 1

    @property
    def total(self) -> int:
        """Lines of the whole list, as far as heights are known; never less than are shown."""
        return max(self._heights.total, len(self.shown))

    @property
    def offset(self) -> int:
        """Lines above the window."""
        most = max(0, self.total - self.rows)
        if self.shown and self.at_end:
            return most
        return min(most, self._heights.before(self.first[0]) + self.first[1])

    def left_of(self, index: int) -> int:
        """Lines of a block below the window's last row, when that row is of it."""
        if not self.shown or self.shown[-1][0] != index:
            return 0
        return len(self.lines(index)) - 1 - self.shown[-1][1]

    def seen(self) -> set[int]:
        """Blocks of which something is in view."""
        return {index for index, _, _ in self.shown}
