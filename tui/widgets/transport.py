"""The transport bar of a replay: state, place, time, speed; a click seeks."""

from __future__ import annotations

from textual import events
from textual.message import Message

from tui.model.timeline import Timeline
from tui.render.lines import Line, Span, cells
from tui.widgets.lines_bar import LinesBar

_NARROWEST = 10


class Transport(LinesBar):
    """Two lines: the scrubber, and below it what the keys would do with it."""

    DEFAULT_CSS = "Transport { height: 1; background: $surface; }"

    class Seek(Message):
        """A click at this share of the scrubber."""

        def __init__(self, share: float) -> None:
            super().__init__()
            self.share = share

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._timeline: Timeline | None = None
        self._bar = (0, 0)

    def show(self, timeline: Timeline | None) -> None:
        """Show where the timeline is."""
        self._timeline = timeline
        if timeline is None:
            self.put([])
            return
        left: list[Span] = [(" ", ""), (*_state(timeline),), (" ", "")]
        right: list[Span] = [
            (f" {timeline.position:,}/{len(timeline):,}", "strong"),
            (f"  turn {timeline.turn}", "text"),
            (f"  {clock(timeline.elapsed)} of {clock(timeline.total)}", "muted"),
            (f"  {timeline.speed:g}x", "accent"),
            ("  skips waiting" if timeline.skip_waiting else "  real time", "muted"),
            (" ", ""),
        ]
        width = self.size.width
        while len(right) > 2 and width - _size(left) - _size(right) < _NARROWEST:
            right.pop(-2)
        room = max(0, width - _size(left) - _size(right))
        done = round(room * timeline.share)
        self._bar = (_size(left), room)
        line: Line = (
            *left,
            ("━" * max(0, done - 1) + ("●" if room else ""), "bar"),
            ("─" * (room - max(1, done)), "bar.rest"),
            *right,
        )
        self.put([line])

    def on_resize(self, _event: events.Resize) -> None:
        self.show(self._timeline)

    def on_click(self, event: events.Click) -> None:
        start, room = self._bar
        if room and start <= event.x < start + room:
            self.post_message(self.Seek((event.x - start) / max(1, room - 1)))


def clock(seconds: float) -> str:
    """``0:42.3``, ``12:07``, ``1:02:03``."""
    whole = int(seconds)
    if whole < 60:
        return f"0:{seconds:04.1f}"
    if whole < 3600:
        return f"{whole // 60}:{whole % 60:02d}"
    return f"{whole // 3600}:{whole % 3600 // 60:02d}:{whole % 60:02d}"


def _state(timeline: Timeline) -> Span:
    if timeline.playing:
        return ("▶ playing", "running")
    return ("■ at the end", "text") if timeline.at_end else ("‖ paused", "text")


def _size(spans: list[Span]) -> int:
    return sum(cells(text) for text, _ in spans)
