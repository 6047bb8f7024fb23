"""What validation measures: hidden tests on a tree, and the oracle's episode."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, TypeVar

from harness.agent.loop import EpisodeTask, run_episode
from harness.errors import ConfigError, SandboxError
from harness.events.base import Event
from harness.grading.assemble import assemble
from harness.grading.boxes import Place, run_again_alone, run_tests
from harness.grading.grade import read_result
from harness.grading.subject import Subject
from harness.grading.twin_pairs import TwinSet
from harness.grading.verdict import RunResult, counted, renamed
from harness.models.oracle import OracleModel
from harness.models.protocol import SampleSeed
from harness.outcome import StopReason
from harness.plan import EpisodeLimits
from harness.sandbox.protocol import BoxSpec, ChildSpec, Limits, Provider
from harness.tasks.task import RepoTask, Tree
from harness.tasks.trees import pack, unpack

PROTOCOL = "proctor-1"
Step = Callable[[str], None]  # is told what is being proved
_T = TypeVar("_T")


class Rejected(ConfigError):
    """A task or a repository that is not admitted; ``reasons`` names all that was found."""

    def __init__(self, what: str, reasons: list[str], where: str) -> None:
        super().__init__(f"{what} is not admitted: {'; '.join(reasons)}", where=where)
        self.reasons = reasons


@dataclass
class Bench:
    """Runs of the hidden tests on any tree; names: of its twins (``TwinSet.names``).

    With boxes that are shared (``harness.sandbox.shared``) as many runs may be asked for at once
    as one likes.
    """

    subject: Subject
    place: Place
    names: dict[str, str] = field(default_factory=dict)

    async def run(
        self, tree: Tree, tests: Tree, *, order: int | None = None, brief: bool = False
    ) -> RunResult:
        """The hidden tests in the form ``tests`` on ``tree``; brief: failures are told in a line.
        Raises SandboxError."""
        return await self._run(tree, tests, self.subject.child(order=order, brief=brief))

    async def falsified(self, tree: Tree, twins: TwinSet, seed: int) -> RunResult:
        """The hidden tests on ``tree``, all falsified that can be. Raises SandboxError."""
        form = await asyncio.to_thread(twins.all_falsified, seed)
        # nearly all of them fail, of which nothing but the outcome is asked for
        return await self._run(tree, form, self.subject.child(brief=True, plain=True))

    async def _run(self, tree: Tree, tests: Tree, child: ChildSpec) -> RunResult:
        built = assemble(self.subject, tree, tests).tree
        run = await run_tests(self.place, self.subject, built, child)
        run = await run_again_alone(self.place, self.subject, built, child, run)
        return counted(renamed(read_result(run), self.names), self.subject.tests.left_out)


def failing(run: RunResult, tests: tuple[str, ...]) -> list[str]:
    """Those of ``tests`` that the run did not pass, also for want of a report."""
    return [t for t in tests if t not in run.tests or run.tests[t].outcome != "passed"]


def place_for(name: str, subject: str, provider: Provider, limits: Limits | None) -> Place:
    """Where a task or repository is validated; ``subject``: its digest."""
    run = hashlib.sha256(subject.encode()).hexdigest()[:12]
    return Place(provider, limits or Limits(), f"validate-{run}", name)


def some(names: list[str], most: int = 8) -> str:
    """The first of a list, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


async def together(*work: Coroutine[Any, Any, _T]) -> list[_T]:
    """All results; when one fails the others are ended before its error goes on."""
    tasks = [asyncio.ensure_future(each) for each in work]
    try:
        return list(await asyncio.gather(*tasks))
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise


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
