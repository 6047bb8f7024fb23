"""Reports written by a model from the same facts; the template's where it will not do."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.events.base import ErrorInfo
from harness.ids import sha256_hex
from harness.models.protocol import DeltaKind, Message, Model, ModelError, SampleSeed
from harness.tasks.mutate.combine import Proposal
from harness.tasks.mutate.instruct import report
from harness.tasks.mutate.repo import Ground
from harness.tasks.mutate.stream import Stream

SHORTEST = 60
_PERSONS = (
    "a terse developer",
    "somebody of customer support who passes on a complaint",
    "an accountant who tells a long story, partly beside the point",
    "a colleague in a chat",
    "a user who suspects the wrong part of the program",
    "a tester who writes in short steps",
)
_TASK = """\
Rewrite this bug report as {person} would write it. Keep every program text, every value seen and
every value expected exactly as they are, each fault in a part of its own. Add nothing about the
cause: no file, function, line or fix, and do not speak of tests. Answer with the report alone.

{report}"""


@dataclass
class ModelReporter:
    """Asks ``model``; ``kept``: folder of what it wrote, so that going on asks it for no report
    twice. refused: how many reports the template had to write."""

    model: Model
    name: str
    kept: Path
    refused: int = 0
    _sink: _Quiet = field(default_factory=lambda: _Quiet())

    async def __call__(self, ground: Ground, proposal: Proposal, stream: Stream) -> str:
        """The report of a proposal. Raises EndpointError."""
        plain = report(ground, proposal, stream)
        person = stream.pick(_PERSONS, "person")
        asked = _TASK.format(person=person, report=plain)
        path = self.kept / f"{sha256_hex(f'{self.name}{chr(0)}{asked}'.encode())[:32]}.txt"
        if path.is_file():
            return path.read_text(encoding="utf-8")
        session = self.model.session(SampleSeed(key=f"{ground.name}@1", suite="repos", task=None))
        try:
            reply = await session.turn([Message("user", asked)], [], self._sink)
            text = _unfenced(reply.content)
        except ModelError:
            text = ""
        finally:
            await session.close()
        if objection(text, ground, proposal):
            self.refused += 1
            text = plain
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return text


def objection(text: str, ground: Ground, proposal: Proposal) -> str:
    """Why a report will not do, '' for one that will."""
    if len(text.strip()) < SHORTEST:
        return "it is too short"
    names: set[str] = set()
    for single in proposal.singles:
        names |= {single.plant.path, posixpath.basename(single.plant.path)}
    for test in proposal.failing:
        names.add(re.split(r"::| > ", test)[-1])
    for name in sorted(names):
        plain = " " in name or name.startswith("__init__")  # words that any report may hold
        if not plain and name in text:
            return f"it names {name}"
    return ""


class _Quiet:
    """A turn's sink that keeps nothing."""

    time_left_s: float | None = None

    def requested(
        self, attempt: int, endpoint: str, digest: str, parameters: dict[str, Any]
    ) -> None:
        return None

    def delta(self, kind: DeltaKind, text: str) -> None:
        return None

    def retrying(self, attempt: int, wait_s: float, error: ErrorInfo, gives_up: str) -> None:
        return None

    def waiting(self, note: str) -> None:
        return None


def _unfenced(text: str) -> str:
    """A reply without a fence around the whole of it."""
    text = text.strip()
    match = re.fullmatch(r"```(?:text|markdown|md)?\n(.*)\n```", text, re.DOTALL)
    inner = match.group(1) if match and match.group(1).count("```") % 2 == 0 else text
    return inner.strip() + "\n"
