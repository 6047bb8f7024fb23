"""Following a run folder: polls only what is shown, live and afterwards alike."""

from __future__ import annotations

import json
import time
from pathlib import Path

from harness.events.union import TranscriptEvent, run_event, transcript_event
from harness.plan import Plan
from harness.state.index import TranscriptIndex
from harness.state.reduce import apply_delta, put_back, reduce_run, reduce_transcript
from harness.state.view import RunView, SampleView, TranscriptView
from harness.store import layout
from harness.store.lines import decode
from harness.store.lock import is_running
from harness.store.plan_file import read_plan
from harness.store.planned import planned
from harness.store.tail import Tail
from harness.store.transcript import whole

# How often the lock is looked at; everything else is looked at on every poll.
_LIVENESS_S = 0.5
# Events reduced a poll, so that catching up with a long transcript does not stall a frame.
_AT_ONCE = 2000


class RunFollower:
    """The list of samples of a run: ``view``, and whether a runner works on it."""

    def __init__(self, folder: Path) -> None:
        """Raises what ``read_plan`` raises."""
        self.folder = folder
        self.plan: Plan = read_plan(folder)[0]
        self.view = RunView(run_id=folder.name)
        self._take_plan()
        self._tail = Tail(folder / layout.RUN_LOG)
        self._looked = 0.0
        self.running = is_running(folder)

    def poll(self) -> bool:
        """Take in what came since; True when something changed."""
        changed = self._look()
        lines = self._tail.poll()
        for line in lines:
            changed = True
            try:
                event = decode(line, run_event)
            except ValueError:
                self.view.damaged += 1
                continue
            reduce_run(self.view, event)
            if event.type == "session_started" and event.samples > len(self.view.samples):
                self.plan = read_plan(self.folder)[0]
                self._take_plan()
        if lines and not self.running:  # a runner has begun since the lock was looked at
            self.running = is_running(self.folder)
        if not lines and not self.running and self.view.running:
            put_back(self.view)  # the runner was killed: nobody wrote that its session ended
            changed = True
        return changed

    def catch_up(self) -> RunView:
        """Take in everything that is there now."""
        while self.poll():
            pass
        return self.view

    def close(self) -> None:
        self._tail.close()

    def _look(self) -> bool:
        now = time.monotonic()
        if now - self._looked < _LIVENESS_S:
            return False
        self._looked, before = now, self.running
        self.running = is_running(self.folder)
        return self.running != before

    def _take_plan(self) -> None:
        names = [suite.name for suite in self.plan.suites]
        self.view.plan((s.key, names[s.suite], s.task_id, s.epoch) for s in planned(self.plan))


class SampleFollower:
    """One sample's latest attempt: its rows and its ``view``, with the text that streams in.

    An attempt of a single-shot suite has its events in the live file until it ends, then in the
    shared file that the sample's reference names.
    """

    def __init__(self, folder: Path, sample: SampleView, attempt: int | None = None) -> None:
        """``attempt`` fixes an earlier attempt of an agentic sample."""
        self._folder = folder
        self._key = sample.key
        self._fixed = attempt
        self._attempt = -1
        self.view = TranscriptView()
        self.index: TranscriptIndex | None = None
        self._rows: list[TranscriptEvent] = []
        self._reduced = 0
        self._live = Tail(folder / layout.live_file(sample.key))

    def poll(self, sample: SampleView) -> bool:
        """Take in what came since; ``sample`` is its line in the list as it is now."""
        changed = self._choose(sample)
        if self.index is not None:
            changed = bool(self.index.refresh()) or changed
            stop = min(len(self.index), self._reduced + _AT_ONCE)
            for event in self.index.events(self._reduced, stop):
                if event is None:
                    self.view.damaged += 1
                else:
                    reduce_transcript(self.view, event)
                changed = True
            self._reduced = stop
        if self._fixed is not None and self._fixed != sample.attempt:
            return changed  # the live file is of a later attempt
        return self._poll_live() or changed

    @property
    def caught_up(self) -> bool:
        """Whether the view has all rows that are known."""
        return self.index is None or self._reduced == len(self.index)

    def __len__(self) -> int:
        return len(self._rows) if self.index is None else len(self.index)

    def event(self, row: int) -> TranscriptEvent | None:
        """The event of a row, None when its line is damaged. Raises IndexError."""
        return self._rows[row] if self.index is None else self.index.event(row)

    def close(self) -> None:
        self._live.close()
        if self.index is not None:
            self.index.close()
            self.index = None

    def _choose(self, sample: SampleView) -> bool:
        """Begin again when another attempt, or the stored form of this one, is there."""
        attempt = self._fixed or sample.attempt
        changed = attempt != self._attempt
        if changed:
            self._attempt = attempt
            self._begin(None)
        if self.index is None:
            own = self._folder / layout.attempt_file(self._key, attempt)
            reference = sample.transcript
            if own.exists():
                self._begin(TranscriptIndex(own))
            elif reference is not None and self._fixed in (None, sample.attempt):
                path = self._folder / reference.file
                self._begin(TranscriptIndex(path, reference.offset, reference.length))
        return changed

    def _begin(self, index: TranscriptIndex | None) -> None:
        if self.index is not None:
            self.index.close()
        self.index, self.view, self._rows, self._reduced = index, TranscriptView(), [], 0

    def _poll_live(self) -> bool:
        generation = self._live.generation
        lines = self._live.poll()
        if self._live.generation != generation and self.index is None:
            self._begin(None)
        for line in lines:
            try:
                row = json.loads(line)
                if "event" in row:
                    self._live_event(line)
                else:
                    turn, offset = int(row["turn"]), int(row["offset"])
                    apply_delta(self.view, turn, str(row["kind"]), offset, str(row["text"]))
            except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
                self.view.damaged += 1
        return bool(lines)

    def _live_event(self, line: bytes) -> None:
        if self.index is not None:
            return  # it is in the stored transcript
        event = decode(line[len(b'{"event":') : -1], transcript_event)
        event = whole(event, self._folder)
        self._rows.append(event)
        reduce_transcript(self.view, event)
