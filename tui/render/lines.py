"""Lines of text with roles, and how they are broken to a width.

A role is a word such as ``error`` or ``code.keyword`` that a theme maps to a style. All text that
gets here is clean already: see ``tui.plain``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.cells import cell_len, get_character_cell_size

Span = tuple[str, str]
Line = tuple[Span, ...]

EMPTY: Line = ()
TAB = "    "


def line(*spans: Span) -> Line:
    """A line of (text, role) pairs."""
    return spans


def text_of(spans: Iterable[Span]) -> str:
    """The line without its roles."""
    return "".join(text for text, _ in spans)


def width_of(spans: Iterable[Span]) -> int:
    """Cells that the line takes."""
    return sum(cells(text) for text, _ in spans)


def cells(text: str) -> int:
    return len(text) if text.isascii() else cell_len(text)


def wrap(spans: Line, width: int, *, hang: int = 0) -> list[Line]:
    """Break a line at spaces, long words anywhere; continuation lines are indented by ``hang``."""
    width = max(width, 4)
    if width_of(spans) <= width:
        return [spans]
    hang = min(hang, width // 2)
    text = text_of(spans)
    parts: list[Line] = []
    start = 0
    for stop in _breaks(text, width, width - hang):
        part = _slice(spans, start, stop)
        parts.append((((" " * hang), ""), *part) if parts and hang else part)
        start = stop
    return parts


def chop(spans: Line, width: int) -> list[Line]:
    """Break a line anywhere: for code, where spaces matter."""
    width = max(width, 4)
    if width_of(spans) <= width:
        return [spans]
    text = text_of(spans)
    parts: list[Line] = []
    start = 0
    while start < len(text):
        stop = _fit(text, start, width)
        parts.append(_slice(spans, start, stop))
        start = stop
    return parts


def clip(text: str, width: int) -> str:
    """``text`` in at most ``width`` cells, with an ellipsis where it was cut."""
    if width <= 0:
        return ""
    if cells(text) <= width:
        return text
    return _start(text, width - 1) + "…"


def pad(text: str, width: int, *, right: bool = False) -> str:
    """``text`` in exactly ``width`` cells."""
    shown = clip(text, width)
    space = " " * (width - cells(shown))
    return space + shown if right else shown + space


def middle(text: str, width: int) -> str:
    """Like clip, but the middle goes: paths are told apart by their ends."""
    if cells(text) <= width:
        return text
    if width < 8:
        return clip(text, width)
    tail = width // 2
    end = len(text)
    used = 0
    while end > 0 and used + _size(text[end - 1]) <= tail:
        end -= 1
        used += _size(text[end])
    return _start(text, width - used - 1) + "…" + text[end:]


def _start(text: str, width: int) -> str:
    """As much of the beginning as fits, which may be nothing."""
    found = text[: _fit(text, 0, width)]
    return found if cells(found) <= width else ""


def _size(char: str) -> int:
    return 1 if char < "\x7f" else get_character_cell_size(char)


def _fit(text: str, start: int, width: int) -> int:
    """Index of the first character from ``start`` that does not fit; at least one does."""
    if text.isascii():
        return min(len(text), start + max(width, 1))
    used, position = 0, start
    while position < len(text):
        size = _size(text[position])
        if used + size > width and position > start:
            break
        used += size
        position += 1
    return position


def _breaks(text: str, first: int, rest: int) -> Iterable[int]:
    start, width = 0, first
    while start < len(text):
        stop = _fit(text, start, width)
        if stop < len(text) and text[stop] != " ":
            space = text.rfind(" ", start, stop)
            if space > start and text[start:space].strip():
                stop = space
        while stop < len(text) and text[stop] == " ":
            stop += 1  # the space at a break is not carried to the next line
        yield stop
        start, width = stop, rest


def _slice(spans: Sequence[Span], start: int, stop: int) -> Line:
    out: list[Span] = []
    position = 0
    for text, role in spans:
        low, high = max(start - position, 0), min(stop - position, len(text))
        if low < high:
            out.append((text[low:high], role))
        position += len(text)
        if position >= stop:
            break
    return tuple(out)
