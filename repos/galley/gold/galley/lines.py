"""Lines on their way to a page, and how blocks of them are put on top of each other."""

from collections.abc import Iterable
from typing import NamedTuple


class Line(NamedTuple):
    """``notes`` are marked in the line, ``keys`` name headings that begin with it.

    ``keep``: no page ends after it. ``space``: it vanishes at the edges of a page. ``eject``: a
    new page begins before it.
    """

    text: str
    notes: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    keep: bool = False
    space: bool = False
    eject: bool = False
    repeat: tuple[str, ...] = ()
    """Set once more above the line when it begins a page."""


class Chunk(NamedTuple):
    """The lines of a block with the space that it asks for before and after."""

    lines: list[Line]
    before: int = 0
    after: int = 0
    keep_next: bool = False


def stack(chunks: Iterable[Chunk]) -> list[Line]:
    """Chunks below each other; between two the greater of both spaces counts."""
    lines: list[Line] = []
    above: Chunk | None = None
    for chunk in chunks:
        if not chunk.lines:
            continue
        if above is not None:
            gap = max(above.after, chunk.before)
            lines += [Line("", space=True, keep=above.keep_next)] * gap
        lines += chunk.lines
        if chunk.keep_next:
            lines[-1] = lines[-1]._replace(keep=True)
        above = chunk
    return lines


def guarded(lines: list[Line], orphans: int, widows: int) -> list[Line]:
    """Lines of one block that no page break may part too close to their beginning or end."""
    count = len(lines)
    kept = []
    for number, line in enumerate(lines, 1):
        free = number >= orphans and count - number >= widows
        kept.append(line._replace(keep=number < count and not free))
    return kept


def together(lines: list[Line]) -> list[Line]:
    """Lines that no page break may part at all."""
    return [*(line._replace(keep=True) for line in lines[:-1]), *lines[-1:]]


def prefixed(lines: list[Line], first: str, rest: str) -> list[Line]:
    """The lines with something at their front; ``first`` is for the first of them only."""
    found = []
    for number, line in enumerate(lines):
        text = (rest if number else first) + line.text
        repeat = tuple((rest + above).rstrip(" ") for above in line.repeat)
        found.append(line._replace(text=text.rstrip(" "), repeat=repeat))
    return found
