"""From a starting tree to gold in tool calls, the way a model would do it.

Only what the tools can do is playable: no deletion, no change of mode, no link, no binary file.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from harness.errors import ConfigError

CONTEXT_LINES = 12  # as far as an edit_replace is widened to make its old_text unique


class GoldFile(Protocol):
    """A file of a tree: content, permission bits, or a link's target."""

    @property
    def content(self) -> bytes: ...

    @property
    def mode(self) -> int: ...

    @property
    def link(self) -> str | None: ...


@dataclass(frozen=True)
class Call:
    """A tool call to be."""

    name: str
    arguments: dict[str, Any]


@dataclass(frozen=True)
class _Hunk:
    """Lines first..last of the start (from 0, last excluded) become ``new``."""

    first: int
    last: int
    new: list[str]


def gold_turns(
    start: Mapping[str, GoldFile], gold: Mapping[str, GoldFile], *, task: str
) -> list[list[Call]]:
    """Turns of calls: one that reads what will change, one a changed file, then ``finish``.

    Edits alternate between the two kinds of edit, beginning with one that depends on the task's
    name, so that a corpus exercises both. Raises ConfigError where gold is not playable.
    """
    changed = [path for path in sorted(start.keys() | gold.keys()) if _differs(start, gold, path)]
    for path in changed:
        _require_playable(start.get(path), gold.get(path), path, task)
    reads = [Call("read_file", {"path": path}) for path in changed if path in start]
    turns = [reads] if reads else []
    replace_first = sum(task.encode()) % 2 == 0
    for path in changed:
        edits = _edits(path, start.get(path), gold[path], replace_first)
        replace_first ^= len(edits) % 2 == 1
        turns.append(edits)
    summary = f"Changed {', '.join(changed)[:400]}." if changed else "Nothing to change."
    return [*turns, [Call("finish", {"summary": summary})]]


def _differs(start: Mapping[str, GoldFile], gold: Mapping[str, GoldFile], path: str) -> bool:
    # a path that ends in a slash is an empty folder: no tool makes one, and no test sees one
    return not path.endswith("/") and start.get(path) != gold.get(path)


def _require_playable(old: GoldFile | None, new: GoldFile | None, path: str, task: str) -> None:
    problem = None
    if new is None:
        problem = "gold deletes it, and no tool deletes"
    elif new.link is not None or (old is not None and old.link is not None):
        problem = "it is a link, and no tool makes or changes one"
    elif new.mode != (old.mode if old is not None else 0o644):
        problem = "its mode differs, and no tool changes modes"
    elif b"\0" in new.content or (old is not None and b"\0" in old.content):
        problem = "it is binary, and the tools edit text"
    else:
        try:
            new.content.decode()
        except UnicodeDecodeError:
            problem = "gold is not UTF-8"
    if problem:
        raise ConfigError(
            f"gold of task {task} cannot be played by the tools: {path}: {problem}",
            remedy="change gold or the starting tree so that edits and new files suffice",
        )


def _edits(path: str, old: GoldFile | None, new: GoldFile, replace_first: bool) -> list[Call]:
    whole = [Call("write_file", {"path": path, "content": new.content.decode()})]
    if old is None or not _plain(old.content) or not _plain(new.content):
        return whole
    before, after = _lines(old.content.decode()), _lines(new.content.decode())
    calls: list[Call] = []
    current = list(before)
    replace = replace_first
    for hunk in reversed(_hunks(before, after)):  # from the end, so that line numbers hold
        call = _replace_call(path, current, hunk) if replace else None
        calls.append(call or _lines_call(path, hunk))
        replace = not replace
        current[hunk.first : hunk.last] = hunk.new
    return calls


def _plain(content: bytes) -> bool:
    """Text whose lines the edits can address with no question of endings."""
    if not content.endswith(b"\n") or b"\r" in content or content.startswith(b"\xef\xbb\xbf"):
        return False
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def _lines(text: str) -> list[str]:
    return [f"{line}\n" for line in text.split("\n")[:-1]]


def _hunks(before: list[str], after: list[str]) -> list[_Hunk]:
    """Changes in order; an insertion takes a neighbouring line along (ranges are inclusive)."""
    hunks: list[_Hunk] = []
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    for tag, a1, a2, b1, b2 in matcher.get_opcodes():
        if tag == "equal":
            continue
        if a1 == a2 and a1 > 0:
            hunk = _Hunk(a1 - 1, a2, [before[a1 - 1], *after[b1:b2]])
        elif a1 == a2:
            hunk = _Hunk(0, 1, [*after[b1:b2], before[0]])
        else:
            hunk = _Hunk(a1, a2, after[b1:b2])
        hunks.append(hunk)
    return hunks


def _replace_call(path: str, lines: list[str], hunk: _Hunk) -> Call | None:
    """The hunk as edit_replace, widened until its text occurs once; None where it never does."""
    text = "".join(lines)
    for width in range(CONTEXT_LINES + 1):
        first, last = max(0, hunk.first - width), min(len(lines), hunk.last + width)
        old = "".join(lines[first:last])
        if old.strip() and _once(old, text):
            head, tail = lines[first : hunk.first], lines[hunk.last : last]
            new = "".join([*head, *hunk.new, *tail])
            return Call("edit_replace", {"path": path, "old_text": old, "new_text": new})
    return None


def _once(part: str, text: str) -> bool:
    """Whether there is only one place, overlapping ones included (``count`` passes over those)."""
    return text.find(part, text.find(part) + 1) < 0


def _lines_call(path: str, hunk: _Hunk) -> Call:
    return Call(
        "edit_lines",
        {
            "path": path,
            "start_line": hunk.first + 1,
            "end_line": hunk.last,
            "new_text": "".join(hunk.new),
        },
    )
