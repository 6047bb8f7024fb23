"""What ``run.jsonl`` tells a session that starts: attempts so far, money spent, where it ended."""

from __future__ import annotations

import json
import math
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

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
    when = ""
    for number, line in enumerate(read_lines(path), start=1):
        try:
            when = _take(history, json.loads(line))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise StorageError(
                f"line {number} cannot be read: {str(error)[:200]}", where=str(path)
            ) from None
    if when:
        history.elapsed += _seconds_since(when)
    return history


def _take(history: RunHistory, event: dict[str, Any]) -> str:
    """Note one event; returns its time. Raises what a damaged one causes."""
    history.seq, history.elapsed = _whole(event["seq"]), _finite(event["elapsed"])
    kind, when = event["type"], event["time"]
    if kind == "sample_started":
        history.attempts[event["sample"]] = _whole(event["attempt"])
    elif kind == "sample_finished":
        history.cost += _finite(event["usage"].get("cost") or 0.0)
        key, where = event["sample"], event.get("transcript")
        if event["verdict"] == "no_score":
            history.unscored[key] = event["stop_reason"]
            if where is not None:
                history.transcripts[key] = TranscriptRef.model_validate(where)
        else:
            history.unscored.pop(key, None)
            history.scored.add(key)
    if not isinstance(when, str):
        raise ValueError("a time that is no text")
    return when


def _whole(value: Any) -> int:
    if not isinstance(value, int):
        raise ValueError("a number that is none")
    return value


def _finite(value: Any) -> float:
    number = float(value) if abs(value) < 1e300 else math.nan
    if not math.isfinite(number):
        raise ValueError("a number that is none")
    return number


def _seconds_since(when: str) -> float:
    try:
        then = datetime.fromisoformat(when).timestamp()
    except ValueError:
        return 0.0
    return max(0.0, time.time() - then) if then <= datetime.now(UTC).timestamp() else 0.0
