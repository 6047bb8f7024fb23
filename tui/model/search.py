"""Search over a whole transcript: raw lines first, so that 100,000 events take no long."""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Callable

from tui.model.rows import Rows

# Rows looked at before the screen gets its turn.
AT_ONCE = 4_000
# Inside of a text the quotes would be escaped.
_SHARED = b'"prefix":"'


class Search:
    """Rows that contain ``needle``, in any case; ``advance`` looks further until ``done``."""

    def __init__(self, rows: Rows, needle: str, shown: Callable[[int], str]) -> None:
        """``shown``: the text of a row that a reader can see."""
        self.needle = needle.lower()
        self.hits: list[int] = []
        self.looked = 0
        self._rows = rows
        self._shown = shown
        # JSON as it lies in the file: ASCII, other characters escaped.
        self._raw = json.dumps(self.needle)[1:-1].encode("ascii")
        self._plain = self.needle.isascii()

    @property
    def done(self) -> bool:
        return self.looked >= len(self._rows)

    def advance(self, rows: int = AT_ONCE) -> None:
        """Look at the next rows; rows that came since are looked at too."""
        if not self.needle:
            self.looked = len(self._rows)
            return
        stop = min(len(self._rows), self.looked + rows)
        for row in range(self.looked, stop):
            # What is not ASCII has another escape in upper case, so it is looked for in the text.
            if self._plain and not self._may_have(row):
                continue
            if self.needle in self._shown(row).lower():
                self.hits.append(row)
        self.looked = stop

    def _may_have(self, row: int) -> bool:
        """Read off the line alone. A beginning that many samples share lies in a blob."""
        raw = self._rows.raw(row)
        return self._raw in raw.lower() or (self._rows.kind(row) == "message" and _SHARED in raw)

    def finish(self) -> None:
        """Look at all that is left."""
        self.advance(len(self._rows))

    def cut(self, rows: int) -> None:
        """Forget what lies behind: a replay went back."""
        if rows < self.looked:
            self.looked = rows
            del self.hits[bisect_left(self.hits, rows) :]

    def next(self, row: int, step: int) -> int | None:
        """The next hit after ``row``, or before it; it goes round at the ends."""
        if not self.hits:
            return None
        if step > 0:
            place = bisect_right(self.hits, row)
            return self.hits[place % len(self.hits)]
        place = bisect_left(self.hits, row) - 1
        return self.hits[place]

    def number(self, row: int) -> int:
        """Which hit ``row`` is, from 1; 0 when it is none."""
        place = bisect_left(self.hits, row)
        return place + 1 if place < len(self.hits) and self.hits[place] == row else 0
