"""Tables of a name and numbers that fit a terminal: names give way, numbers are never cut."""

from __future__ import annotations

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

# A name cut to less than this says nothing any more.
_LEAST_NAME = 12
_GAP = 2


class NumberTable:
    """One line a row: a name, then numbers. Where even short names leave no room for the numbers,
    each row is a name with its numbers in words."""

    def __init__(self, *columns: str) -> None:
        self.columns = columns
        self._rows: list[tuple[str, ...]] = []

    def add_row(self, name: str, *numbers: str) -> None:
        self._rows.append((name, *numbers))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        widths = [
            max(map(cell_len, cells)) for cells in zip(self.columns, *self._rows, strict=True)
        ]
        room = options.max_width - sum(width + _GAP for width in widths[1:])
        if room < min(widths[0], _LEAST_NAME):
            yield from self._in_words()
            return
        made = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0))
        made.add_column(Text(self.columns[0]), width=min(widths[0], room), no_wrap=True)
        for column, width in zip(self.columns[1:], widths[1:], strict=True):
            made.add_column(Text(column), justify="right", width=width, no_wrap=True)
        for name, *numbers in self._rows:
            made.add_row(Text(name), *numbers)
        yield made

    def _in_words(self) -> RenderResult:
        for name, *numbers in self._rows:
            facts = zip(self.columns[1:], numbers, strict=True)
            yield Text(f"{name}: " + ", ".join(f"{column} {number}" for column, number in facts))
