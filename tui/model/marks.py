"""Where to jump in a transcript: the next error, the next edit, the verdict, turns."""

from __future__ import annotations

from typing import Literal

from tui.model.rows import Rows

MarkName = Literal["error", "edit", "verdict"]

# Unescaped quotes make these unique in a line: inside of a text they would have backslashes.
_ERROR = b'"is_error":true'
_EDIT = b'"delta":[{'
_FAULTS = frozenset({"fault", "retry", "limit"})


def is_mark(rows: Rows, row: int, name: MarkName) -> bool:
    """Whether a row is what ``name`` says."""
    kind = rows.kind(row)
    if name == "verdict":
        return kind in ("grading_finished", "judgement", "attempt_finished")
    if name == "edit":
        return kind == "tool_result" and _EDIT in rows.raw(row)
    if kind in _FAULTS:
        return True
    return kind == "tool_result" and _ERROR in rows.raw(row)


def next_mark(rows: Rows, start: int, name: MarkName) -> int | None:
    """The first such row from ``start`` on; None when there is none."""
    for row in range(max(0, start), len(rows)):
        if is_mark(rows, row, name):
            return row
    return None


def turn_row(rows: Rows, start: int, step: int) -> int | None:
    """The next (step 1) or previous (-1) row after ``start`` that is a reply of the model."""
    row = start + step
    while 0 <= row < len(rows):
        if rows.kind(row) == "model_turn":
            return row
        row += step
    return None
