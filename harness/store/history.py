"""What ``run.jsonl`` tells a session that starts: attempts so far, money spent, where it ended."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from harness.errors import StorageError
from harness.events.base import TranscriptRef
from harness.store.lines import read_lines


@dataclass
class RunHistory:
    """attempts: last attempt number by sample; scored: samples that an event told a score of;
    unscored: those whose last attempt ended without one, with its stop reason; cost: of all
    attempts; seq, elapsed: where the log ends; transcripts: of the unscored ones."""

    attempts: dict[str, int] = field(default_factory=dict)
    unscored: dict[str, str] = field(default_factory=dict)
    scored: set[str] = field(default_factory=set)
    transcripts: dict[str, TranscriptRef] = field(default_factory=dict)
    cost: float = 0.0
    seq: int = 0
    elapsed: float = 0.0


def read_history(path: Path) -> RunHistory:
    """Read a run log. Raises StorageError naming a line that cannot be read."""
    history = RunHistory()
    if not path.exists():
        return history
    when: str | None = None
    for number, line in enumerate(read_lines(path), start=1):
        try:
            event = json.loads(line)
            history.seq, history.elapsed, when = event["seq"], event["elapsed"], event["time"]
            kind = event["type"]
            if kind == "sample_started":
                history.attempts[event["sample"]] = event["attempt"]
            elif kind == "sample_finished":
                history.cost += event["usage"].get("cost") or 0.0
                key, where = event["sample"], event.get("transcript")
                if event["verdict"] == "no_score":
                    history.unscored[key] = event["stop_reason"]
                    if where is not None:
                        history.transcripts[key] = TranscriptRef.model_validate(where)
                else:
                    history.unscored.pop(key, None)
                    history.scored.add(key)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise StorageError(f"line {number} cannot be read: {error}", where=str(path)) from None
    if when is not None:
        history.elapsed += _seconds_since(when)
    return history


def _seconds_since(when: str) -> float:
    try:
        then = datetime.fromisoformat(when).timestamp()
    except ValueError:
        return 0.0
    return max(0.0, time.time() - then) if then <= datetime.now(UTC).timestamp() else 0.0
