"""A line of a list as a strip: the cursor's bar, styles by role, marks of a search."""

from __future__ import annotations

from itertools import pairwise

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from tui.render.lines import Line, text_of
from tui.theme import Palette

GUTTER = 2
"""Cells left of every line, for the cursor's bar."""


def line(spans: Line, width: int, base: Style, colours: Palette, cursor: str, needle: str) -> Strip:
    """cursor: the role of its bar, empty where it is not; needle: lower case, empty for none."""
    bar = Segment("▌ ", base + colours.style(cursor)) if cursor else Segment("  ", base)
    if needle:
        segments = [bar, *_marked(spans, base, colours, needle, bool(cursor))]
    else:
        segments = [bar, *(Segment(text, base + colours.style(role)) for text, role in spans)]
    return Strip(segments).adjust_cell_length(width, base)


def empty_line(words: str, y: int, rows: int, width: int, base: Style, colours: Palette) -> Strip:
    """Row ``y`` of a list without blocks: words on what to do, a third down."""
    texts = words.split("\n")
    first = max(0, min(rows // 3, rows - len(texts)))
    if not first <= y < first + len(texts):
        return Strip.blank(width, base)
    role = "strong" if y == first else "muted"
    strip = Strip([Segment("    " + texts[y - first], base + colours.style(role))])
    return strip.adjust_cell_length(width, base)


def _marked(spans: Line, base: Style, colours: Palette, needle: str, here: bool) -> list[Segment]:
    whole = text_of(spans).lower()
    places: list[tuple[int, int]] = []
    position = whole.find(needle)
    while position >= 0:
        places.append((position, position + len(needle)))
        position = whole.find(needle, position + len(needle))
    tint = colours.tint("hit" if here else "match")
    out: list[Segment] = []
    start = 0
    for text, role in spans:
        style = base + colours.style(role)
        cut = {0, len(text)}
        for place in places:
            cut |= {p - start for p in place if 0 < p - start < len(text)}
        for a, b in pairwise(sorted(cut)):
            inside = any(p <= start + a < q for p, q in places)
            out.append(Segment(text[a:b], style + tint if inside else style))
        start += len(text)
    return out
