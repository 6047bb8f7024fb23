"""One virtual list for everything that is long: transcripts, diffs, files, samples, runs.

Nothing but the window is rendered, see ``tui.model.window``.
"""

from __future__ import annotations

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
from tui.model.window import Window
from tui.theme import Palette, palette
from tui.widgets import draw

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
    ENTER: ClassVar[str] = "open"
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
        self.window = Window(self.blocks)
        self.cursor = 0
        self.follow = False
        self.growing = False
        self.needle = ""
        self._want_end = False
        self._palette: Palette | None = None
        self._base, self._line_width = Style(), 0

    # --- content

    def show(self, blocks: Blocks, *, at_end: bool = False) -> None:
        """Show other content from its beginning, or its end."""
        self.blocks, old = blocks, self.window
        self.window = Window(blocks)
        self.window.resize(old.width, old.rows)
        self.cursor = 0
        if at_end:
            self.cursor = max(0, len(blocks) - 1)
            self._to_end()
        self.relayout()

    def changed(self, keep: Hashable | None = None) -> None:
        """The content grew, shrank or was sorted anew; ``keep``: the key of the cursor's block."""
        window, size = self.window, len(self.blocks)
        window.grow()
        found = self.blocks.index_of(keep) if keep is not None else None
        if found is not None and found != self.cursor:
            window.top = (window.top[0] + found - self.cursor, window.top[1])
            self.cursor = found
        self.cursor = max(0, min(self.cursor, size - 1))
        if self.follow and size:
            self.cursor = size - 1
            self._to_end()
        self.relayout()

    def reset_heights(self) -> None:
        """What blocks show has changed as a whole."""
        self.window.forget_heights()
        self.changed()

    # --- layout

    @property
    def rows(self) -> int:
        return max(1, self.scrollable_content_region.height)

    @property
    def text_width(self) -> int:
        return max(8, self.scrollable_content_region.width - draw.GUTTER)

    def relayout(self) -> None:
        """Work out the window anew and repaint."""
        if not self.is_mounted or self.size.height == 0:
            return
        window, rows, last = self.window, self.window.rows, self.cursor >= len(self.blocks) - 1
        seen = window.seen()
        end = last and window.at_end and bool(window.shown) and window.first > (0, 0)
        other = window.resize(self.text_width, self.rows)
        if (other and self._want_end) or (self.follow and (other or window.rows != rows)):
            self._to_end()
        window.fill()
        if window.rows < rows and self.cursor in seen:  # what the cursor is on stays in view
            if end:
                window.to_end()
            elif self.cursor not in window.seen():
                window.reveal(self.cursor)
            window.fill()
        self.virtual_size = Size(self.scrollable_content_region.width, self.window.total)
        self.scroll_target_y = self.scroll_y = self.window.offset
        self.refresh()

    def _to_end(self) -> None:
        # Before the first layout there is no width to break lines at.
        self._want_end = not (self.is_mounted and self.window.width)
        if not self._want_end:
            self.window.to_end()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        if self.show_vertical_scrollbar:
            self.vertical_scrollbar.position = new_value

    def _on_scroll_to(self, message: ScrollTo) -> None:
        """The scrollbar is dragged; heights that are only estimated are good enough for that."""
        message.stop()
        message.prevent_default()
        if message.y is not None:
            self.window.scroll_to(round(message.y))
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
        self.window.forget_heights()
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
        width, base, shown = self._line_width, self._base, self.window.shown
        if not shown:
            return draw.empty_line(self.blocks.empty, y, self.rows, width, base, self.palette)
        if y >= len(shown):
            return Strip.blank(width, base)
        index, _, spans = shown[y]
        on = index == self.cursor
        if on and self.COMPACT:
            base += self.palette.tint("selected")
        cursor = ("cursor" if self.has_focus else "muted") if on else ""
        return draw.line(spans, width, base, self.palette, cursor, self.needle)

    # --- moving

    def _moved_by_hand(self) -> None:
        self.window.fill()
        if self.follow and not self.window.at_end:
            self._unpin()

    def _unpin(self) -> None:
        self.follow = False
        self.post_message(self.Unpinned(self))

    def scroll_lines(self, lines: int) -> None:
        """Scroll the window; the cursor comes along when it would leave it."""
        if not self.window.shown:
            return
        self.window.scroll(lines)
        self._moved_by_hand()
        seen = self.window.seen()
        if seen and self.cursor not in seen:
            self._set_cursor(max(seen) if self.cursor > max(seen) else min(seen))
        self.relayout()

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
        if self.window.width:
            self.window.reveal(index, line, top=top)
            self._moved_by_hand()
        self.relayout()

    def action_cursor(self, step: int) -> None:
        """Next or previous block; a block that is taller than the window is scrolled first."""
        window = self.window
        if not window.shown:
            return
        if step < 0 and self.follow:
            self._unpin()
        stride = max(1, self.rows // 4)
        below, (first, above) = window.left_of(self.cursor), window.first
        target = self.cursor + step
        if step > 0 and below > 0:
            self.scroll_lines(min(below, stride))
        elif step < 0 and self.cursor == first and above > 0:
            self.scroll_lines(-min(above, stride))
        elif target >= len(self.blocks):
            self.action_end()
        elif step < 0 and target >= 0 and len(window.lines(target)) >= self.rows:
            self._set_cursor(target)
            window.top = window.ending_with(target)
            self._moved_by_hand()
            self.relayout()
        else:
            self.move_to(target)

    def action_page(self, pages: float) -> None:
        step = int((self.rows - 1) * pages) or (1 if pages > 0 else -1)
        at_end = self.window.at_end
        self.scroll_lines(step)
        if step > 0 and at_end:
            self._set_cursor(max(0, len(self.blocks) - 1))
        elif step < 0 and self.window.first == (0, 0):
            self._set_cursor(0)
        self.relayout()

    def action_home(self) -> None:
        self.move_to(0, top=True)

    def action_end(self) -> None:
        self.follow = self.growing
        if len(self.blocks):
            self._set_cursor(len(self.blocks) - 1)
            self._to_end()
            self.relayout()

    def action_open_block(self) -> None:
        if not len(self.blocks):
            return
        if self.blocks.toggle(self.cursor):
            if self.window.width:
                self.window.reveal(self.cursor)
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
        place, shown = event.get_content_offset(self), self.window.shown
        if place is None or place.y >= len(shown) or place.x >= self.text_width + draw.GUTTER:
            return
        index, number, _ = shown[place.y]
        again = index == self.cursor
        self._set_cursor(index)
        if (number == 0 and not self.COMPACT) or (self.COMPACT and again):
            self.action_open_block()
        self.relayout()

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()
