"""``NO_COLOR``: bold, reverse and underline stay, no code of a colour is sent."""

from __future__ import annotations

import os
from functools import lru_cache

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter


def no_color() -> bool:
    """Whether the user wants none; an empty value is as good as none (no-color.org)."""
    return bool(os.environ.get("NO_COLOR"))


class Colourless(LineFilter):
    """Takes the place of Textual's own filters, which send greys."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [
            Segment(text, style and _colourless(style), control)
            for text, style, control in segments
        ]


@lru_cache(4096)
def _colourless(style: Style) -> Style:
    plain, meta = style.without_color, style.meta
    # The mouse finds what it points at by this.
    return plain + Style.from_meta(meta) if meta else plain
