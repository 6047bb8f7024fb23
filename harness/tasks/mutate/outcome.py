"""What trying a defect showed, kept from one time to the next."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.ids import sha256_hex

MOST = 8  # tests that may notice one defect
KEPT = 40  # failing tests that are written down; more do not matter
MESSAGE = 2500


@dataclass(frozen=True)
class Outcome:
    """failing: tests that noticed, with what they said; total: tests that were run; problem: why
    there is no more to tell (lint shows it, the tests do not end, ...)."""

    total: int = 0
    failing: dict[str, str] = field(default_factory=dict)
    problem: str = ""

    @property
    def against(self) -> str:
        """Why no task can be made of it, '' when one can."""
        if self.problem:
            return self.problem
        if not self.failing:
            return "no test notices"
        if len(self.failing) > MOST:
            return "too many tests notice"
        if 2 * len(self.failing) > self.total:
            return "too few tests pass"
        return ""


class OutcomeCache:
    """Outcomes by what was planted, in a file of lines that is only added to."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[str, Outcome] = {}
        try:
            lines = path.read_bytes().split(b"\n")
        except OSError:
            lines = []
        for line in lines:
            try:
                found = json.loads(line)
                self._known[found["key"]] = Outcome(
                    int(found["total"]), dict(found["failing"]), str(found["problem"])
                )
            except (ValueError, TypeError, KeyError):
                continue  # torn, or empty
        self._torn = bool(lines and lines[-1])

    def get(self, keys: tuple[str, ...]) -> Outcome | None:
        return self._known.get(_joined(keys))

    def put(self, keys: tuple[str, ...], outcome: Outcome) -> None:
        """Keep an outcome, in memory and in the file. Raises OSError."""
        key = _joined(keys)
        self._known[key] = outcome
        line: dict[str, Any] = {
            "key": key,
            "total": outcome.total,
            "failing": outcome.failing,
            "problem": outcome.problem,
        }
        text = ("\n" if self._torn else "") + json.dumps(line) + "\n"
        self._torn = False
        self._path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(descriptor, text.encode())
        finally:
            os.close(descriptor)


def _joined(keys: tuple[str, ...]) -> str:
    return sha256_hex("\n".join(sorted(keys)).encode())
