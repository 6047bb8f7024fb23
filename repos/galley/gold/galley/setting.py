"""Sets broken lines into their width."""

from collections.abc import Sequence
from typing import NamedTuple

from galley.breaking import Broken, Word, balanced, greedy, pieces
from galley.hyphen import Hyphenator
from galley.styles import Style
from galley.width import pad, width


class SetLine(NamedTuple):
    text: str
    notes: tuple[str, ...]


def set_text(
    words: Sequence[Word], style: Style, room: int, hyphenator: Hyphenator | None
) -> list[SetLine]:
    """The words of a paragraph as lines of at most ``room`` columns."""
    first = room - style.indent
    items = pieces(words, min(first, room), hyphenator if style.hyphenate else None)
    broken = (balanced if style.breaking == "balanced" else greedy)(items, first, room)
    lines = []
    for number, line in enumerate(broken):
        indent = 0 if number else style.indent
        text = set_line(line, room - indent, style.align, number, style.stretch)
        lines.append(SetLine(" " * indent + text, line.notes))
    return lines


def set_line(line: Broken, room: int, align: str, number: int = 0, stretch: int = 0) -> str:
    """The line as text. ``number`` is that of the line in its paragraph, from 0.

    Justified lines get their extra spaces evenly; what is left over goes to the gaps from the
    left in one line and from the right in the next. With ``stretch`` above zero, a line whose
    gaps would have to grow by more than that many spaces stays ragged.
    """
    text = " ".join(line.words)
    if align != "justify":
        return pad(text, room, align).rstrip(" ")
    gaps = len(line.words) - 1
    extra = room - width(text)
    if line.last or gaps == 0 or (stretch and extra > stretch * gaps):
        return text
    each, left_over = divmod(extra, gaps)
    parts = [line.words[0]]
    for gap, word in enumerate(line.words[1:]):
        place = gap if number % 2 == 0 else gaps - 1 - gap
        parts.append(" " * (1 + each + (place < left_over)) + word)
    return "".join(parts)
