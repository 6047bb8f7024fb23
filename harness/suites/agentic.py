"""One attempt at an agentic sample: start, episode, snapshot, grading, result."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from harness.agent.loop import EpisodeOutcome, EpisodeTask, run_episode
from harness.errors import ContainmentError, ProctorError, SandboxError, StorageError
from harness.events.base import EVENTS_VERSION, ErrorInfo, Usage
from harness.events.sample import AttemptFinished, AttemptStarted, Fault
from harness.grading.boxes import Place
from harness.grading.grade import Grading, grade
from harness.grading.snapshot import snapshot_event
from harness.grading.subject import Subject
from harness.models.protocol import SampleSeed
from harness.outcome import END_POLICY, SampleState, StopReason, Verdict, verdict_of
from harness.sandbox.protocol import Box, BoxSpec, Limits
from harness.suites.protocol import SampleContext, SampleResult
from harness.tasks.task import Tree
from harness.tasks.trees import pack, unpack


@dataclass(frozen=True)
class AgenticTask:
    """What an attempt needs: ``subject`` for grading, ``source`` (with ``id``, ``start``, ``gold``)
    for models that know the answer."""

    subject: Subject
    source: Any
    instruction: str
    category: str
    difficulty: int | None
    about: dict[str, Any]
    protocol: str


@dataclass
class _Progress:
    """What is known of an attempt so far; seconds by phase."""

    episode: EpisodeOutcome | None = None
    grading: Grading | None = None
    timings: dict[str, float] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)
    attestation: Any = None

    @contextmanager
    def timed(self, phase: str) -> Iterator[None]:
        begun = time.monotonic()
        try:
            yield
        finally:
            spent = round(time.monotonic() - begun, 4)
            self.timings[phase] = self.timings.get(phase, 0.0) + spent


async def run_agentic(context: SampleContext, task: AgenticTask) -> SampleResult:
    """Run the attempt. Raises StorageError, ContainmentError and asyncio cancellation; every other
    end is a SampleResult. Boxes are closed in any case."""
    sink = context.sink
    progress = _Progress()
    sink.emit(_started(context, task))
    stop, error = StopReason.INTERNAL_ERROR, None
    try:
        tree = await _episode(context, task, progress)
        assert progress.episode is not None
        stop, error = progress.episode.stop_reason, progress.episode.error
        if tree is not None and END_POLICY[stop].grade:
            sink.progress(SampleState.GRADING, usage=progress.episode.usage)
            with progress.timed("grade"):
                place = _place(context)
                progress.grading = await grade(task.subject, tree, place, sink.emit)
    except asyncio.CancelledError as cancel:
        reason = StopReason.CANCELLED if "cancelled" in cancel.args else StopReason.INTERRUPTED
        sink.emit(AttemptFinished(verdict=Verdict.NO_SCORE, stop_reason=reason))
        raise
    except (StorageError, ContainmentError):
        raise  # the whole run's business
    except SandboxError as lost:
        stop, error = StopReason.SANDBOX_LOST, _told(context, lost)
    except ProctorError as fault:
        stop, error = StopReason.INTERNAL_ERROR, _told(context, fault)
    return _finish(context, task, progress, stop, error)


async def _episode(context: SampleContext, task: AgenticTask, progress: _Progress) -> Tree | None:
    """The episode in its box; the tree it left, None where none is to be graded."""
    from tools.schema import function_definitions

    provider = context.provider
    if provider is None:
        raise SandboxError("an agentic suite needs a sandbox")
    with progress.timed("open"):
        box = await provider.open(_box_spec(context, task))
    try:
        progress.attestation = box.attestation
        with progress.timed("put"):
            await box.put_tree("work", await asyncio.to_thread(pack, task.subject.start))
        seed = SampleSeed(
            key=context.sample,
            suite=context.suite.name,
            task=task.source,
            endpoint=context.endpoint,
            notify=lambda text: context.sink.progress(SampleState.RUNNING, note=text),
        )
        session = context.model.session(seed)
        tree = task.subject.start
        episode = EpisodeTask(
            instruction=task.instruction,
            tree={p: f.content for p, f in tree.items() if not p.endswith("/")},
            tools=function_definitions(task.protocol),
            protocol=task.protocol,
            system=context.system_prompt,
        )
        try:
            with progress.timed("episode"):
                progress.episode = await run_episode(
                    session,
                    box,
                    episode,
                    context.plan.limits,
                    context.sink,
                    slot_context=context.plan.model.identity.context,
                    charge=context.charge,
                )
        finally:
            await session.close()
        if not END_POLICY[progress.episode.stop_reason].grade:
            return None
        with progress.timed("snapshot"):
            return await _snapshot(context, task, box, progress)
    finally:
        with progress.timed("close"):
            await box.close()


async def _snapshot(
    context: SampleContext, task: AgenticTask, box: Box, progress: _Progress
) -> Tree:
    archive = await box.snapshot()
    tree = await asyncio.to_thread(unpack, archive)
    event = await asyncio.to_thread(snapshot_event, task.subject, tree)
    context.sink.tree(archive)
    context.sink.emit(event)
    progress.digests["tree"] = event.digest
    return tree


def _started(context: SampleContext, task: AgenticTask) -> AttemptStarted:
    blob = context.sink.blob
    tree = {
        path: {
            "digest": blob(file.content),
            "mode": file.mode,
            "size": len(file.content),
        }
        for path, file in task.subject.start.items()
        if not path.endswith("/")
    }
    return AttemptStarted(
        version=EVENTS_VERSION,
        run_id=context.run_id,
        sample=context.sample,
        suite=context.suite.name,
        task_id=context.task_id,
        epoch=context.epoch,
        attempt=context.attempt,
        model=context.plan.model.name,
        tool_protocol=context.plan.model.tool_protocol,
        endpoint=None if context.endpoint is None else str(context.endpoint),
        tree=tree,
        task={"instruction": task.instruction, **task.about},
    )


def _finish(
    context: SampleContext,
    task: AgenticTask,
    progress: _Progress,
    stop: StopReason,
    error: ErrorInfo | None,
) -> SampleResult:
    grading, episode = progress.grading, progress.episode
    finished = None if grading is None else grading.finished
    status = None if finished is None else finished.grade_status
    resolved = finished is not None and finished.resolved
    verdict = verdict_of(stop, status, resolved=resolved) if status else Verdict.NO_SCORE
    context.sink.emit(AttemptFinished(verdict=verdict, stop_reason=stop))
    flags = [] if episode is None else list(episode.flags)
    flags += [] if finished is None else sorted({flag.kind for flag in finished.flags})
    if verdict is Verdict.NO_SCORE and error is None and finished is not None:
        error = ErrorInfo(kind=finished.grade_status, message=finished.detail)
    return SampleResult(
        verdict=verdict,
        stop_reason=stop,
        grade_status=status,
        attestation=progress.attestation,
        partial=None if finished is None else finished.partial,
        fail_to_pass=None
        if finished is None
        else (finished.fail_to_pass_passed, finished.fail_to_pass_total),
        pass_to_pass=None
        if finished is None
        else (finished.pass_to_pass_passed, finished.pass_to_pass_total),
        flags=flags,
        category=task.category,
        difficulty=task.difficulty,
        metrics={} if episode is None else dict(episode.metrics),
        usage=Usage() if episode is None else episode.usage,
        timings=progress.timings,
        digests=progress.digests,
        error=error,
    )


def _told(context: SampleContext, error: ProctorError) -> ErrorInfo:
    """The error as an event and for the result."""
    info = ErrorInfo(kind=type(error).__name__, message=str(error)[:2000], remedy=error.remedy)
    context.sink.emit(Fault(error=info))
    return info


def _place(context: SampleContext) -> Place:
    assert context.provider is not None
    return Place(context.provider, _limits(context), context.run_id, context.sample)


def _limits(context: SampleContext) -> Limits:
    containment = context.plan.containment
    return Limits() if containment is None else containment.limits


def _box_spec(context: SampleContext, task: AgenticTask) -> BoxSpec:
    return BoxSpec(
        run_id=context.run_id,
        sample=context.sample,
        purpose="episode",
        limits=_limits(context),
        language=task.subject.language,
        tool_protocol=task.protocol,
    )
