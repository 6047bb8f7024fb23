"""Streams of events on disk: a writer that numbers and dates them, readers for both kinds."""

from __future__ import annotations

import functools
import hashlib
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol, TypeVar

from harness.errors import StorageError
from harness.events.base import Event
from harness.events.model import MessageAdded
from harness.events.union import RunEvent, TranscriptEvent, run_event, transcript_event
from harness.store import layout
from harness.store.lines import encode, read_values
from harness.store.trees import BlobStore

E = TypeVar("E", bound=Event)


class Lines(Protocol):
    """Where an event's line goes: a file, or memory until a sample's end."""

    def append(self, lines: bytes) -> int: ...


class LineBuffer:
    """Lines kept in memory; single-shot suites write an attempt's events in one piece."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0

    def append(self, lines: bytes) -> int:
        offset, self._size = self._size, self._size + len(lines)
        self._parts.append(lines)
        return offset

    def joined(self) -> bytes:
        return b"".join(self._parts)


class EventWriter:
    """Fills in ``seq``, ``time`` and ``elapsed`` and writes each event through at once.

    ``seq`` and ``elapsed`` are the last ones of the stream so far: a resumed one goes on.
    """

    def __init__(self, out: Lines, *, seq: int = 0, elapsed: float = 0.0) -> None:
        self._out = out
        self._seq = seq
        self._origin: float | None = time.monotonic() - elapsed if seq else None
        self._lock = threading.Lock()
        self._digest = hashlib.sha256()

    def append(self, event: E) -> E:
        """The event as it was written. Raises StorageError."""
        return self.write(event)[0]

    def write(self, event: E) -> tuple[E, bytes]:
        """The event as it was written, and its line."""
        with self._lock:
            now = time.monotonic()
            if self._origin is None:
                self._origin = now
            filled = event.model_copy(
                update={
                    "seq": self._seq + 1,
                    "time": datetime.now(UTC),
                    "elapsed": round(now - self._origin, 6),
                }
            )
            line = encode(filled)
            self._out.append(line)
            self._seq += 1
            self._digest.update(line)
            return filled, line

    @property
    def count(self) -> int:
        return self._seq

    def digest(self) -> str:
        """SHA-256 of the lines written by this writer, 64 hex digits."""
        return self._digest.hexdigest()


def read_transcript(
    path: Path, offset: int = 0, length: int | None = None
) -> Iterator[TranscriptEvent]:
    """Events of one attempt; a torn last line is left out. Raises StorageError."""
    folder = run_folder_of(path)
    for event in read_values(path, transcript_event, offset, length):
        yield whole(event, folder)


def run_folder_of(transcript: Path) -> Path:
    """The run folder that a transcript's file lies in."""
    for parent in transcript.parents:
        if parent.name in (layout.TRANSCRIPTS, layout.LIVE):
            return parent.parent
    return transcript.parent


def whole(event: TranscriptEvent, folder: Path) -> TranscriptEvent:
    """The event with the shared beginning of its content put in place."""
    if not isinstance(event, MessageAdded) or event.prefix is None:
        return event
    try:
        head = _shared(folder, event.prefix)
    except StorageError:  # the rest of the transcript is worth reading without it
        head = f"[the beginning is missing: blob {event.prefix[:12]}]\n"
    content = head + event.content
    return event.model_copy(update={"content": content, "prefix": None})


@functools.lru_cache(maxsize=16)
def _shared(folder: Path, digest: str) -> str:
    return BlobStore(folder / layout.BLOBS).get(digest).decode("utf-8", "replace")


def read_run_log(path: Path) -> Iterator[RunEvent]:
    """Events of ``run.jsonl``; a torn last line is left out. Raises StorageError."""
    return read_values(path, run_event)
