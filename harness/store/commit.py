"""How finished attempts become durable: transcripts and trees first, then their sample lines.

One thread does it for all attempts that wait, so that a large single-shot run pays two syncs a
batch, not two a sample.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from harness.errors import StorageError
from harness.events.run import SampleFinished
from harness.store.records import SampleRecord
from harness.store.samples import SampleWriter
from harness.store.sink import AttemptSink, SinkParts

# Attempts that may wait for the disk before new samples have to: bounds memory.
_WAITING = 256


@dataclass(frozen=True)
class FinishedAttempt:
    """An attempt to be stored. ``record`` is None for one without a score."""

    sink: AttemptSink
    record: SampleRecord | None
    event: SampleFinished


class Committer:
    """Stores finished attempts in batches. ``failure`` is the first error of the disk; from then
    on nothing more is stored, and attempts stay pending."""

    def __init__(self, parts: SinkParts, samples: SampleWriter) -> None:
        self._parts = parts
        self._samples = samples
        self._queue: asyncio.Queue[FinishedAttempt | None] = asyncio.Queue(_WAITING)
        self.failure: StorageError | None = None

    async def put(self, attempt: FinishedAttempt) -> None:
        """Hand over an attempt; waits while too many do."""
        await self._queue.put(attempt)

    async def finish(self) -> None:
        """No more attempts will come."""
        await self._queue.put(None)

    async def run(self) -> None:
        """Store what is handed over until ``finish``."""
        ended = False
        while not ended:
            batch = [await self._queue.get()]
            while not self._queue.empty():
                batch.append(self._queue.get_nowait())
            ended = None in batch
            attempts = [item for item in batch if item is not None]
            if not attempts:
                continue
            if self.failure is None:
                try:
                    await asyncio.to_thread(self._store, attempts)
                except StorageError as error:
                    self.failure = error
                except Exception as error:  # nobody would empty the queue any more: end the run
                    self.failure = StorageError(
                        f"attempts could not be stored: {type(error).__name__}: {error}",
                        where=str(self._parts.folder),
                    )
            for attempt in attempts:
                attempt.sink.close()

    def _store(self, attempts: list[FinishedAttempt]) -> None:
        records: list[SampleRecord] = []
        events: list[SampleFinished] = []
        for attempt in attempts:
            reference, digest = attempt.sink.seal()
            events.append(attempt.event.model_copy(update={"transcript": reference}))
            if attempt.record is not None:
                digests = {**attempt.record.digests, "transcript": digest}
                records.append(
                    attempt.record.model_copy(update={"transcript": reference, "digests": digests})
                )
        self._parts.shots.sync()
        self._samples.append(records)
        for event in events:
            self._parts.run_log.append(event)
