"""A unified diff applied strictly: context must match to the character, at the stated line."""

from __future__ import annotations

from typing import Any

from harness.errors import ConfigError
from harness.tasks.task import Tree, TreeFile


def parse_patch(text: str, where: str) -> Any:
    """``text`` as a unidiff PatchSet. Raises ConfigError."""
    from unidiff.errors import UnidiffParseError
    from unidiff.patch import PatchSet

    try:
        patch = PatchSet(text)
    except UnidiffParseError as error:
        raise ConfigError(f"not a unified diff: {error}", where=where) from None
    if not len(patch):
        raise ConfigError("the patch changes nothing", where=where)
    return patch


def apply_patch(tree: Tree, text: str, where: str, *, skip: frozenset[int] = frozenset()) -> Tree:
    """A copy of ``tree`` with the diff applied; hunks numbered in ``skip`` (from 0 over the whole
    patch) are left out. Raises ConfigError naming the file and line that do not match."""
    result = dict(tree)
    number = 0
    for file in parse_patch(text, where):
        hunks = []
        for hunk in file:
            if number not in skip:
                hunks.append(hunk)
            number += 1
        path = str(file.path)
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


def _patched(source: str, hunks: list[Any], path: str, where: str) -> str:
    lines = source.split("\n")
    lines = [line + "\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
    out: list[str] = []
    position = 0
    for hunk in hunks:
        start = hunk.source_start - 1 if hunk.source_length else hunk.source_start
        if start < position:
            raise ConfigError(f"{path}: hunks overlap at line {start + 1}", where=where)
        out += lines[position:start]
        position = start
        for kind, value in _hunk_lines(hunk):
            if kind == "+":
                out.append(value)
                continue
            found = lines[position] if position < len(lines) else None
            if found != value:
                raise ConfigError(
                    f"{path} line {position + 1}: the patch expects {value!r}, gold has {found!r}",
                    where=where,
                    remedy="make start.patch again from gold",
                )
            position += 1
            if kind == " ":
                out.append(value)
    return "".join(out + lines[position:])


def _hunk_lines(hunk: Any) -> list[tuple[str, str]]:
    """(kind, text) of a hunk's lines; a "No newline" mark takes the newline off the one before."""
    lines: list[tuple[str, str]] = []
    for line in hunk:
        if line.line_type == "\\":
            kind, value = lines[-1]
            lines[-1] = (kind, value.removesuffix("\n"))
        else:
            lines.append((line.line_type or " ", line.value))
    return lines
