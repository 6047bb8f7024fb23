"""Breaks words into lines: greedily, or with as little raggedness as possible."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from galley.errors import LayoutError
from galley.hyphen import Hyphenator
from galley.width import clusters, cut, width

SOFT_HYPHEN = "\u00ad"
HYPHEN_COST = 9

_DASHES = re.compile(r"(?<=\w)([-–—]+)(?=\w)")


class Word(NamedTuple):
    """``notes`` are marked in the word; a ``solid`` word is never hyphenated; after one that
    ``ends`` a new line begins."""

    text: str
    notes: tuple[str, ...] = ()
    solid: bool = False
    ends: bool = False


class Piece(NamedTuple):
    """A part of a word that is not divided further.

    ``space``: one stands before it, unless it begins a line; ``hyphen``: one is put after it when
    it ends a line.
    """

    text: str
    notes: tuple[str, ...] = ()
    space: bool = True
    hyphen: bool = False
    ends: bool = False


class Broken(NamedTuple):
    """A line: its words, the notes marked in it, and whether it ends a paragraph (or stands
    before a forced break)."""

    words: tuple[str, ...]
    notes: tuple[str, ...]
    last: bool


def pieces(words: Sequence[Word], room: int, hyphenator: Hyphenator | None = None) -> list[Piece]:
    """Words in pieces that are at most ``room`` wide. Raises LayoutError without any room."""
    if room < 1:
        raise LayoutError(f"no room for text: {room} columns")
    found: list[Piece] = []
    for word in words:
        parts = [piece for part in _parts(word, hyphenator) for piece in _narrowed(part, room)]
        parts[0] = parts[0]._replace(space=True)
        parts[-1] = parts[-1]._replace(notes=word.notes, hyphen=False, ends=word.ends)
        found += parts
    return found


def _parts(word: Word, hyphenator: Hyphenator | None) -> list[Piece]:
    if SOFT_HYPHEN in word.text:
        texts = [text for text in word.text.split(SOFT_HYPHEN) if text]
        return [Piece(text, space=False, hyphen=True) for text in texts] or [Piece("")]
    if word.solid:
        return [Piece(word.text, space=False)]
    dashed = _DASHES.split(word.text)
    joined = [a + b for a, b in zip(dashed[::2], [*dashed[1::2], ""], strict=True)]
    if len(joined) > 1 or hyphenator is None:
        return [Piece(text, space=False) for text in joined]
    return [Piece(text, space=False, hyphen=True) for text in hyphenator.split(word.text)]


def _narrowed(piece: Piece, room: int) -> list[Piece]:
    """A piece that is too wide cut wherever the line is full."""
    limit = max(room - piece.hyphen, 1)
    if width(piece.text) <= limit:
        return [piece]
    units = clusters(piece.text)
    head = cut(piece.text, limit)[0] or units[0]
    if head == piece.text:
        return [piece]
    rest = piece._replace(text=piece.text[len(head) :])
    return [Piece(head, space=False), *_narrowed(rest, room)]


def greedy(items: Sequence[Piece], first: int, rest: int) -> list[Broken]:
    """Fill each line as far as possible. ``first`` is the width of the first line."""
    lines: list[Broken] = []
    at = 0
    while at < len(items):
        end = max(_ends(items, at, rest if lines else first))
        lines.append(_line(items, at, end))
        at = end
    return lines


def balanced(items: Sequence[Piece], first: int, rest: int) -> list[Broken]:
    """The lines whose squared blanks at the end add up to the least.

    Lines that end a paragraph cost nothing, an inserted hyphen costs ``HYPHEN_COST``. Of equal
    layouts the one with fewer lines is taken, then the one with the fuller earlier lines.
    """
    count = len(items)
    best: list[tuple[int, int, int]] = [(0, 0, count)] * (count + 1)
    for at in range(count - 1, -1, -1):
        room = rest if at else first
        options = []
        for end in _ends(items, at, room):
            cost, lines, _ = best[end]
            options.append((cost + _cost(items, at, end, room), lines + 1, -end))
        cost, lines, negative = min(options)
        best[at] = (cost, lines, -negative)
    found: list[Broken] = []
    at = 0
    while at < count:
        end = best[at][2]
        found.append(_line(items, at, end))
        at = end
    return found


def _ends(items: Sequence[Piece], at: int, room: int) -> list[int]:
    """Where a line that begins at ``at`` may end."""
    ends: list[int] = []
    used = 0
    for end in range(at, len(items)):
        piece = items[end]
        used += width(piece.text) + (piece.space and end > at)
        if used > room:
            break
        if used + piece.hyphen <= room:
            ends.append(end + 1)
        if piece.ends:
            break
    return ends or [at + 1]


def _cost(items: Sequence[Piece], at: int, end: int, room: int) -> int:
    if end == len(items) or items[end - 1].ends:
        return 0
    used = sum(width(p.text) for p in items[at:end]) + sum(p.space for p in items[at + 1 : end])
    hyphen = items[end - 1].hyphen
    return (room - used - hyphen) ** 2 + (HYPHEN_COST if hyphen else 0)


def _line(items: Sequence[Piece], at: int, end: int) -> Broken:
    words: list[str] = []
    notes: tuple[str, ...] = ()
    for piece in items[at:end]:
        if piece.space or not words:
            words.append(piece.text)
        else:
            words[-1] += piece.text
        notes += piece.notes
    if items[end - 1].hyphen:
        words[-1] += "-"
    return Broken(tuple(words), notes, end == len(items) or items[end - 1].ends)
