"""Makes the fresh tasks of one repository: tries defects, combines them, writes, admits."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import time
from collections import Counter, deque
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from harness.errors import ConfigError
from harness.sandbox.protocol import Limits
from harness.sandbox.shared import SharedBoxes
from harness.tasks.evidence import is_fresh, write_evidence, write_repository_evidence
from harness.tasks.mutate.combine import Proposal, proposals
from harness.tasks.mutate.distance import Graph
from harness.tasks.mutate.distinct import Kept, Single, single_of
from harness.tasks.mutate.instruct import report
from harness.tasks.mutate.outcome import Outcome, OutcomeCache
from harness.tasks.mutate.plant import Plant
from harness.tasks.mutate.repo import Ground
from harness.tasks.mutate.stream import Stream, in_turn
from harness.tasks.mutate.trial import Trials
from harness.tasks.mutate.write import write_repository, write_task
from harness.tasks.repository import load_task, read_repository
from harness.tasks.repository_proof import validate_repository
from harness.tasks.task import Repository, RepoTask
from harness.tasks.validate import validate_core

Reporter = Callable[[Ground, Proposal, Stream], Awaitable[str]]


@dataclass
class Tally:
    """What making tasks came to: defects tried and kept, reasons against the others, tasks."""

    places: int = 0
    tried: int = 0
    kept: int = 0
    against: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    refused: list[str] = field(default_factory=list)
    tasks: dict[str, str] = field(default_factory=dict)
    defects: Counter[int] = field(default_factory=Counter)
    difficulties: Counter[int] = field(default_factory=Counter)
    begun: float = field(default_factory=time.monotonic)
    seconds: float = 0.0


Progress = Callable[[Tally], None]


@dataclass(frozen=True)
class Wanted:
    """What to make: ``count`` tasks of ``level`` (any difficulty without one) under ``root``."""

    seed: int
    count: int
    root: Path
    level: int | None = None


async def by_template(ground: Ground, proposal: Proposal, stream: Stream) -> str:
    """The report as the templates write it."""
    return report(ground, proposal, stream)


async def make_tasks(
    ground: Ground,
    wanted: Wanted,
    boxes: SharedBoxes,
    known: OutcomeCache,
    *,
    reporter: Reporter = by_template,
    limits: Limits | None = None,
    progress: Progress = lambda tally: None,
) -> Tally:
    """Make the tasks, as many as can be made; those that lie there already and are the same stay.
    Raises ConfigError, UsageError, SandboxError."""
    tally = Tally()
    limits = limits or Limits()
    trials = Trials(ground, boxes, known, limits)
    stream = Stream("fresh", wanted.seed, ground.name, wanted.level or 0)
    order = in_turn(await asyncio.to_thread(ground.plants), stream)
    tally.places = len(order)
    repository = await _repository(ground, wanted.root, boxes, limits)
    admitting: deque[asyncio.Task[RepoTask | None]] = deque()
    ahead = max(2, boxes.jobs)

    async def take() -> None:
        task = await admitting.popleft()
        if task is None:
            return
        if len(tally.tasks) >= wanted.count:
            shutil.rmtree(task.root)
            return
        tally.tasks[task.id] = task.digest
        tally.defects[task.spec.defects] += 1
        tally.difficulties[task.spec.difficulty] += 1
        tally.seconds = time.monotonic() - tally.begun
        progress(tally)

    singles = _singles(ground, trials, order, boxes.jobs, tally, progress)
    offered = proposals(singles, Graph(ground), stream, trials.outcome, wanted.level)
    try:
        async with contextlib.aclosing(singles), contextlib.aclosing(offered):
            async for proposal in offered:
                if len(tally.tasks) >= wanted.count:
                    break
                for single in proposal.singles:
                    tally.kinds[single.plant.kind] += 1
                admitting.append(
                    asyncio.ensure_future(
                        _admitted(ground, repository, wanted, proposal, boxes, reporter, tally)
                    )
                )
                if len(admitting) >= ahead:
                    await take()
        while admitting:
            await take()
    finally:
        for left in admitting:
            left.cancel()
        await asyncio.gather(*admitting, return_exceptions=True)
    tally.seconds = time.monotonic() - tally.begun
    return tally


async def _repository(ground: Ground, root: Path, boxes: SharedBoxes, limits: Limits) -> Repository:
    """The repository's copy with its evidence, which says the same wherever it was made."""
    copy = read_repository(await asyncio.to_thread(write_repository, ground, root))
    of = ground.repository.evidence
    if of is None or of.subject != copy.subject:
        of = await validate_repository(copy, boxes, limits=limits, write=False)
    plain = of.model_copy(update={"providers": (), "random_orders": 0})
    if copy.evidence != plain:
        write_repository_evidence(copy.root, plain)
    return read_repository(copy.root)


async def _singles(
    ground: Ground,
    trials: Trials,
    order: list[Plant],
    jobs: int,
    tally: Tally,
    progress: Progress,
) -> AsyncGenerator[Single, None]:
    """The defects worth keeping, in their order; some are tried ahead of time."""
    kept = Kept()
    waiting: deque[tuple[Plant, asyncio.Task[Outcome]]] = deque()
    coming = iter(order)
    try:
        while True:
            while len(waiting) < 2 * jobs and (plant := next(coming, None)) is not None:
                waiting.append((plant, asyncio.ensure_future(trials.outcome((plant,)))))
            if not waiting:
                return
            plant, task = waiting.popleft()
            outcome = await task
            tally.tried += 1
            single = single_of(plant, outcome, ground.text(plant.path))
            reason = outcome.against or kept.against(single)
            progress(tally)
            if reason:
                tally.against[reason] += 1
                continue
            kept.singles.append(single)
            tally.kept += 1
            yield single
    finally:
        for _, left in waiting:
            left.cancel()
        await asyncio.gather(*(task for _, task in waiting), return_exceptions=True)


async def _admitted(
    ground: Ground,
    repository: Repository,
    wanted: Wanted,
    proposal: Proposal,
    boxes: SharedBoxes,
    reporter: Reporter,
    tally: Tally,
) -> RepoTask | None:
    """The task of a proposal with its evidence; None when it is refused."""
    task_id = f"{ground.name}-fresh-{wanted.seed}-{proposal.number:02d}"
    stream = Stream("report", wanted.seed, ground.name, wanted.level or 0, proposal.number)
    instruction = await reporter(ground, proposal, stream)
    try:
        folder = write_task(ground, repository.root, task_id, proposal, instruction)
    except ValueError as error:
        tally.refused.append(f"{task_id}: {error}")
        return None
    try:
        task = load_task(folder, repository)
        if not is_fresh(task):
            evidence = await validate_core(task, boxes, write=False)
            core = evidence.core.model_copy(update={"providers": ()})
            write_evidence(folder, evidence.model_copy(update={"core": core, "full": None}))
            task = load_task(folder, repository)
        if set(task.evidence.core.fail_to_pass if task.evidence else ()) != set(proposal.failing):
            raise ConfigError(f"task {task_id}: other tests notice it than when it was tried")
    except ConfigError as error:
        shutil.rmtree(folder)
        tally.refused.append(str(error))
        return None
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return task
