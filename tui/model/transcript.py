"""The blocks of a transcript: one a row that is shown, and one for what is being written now."""

from __future__ import annotations

import json
from array import array
from bisect import bisect_left
from collections.abc import Hashable
from dataclasses import dataclass, field

from harness.events.model import ModelTurn, ToolCallRequest
from harness.events.tool import ToolResult
from harness.events.union import TranscriptEvent
from harness.state.view import TranscriptView
from tui.model.rows import Rows
from tui.plain import clean, clean_line
from tui.render.context import Blob, Context, no_blob
from tui.render.conversation import reasoning
from tui.render.event import ESTIMATES, HIDDEN, event_lines, opens
from tui.render.lines import EMPTY, Line
from tui.render.markdown import markdown
from tui.render.tools import pending

TAIL = "tail"
# Rows back from the end in which the calls of a turn that is under way are looked for.
_PENDING_ROWS = 80
_ARGUMENT_CHARS = 2_000

KINDS: dict[str, frozenset[str]] = {
    "replies": frozenset({"model_turn"}),
    "tool calls": frozenset({"tool_result"}),
    "edits": frozenset({"tool_result"}),
    "errors": frozenset({"tool_result", "fault", "retry", "limit"}),
    "messages": frozenset({"message", "attempt_started"}),
    "grading": frozenset(
        {"snapshot", "grading_started", "test", "grading_finished", "extraction", "judgement"}
    ),
}
"""Filters by name: the types that pass. ``edits`` and ``errors`` look into the row as well."""


