"""What validation measures: hidden tests on a tree in a fresh box, and the oracle's episode."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

from harness.agent.loop import EpisodeTask, run_episode
from harness.errors import ConfigError, SandboxError
from harness.events.base import Event
from harness.grading.assemble import assemble
from harness.grading.boxes import Place, run_tests
from harness.grading.grade import read_result
from harness.grading.subject import Subject
from harness.grading.verdict import RunResult, renamed
from harness.models.oracle import OracleModel
from harness.models.protocol import SampleSeed
from harness.outcome import StopReason
from harness.plan import EpisodeLimits
from harness.sandbox.protocol import BoxSpec
from harness.tasks.task import Outcome, RepoTask, Tree
from harness.tasks.trees import pack, unpack

PROTOCOL = "proctor-1"
BOXES = 2  # boxes that validation of one task keeps open at a time


class Rejected(ConfigError):
    """A task that is not admitted; ``reasons`` names all that was found."""

    def __init__(self, task: RepoTask, reasons: list[str]) -> None:
        super().__init__(
            f"task {task.id} is not admitted: {'; '.join(reasons)}", where=str(task.root)
        )
        self.reasons = reasons


@dataclass
class Bench:
    """Runs for one task, at most ``BOXES`` at a time; names: of its twins."""

    subject: Subject
    place: Place
    names: dict[str, str] = field(default_factory=dict)
    _gate: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(BOXES))

    async def run(self, tree: Tree, tests: Tree, *, order: int | None = None) -> RunResult:
        """The hidden tests in the form ``tests`` on ``tree``."""
        async with self._gate:
            built = assemble(self.subject, tree, tests).tree
            child = self.subject.child(order=order)
            run = await run_tests(self.place, self.subject, built, child)
            return renamed(read_result(run), self.names)


def outcomes(result: RunResult, ids: set[str]) -> dict[str, Outcome]:
    """Outcome of each id, ``missing`` where it was not reported."""
    found: dict[str, Outcome] = {}
    for test in sorted(ids):
        line = result.tests.get(test)
        found[test] = "missing" if line is None else line.outcome  # type: ignore[assignment]
    return found


async def play_gold(task: RepoTask, place: Place) -> Tree:
    """The tree that the oracle leaves behind when it plays gold through the real loop and tools.

    Raises SandboxError, or ConfigError when gold cannot be played.
    """
    from tools.schema import function_definitions

    spec = BoxSpec(
        run_id=place.run_id,
        sample=place.sample,
        purpose="validate",
        limits=place.limits,
        language=task.repository.spec.language,
        tool_protocol=PROTOCOL,
    )
    box = await place.provider.open(spec)
    try:
        await box.put_tree("work", pack(task.start))
        session = OracleModel().session(SampleSeed(key=task.id, suite="repos", task=task))
        episode = EpisodeTask(
            instruction=task.spec.instruction,
            tree={p: f.content for p, f in task.start.items() if not p.endswith("/")},
            tools=function_definitions(PROTOCOL),
            protocol=PROTOCOL,
        )
        ended = await run_episode(session, box, episode, EpisodeLimits(), Silent())
        if ended.stop_reason is StopReason.SANDBOX_LOST:
            raise SandboxError(ended.detail)
        if ended.stop_reason is not StopReason.FINISHED:
            raise ConfigError(f"gold cannot be played by the tools: {ended.detail}")
        return unpack(await box.snapshot())
    finally:
        await box.close()


class Silent:
    """A sample's sink that keeps nothing."""

    def emit(self, event: Event) -> Event:
        return event

    def delta(self, turn: int, kind: Any, text: str) -> None:
        return None

    def blob(self, content: bytes) -> str:
        return ""

    def tree(self, archive: bytes) -> None:
        return None

    def progress(self, state: Any, *, turn: int = 0, usage: Any = None, note: str = "") -> None:
        return None
