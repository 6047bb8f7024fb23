"""Where one attempt's events, streaming text, blobs and tree go: the store's SampleSink."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from harness.errors import StorageError
from harness.events.base import Event, TranscriptRef, Usage
from harness.events.model import ModelRequested, ModelTurn, RequestRetried
from harness.events.run import SampleProgress
from harness.events.sample import AttemptFinished, AttemptStarted, Fault
from harness.outcome import SampleState, StopReason, Verdict
from harness.store import layout
from harness.store.appender import Appender
from harness.store.atomic import sync_file, sync_folder
from harness.store.faults import storage_error
from harness.store.live import LiveFile
from harness.store.shots import ShotFiles
from harness.store.transcript import EventWriter, LineBuffer
from harness.store.trees import BlobStore, TreeStore

PROGRESS_S = 1.0


@dataclass(frozen=True)
class SinkParts:
    """The parts of a run folder that attempts write to."""

    folder: Path
    run_log: EventWriter
    shots: ShotFiles
    blobs: BlobStore
    trees: TreeStore


class AttemptSink:
    """Implements SampleSink. ``shared``: the events lie in the shared files of single-shot suites
    and reach them in one piece at the end; else each is written through at once.

    ``header`` is written first unless the suite emits its own AttemptStarted; the endpoint's
    address is always the header's. ``faulted``: a Fault was among the events.
    """

    def __init__(self, parts: SinkParts, header: AttemptStarted, *, shared: bool) -> None:
        self._parts = parts
        self._header = header
        self._key = header.sample
        self._live = LiveFile(parts.folder / layout.live_file(self._key))
        self._name = layout.attempt_file(self._key, header.attempt)
        self._out: LineBuffer | Appender = LineBuffer() if shared else self._open()
        self._writer = EventWriter(self._out)
        self._finished = False
        self.faulted = False
        self._failure: StorageError | None = None
        self._new_files: list[Path] = []
        self._archive: bytes | None = None
        self._told = time.monotonic()
        self._waiting: SampleProgress | None = None
        self._timer: asyncio.TimerHandle | None = None

    def _open(self) -> Appender:
        path = self._parts.folder / self._name
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise storage_error(error, path.parent) from error
        return Appender(path)

    @property
    def failure(self) -> StorageError | None:
        """The first error of the disk, also when a suite took it for one of its own."""
        return self._failure

    def emit(self, event: Event) -> Event:
        """Write an event. Raises StorageError."""
        if self._writer.count == 0 and not isinstance(event, AttemptStarted):
            self._write(self._header)
        if isinstance(event, AttemptStarted):
            event = event.model_copy(update={"endpoint": self._header.endpoint})
        if isinstance(event, ModelRequested | RequestRetried):
            self._live.restart(event.turn)
        written = self._write(event)
        self._finished = self._finished or isinstance(event, AttemptFinished)
        self.faulted = self.faulted or isinstance(event, Fault)
        if isinstance(event, ModelTurn):
            self._live.settle(event.turn)
        return written

    def delta(self, turn: int, kind: str, text: str) -> None:
        """Show streamed text; it is not stored."""
        self._live.delta(turn, kind, text)

    def blob(self, content: bytes) -> str:
        """Store a content once; returns its digest. Raises StorageError."""
        with self._keeping_failure():
            digest, path = self._parts.blobs.put(content)
            if path is not None:
                self._new_files.append(path)
            return digest

    def tree(self, archive: bytes) -> None:
        """The episode's final tree, stored when the attempt is sealed."""
        self._archive = archive

    def progress(
        self, state: SampleState, *, turn: int = 0, usage: Usage | None = None, note: str = ""
    ) -> None:
        """Tell the run's stream, at most once a second; the last one is never lost."""
        self._waiting = SampleProgress(
            sample=self._key, state=state, turn=turn, usage=usage or Usage(), note=note[:500]
        )
        left = self._told + PROGRESS_S - time.monotonic()
        if left <= 0:
            self._tell()
        elif self._timer is None:
            with suppress(RuntimeError):  # without a loop the next call looks at the clock
                self._timer = asyncio.get_running_loop().call_later(left, self._tell)

    def end(self, verdict: Verdict, stop_reason: StopReason) -> None:
        """Close the transcript unless the suite did; nothing more is told of the sample."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer, self._waiting = None, None
        if not self._finished:
            self.emit(AttemptFinished(verdict=verdict, stop_reason=stop_reason))

    def seal(self) -> tuple[TranscriptRef, str]:
        """Make tree, blobs and transcript durable, in that order (shared files are synced by the
        caller, once for many attempts); returns where the transcript lies, and its digest.

        Blocks on the disk. Raises StorageError.
        """
        with self._keeping_failure():
            if self._archive is not None:
                self._parts.trees.save(self._key, self._archive)
                self._archive = None
            try:
                blobs = self._parts.blobs
                new = [path for path in self._new_files if not blobs.is_synced(path)]
                for path in new:
                    sync_file(path)
                for folder in {path.parent for path in new}:
                    sync_folder(folder)
                blobs.synced(new)
            except OSError as error:
                raise storage_error(error, self._parts.folder) from error
            if isinstance(self._out, LineBuffer):
                reference = self._parts.shots.append(self._out.joined())
            else:
                self._out.sync()
                reference = TranscriptRef(file=self._name, length=self._out.size)
            return reference, self._writer.digest()

    def close(self) -> None:
        """Remove the live file and let go of descriptors; safe to call twice."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._live.remove()
        if isinstance(self._out, Appender):
            self._out.close()

    def _write(self, event: Event) -> Event:
        with self._keeping_failure():
            written, line = self._writer.write(event)
        if isinstance(self._out, LineBuffer):
            self._live.event(line)
        return written

    def _tell(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._waiting is None:
            return
        event, self._waiting, self._told = self._waiting, None, time.monotonic()
        try:
            self._parts.run_log.append(event)
        except StorageError as error:
            self._failure = self._failure or error  # called from a timer: the runner looks here

    def _keeping_failure(self) -> _Keeping:
        return _Keeping(self)


class _Keeping:
    """Remembers a StorageError that passes, in case the suite swallows it."""

    def __init__(self, sink: AttemptSink) -> None:
        self._sink = sink

    def __enter__(self) -> None:
        return None

    def __exit__(self, _kind: object, error: object, _trace: object) -> None:
        if isinstance(error, StorageError) and self._sink._failure is None:
            self._sink._failure = error
