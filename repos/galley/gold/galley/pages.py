"""Breaks lines into pages and puts footnotes at their feet."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from galley.errors import LayoutError
from galley.lines import Line

NOTE_RULE = "-" * 10
LOWEST = 3


class Page(NamedTuple):
    """``keys``: headings that begin on the page."""

    body: tuple[str, ...]
    notes: tuple[str, ...]
    keys: tuple[str, ...]


class _Fill(NamedTuple):
    """How much of the lines a page takes."""

    end: int
    notes: list[str]
    carried: list[str]
    repeat: tuple[str, ...]


def endless(lines: Sequence[Line], notes: Mapping[str, list[str]]) -> Page:
    """Everything on one page, the notes in order of their marks at the end."""
    names = dict.fromkeys(name for line in lines for name in line.notes)
    foot = tuple(text for name in names for text in notes[name])
    return _page(lines, (), foot)


def paginate(lines: Sequence[Line], height: int, notes: Mapping[str, list[str]]) -> list[Page]:
    """Pages of at most ``height`` rows, notes and the rule above them included.

    A note stands on the page of its first mark; what does not fit there goes on at the foot of
    the next page. Raises LayoutError for pages that are too low.
    """
    if height < LOWEST:
        raise LayoutError(f"no room on a page of {height} lines")
    pages: list[Page] = []
    seen: set[str] = set()
    carried: list[str] = []
    at = _after_space(lines, 0)
    while at < len(lines) or carried:
        fill = _fill(lines, at, height, notes, seen, carried)
        taken = lines[at : fill.end]
        seen.update(name for line in taken for name in line.notes)
        pages.append(_page(taken, fill.repeat, tuple(fill.notes)))
        carried = fill.carried
        at = _after_space(lines, fill.end)
    return pages or [Page((), (), ())]


def _after_space(lines: Sequence[Line], at: int) -> int:
    while at < len(lines) and lines[at].space:
        at += 1
    return at


def _fill(
    lines: Sequence[Line],
    start: int,
    height: int,
    notes: Mapping[str, list[str]],
    seen: set[str],
    carried: list[str],
) -> _Fill:
    """The longest run of lines that fits and ends where a page may end."""
    if start == len(lines):
        foot, left = _split(carried, height - 1)
        return _Fill(start, foot, left, ())
    first, waiting = _split(carried, height - LOWEST + 1)
    repeat = lines[start].repeat if start else ()
    if len(repeat) + 1 > height - _foot_height(first):
        repeat = ()
    end = start
    best: _Fill | None = None
    foot = list(first)
    marked = set(seen)
    while end < len(lines) and not (lines[end].eject and end > start):
        fresh = [name for name in dict.fromkeys(lines[end].notes) if name not in marked]
        more = [text for name in fresh for text in notes[name]]
        used = len(repeat) + end + 1 - start
        if used + _foot_height([*foot, *more]) > height or (more and waiting):
            break
        foot += more
        marked.update(fresh)
        end += 1
        if not lines[end - 1].keep or end == len(lines):
            best = _Fill(end, list(foot), waiting, repeat)
    else:
        return _Fill(end, foot, waiting, repeat)
    if best is not None:
        return best
    if end > start:
        return _Fill(end, foot, waiting, repeat)
    placed, left = _split([*carried, *more], height - 2 - len(repeat))
    return _Fill(end + 1, placed, left, repeat)


def _split(texts: list[str], room: int) -> tuple[list[str], list[str]]:
    return texts[: max(room, 0)], texts[max(room, 0) :]


def _foot_height(texts: Sequence[str]) -> int:
    return len(texts) + 1 if texts else 0


def _page(lines: Sequence[Line], repeat: tuple[str, ...], foot: tuple[str, ...]) -> Page:
    count = len(lines)
    while count and lines[count - 1].space:
        count -= 1
    keys = tuple(key for line in lines for key in line.keys)
    notes = (NOTE_RULE, *foot) if foot else ()
    return Page((*repeat, *(line.text for line in lines[:count])), notes, keys)
