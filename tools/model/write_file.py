"""write_file: create a file or replace all of it."""

from __future__ import annotations

from typing import Any

from tools.outcome import ToolError, ToolOutcome
from tools.workspace.files import Workspace
from tools.workspace.show import count, visible
from tools.workspace.text import decode


def run(workspace: Workspace, arguments: dict[str, Any], protocol: str) -> ToolOutcome:
    """The content goes in as it is; folders on the way are created, an old mode is kept."""
    path: str = arguments["path"]
    place = workspace.locate(path)
    name = visible(place.path)
    if place.kind == "folder" or path.endswith("/"):
        raise ToolError(f"{name} is a folder; name a file in it")
    if place.kind == "special":
        raise ToolError(f"{name} is no regular file (a fifo, socket or device)")
    content: str = arguments["content"]
    data = content.encode()
    delta = workspace.write(place, data)
    verb = "Created" if place.kind == "missing" else "Overwrote"
    lines = count(len(decode(data).lines), "line")
    same = "" if delta else "; it had this content already"
    return ToolOutcome(f"{verb} {name} ({lines}, {count(len(data), 'byte')}){same}", delta=delta)
