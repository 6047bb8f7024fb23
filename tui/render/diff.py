"""Differences as lines: a sign, a line number, the text in its syntax's colours."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence

from tui.plain import clean
from tui.render.code import LARGEST, code_lines, language_of
from tui.render.lines import Line, Span, chop, width_of

CONTEXT = 3
# Beyond this the two sides are shown whole, one after the other: comparing would take too long.
_MOST_LINES = 3_000


def diff_lines(
    before: str | None, after: str | None, path: str, width: int, most: int = 400
) -> list[Line]:
    """The difference of two contents of a file; None is absent."""
    old, new = clean(before or "", 4 * LARGEST), clean(after or "", 4 * LARGEST)
    language = language_of(path)
    left, right = code_lines(old, language), code_lines(new, language)
    if before is None or not old:
        left = []
    if after is None or not new:
        right = []
    for side, text in ((left, old), (right, new)):
        if side and text.endswith("\n"):
            side.pop()
    out: list[Line] = []
    digits = len(str(max(len(left), len(right), 1)))
    for row in _rows(old.split("\n")[: len(left)], new.split("\n")[: len(right)]):
        if row is None:
            if out:
                out.append((("  ⋯", "muted"),))
            continue
        sign, number = row
        body = right[number] if sign != "-" else left[number]
        out += _row(sign, number + 1, body, digits, width)
        if len(out) >= most:
            out.append((("  … more; v shows all of it", "muted"),))
            break
    ends = old.endswith("\n") if old else True, new.endswith("\n") if new else True
    if ends[0] != ends[1]:
        word = "no newline at the end now" if ends[0] else "newline added at the end"
        out.append(((f"  ({word})", "muted"),))
    return out


def unified_lines(diff: str, path: str, width: int, most: int = 4000) -> list[Line]:
    """The hunks of one file of a unified diff, header lines left out."""
    language = language_of(path)
    out: list[Line] = []
    old = new = 0
    rows = [row for row in clean(diff, 4 * LARGEST).split("\n") if row]
    bodies = code_lines("\n".join(row[1:] for row in rows), language)
    digits = 4
    for row, body in zip(rows, bodies, strict=False):
        sign = row[0]
        if row.startswith("@@"):
            old, new = _starts(row)
            digits = max(3, len(str(max(old, new) + 200)))
            if out:
                out.append((("  ⋯", "muted"),))
        elif sign == "\\":
            out.append(((f"  ({row[2:]})", "muted"),))
        elif sign in "+- ":
            number = old if sign == "-" else new
            out += _row(sign, number, body, digits, width)
            old += sign != "+"
            new += sign != "-"
        if len(out) >= most:
            out.append((("  … more; v shows all of it", "muted"),))
            break
    return out


def split_files(diff: str) -> dict[str, str]:
    """A unified diff by path: the lines from each file's first hunk on."""
    parts: dict[str, list[str]] = {}
    current: list[str] | None = None
    removed = 0
    old = ""
    for row in diff.split("\n"):
        if removed <= 0 and row.startswith("--- "):
            old = _path(row[4:])
        elif removed <= 0 and row.startswith("+++ "):
            new = _path(row[4:])
            current = parts.setdefault(new or old, [])
        elif removed <= 0 and row.startswith("@@") and current is not None:
            current.append(row)
            removed = _hunk_lines(row)
        elif current is not None and (removed > 0 or row.startswith("\\")):
            current.append(row)
            if row[:1] != "\\":
                removed -= 1 if row[:1] in ("+", "-") else 2
    return {path: "\n".join(rows) for path, rows in parts.items() if path}


def _hunk_lines(row: str) -> int:
    """Lines of both sides that a hunk's header announces."""
    total = 0
    for word in row.split(" ")[1:3]:
        _, _, count = word[1:].partition(",")
        total += int(count) if count.isdecimal() else 1
    return total


def _path(text: str) -> str:
    path = text.split("\t")[0].strip().strip('"')
    return "" if path == "/dev/null" else path[2:] if path[:2] in ("a/", "b/") else path


def _starts(row: str) -> tuple[int, int]:
    numbers = []
    for word in row.split(" ")[1:3]:
        start = word[1:].partition(",")[0]
        numbers.append(int(start) if start.isdecimal() else 1)
    first, second, *_ = [*numbers, 1, 1]
    return first, second


def _rows(old: list[str], new: list[str]) -> Iterator[tuple[str, int] | None]:
    """(sign, index in its side) of each line to show; None between places."""
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    a, b = old[head : len(old) - tail], new[head : len(new) - tail]
    for index in range(max(0, head - CONTEXT), head):
        yield " ", index
    if len(a) + len(b) > _MOST_LINES:
        codes: Sequence[tuple[str, int, int, int, int]] = [("replace", 0, len(a), 0, len(b))]
    else:
        codes = difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes()
    for kind, a1, a2, b1, b2 in codes:
        if kind == "equal":
            yield from _equal(b1 + head, b2 + head)
            continue
        for index in range(a1, a2):
            yield "-", index + head
        for index in range(b1, b2):
            yield "+", index + head
    for index in range(len(new) - tail, min(len(new), len(new) - tail + CONTEXT)):
        yield " ", index


def _equal(start: int, stop: int) -> Iterator[tuple[str, int] | None]:
    if stop - start <= 2 * CONTEXT:
        for index in range(start, stop):
            yield " ", index
        return
    for index in range(start, start + CONTEXT):
        yield " ", index
    yield None
    for index in range(stop - CONTEXT, stop):
        yield " ", index


_LINE_ROLES = {"+": ("diff.add", "add"), "-": ("diff.remove", "remove"), " ": ("muted", "")}


def _row(sign: str, number: int, body: Line, digits: int, width: int) -> list[Line]:
    mark, tint = _LINE_ROLES[sign]
    gutter: Span = (f"{number:>{digits}} {sign} ", mark)
    blank: Span = (" " * (digits + 3), mark)
    suffix = f"|{tint}" if tint else ""
    tinted = tuple((text, role + suffix) for text, role in body)
    room = width - digits - 3
    parts = chop(tinted, room) if tinted else [()]
    if tint:  # the tint goes to the edge: a line is one piece
        parts = [(*p, (" " * max(0, room - width_of(p)), suffix)) for p in parts]
    return [(gutter if i == 0 else blank, *part) for i, part in enumerate(parts)]
