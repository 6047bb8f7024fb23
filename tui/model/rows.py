"""The rows of a transcript as viewers read them: from an index of a file, or a list of events."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from harness.events.union import TranscriptEvent
from harness.state.index import TranscriptIndex
from harness.store.lines import encode

_ELAPSED = re.compile(rb'"elapsed":([0-9.eE+-]{1,24})')
# The writer puts it among the first fields.
_PEEK_BYTES = 160


class Rows(Protocol):
    """Events by row; ``event`` is None where a line is damaged or of a kind not known here."""

    def __len__(self) -> int: ...

    def kind(self, row: int) -> str: ...

    def event(self, row: int) -> TranscriptEvent | None: ...

    def raw(self, row: int) -> bytes: ...


class IndexRows:
    """Rows of an index, up to ``limit`` of them when it is set: a replay's position."""

    def __init__(self, index: TranscriptIndex) -> None:
        self.index = index
        self.limit: int | None = None

    def __len__(self) -> int:
        known = len(self.index)
        return known if self.limit is None else min(known, self.limit)

    def kind(self, row: int) -> str:
        return self.index.kind(row)

    def event(self, row: int) -> TranscriptEvent | None:
        return self.index.event(row)

    def raw(self, row: int) -> bytes:
        return self.index.raw(row)


class ListRows:
    """Rows of events in memory: a single-shot attempt that is under way."""

    def __init__(self, events: Sequence[TranscriptEvent]) -> None:
        self._events = events

    def __len__(self) -> int:
        return len(self._events)

    def kind(self, row: int) -> str:
        return self._events[row].type

    def event(self, row: int) -> TranscriptEvent | None:
        return self._events[row]

    def raw(self, row: int) -> bytes:
        return encode(self._events[row]).rstrip(b"\n")


def elapsed_of(raw: bytes) -> float:
    """Seconds since the attempt began, read off a line without validating it."""
    found = _ELAPSED.search(raw, 0, _PEEK_BYTES)
    try:
        return float(found[1]) if found else 0.0
    except ValueError:
        return 0.0
