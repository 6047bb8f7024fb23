"""Where a sample's events come from: a run that is followed, or a recording at a position.

Both give rows, a view of the state at the last row, and contents of files by digest.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from harness.errors import StorageError
from harness.state.follow import SampleFollower
from harness.state.index import TranscriptIndex
from harness.state.replay import Replay
from harness.state.view import SampleView, TranscriptView
from harness.store import layout
from harness.store.trees import BlobStore
from tui.model.rows import IndexRows, ListRows, Rows
from tui.model.timeline import Timeline

# Files above this are not compared or coloured.
LARGEST_BLOB = 1 << 20


class Source(Protocol):
    """What the tabs of a sample read."""

    live: bool

    @property
    def rows(self) -> Rows: ...

    @property
    def view(self) -> TranscriptView: ...

    @property
    def generation(self) -> int:
        """Changes when the rows are those of another attempt."""
        ...

    def bytes_of(self, digest: str) -> bytes | None: ...

    def close(self) -> None: ...


class Blobs:
    """Contents by digest, the last few kept; None where there are none."""

    def __init__(self, folder: Path | None) -> None:
        self._store = BlobStore(folder / layout.BLOBS) if folder else None
        self._kept: dict[str, bytes | None] = {}

    def get(self, digest: str) -> bytes | None:
        if digest not in self._kept:
            if len(self._kept) > 64:
                self._kept.clear()
            try:
                self._kept[digest] = self._store.get(digest) if self._store else None
            except StorageError:
                self._kept[digest] = None  # gone or damaged: what the call says is shown instead
        return self._kept[digest]

    def text(self, digest: str) -> str | None:
        """Content as text; None when it is not there, too large or no text."""
        found = self.get(digest)
        if found is None or len(found) > LARGEST_BLOB or b"\0" in found[:4096]:
            return None
        return found.decode("utf-8", "backslashreplace")


class LiveSource:
    """A sample of a run folder; ``poll`` takes in what came since."""

    live = True

    def __init__(self, folder: Path, sample: SampleView) -> None:
        self._folder = folder
        self._sample = sample
        self._follower = SampleFollower(folder, sample)
        self._index: TranscriptIndex | None = None
        self._rows: Rows = ListRows([])
        self._blobs = Blobs(folder)
        self.generation = 0
        self.poll(sample)

    def poll(self, sample: SampleView) -> bool:
        changed = self._follower.poll(sample)
        index = self._follower.index
        if index is not self._index or (index is None and len(self._follower) < len(self._rows)):
            self._index = index
            self.generation += 1
        if index is not None:
            if not isinstance(self._rows, IndexRows) or self._rows.index is not index:
                self._rows = IndexRows(index)
        else:
            self._rows = _FollowedRows(self._follower)
        return changed

    @property
    def behind(self) -> bool:
        """Whether the view has yet to take in rows that are known."""
        return not self._follower.caught_up

    @property
    def rows(self) -> Rows:
        return self._rows

    @property
    def view(self) -> TranscriptView:
        return self._follower.view

    def bytes_of(self, digest: str) -> bytes | None:
        return self._blobs.get(digest)

    def close(self) -> None:
        if isinstance(self._rows, IndexRows):
            self._rows.limit = 0  # a search that is under way finds nothing more
        self._follower.close()


class _FollowedRows(ListRows):
    """The rows of a follower that has no file yet."""

    def __init__(self, follower: SampleFollower) -> None:
        super().__init__([e for i in range(len(follower)) if (e := follower.event(i))])


class ReplaySource:
    """A recording: rows up to the timeline's position, the view brought there in steps."""

    live = False
    generation = 0

    def __init__(self, path: Path, offset: int = 0, length: int | None = None) -> None:
        """Raises StorageError when the file cannot be read or holds no event."""
        if not path.is_file():
            raise StorageError("there is no such transcript", where=str(path))
        self.index = TranscriptIndex(path, offset, length)
        self.index.refresh()
        self.all_rows = IndexRows(self.index)
        self._rows = IndexRows(self.index)
        self.folder = run_of(path)
        self._blobs = Blobs(self.folder)
        self._replay = Replay(self.index, BlobStore((self.folder or path) / layout.BLOBS))
        self.closed = False
        self.timeline = Timeline(self.all_rows, self.index)
        self.sync()

    def sync(self) -> None:
        """Show the rows of the timeline's position."""
        self._rows.limit = self.timeline.position

    def prepare(self, events: int) -> bool:
        """Bring the view nearer to the position; True when it is there, or the source closed."""
        if self.closed:
            return True
        return self._replay.approach(self.timeline.position, events)

    @property
    def rows(self) -> Rows:
        return self._rows

    @property
    def view(self) -> TranscriptView:
        return self._replay.view

    def bytes_of(self, digest: str) -> bytes | None:
        return self._blobs.get(digest)

    def close(self) -> None:
        self.closed = True
        self._rows.limit = self.all_rows.limit = 0  # what is under way finds nothing more
        self.index.close()


def has_tree(source: Source | None) -> bool:
    """False for a sample that is one question and one answer, as soon as that is known."""
    header = source.view.header if source is not None else None
    return header is None or bool(header.tree)


def run_of(path: Path) -> Path | None:
    """The run folder that a transcript lies in, None when it lies alone."""
    for folder in list(path.resolve().parents)[:3]:
        if (folder / layout.PLAN).exists():
            return folder
    return None


def text_reader(source: Source) -> Callable[[str], str | None]:
    """Contents of a source as text, for differences."""

    def read(digest: str) -> str | None:
        found = source.bytes_of(digest)
        if found is None or len(found) > LARGEST_BLOB or b"\0" in found[:4096]:
            return None
        return found.decode("utf-8", "backslashreplace")

    return read
