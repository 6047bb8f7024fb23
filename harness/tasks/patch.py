"""A unified diff applied strictly: context must match to the character, at the stated line."""

from __future__ import annotations

import re
from typing import Any

from harness.errors import ConfigError
from harness.tasks.task import Tree, TreeFile

_HEAD = re.compile(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")
_AGAIN = "make it again: diff -u gold start"


def parse_patch(text: str, where: str) -> Any:
    """``text`` as a unidiff PatchSet. Raises ConfigError."""
    from unidiff.errors import UnidiffParseError
    from unidiff.patch import PatchSet

    try:
        patch = PatchSet(text)
    except UnidiffParseError as error:
        what = "; ".join(filter(None, [_broken_hunk(text), str(error).strip()]))
        raise ConfigError(f"is no unified diff: {what}", where=where, remedy=_AGAIN) from None
    if not any(len(file) for file in patch):
        first = next((line for line in text.splitlines() if line.strip()), None)
        if first is None:
            raise ConfigError("is empty: it changes nothing", where=where, remedy=_AGAIN)
        headed = first.startswith(("--- ", "diff "))
        what = "has no hunk: it changes no line" if headed else "is no unified diff"
        raise ConfigError(f"{what}; it begins with {first[:80]!r}", where=where, remedy=_AGAIN)
    return patch


def _broken_hunk(text: str) -> str | None:
    """File and number of the first hunk that is not as long as its head says."""
    path, number, old, new = "", 0, 0, 0
    for line in text.split("\n"):
        if old <= 0 and new <= 0:
            if line.startswith("+++ "):
                path, number = line[4:].split("\t")[0].removeprefix("b/"), 0
            head = _HEAD.match(line)
            if head:
                number += 1
                old, new = (int(1 if n is None else n) for n in head.groups())
            continue
        if line[:1] not in (" ", "+", "-", "\\"):
            break
        old -= line[:1] in (" ", "-")
        new -= line[:1] in (" ", "+")
    return f"{path} hunk {number}" if old > 0 or new > 0 else None


def apply_patch(tree: Tree, text: str, where: str, *, skip: frozenset[int] = frozenset()) -> Tree:
    """A copy of ``tree`` with the diff applied; hunks numbered in ``skip`` (from 0 over the whole
    patch) are left out. Raises ConfigError naming the file and line that do not match."""
    result = dict(tree)
    seen: set[str] = set()
    number = 0
    for file in parse_patch(text, where):
        hunks = []
        for nth, hunk in enumerate(file, 1):
            if number not in skip:
                hunks.append((nth, hunk))
            number += 1
        path = str(file.path)
        if path.startswith("/") or ".." in path.split("/"):
            raise ConfigError(f"{path}: leads out of the tree", where=where, remedy=_AGAIN)
        if path in seen:
            raise ConfigError(f"{path}: is changed twice", where=where, remedy=_AGAIN)
        seen.add(path)
        if file.is_rename:
            raise ConfigError(f"{path}: renames are not supported; delete and add", where=where)
        if not hunks:
            continue
        if file.source_file == "/dev/null":
            if path in tree:
                raise ConfigError(f"{path}: added, but gold has it", where=where)
            result[path] = TreeFile(_patched("", hunks, path, where).encode())
            continue
        old = tree.get(path)
        if old is None or old.link is not None:
            raise ConfigError(f"{path}: gold has no such file", where=where)
        try:
            source = old.content.decode("utf-8")
        except UnicodeDecodeError:
            raise ConfigError(f"{path}: not a text file", where=where) from None
        content = _patched(source, hunks, path, where)
        if file.target_file == "/dev/null":
            if content:
                raise ConfigError(f"{path}: deleted, but lines would remain", where=where)
            del result[path]
        else:
            result[path] = TreeFile(content.encode(), old.mode)
    return dict(sorted(result.items()))


def count_hunks(text: str, where: str) -> int:
    """Number of hunks in the diff."""
    return sum(len(file) for file in parse_patch(text, where))


def hunk_places(text: str, where: str) -> list[str]:
    """File and first line (in gold) of each hunk, for messages."""
    return [
        f"{file.path} line {hunk.source_start}"
        for file in parse_patch(text, where)
        for hunk in file
    ]


def _patched(source: str, hunks: list[tuple[int, Any]], path: str, where: str) -> str:
    """``source`` with hunks, each with its number in the file."""
    lines = source.split("\n")
    lines = [line + "\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
    out: list[str] = []
    position = 0
    for number, hunk in hunks:
        start = hunk.source_start - 1 if hunk.source_length else hunk.source_start
        if start < position:
            raise ConfigError(
                f"{path}: hunk {number} overlaps the one before, at line {start + 1}", where=where
            )
        out += lines[position:start]
        position = start
        for kind, value in _hunk_lines(hunk, where):
            if kind == "+":
                out.append(value)
                continue
            found = lines[position] if position < len(lines) else None
            if found != value:
                raise ConfigError(
                    f"does not apply: {path} line {position + 1}: hunk {number} expects "
                    f"{_shown(value)}, gold has {_shown(found)}",
                    where=where,
                    remedy=_AGAIN,
                )
            position += 1
            if kind == " ":
                out.append(value)
    return "".join(out + lines[position:])


def _shown(line: str | None) -> str:
    return "no such line" if line is None else repr(line[:200])


def _hunk_lines(hunk: Any, where: str) -> list[tuple[str, str]]:
    """(kind, text) of a hunk's lines; a "No newline" mark takes the newline off the one before."""
    lines: list[tuple[str, str]] = []
    for line in hunk:
        if line.line_type == "\\":
            if not lines:
                raise ConfigError('the patch has a "No newline" mark before any line', where=where)
            kind, value = lines[-1]
            lines[-1] = (kind, value.removesuffix("\n"))
        else:
            lines.append((line.line_type or " ", line.value))
    return lines
