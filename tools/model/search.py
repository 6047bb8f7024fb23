"""search: lines that match a regular expression, in a child that can be stopped."""

from __future__ import annotations

import re
from typing import Any

from tools import caps
from tools.outcome import ToolError, ToolOutcome
from tools.workspace.deadline import DeadlineExceededError, in_child
from tools.workspace.files import Workspace
from tools.workspace.globs import compile_glob
from tools.workspace.paths import Place
from tools.workspace.show import count, visible
from tools.workspace.text import bare, decode, is_binary

_MAX_PATTERN = 1_000  # characters


def run(workspace: Workspace, arguments: dict[str, Any], protocol: str) -> ToolOutcome:
    """Hits as path:line:text in the order of the tree; binary files and links are passed over."""
    pattern: str = arguments["pattern"]
    if not pattern:
        raise ToolError("the pattern is empty; give a Python regular expression")
    if len(pattern) > _MAX_PATTERN:
        raise ToolError(f"the pattern is too long; at most {_MAX_PATTERN} characters")
    place = workspace.locate(arguments["path"], "any")
    glob = compile_glob(arguments["glob"]) if arguments["glob"] else None
    try:
        found = in_child(
            lambda: _search(workspace, place, pattern, glob), seconds=caps.SEARCH_SECONDS
        )
    except DeadlineExceededError:
        raise ToolError(
            f"the search took longer than {caps.SEARCH_SECONDS:g} seconds and was stopped; "
            "use a simpler pattern (no nested repetition) or search fewer files"
        ) from None
    if "error" in found:
        raise ToolError(found["error"])
    hits: list[str] = found["hits"]
    if not hits:
        return ToolOutcome(f"No matches for {visible(pattern)} in {count(found['files'], 'file')}.")
    if found["more"]:
        hits.append(f"[stopped at {caps.SEARCH_HITS} hits; narrow the pattern, path or glob]")
    return ToolOutcome("\n".join(hits))


def _search(
    workspace: Workspace, place: Place, pattern: str, glob: re.Pattern[str] | None
) -> dict[str, Any]:
    try:
        compiled = re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        return {"error": f"the pattern is no valid regular expression: {visible(str(error))}"}
    hits: list[str] = []
    files = 0
    if place.kind == "file":
        candidates = iter([place.parts])
    else:
        candidates = (e.parts for e in workspace.walk(place.parts) if e.kind == "file")
    for parts in candidates:
        path = "/".join(parts)
        if glob is not None and not glob.fullmatch(path):
            continue
        try:
            data, _ = workspace.read_parts(parts, caps.READ_BYTES)
        except (ToolError, OSError):
            continue  # too large or unreadable: passed over like a binary file
        if is_binary(data):
            continue
        files += 1
        for number, line in enumerate(decode(data).lines, 1):
            text = bare(line)
            if match := compiled.search(text):
                if len(hits) == caps.SEARCH_HITS:
                    return {"hits": hits, "files": files, "more": True}
                hits.append(f"{visible(path)}:{number}:{_excerpt(text, match.start())}")
    return {"hits": hits, "files": files, "more": False}


def _excerpt(line: str, at: int) -> str:
    """The line, or the part of a long one around the hit, on one line of the result."""
    text = line.strip()
    if len(text) > caps.SEARCH_LINE_CHARS:
        begin = max(0, min(at - len(line) + len(line.lstrip()), len(text)) - 60)
        text = ("..." if begin else "") + text[begin : begin + caps.SEARCH_LINE_CHARS] + "..."
    return visible(text)
