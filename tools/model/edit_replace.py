"""edit_replace: replace a piece of text that occurs exactly once, or everywhere."""

from __future__ import annotations

import difflib
from typing import Any, Final

from tools import caps
from tools.outcome import ToolError, ToolOutcome
from tools.workspace.files import Workspace
from tools.workspace.show import clip_line, count, numbered, visible
from tools.workspace.text import (
    Match,
    Text,
    bare,
    decode,
    find_all,
    is_binary,
    replace_matches,
)

_HINT_LINES: Final = 5_000  # lines compared for the nearest one; similarity is slow
_HINT_CHARS: Final = 300


def run(workspace: Workspace, arguments: dict[str, Any], protocol: str) -> ToolOutcome:
    """Newlines of either style match; what is put in takes the style of its place."""
    place = workspace.locate(arguments["path"], "file")
    data = workspace.read(place)
    name = visible(place.path)
    if is_binary(data):
        raise ToolError(f"{name} is a binary file; only text can be edited")
    text = decode(data)
    old = arguments["old_text"].removeprefix("\ufeff") if text.bom else arguments["old_text"]
    new = arguments["new_text"].removeprefix("\ufeff") if text.bom else arguments["new_text"]
    if not old:
        raise ToolError("old_text is empty; give the exact text to replace")
    if old == new:
        raise ToolError("old_text and new_text are the same, so nothing would change")
    matches = find_all(text.body, old)
    if not matches:
        raise ToolError(f"old_text does not occur in {name}{_hint(text, old)}")
    if len(matches) > 1 and not arguments["replace_all"]:
        places = ", ".join(str(match.line) for match in matches[:20])
        more = ", ..." if len(matches) > 20 else ""
        raise ToolError(
            f"old_text occurs {len(matches)} times in {name}, at lines {places}{more}; "
            "add surrounding lines until it is unique, or set replace_all to true"
        )
    body = replace_matches(text.body, matches, new)
    delta = workspace.write(place, text.encode(body))
    return ToolOutcome(_answer(name, matches, new, Text(text.bom, body), protocol), delta=delta)


def _answer(name: str, matches: list[Match], new: str, after: Text, protocol: str) -> str:
    header = f"{name}: replaced {count(len(matches), 'occurrence')}"
    if len(matches) > 1:
        lines = ", ".join(str(match.line) for match in matches[:20])
        header += f" (they began at lines {lines}{', ...' if len(matches) > 20 else ''})"
    if protocol == "sacb" or len(matches) > 1:
        return header
    at = matches[0].line
    shown = [bare(line) for line in after.lines]
    first = max(1, at - caps.EDIT_CONTEXT)
    incoming = min(new.count("\n"), caps.EDIT_SHOWN)
    last = min(len(shown), at + incoming + caps.EDIT_CONTEXT)
    view = numbered(shown[first - 1 : last], first)
    return f"{header}\n{view}" if view else header


def _hint(text: Text, old: str) -> str:
    """What is most like the first line of `old`, so that the next try can be right."""
    lines = [bare(line) for line in text.lines]
    wanted = next((line for line in old.split("\n") if line.strip()), "")
    if not wanted.strip() or not lines:
        return "; read the file again and copy the text exactly"
    stripped = wanted.strip()
    for number, line in enumerate(lines, 1):
        if wanted.removesuffix("\r") in line and "\n" in old:
            return (
                f"; its first line is found at line {number}, but the lines after it differ; "
                "read the file again and copy the text exactly"
            )
    for number, line in enumerate(lines, 1):
        if line.strip() == stripped and line != wanted.removesuffix("\r"):
            return (
                f"; line {number} differs only in white space: {_shown(line)} "
                "(copy the indentation exactly)"
            )
    short = [line.strip()[:_HINT_CHARS] for line in lines[:_HINT_LINES]]
    close = difflib.get_close_matches(stripped[:_HINT_CHARS], short, n=1, cutoff=0.6)
    if close:
        number = short.index(close[0]) + 1
        return f"; the nearest is line {number}: {_shown(lines[number - 1])}"
    return "; read the file again and copy the text exactly"


def _shown(line: str) -> str:
    return clip_line(visible(line))[:_HINT_CHARS]
