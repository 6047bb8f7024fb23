"""The clock of a replay: position, play, speed, skipping of idle time. Pure; time comes from
outside by ``tick``."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Protocol

from tui.model.marks import MarkName, next_mark
from tui.model.rows import Rows, elapsed_of

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0)
# What is left of a pause when waiting is skipped, in seconds of the recording.
IDLE_S = 1.0
# Events in one tick at most, so that 64x over a dense transcript does not stall a frame.
_AT_ONCE = 500
_GOTO = re.compile(r"\s*(?:(\d{1,3}(?:\.\d+)?)\s*%|(?:(?:turn|t)\s*)?(\d{1,9})|#\s*(\d{1,9}))\s*")


class Turns(Protocol):
    """What seeking by turn needs of an index."""

    def row_of_turn(self, turn: int) -> int | None: ...


class Timeline:
    """``position`` counts the events shown: 0 is before the first, ``len`` the end.

    Playing shows the next event when as much time has passed as lay between the two, at
    ``speed``. Seeking or changing the speed changes nothing about playing.
    """

    def __init__(self, rows: Rows, turns: Turns, position: int | None = None) -> None:
        self.rows = rows
        self._turns = turns
        self.position = len(rows) if position is None else position
        self.playing = False
        self.skip_waiting = True
        self._speed = SPEEDS.index(1.0)
        self._waited = 0.0
        self._last: float | None = None

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def speed(self) -> float:
        return SPEEDS[self._speed]

    @property
    def at_end(self) -> bool:
        return self.position >= len(self.rows)

    @property
    def share(self) -> float:
        """Share of the events that is shown, 0 to 1."""
        return self.position / len(self.rows) if len(self.rows) else 1.0

    @property
    def elapsed(self) -> float:
        """Seconds of the recording at the position."""
        at = self._at(self.position - 1) if self.position else 0.0
        return at + (self._waited if self.playing and not self.skip_waiting else 0.0)

    @property
    def total(self) -> float:
        """Seconds of the whole recording."""
        return self._at(len(self.rows) - 1) if len(self.rows) else 0.0

    @property
    def turn(self) -> int:
        """The turn that the position is in, 0 before the first."""
        for row in range(self.position - 1, -1, -1):
            if self.rows.kind(row) in ("model_request", "model_turn", "tool_result"):
                event = self.rows.event(row)
                return int(getattr(event, "turn", 0))
        return 0

    def tick(self, now: float) -> bool:
        """Let time pass; ``now`` in seconds of any monotonic clock. True when events came."""
        before, self._last = self._last, now
        if not self.playing or before is None:
            return False
        self._waited += max(0.0, now - before) * self.speed
        start = self.position
        while not self.at_end and self.position - start < _AT_ONCE:
            gap = self._gap()
            if self._waited < gap:
                break
            self._waited -= gap
            self.position += 1
        if self.at_end:
            self.playing, self._waited = False, 0.0
        return self.position != start

    def play(self) -> None:
        """Play or pause; at the end it plays from the start."""
        if self.playing:
            self.playing = False
            return
        if self.at_end:
            self.seek(0)
        self.playing, self._last, self._waited = True, None, 0.0

    def seek(self, position: int) -> None:
        self.position = max(0, min(position, len(self.rows)))
        self._waited = 0.0

    def step(self, events: int) -> None:
        """By events that are seen: a request that was sent is shown with what came of it."""
        position = self.position
        for _ in range(abs(events)):
            position = self._stepped(position, 1 if events > 0 else -1)
        self.seek(position)

    def step_turn(self, turns: int) -> None:
        """To the end of the next reply, or of the one before."""
        position = self.position
        for _ in range(abs(turns)):
            position = self._next_turn(position) if turns > 0 else self._turn_before(position)
        self.seek(position)

    def faster(self, steps: int) -> None:
        """Up or, negative, down the list of speeds."""
        self._speed = max(0, min(self._speed + steps, len(SPEEDS) - 1))

    def set_speed(self, speed: float) -> None:
        """To the listed speed that is nearest."""
        self._speed = min(range(len(SPEEDS)), key=lambda i: abs(SPEEDS[i] - speed))

    def mark(self, name: MarkName) -> bool:
        """To the next error, edit or verdict; False, and nowhere, when there is none."""
        row = next_mark(self.rows, self.position, name)
        if row is None:
            return False
        self.seek(row + 1)
        return True

    def goto(self, text: str) -> bool:
        """``50%``, ``turn 3`` (or ``3``), ``#120`` for the 120th event; False when it is none."""
        found = _GOTO.fullmatch(text)
        if found is None:
            return False
        share, turn, number = found.groups()
        if share is not None:
            self.seek(round(len(self.rows) * min(float(share), 100.0) / 100))
        elif number is not None:
            self.seek(int(number))
        else:
            row = self._turns.row_of_turn(int(turn))
            if row is None:
                return False
            while row < len(self.rows) and self.rows.kind(row) != "model_turn":
                row += 1
            self.seek(row + 1)
        return True

    def _gap(self) -> float:
        here = self._at(self.position - 1) if self.position else 0.0
        gap = max(0.0, self._at(self.position) - here)
        return min(gap, IDLE_S) if self.skip_waiting else gap

    def _at(self, row: int) -> float:
        return elapsed_of(self.rows.raw(row))

    def _stepped(self, position: int, way: int) -> int:
        position += way
        while 0 < position < len(self.rows) and self.rows.kind(position - 1) == "model_request":
            position += way
        return max(0, min(position, len(self.rows)))

    def _next_turn(self, position: int) -> int:
        row = position
        while row < len(self.rows) and self.rows.kind(row) != "model_turn":
            row += 1
        return min(row + 1, len(self.rows))

    def _turn_before(self, position: int) -> int:
        row = position - 2
        while row >= 0 and self.rows.kind(row) != "model_turn":
            row -= 1
        return row + 1


Clock = Callable[[], float]
