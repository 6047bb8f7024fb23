"""edit_lines: replace, delete, insert or append whole lines."""

from __future__ import annotations

from typing import Any

from tools import caps
from tools.outcome import ToolError, ToolOutcome
from tools.workspace.files import Workspace
from tools.workspace.show import count, numbered, visible
from tools.workspace.text import Text, bare, decode, is_binary, replace_lines


def run(workspace: Workspace, arguments: dict[str, Any], protocol: str) -> ToolOutcome:
    """Untouched lines keep their bytes; the answer shows the edit with its surroundings."""
    place = workspace.locate(arguments["path"], "file")
    data = workspace.read(place)
    name = visible(place.path)
    if is_binary(data):
        raise ToolError(f"{name} is a binary file; only text can be edited")
    text = decode(data)
    total = len(text.lines)
    start, end = arguments["start_line"], arguments["end_line"]
    _check_range(name, start, end, total, insertion=protocol != "sacb")
    if end < start and not arguments["new_text"]:
        raise ToolError("new_text is empty and no line is replaced, so nothing would change")
    body, incoming = replace_lines(text, start, end, arguments["new_text"])
    delta = workspace.write(place, text.encode(body))
    after = Text(text.bom, body)
    return ToolOutcome(_answer(name, start, end, incoming, after, protocol), delta=delta)


def _check_range(name: str, start: int, end: int, total: int, *, insertion: bool) -> None:
    lines = count(total, "line")
    if start < 1:
        raise ToolError(f"start_line is {start}, but lines are counted from 1")
    if not insertion:
        if start > total or end > total:
            raise ToolError(f"lines {start}-{end} do not all exist; {name} has {lines}")
        if end < start:
            raise ToolError(f"end_line {end} is before start_line {start}")
        return
    if start > total + 1:
        raise ToolError(
            f"start_line is {start}, but {name} has {lines}; "
            f"to append, use start_line={total + 1} and end_line={total}"
        )
    if end < start - 1:
        raise ToolError(
            f"end_line {end} is before start_line {start}; to insert before line {start}, "
            f"use end_line={start - 1}"
        )
    if end > total and not (start == total + 1 and end == start):
        raise ToolError(f"end_line is {end}, but {name} has {lines}")


def _answer(name: str, start: int, end: int, incoming: int, after: Text, protocol: str) -> str:
    lines = [bare(line) for line in after.lines]
    replaced = max(0, end - start + 1)
    if protocol == "sacb":
        moved = incoming - replaced
        told = f"{name}: {count(replaced, 'line')} replaced by {incoming}; now {len(lines)} lines."
        return f"{told} Line numbers below moved by {moved:+d}." if moved else told
    if incoming == 0:
        what = f"deleted lines {start}-{end}" if replaced > 1 else f"deleted line {start}"
    elif end < start:
        what = f"inserted {count(incoming, 'line')} at line {start}"
    else:
        what = f"replaced {count(replaced, 'line')} by {incoming} at line {start}"
    header = f"{name}: {what}; the file now has {count(len(lines), 'line')}"
    first = max(1, start - caps.EDIT_CONTEXT)
    last = min(len(lines), start + incoming - 1 + caps.EDIT_CONTEXT)
    if incoming <= caps.EDIT_SHOWN:
        view = numbered(lines[first - 1 : last], first)
    else:
        head = numbered(lines[first - 1 : start - 1 + caps.EDIT_SHOWN // 2], first)
        tail_at = start + incoming - caps.EDIT_SHOWN // 2
        view = f"{head}\n   ...\n{numbered(lines[tail_at - 1 : last], tail_at)}"
    return f"{header}\n{view}" if view else header
