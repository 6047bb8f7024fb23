"""read_file: numbered lines of a text file."""

from __future__ import annotations

from typing import Any

from tools import caps
from tools.outcome import ToolError, ToolOutcome
from tools.workspace.files import Workspace
from tools.workspace.show import clip_line, count, numbered, visible
from tools.workspace.text import bare, decode, is_binary


def run(workspace: Workspace, arguments: dict[str, Any], protocol: str) -> ToolOutcome:
    """A header with path, range and total, then the lines; endings are not shown."""
    place = workspace.locate(arguments["path"], "file")
    data = workspace.read(place)
    name = visible(place.path)
    if is_binary(data):
        raise ToolError(f"{name} is a binary file of {len(data)} bytes; only text can be read")
    text = decode(data)
    lines = [bare(line) for line in text.lines]
    start: int = arguments["start_line"]
    end: int = len(lines) if arguments["end_line"] is None else arguments["end_line"]
    _check_range(name, start, arguments["end_line"], len(lines))
    if not lines:
        return ToolOutcome(f"{name}: empty file, 0 lines")
    last = min(end, len(lines), start + caps.READ_LINES - 1)
    if protocol != "sacb":
        last = _fit(lines, start, last)
    header = f"{name}: lines {start}-{last} of {len(lines)}{_remarks(text.body, text.bom)}"
    shown = f"{header}\n{numbered(lines[start - 1 : last], start)}"
    if last < min(end, len(lines)):
        more = count(min(end, len(lines)) - last, "more line")
        shown += f"\n[{more} not shown; read on with start_line={last + 1}]"
    return ToolOutcome(shown)


def _check_range(name: str, start: int, end: int | None, total: int) -> None:
    if start < 1:
        raise ToolError(f"start_line is {start}, but lines are counted from 1")
    if end is not None and end < start:
        raise ToolError(f"end_line {end} is before start_line {start}")
    if start > max(total, 1):
        raise ToolError(f"start_line is {start}, but {name} has only {count(total, 'line')}")


def _fit(lines: list[str], start: int, last: int) -> int:
    """The last line up to which a result has room; at least one line is shown."""
    left = caps.RESULT_CHARS - 400  # room for header and notice
    for number in range(start, last + 1):
        left -= len(clip_line(visible(lines[number - 1]))) + 8
        if left < 0:
            return max(number - 1, start)
    return last


def _remarks(body: str, bom: bool) -> str:
    """What the numbered lines do not show but an edit keeps."""
    remarks: list[str] = []
    crlf = body.count("\r\n")
    if crlf:
        remarks.append("CRLF line endings" if crlf == body.count("\n") else "mixed line endings")
    if bom:
        remarks.append("byte order mark")
    if body and not body.endswith("\n"):
        remarks.append("no newline at the end")
    return f" ({', '.join(remarks)})" if remarks else ""
