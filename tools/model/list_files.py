"""list_files: every file below a folder."""

from __future__ import annotations

from typing import Any

from tools import caps
from tools.outcome import ToolOutcome
from tools.workspace.files import Entry, Workspace
from tools.workspace.show import count, visible


def run(workspace: Workspace, arguments: dict[str, Any], protocol: str) -> ToolOutcome:
    """One line a file: its path, a tab, its size; a link says where it points."""
    place = workspace.locate(arguments["path"], "any")
    if place.kind == "file":
        data = workspace.read(place)
        return ToolOutcome(_line(Entry(place.path, len(data), "file")))
    lines = [_line(entry) for entry in workspace.walk(place.parts)]
    if not lines:
        return ToolOutcome("(no files)")
    if protocol == "sacb":
        return ToolOutcome("\n".join(lines))
    return ToolOutcome(_fit(lines))


def _line(entry: Entry) -> str:
    path = visible(entry.path).replace("\t", "\\t").replace("\n", "\\n")
    if entry.kind == "file":
        return f"{path}\t{entry.size} bytes"
    if entry.kind == "link":
        target = visible(entry.link).replace("\t", "\\t").replace("\n", "\\n")
        return f"{path}\tlink to {target}"
    return f"{path}\tno regular file"


def _fit(lines: list[str]) -> str:
    """As many whole lines as a result holds, and a notice of how many are missing."""
    left = caps.RESULT_CHARS - 100  # room for the notice
    for shown, line in enumerate(lines):
        left -= len(line) + 1
        if left < 0:
            rest = count(len(lines) - shown, "more file")
            return "\n".join([*lines[:shown], f"[{rest} not shown; list one folder at a time]"])
    return "\n".join(lines)
