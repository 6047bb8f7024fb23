"""Names of the files in a run folder."""

from __future__ import annotations

from pathlib import Path

PLAN = "plan.json"
SESSIONS = "sessions"
LOCK = "lock"
RUN_LOG = "run.jsonl"
CONTROL = "control.jsonl"
SAMPLES = "samples.jsonl"
TRANSCRIPTS = "transcripts"
LIVE = "live"
BLOBS = "blobs"
TREES = "trees"
SUMMARY = "summary.json"
LABELS = "labels.json"
RUNNER_LOG = "runner.log"


def attempt_file(key: str, attempt: int) -> str:
    """An agentic attempt's transcript, relative to the run folder."""
    return f"{TRANSCRIPTS}/{key}/attempt-{attempt}.jsonl"


def free_attempt(folder: Path, key: str, number: int) -> int:
    """The first number from ``number`` on that no transcript has: after a crash of the whole
    machine the log may know of fewer attempts than left a file."""
    while (folder / attempt_file(key, number)).exists():
        number += 1
    return number


def live_file(key: str) -> str:
    """Streaming text of a sample's running attempt, relative to the run folder."""
    return f"{LIVE}/{key}.jsonl"


def shots_file(number: int) -> str:
    """A transcript file that single-shot attempts share, relative to the run folder."""
    return f"{TRANSCRIPTS}/shots-{number:04d}.jsonl"
