"""What rendering one event needs beside the event."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from harness.events.union import TranscriptEvent

Blob = Callable[[str], str | None]


def no_blob(_digest: str) -> str | None:
    """For a transcript without its run folder."""
    return None


@dataclass(frozen=True)
class Context:
    """width: cells; open: unfolded by the reader or by default; previous: the row before, for
    headings between groups; blob: content of a digest as text, None when it is not there."""

    width: int
    open: bool = False
    previous: TranscriptEvent | None = None
    blob: Blob = no_blob