@dataclass
class TranscriptBlocks:
    """Rows, filter and folds. Call ``refresh`` when rows came or went."""

    rows: Rows
    view: TranscriptView
    blob: Blob = no_blob
    live: bool = False
    empty: str = "Nothing yet."
    only: str = ""
    reasoning_open: bool = False
    all_open: bool = False
    _visible: array[int] = field(default_factory=lambda: array("L"))
    _looked: int = 0
    _count: int = 0
    _open: dict[int, bool] = field(default_factory=dict)
    _tail: bool = False

    def __post_init__(self) -> None:
        self.refresh()

    def refresh(self) -> bool:
        """Take in rows that came, drop those that a replay took back; True when any did."""
        total, before = len(self.rows), len(self)
        for row in range(self._looked, total):
            if self._passes(row):
                self._visible.append(row)
        self._looked = max(total, self._looked)
        # Rows that a replay took back stay known: it will come by again.
        self._count = bisect_left(self._visible, total)
        self._tail = self.live and self._writing()
        return len(self) != before

    def filter(self, only: str) -> None:
        """Show one of KINDS only; empty shows all."""
        self.only, self._looked = only, 0
        self._visible = array("L")
        self.refresh()

    def _passes(self, row: int) -> bool:
        kind = self.rows.kind(row)
        if not self.only:
            return kind not in HIDDEN
        if kind not in KINDS[self.only]:
            return False
        if kind == "tool_result" and self.only in ("edits", "errors"):
            mark = b'"delta":[{' if self.only == "edits" else b'"is_error":true'
            return mark in self.rows.raw(row)
        return True

    def _writing(self) -> bool:
        view = self.view
        if self.only not in ("", "replies", "tool calls") or view.verdict is not None:
            return False
        return bool(view.stream or view.waiting or view.asked or self._pending())

    def _pending(self) -> list[ToolCallRequest]:
        """Calls of the last reply that have no result yet."""
        answered = set()
        total = len(self.rows)
        if self.view.stop_reason is not None:
            return []
        for row in range(total - 1, max(-1, total - _PENDING_ROWS), -1):
            kind = self.rows.kind(row)
            if kind not in ("tool_result", "model_turn"):
                return []
            event = self.rows.event(row)
            if isinstance(event, ToolResult):
                answered.add(event.call_id)
            elif isinstance(event, ModelTurn):
                return [call for call in event.tool_calls if call.id not in answered]
        return []

    # --- as a list

    def __len__(self) -> int:
        return self._count + self._tail

    def row(self, index: int) -> int | None:
        """The row of a block, None for the one that is being written."""
        return self._visible[index] if 0 <= index < self._count else None

    def event(self, index: int) -> TranscriptEvent | None:
        row = self.row(index)
        return None if row is None else self.rows.event(row)

    def key(self, index: int) -> Hashable:
        row = self.row(index)
        return TAIL if row is None else row

    def index_of(self, key: Hashable) -> int | None:
        if key == TAIL:
            return self._count - (not self._tail)
        if not isinstance(key, int) or not self._count:
            return None
        return min(bisect_left(self._visible, key), self._count - 1)

    def estimates(self, start: int) -> list[int]:
        kind, known = self.rows.kind, ESTIMATES
        return [known.get(kind(row), 2) for row in self._visible[start : self._count]] + [
            4
        ] * self._tail

    def revision(self, index: int) -> Hashable:
        row = self.row(index)
        if row is None:
            sizes = tuple((kind, len(text)) for kind, text in self.view.stream.items())
            calls = tuple(call.id for call in self._pending())
            view = self.view
            now = (view.stream_turn, view.asked, view.sending, view.waiting)
            return (now, sizes, calls, self.reasoning_open)
        return self.is_open(row)

    def is_open(self, row: int) -> bool:
        """Whether a row is unfolded: by the reader, or because all of its kind are."""
        chosen = self._open.get(row)
        if chosen is not None:
            return chosen
        return self.all_open or (self.reasoning_open and self.rows.kind(row) == "model_turn")

    def lines(self, index: int, width: int) -> list[Line]:
        row = self.row(index)
        if row is None:
            return self._tail_lines(width)
        follows = row > 0 and self.rows.kind(row) in ("test", "judgement")
        previous = self.rows.event(row - 1) if follows else None
        event = self.rows.event(row)
        ctx = Context(width, self.is_open(row), previous, self.blob)
        lines = event_lines(event, self.rows.raw(row) if event is None else b"", ctx)
        if event is not None and event.type == "tool_result" and self._ends_calls(row):
            lines = [*lines, EMPTY] if lines[-1] else lines
        return lines

    def _ends_calls(self, row: int) -> bool:
        return row + 1 >= len(self.rows) or self.rows.kind(row + 1) != "tool_result"

    def toggle(self, index: int) -> bool:
        row = self.row(index)
        if row is None:
            self.reasoning_open = not self.reasoning_open
            return True
        if not opens(self.rows.event(row)):
            return False
        self._open[row] = not self.is_open(row)
        return True

    def unfold(self, row: int) -> None:
        """Open a row if it opens: a hit of a search may lie inside."""
        if opens(self.rows.event(row)):
            self._open[row] = True

    def open_all(self) -> None:
        """Open everything, or fold everything again."""
        self.all_open = not self.all_open
        self._open.clear()

    def toggle_reasoning(self) -> None:
        """Show or fold the reasoning of all turns."""
        self.reasoning_open = not self.reasoning_open
        for row in [row for row in self._open if self.rows.kind(row) == "model_turn"]:
            del self._open[row]

    def text(self, index: int) -> str:
        row = self.row(index)
        if row is None:
            return "\n\n".join(self.view.stream.values())
        return event_text(self.rows.event(row), self.rows.raw(row))

    def shown(self, row: int) -> str:
        """What a search looks at in a row."""
        return "" if self.rows.kind(row) in HIDDEN else self._row_text(row)

    def _row_text(self, row: int) -> str:
        return event_text(self.rows.event(row), self.rows.raw(row))

    def path(self, index: int) -> str:
        """The file that a block is about, empty when none."""
        event = self.event(index)
        if not isinstance(event, ToolResult):
            return ""
        if event.delta:
            return event.delta[0].path
        return str((event.arguments or {}).get("path") or "")

    # --- what is being written

    def _tail_lines(self, width: int) -> list[Line]:
        view = self.view
        out: list[Line] = []
        for call in self._pending():
            out += pending(call, Context(width))
        if view.waiting:
            out.append(((f"↻ {clean_line(view.waiting)}", "retry"),))
        turn = view.stream_turn or view.asked
        if not turn:
            return out or [EMPTY]
        who = "a person" if view.header and view.header.model == "human" else "the model"
        word = "writing" if view.stream else f"waiting for {who}"
        sending = f", sending {view.sending}" if view.sending > 1 else ""
        out.append(((f"Turn {turn}", "turn"), (f"  {word}{sending} …", "running")))
        if thought := view.stream.get("reasoning"):
            out += self._thought(thought, width)
        if text := view.stream.get("text"):
            out += markdown(clean(text), width)
        if arguments := view.stream.get("arguments"):
            shown = clean_line(arguments[-_ARGUMENT_CHARS:], width - 4)
            out.append((("  ◌ ", "running"), (shown, "muted")))
        return out

    def _thought(self, thought: str, width: int) -> list[Line]:
        lines = reasoning(thought, Context(width, open=True))
        if self.reasoning_open or len(lines) <= 4:
            return lines
        return [(("▸ reasoning", "muted"),), *lines[-3:]]


def event_text(event: TranscriptEvent | None, raw: bytes) -> str:
    """All that an event says, as text for search, copying and the pager."""
    if event is None:
        return raw.decode("utf-8", "replace")
    match event.type:
        case "model_turn":
            assert isinstance(event, ModelTurn)
            calls = [f"{call.name} {call.raw}" for call in event.tool_calls]
            return "\n\n".join(p for p in (event.reasoning, event.content, *calls) if p)
        case "tool_result":
            assert isinstance(event, ToolResult)
            arguments = [
                f"{key}: {value if isinstance(value, str) else json.dumps(value)}"
                for key, value in (event.arguments or {}).items()
            ]
            return "\n".join([event.name, *arguments, "", event.text])
        case "message":
            return str(getattr(event, "content", ""))
    skipped = {"seq", "time", "elapsed", "type"}
    parts = event.model_dump(mode="json", exclude=skipped)
    return "\n".join(
        f"{key}: {value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}"
        for key, value in parts.items()
    )
