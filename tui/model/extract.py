"""Text taken out of what a list shows: for the clipboard, the pager, the editor."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any

from tui.model.panes import DiffBlocks, FileBlocks, TextBlocks
from tui.model.transcript import TranscriptBlocks

_SUFFIXES = {"raw": ".json", "diff": ".diff"}


def one(blocks: Any, cursor: int) -> str:
    """The text of the block under the cursor, empty when there is none."""
    return str(blocks.text(cursor)) if cursor < len(blocks) else ""


def whole(blocks: Any) -> str:
    """The text of all blocks."""
    if isinstance(blocks, TextBlocks):
        return blocks.content
    return "\n\n".join(blocks.text(index) for index in range(len(blocks)))


def path(blocks: Any, cursor: int) -> str:
    """The file that the block under the cursor is about, empty when none."""
    if isinstance(blocks, TextBlocks):
        return blocks.path
    if cursor >= len(blocks):
        return ""
    if isinstance(blocks, TranscriptBlocks):
        return blocks.path(cursor)
    return str(blocks.key(cursor)) if isinstance(blocks, DiffBlocks | FileBlocks) else ""


def suffix(blocks: Any, tab: str) -> str:
    """A file suffix by which an editor knows the language."""
    known = PurePosixPath(blocks.path).suffix if isinstance(blocks, TextBlocks) else ""
    return known or _SUFFIXES.get(tab, ".txt")
