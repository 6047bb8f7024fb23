"""What the printer knows of a run while it goes on: counts, tokens, time left. No drawing here."""

from __future__ import annotations

from dataclasses import dataclass, field

from harness.events.base import Usage
from harness.events.run import SampleFinished, SampleProgress, SampleStarted, SessionStarted
from harness.outcome import Verdict, is_final


@dataclass
class Tally:
    """Counts of the whole run; a session that resumes begins with ``resolved_before``.

    planned, scored, resolved count samples; unscored maps the samples whose last attempt has no
    score to why; running maps samples to their turn, notes those of them that wait to what for.
    """

    resolved_before: int = 0
    planned: int = 0
    scored: int = 0
    resolved: int = 0
    session_planned: int = 0
    session_done: int = 0
    usage: Usage = field(default_factory=Usage)
    unscored: dict[str, str] = field(default_factory=dict)
    running: dict[str, int] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)

    def session_started(self, event: SessionStarted) -> None:
        """A session takes on what has no score yet; earlier counts of it are dropped."""
        self.planned = event.samples
        self.scored = event.samples - event.pending
        self.resolved = self.resolved_before
        self.session_planned, self.session_done = event.pending, 0
        self.unscored.clear()
        self.running.clear()
        self.notes.clear()

    def sample_started(self, event: SampleStarted) -> None:
        self.running[event.sample] = 0

    def progress(self, event: SampleProgress) -> None:
        if event.sample in self.running:
            self.running[event.sample] = max(event.turn, self.running[event.sample])
            self.notes.pop(event.sample, None)
            if event.note:
                self.notes[event.sample] = event.note

    def finished(self, event: SampleFinished) -> int:
        """Count an ending; returns the last turn that was heard of."""
        turn = self.running.pop(event.sample, 0)
        self.notes.pop(event.sample, None)
        self.session_done += 1
        self.usage += event.usage
        if is_final(event.verdict):
            self.scored += 1
            self.resolved += event.verdict is Verdict.RESOLVED
            self.unscored.pop(event.sample, None)
        else:
            self.unscored[event.sample] = event.error.kind if event.error else event.stop_reason
        return turn

    def seconds_left(self, elapsed: float) -> float | None:
        """Estimate from this session's pace; None (unknown) before the first score: samples that
        end without one say nothing of those that stay pending."""
        if self.session_done <= len(self.unscored) or elapsed <= 0:
            return None
        left = max(0, self.session_planned - self.session_done)
        return elapsed / self.session_done * left

    def time_left(self, elapsed: float) -> str:
        """``3 min 20 s left``, or that nobody knows."""
        left = self.seconds_left(elapsed)
        return "time left unknown" if left is None else f"{duration(left)} left"


def duration(seconds: float | None) -> str:
    """``45 s``, ``3 min 20 s``, ``2 h 05 min``."""
    if seconds is None:
        return "unknown"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"
