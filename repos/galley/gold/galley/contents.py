"""The table of contents."""

from collections.abc import Mapping, Sequence

from galley.breaking import Word, greedy, pieces
from galley.lines import Line, together
from galley.number import Entry
from galley.styles import Style
from galley.width import width

STEP = 2
SHORTEST_LEADER = 3


def set_contents(
    entries: Sequence[Entry], pages: Mapping[str, str] | None, style: Style, room: int
) -> list[Line]:
    """A line for each heading down to the style's depth, or more where titles are long.

    ``pages`` has the page of each heading by its key; without pages there are titles only.
    """
    lines: list[Line] = []
    for entry in entries:
        if entry.level <= style.depth:
            page = None if pages is None else pages.get(entry.key, "?")
            lines += _entry(entry, page, room)
    return lines


def _entry(entry: Entry, page: str | None, room: int) -> list[Line]:
    indent = STEP * (entry.level - 1)
    hang = indent + (width(entry.number) + 1 if entry.number else 0)
    reserved = 0 if page is None else width(page) + SHORTEST_LEADER + 2
    words = [Word(word) for word in entry.title.split()]
    space = room - hang - reserved
    broken = greedy(pieces(words, space), space, space)
    texts = [" " * hang + " ".join(line.words) for line in broken] or [" " * hang]
    if entry.number:
        texts[0] = " " * indent + entry.number + texts[0][hang - 1 :]
    if page is not None:
        dots = room - width(texts[-1]) - width(page) - 2
        texts[-1] = f"{texts[-1]} {'.' * dots} {page}"
    return together([Line(text) for text in texts])
