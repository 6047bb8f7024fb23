"""Replies without a call: a neutral word, so many in a row and so many in all."""

from __future__ import annotations

from harness.agent.prompts import NUDGE, NUDGE_TRUNCATED


class Nudges:
    """Counts replies without a call. A reply with any call, good or bad, ends the row."""

    def __init__(self, in_a_row: int, total: int) -> None:
        self._in_a_row = in_a_row
        self._total = total
        self._row = 0
        self.given = 0

    def next(self, *, truncated: bool) -> str | None:
        """The text to send, or None when the caps are reached and the episode ends."""
        if self._row >= self._in_a_row or self.given >= self._total:
            return None
        self._row += 1
        self.given += 1
        return NUDGE_TRUNCATED if truncated else NUDGE

    def called(self) -> None:
        """The reply held a call."""
        self._row = 0
