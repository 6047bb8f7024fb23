"""The headless viewer: follows a run folder and prints a line for each sample that ends."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Protocol

from pydantic import ValidationError

from harness.cli.console import can_animate, can_show, console
from harness.cli.failures import hush
from harness.cli.tally import Tally
from harness.events.run import (
    RunNotice,
    SampleFinished,
    SampleProgress,
    SampleStarted,
    SessionStarted,
)
from harness.events.union import RunEvent, run_event
from harness.outcome import END_POLICY, GRADE_POLICY, GradeStatus, StopReason, Verdict, is_final
from harness.report.intervals import wilson
from harness.report.table import interval, percent, tokens
from harness.state.sanitize import safe
from harness.store import layout
from harness.store.lines import decode
from harness.store.records import SampleRecord
from harness.store.tail import Tail
from harness.words import counted

# Four times a second: quick for a person, and lost in the noise beside the run itself.
POLL_S = 0.25
# Plain output tells where the run stands this often; more would drown the samples' own lines.
STATUS_S = 10.0

_SYMBOLS = {
    Verdict.RESOLVED: ("✓", "+"),
    Verdict.UNRESOLVED: ("✗", "x"),
    Verdict.TAMPERED: ("‼", "!"),
    Verdict.NO_SCORE: ("∅", "-"),
}


class Bar(Protocol):
    """Something that shows the tally while samples run."""

    def update(self, tally: Tally, elapsed: float) -> None: ...

    def stop(self) -> None: ...


class Printer:
    """Prints what happens in ``folder`` from now on; lines go to stdout, or to stderr beside JSON.

    epochs: samples of a task; only with one is the running interval over tasks right, so it is
    left out with more. resolved_before: samples that earlier sessions resolved. brief: no line for
    a sample that has a score, as there are thousands of short ones.
    """

    def __init__(
        self,
        folder: Path,
        *,
        err: bool,
        epochs: int = 1,
        resolved_before: int = 0,
        brief: bool = False,
    ) -> None:
        self._events = Tail(folder / layout.RUN_LOG, _size(folder / layout.RUN_LOG))
        self._records = Tail(folder / layout.SAMPLES, _size(folder / layout.SAMPLES))
        self._epochs = epochs
        self._brief = brief
        self._turns: dict[str, int] = {}
        self._err = err
        self._console = console(err=err)
        self._symbols = 0 if can_show("✓✗‼∅", err=err) else 1
        self._started = time.monotonic()
        self._began = 0.0
        self._told = self._started
        self._gone = False
        self._note_told = ""
        self.tally = Tally(resolved_before)
        self._bar = self._make_bar()

    async def follow(self, until: asyncio.Event) -> None:
        """Print until ``until`` is set and everything written before that is printed."""
        # scipy takes most of a second to import; do that while the first samples run.
        await asyncio.to_thread(wilson, 0, 1)
        try:
            while True:
                last = until.is_set()
                while self.poll():
                    pass
                if last:
                    return
                try:
                    await asyncio.wait_for(until.wait(), POLL_S)
                except TimeoutError:
                    continue
        finally:
            self.close()

    def poll(self) -> bool:
        """Print what is new; False when there was nothing."""
        lines = self._events.poll()
        # A record is written before the event that tells of it.
        for raw in () if self._brief else self._records.poll():
            self._note(raw)
        for raw in lines:
            try:
                self._event(decode(raw, run_event))
            except ValueError:  # an event of a newer version says nothing to this one
                continue
        if self._bar is not None:
            self._bar.update(self.tally, time.monotonic() - self._started)
        return bool(lines)

    def say(self, text: str) -> None:
        """One line above the bar, once the reader is gone none."""
        if self._gone:
            return
        try:
            self._console.print(safe(text), soft_wrap=True)
        except OSError:  # the reader or the terminal is gone; the run goes on
            self._gone = True
            hush(2 if self._err else 1)

    def close(self) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None
        self._events.close()
        self._records.close()

    def _note(self, raw: bytes) -> None:
        try:
            record = SampleRecord.model_validate_json(raw)
        except ValidationError:
            return
        turns = record.metrics.get("turns")
        if isinstance(turns, int):
            self._turns[record.sample] = turns

    def _event(self, event: RunEvent) -> None:
        match event:
            case SessionStarted():
                self.tally.session_started(event)
                self._started, self._began = time.monotonic(), event.elapsed
                samples = f"{event.pending} of {counted(event.samples, 'sample')} to run"
                self.say(f"session {event.session}: {samples}, {event.concurrency} at a time")
            case SampleStarted():
                self.tally.sample_started(event)
            case SampleProgress():
                self.tally.progress(event)
                if event.note and self._bar is None and self._is_new(event.note):
                    self.say(f"  {event.sample}: {event.note}")
            case SampleFinished():
                self._finished(event)
            case RunNotice():
                self.say(f"{event.level}: {event.text}")
            case _:
                return

    def _is_new(self, note: str) -> bool:
        """Whether a note is told: of many short samples that all wait for the same, one is."""
        last, self._note_told = self._note_told, note
        return note != last or not self._brief

    def _finished(self, event: SampleFinished) -> None:
        heard = self.tally.finished(event)
        turns = self._turns.pop(event.sample, heard)
        if not (self._brief and is_final(event.verdict)):
            self.say(self.sample_line(event, turns))
        now = time.monotonic()
        if self._bar is None and now - self._told >= STATUS_S:
            self._told = now
            # by the events' own clock: several may be read long after they were written
            elapsed = event.elapsed - self._began
            rate = self.tally.session_done / max(elapsed, 1e-9)
            pace = f", {rate:.0f} a second" if rate >= 1 else ""
            self.say(f"  {self.status()}{pace}, {self.tally.time_left(elapsed)}")

    def sample_line(self, event: SampleFinished, turns: int) -> str:
        """Key, verdict in a word and a symbol, partial, turns, tokens, seconds, how it ended."""
        tally = self.tally
        parts = [f"[{tally.session_done}/{tally.session_planned}]"]
        parts += [f"{_SYMBOLS[event.verdict][self._symbols]} {event.verdict.value:<10}"]
        parts.append(event.sample)
        if event.partial is not None:
            parts.append(f"partial {percent(event.partial)}")
        if turns:
            parts.append(counted(turns, "turn"))
        parts.append(tokens(event.usage))
        parts.append(f"{event.seconds:.1f} s")
        parts.append(_ending(event))
        return "  ".join(parts)

    def status(self) -> str:
        """Where the run stands, in one line."""
        tally = self.tally
        score = f"resolved {percent(tally.resolved / tally.scored if tally.scored else None)}"
        if self._epochs == 1 and tally.scored:
            score += f" ({interval(wilson(tally.resolved, tally.scored))})"
        parts = [
            f"{tally.scored} of {tally.planned} scored",
            score,
            tokens(tally.usage),
        ]
        if tally.unscored:
            parts.insert(1, f"{len(tally.unscored)} without a score")
        return ", ".join(parts)

    def _make_bar(self) -> Bar | None:
        if not can_animate(err=self._err):
            return None
        from harness.cli.live_bar import LiveBar

        return LiveBar(self._console, self.status)


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _ending(event: SampleFinished) -> str:
    words = event.stop_reason
    if words in {reason.value for reason in StopReason}:
        words = END_POLICY[StopReason(words)].label
    status = event.grade_status
    if status not in (None, "ok", "wrong_answer") and status in {g.value for g in GradeStatus}:
        words += f", {GRADE_POLICY[GradeStatus(status)].label}"
    if event.error is not None:
        told = event.error.message if event.error.kind == "EndpointError" else ""
        words += f": {told or f'{event.error.kind}: {event.error.message}'}"[:300]
    return words
