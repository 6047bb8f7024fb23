"""Positions in a transcript, and the state of everything at each of them."""

from __future__ import annotations

from harness.state.index import TranscriptIndex
from harness.state.reduce import reduce_transcript
from harness.state.view import FileState, TranscriptView
from harness.store.trees import BlobStore

# A seek then reduces at most this many events.
CHECKPOINT_EVERY = 1000


class Replay:
    """A cursor over an index. ``position`` counts the events applied: 0 is before the first."""

    def __init__(self, index: TranscriptIndex, blobs: BlobStore | None = None) -> None:
        self.index = index
        self._blobs = blobs
        self._checkpoints: list[TranscriptView] = [TranscriptView()]
        self.position = 0
        self.view = TranscriptView()

    def seek(self, position: int) -> TranscriptView:
        """The view after the first ``position`` events; bounded to what there is."""
        position = max(0, min(position, len(self.index)))
        if position < self.position or position - self.position > CHECKPOINT_EVERY:
            nearest = min(position // CHECKPOINT_EVERY, len(self._checkpoints) - 1)
            if nearest * CHECKPOINT_EVERY > self.position or position < self.position:
                self.view = self._checkpoints[nearest].copied()
                self.position = nearest * CHECKPOINT_EVERY
        self._advance(position)
        return self.view

    def approach(self, position: int, events: int) -> bool:
        """Go towards ``position`` by at most ``events`` events, from the nearest place that is
        known; True when it is reached. Many small steps leave a viewer's screen alive."""
        position = max(0, min(position, len(self.index)))
        nearest = min(position // CHECKPOINT_EVERY, len(self._checkpoints) - 1)
        if position < self.position or nearest * CHECKPOINT_EVERY > self.position:
            self.view = self._checkpoints[nearest].copied()
            self.position = nearest * CHECKPOINT_EVERY
        self._advance(min(position, self.position + events))
        return self.position == position

    def seek_turn(self, turn: int) -> TranscriptView:
        """The view just before turn ``turn`` begins; the end when there is no such turn."""
        row = self.index.row_of_turn(turn)
        return self.seek(len(self.index) if row is None else row)

    def step(self, events: int = 1) -> TranscriptView:
        """Forward or, negative, back by events."""
        return self.seek(self.position + events)

    def step_turn(self, turns: int = 1) -> TranscriptView:
        """To the beginning of the next turn or of an earlier one."""
        here = self.view.asked or self.view.turn
        return self.seek_turn(max(1, here + turns)) if here + turns > 0 else self.seek(0)

    def prepare(self, events: int = 5000) -> bool:
        """Build more checkpoints, in the background of a viewer; True when all are there.
        ``events`` is at least as many as lie between two of them."""
        events = max(events, CHECKPOINT_EVERY)
        known = (len(self._checkpoints) - 1) * CHECKPOINT_EVERY
        if len(self.index) - known < CHECKPOINT_EVERY:
            return True
        view = self._checkpoints[-1].copied()
        stop = min(known + events, len(self.index))
        self._reduce(view, known, stop)
        return len(self.index) - stop < CHECKPOINT_EVERY

    def tree(self) -> dict[str, FileState]:
        """The files as they are at the position."""
        return self.view.tree

    def file(self, path: str) -> bytes | None:
        """A file's content at the position, None when it is absent. Raises StorageError when
        its blob is missing or damaged."""
        state = self.view.tree.get(path)
        if state is None or self._blobs is None:
            return None
        return self._blobs.get(state.digest)

    def delay_s(self, longest: float = 2.0) -> float:
        """Seconds that passed before the next event, at most ``longest``: pauses are dull."""
        if self.position >= len(self.index):
            return 0.0
        event = self.index.event(self.position)
        return 0.0 if event is None else max(0.0, min(longest, event.elapsed - self.view.elapsed))

    def _advance(self, position: int) -> None:
        self._reduce(self.view, self.position, position)
        self.position = position

    def _reduce(self, view: TranscriptView, start: int, stop: int) -> None:
        for row, event in enumerate(self.index.events(start, stop), start=start):
            if event is None:
                view.damaged += 1
            else:
                reduce_transcript(view, event)
            done = row + 1
            if done == len(self._checkpoints) * CHECKPOINT_EVERY:
                self._checkpoints.append(view.copied())
