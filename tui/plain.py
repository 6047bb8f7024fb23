"""The only ways in which text that we did not write gets on the screen. Markup is never read.

Model replies, tool results, file names, task ids, error messages: all are cleaned here first
(see ``harness.state.sanitize``), then shown as plain Content or as lines with roles.
"""

from __future__ import annotations

from textual.content import Content
from textual.visual import VisualType
from textual.widgets import Static

from harness.state.sanitize import safe, safe_line

# What one block shows of a text at most; the rest is for the pager.
BLOCK_CHARS = 60_000
BLOCK_LINES = 2_000


def clean(text: str, limit: int = BLOCK_CHARS) -> str:
    """Many lines: tabs become spaces, everything that acts or hides is written as an escape."""
    shown = safe(text, limit).expandtabs(4)
    more = shown.count("\n") - BLOCK_LINES
    if more > 0 and limit <= BLOCK_CHARS:
        shown = "\n".join(shown.split("\n", BLOCK_LINES)[:BLOCK_LINES])
        shown += f"\n[{plural(more + 1, 'more line')}]"
    return shown


def clean_lines(text: str, limit: int = BLOCK_CHARS) -> list[str]:
    """The lines of a text without their newlines."""
    return clean(text, limit).rstrip("\n").split("\n")


def clean_line(text: str, limit: int = 200) -> str:
    """One line; newlines are shown as ``\\n``."""
    return safe_line(text, limit)


def plural(number: int, word: str) -> str:
    """``1 sample``, ``3 samples``."""
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


def content(text: str, style: str = "") -> Content:
    """One line as Content in one style of ours."""
    return (
        Content.styled(clean_line(text, 2000), style) if style else Content(clean_line(text, 2000))
    )


class Plain(Static):
    """A Static that takes its text literally."""

    def __init__(
        self, text: VisualType = "", *, id: str | None = None, classes: str | None = None
    ) -> None:
        super().__init__(text, markup=False, id=id, classes=classes)
