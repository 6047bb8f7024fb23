"""One virtual list for everything that is long: transcripts, diffs, files, samples, runs.

Nothing but the window is rendered. The place is an anchor, a block and a line in it, so that
heights may be estimates above and below; they are corrected as blocks come into view.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import ClassVar

from rich.style import Style
from textual import events
from textual.binding import BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.scrollbar import ScrollDown, ScrollTo, ScrollUp
from textual.strip import Strip

from tui.bindings import bindings
from tui.model.blocks import Blocks, NoBlocks
from tui.model.heights import Heights
from tui.render.lines import Line
from tui.theme import Palette, palette
from tui.widgets import draw

# Rendered blocks that are kept; a few screens' worth, whatever the length of the list.
_CACHED = 600
_WHEEL = 3


class BlockList(ScrollView, can_focus=True):
    """The list. growing: more may come; follow: the end stays in view while it does."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("list")
    DEFAULT_CSS = """
    BlockList {
        height: 1fr; width: 1fr; overflow-x: hidden; overflow-y: scroll;
        scrollbar-size-vertical: 1; background: $background;
    }
    """
    COMPACT: ClassVar[bool] = False
    """Rows of one line: the cursor's row is tinted and a click selects."""
    ENTER: ClassVar[str] = "open or fold"
    """What enter does, for the key bar."""

    class Moved(Message):
        """The cursor is on another block."""

        def __init__(self, sender: BlockList, index: int) -> None:
            super().__init__()
            self.list, self.index = sender, index

        @property
        def control(self) -> BlockList:
            return self.list

    class Chosen(Message):
        """Enter on, or a second click at, a block that does not open."""

        def __init__(self, sender: BlockList, index: int) -> None:
            super().__init__()
            self.list, self.index = sender, index

        @property
        def control(self) -> BlockList:
            return self.list

    class Toggled(Message):
        """A block was opened, folded or marked."""

    class Unpinned(Message):
        """The reader scrolled away from the end, or came back to it."""

        def __init__(self, sender: BlockList) -> None:
            super().__init__()
            self.list = sender

    def __init__(self, blocks: Blocks | None = None, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.blocks: Blocks = NoBlocks() if blocks is None else blocks
        self.cursor = 0
        self.follow = False
        self.growing = False
        self.needle = ""
        self._top: tuple[int, int] = (0, 0)  # the anchor: a block and a line in it
        self._first: tuple[int, int] = (0, 0)  # what the window begins with
        self._heights = Heights()
        self._cache: OrderedDict[tuple[Hashable, int, Hashable], list[Line]] = OrderedDict()
        self._window: list[tuple[int, int, Line]] = []
        self._width = 0
        self._want_end = False
        self._palette: Palette | None = None
        self._base, self._line_width = Style(), 0

    # --- content

    def show(self, blocks: Blocks, *, at_end: bool = False) -> None:
        """Show other content from its beginning, or its end."""
        self.blocks, self._cache = blocks, OrderedDict()
        self._heights = Heights(blocks.estimates(0))
        self.cursor, self._top = 0, (0, 0)
        if at_end:
            self.cursor = max(0, len(blocks) - 1)
            self._to_bottom()
        self.relayout()

    def changed(self, keep: Hashable | None = None) -> None:
        """The content grew, shrank or was sorted anew; ``keep``: the key of the cursor's block."""
        size = len(self.blocks)
        if size < len(self._heights):
            self._heights.truncate(size)
        if size > len(self._heights):
            self._heights.extend(self.blocks.estimates(len(self._heights)))
        if keep is not None:
            found = self.blocks.index_of(keep)
            if found is not None and found != self.cursor:
                shift = found - self.cursor
                self.cursor = found
                self._top = (self._top[0] + shift, self._top[1])
        self.cursor = max(0, min(self.cursor, size - 1))
        if self.follow and size:
            self.cursor = size - 1
            self._to_bottom()
        self.relayout()

    def reset_heights(self) -> None:
        """Heights are estimates again: what blocks show has changed as a whole."""
        self._heights = Heights(self.blocks.estimates(0))
        self.changed()

    # --- layout

    @property
    def rows(self) -> int:
        return max(1, self.scrollable_content_region.height)

    @property
    def text_width(self) -> int:
        return max(8, self.scrollable_content_region.width - draw.GUTTER)

    def block_lines(self, index: int) -> list[Line]:
        """A block's lines at the width in use."""
        key = (self.blocks.key(index), self._width, self.blocks.revision(index))
        found = self._cache.get(key)
        if found is None:
            found = self._cache[key] = self.blocks.lines(index, self._width)
            if len(self._cache) > _CACHED:
                self._cache.popitem(last=False)
        else:
            self._cache.move_to_end(key)
        if index < len(self._heights):
            self._heights.set(index, len(found))
        return found

    def relayout(self) -> None:
        """Work out the window anew and repaint."""
        if not self.is_mounted or self.size.height == 0:
            return
        width = self.text_width
        if width != self._width:
            self._width = width
            if (self.follow or self._want_end) and len(self.blocks):
                self._to_bottom()
        self._fill()
        self._sync_scrollbar()
        self.refresh()

    def _fill(self) -> None:
        size, rows = len(self.blocks), self.rows
        if size == 0:
            self._window, self._top, self._first = [], (0, 0), (0, 0)
            return
        index, skip = self._top
        index = max(0, min(index, size - 1))
        skip = max(0, min(skip, max(0, len(self.block_lines(index)) - 1)))
        window = self._take(index, skip, rows)
        if len(window) < rows and (index > 0 or skip > 0):
            index, skip = self._bottom_top()
            window = self._take(index, skip, rows)
        # The anchor itself stays: a larger window may be followed by a smaller one.
        self._first, self._window = (index, skip), window

    def _take(self, index: int, skip: int, rows: int) -> list[tuple[int, int, Line]]:
        window: list[tuple[int, int, Line]] = []
        while index < len(self.blocks) and len(window) < rows:
            lines = self.block_lines(index)
            for number in range(skip, min(len(lines), skip + rows - len(window))):
                window.append((index, number, lines[number]))
            index, skip = index + 1, 0
        return window

    def _bottom_top(self, last: int | None = None) -> tuple[int, int]:
        """The anchor with which block ``last`` (by default the last) ends at the bottom."""
        index = len(self.blocks) - 1 if last is None else last
        left = self.rows
        while index >= 0:
            height = len(self.block_lines(index))
            if height >= left:
                return index, height - left
            left -= height
            index -= 1
        return 0, 0

    def _to_bottom(self) -> None:
        self._want_end = not (self.is_mounted and self._width)
        if not self._want_end:
            self._top = self._bottom_top()

    def _sync_scrollbar(self) -> None:
        # Never smaller than the window that is there: a list that fits has no room to scroll.
        total = max(self._heights.total, len(self._window))
        y = self._heights.before(self._first[0]) + self._first[1]
        if self._window and self._at_end():
            y = max(0, total - self.rows)
        self.virtual_size = Size(self.scrollable_content_region.width, total)
        self.scroll_target_y = self.scroll_y = min(y, max(0, total - self.rows))

    def _at_end(self) -> bool:
        if not self._window:
            return True
        index, number, _ = self._window[-1]
        return index == len(self.blocks) - 1 and number == len(self.block_lines(index)) - 1

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        if self.show_vertical_scrollbar:
            self.vertical_scrollbar.position = new_value

    def _on_scroll_to(self, message: ScrollTo) -> None:
        """The scrollbar is dragged; heights that are only estimated are good enough for that."""
        message.stop()
        message.prevent_default()
        if message.y is not None:
            self._top = self._heights.find(round(message.y))
            self._moved_by_hand()
            self.relayout()

    def _on_scroll_up(self, event: ScrollUp) -> None:
        event.stop()
        event.prevent_default()
        self.action_page(-1)

    def _on_scroll_down(self, event: ScrollDown) -> None:
        event.stop()
        event.prevent_default()
        self.action_page(1)

    def on_resize(self, _event: events.Resize) -> None:
        self.relayout()

    def on_mount(self) -> None:
        self._refresh_scrollbars()
        self._heights = Heights(self.blocks.estimates(0))
        self.app.theme_changed_signal.subscribe(self, self._theme_changed)
        self.call_after_refresh(self.relayout)

    def _theme_changed(self, _theme: object) -> None:
        self._palette = None
        self.refresh()

    # --- drawing

    @property
    def palette(self) -> Palette:
        if self._palette is None:
            self._palette = palette(self.app.theme)
        return self._palette

    def render_lines(self, crop: Region) -> list[Strip]:
        # Worked out once for all lines: it costs as much as a line.
        self._base, self._line_width = self.rich_style, self.scrollable_content_region.width
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        width, base = self._line_width, self._base
        if not self._window:
            return draw.empty_line(self.blocks.empty, y, self.rows, width, base, self.palette)
        if y >= len(self._window):
            return Strip.blank(width, base)
        index, _, spans = self._window[y]
        on = index == self.cursor
        if on and self.COMPACT:
            base += self.palette.tint("selected")
        cursor = ("cursor" if self.has_focus else "muted") if on else ""
        return draw.line(spans, width, base, self.palette, cursor, self.needle)

    # --- moving

    def _moved_by_hand(self) -> None:
        self._fill()
        end = self._at_end()
        if self.follow and not end:
            self.follow = False
            self.post_message(self.Unpinned(self))

    def scroll_lines(self, lines: int) -> None:
        """Scroll the window; the cursor comes along when it would leave it."""
        if not self._window:
            return
        index, skip = self._first
        skip += lines
        while skip < 0 and index > 0:
            index -= 1
            skip += len(self.block_lines(index))
        while index < len(self.blocks) - 1 and skip >= len(self.block_lines(index)):
            skip -= len(self.block_lines(index))
            index += 1
        self._top = (index, max(0, skip))
        self._moved_by_hand()
        seen = self._seen()
        if seen and self.cursor not in seen:
            self._set_cursor(max(seen) if self.cursor > max(seen) else min(seen))
        self.relayout()

    def _seen(self) -> set[int]:
        return {index for index, _, _ in self._window}

    def _set_cursor(self, index: int) -> None:
        if index != self.cursor:
            self.cursor = index
            self.post_message(self.Moved(self, index))

    def move_to(self, index: int, *, line: int | None = None, top: bool = False) -> None:
        """Put the cursor on a block and bring it, or a line of it, into view."""
        if not len(self.blocks):
            return
        index = max(0, min(index, len(self.blocks) - 1))
        self._set_cursor(index)
        if self._width:
            self._reveal(index, line, top)
            self._moved_by_hand()
        self.relayout()

    def _reveal(self, index: int, line: int | None, top: bool) -> None:
        height = len(self.block_lines(index))
        shown = [number for i, number, _ in self._window if i == index]
        if line is not None:
            if line not in shown:
                self._top = (index, max(0, line - self.rows // 3))
            return
        if top:
            self._top = (index, 0)
        elif len(shown) == height:
            return
        elif (index, 0) < self._first or height >= self.rows:
            self._top = (index, 0)
        else:
            self._top = self._bottom_top(index)

    def action_cursor(self, step: int) -> None:
        """Next or previous block; a block that is taller than the window is scrolled first."""
        if not self._window:
            return
        if step < 0 and self.follow:
            self.follow = False
            self.post_message(self.Unpinned(self))
        last_index, last_number, _ = self._window[-1]
        if step > 0 and self.cursor == last_index:
            left = len(self.block_lines(self.cursor)) - 1 - last_number
            if left > 0:
                self.scroll_lines(min(left, max(1, self.rows // 4)))
                return
        first_index, first_number, _ = self._window[0]
        if step < 0 and self.cursor == first_index and first_number > 0:
            self.scroll_lines(-min(first_number, max(1, self.rows // 4)))
            return
        target = self.cursor + step
        if target >= len(self.blocks):
            self.action_end()
            return
        if step < 0 and target >= 0 and len(self.block_lines(target)) >= self.rows:
            self._set_cursor(target)
            self._top = self._bottom_top(target)
            self._moved_by_hand()
            self.relayout()
            return
        self.move_to(target)

    def action_page(self, pages: float) -> None:
        step = int((self.rows - 1) * pages) or (1 if pages > 0 else -1)
        at_end = self._at_end()
        self.scroll_lines(step)
        if step > 0 and at_end:
            self._set_cursor(max(0, len(self.blocks) - 1))
        elif step < 0 and self._first == (0, 0):
            self._set_cursor(0)
        self.relayout()

    def action_home(self) -> None:
        self.move_to(0, top=True)

    def action_end(self) -> None:
        self.follow = self.growing
        if len(self.blocks):
            self._set_cursor(len(self.blocks) - 1)
            self._to_bottom()
            self.relayout()

    def action_open_block(self) -> None:
        if not len(self.blocks):
            return
        if self.blocks.toggle(self.cursor):
            self._reveal(self.cursor, None, False)
            self.relayout()
            self.post_message(self.Toggled())
        else:
            self.post_message(self.Chosen(self, self.cursor))

    # Textual's own names for the keys that every scroll view has.
    def action_scroll_up(self) -> None:
        self.action_cursor(-1)

    def action_scroll_down(self) -> None:
        self.action_cursor(1)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        event.prevent_default()
        self.scroll_lines(_WHEEL)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        event.prevent_default()
        self.scroll_lines(-_WHEEL)

    def on_click(self, event: events.Click) -> None:
        place = event.get_content_offset(self)
        if (
            place is None
            or place.y >= len(self._window)
            or place.x >= self.text_width + draw.GUTTER
        ):
            return
        index, number, _ = self._window[place.y]
        again = index == self.cursor
        self._set_cursor(index)
        if (number == 0 and not self.COMPACT) or (self.COMPACT and again):
            self.action_open_block()
        self.relayout()

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()
