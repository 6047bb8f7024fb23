"""What a virtual list shows: blocks that are rendered when they come into view."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Protocol

from tui.render.lines import Line


class Blocks(Protocol):
    """What a list shows. Positions count from 0; keys stay with a block when positions change."""

    empty: str

    def __len__(self) -> int: ...

    def key(self, index: int) -> Hashable: ...

    def index_of(self, key: Hashable) -> int | None: ...

    def estimates(self, start: int) -> list[int]:
        """Heights from ``start`` on before they were rendered; quick for all of them."""
        ...

    def revision(self, index: int) -> Hashable:
        """Changes when the block's lines do."""
        ...

    def lines(self, index: int, width: int) -> list[Line]: ...

    def toggle(self, index: int) -> bool:
        """Open or fold; False when there is nothing to open."""
        ...

    def text(self, index: int) -> str:
        """The whole text, for copying and for the pager."""
        ...


class NoBlocks:
    """An empty list with a word on what to do."""

    def __init__(self, empty: str = "") -> None:
        self.empty = empty

    def __len__(self) -> int:
        return 0

    def key(self, index: int) -> Hashable:
        return index

    def index_of(self, key: Hashable) -> int | None:
        return None

    def estimates(self, start: int) -> list[int]:
        return []

    def revision(self, index: int) -> Hashable:
        return 0

    def lines(self, index: int, width: int) -> list[Line]:
        return []

    def toggle(self, index: int) -> bool:
        return False

    def text(self, index: int) -> str:
        return ""
