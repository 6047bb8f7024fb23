"""One session of a run: everything pending is run, stored and told, until nothing is left."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from harness.errors import ExitCode, ProctorError, StorageError
from harness.events.base import EVENTS_VERSION, ErrorInfo
from harness.events.run import RunNotice, SampleFinished, SessionEnded, SessionStarted
from harness.execution.attempt import SessionParts, host_name, run_attempt
from harness.execution.boxes import BoxCap
from harness.execution.commands import CommandLoop
from harness.execution.faults import error_info
from harness.execution.pending import PlannedSample, check_unique, pending
from harness.execution.scheduler import Scheduler
from harness.execution.stop import StopSignal
from harness.models.protocol import Model
from harness.sandbox.protocol import Provider
from harness.store.commit import Committer
from harness.store.lock import BEAT_S
from harness.store.run_folder import RunFolder
from harness.store.summary import planned_samples
from harness.suites.protocol import Suite

EndReason = Literal["complete", "cancelled", "interrupted", "failed"]
# Closing a box takes seconds at most; what has not closed by then is left to the reaper.
_GRACE_S = 30.0


@dataclass(frozen=True)
class SessionSummary:
    """How a session ended. pending: never tried; without_score: tried, and still no score."""

    session: int
    reason: EndReason
    planned: int
    scored: int
    without_score: int
    pending: int
    cleanup_proven: bool
    error: ProctorError | None = None

    @property
    def exit_code(self) -> ExitCode:
        """What the process should exit with."""
        if self.error is not None:
            return self.error.exit_code
        if self.reason == "interrupted":
            return ExitCode.INTERRUPTED
        if not self.cleanup_proven:
            return ExitCode.CONFLICT
        return ExitCode.OK if self.scored == self.planned else ExitCode.INCOMPLETE


async def run_session(
    folder: RunFolder,
    model: Model,
    suites: dict[str, Suite],
    provider: Provider | None,
    *,
    stop: StopSignal,
) -> SessionSummary:
    """Run all samples of the plan that have no score; suites are closed, model and provider are
    the caller's.

    Raises ConflictError when another process works on the folder, StorageError when it cannot
    even begin; later faults are in the summary.
    """
    check_unique(folder.plan)
    with folder.lock():
        session = _Session(folder, model, suites, provider, stop)
        return await session.run()


@dataclass
class _Counts:
    """without_score: by sample, the stop reason of its last attempt."""

    without_score: dict[str, str] = field(default_factory=dict)
    cost: float = 0.0


class _Session:
    def __init__(
        self,
        folder: RunFolder,
        model: Model,
        suites: dict[str, Suite],
        provider: Provider | None,
        stop: StopSignal,
    ) -> None:
        self.folder, self.stop, self.provider, self.suites = folder, stop, provider, suites
        self.info = folder.begin_session(host_name())
        launch = self.info.launch
        history = folder.history
        final = folder.index.entries
        self.counts = _Counts(
            {key: why for key, why in history.unscored.items() if key not in final}, history.cost
        )
        self.attempts = history.attempts
        self.error: ProctorError | None = None
        self.attested = False
        self.parts = SessionParts(
            folder=folder,
            launch=launch,
            session=self.info.session,
            model=model,
            suites=suites,
            provider=provider,
            boxes=BoxCap(launch.boxes),
            charge=self.charge,
            system_prompt=_system_prompt(launch.system_prompt_file),
        )
        self.committer = Committer(folder.parts, folder.samples)
        self.scheduler = Scheduler(
            pending(folder.plan, final),
            self.sample,
            concurrency=max(1, launch.concurrency),
            slots=tuple(max(1, endpoint.slots or 1) for endpoint in launch.endpoints),
        )
        self.commands = CommandLoop(
            folder.path, self.info.control_offset, self.scheduler, stop, model, self.tell
        )

    def tell(self, event: Any) -> None:
        self.folder.run_log.append(event)

    # --- the session

    async def run(self) -> SessionSummary:
        planned, final = planned_samples(self.folder.plan), len(self.folder.index.entries)
        self._mend()
        self.tell(
            SessionStarted(
                session=self.info.session,
                version=EVENTS_VERSION,
                host=self.info.host,
                pid=self.info.pid or 0,
                samples=planned,
                pending=planned - final,
                concurrency=self.scheduler.concurrency,
            )
        )
        self.folder.write_summary(without_score=len(self.counts.without_score))
        committing = asyncio.create_task(self.committer.run())
        helpers = [
            asyncio.create_task(work)
            for work in (self.commands.run(), self._beat(), self._stop_when_asked())
        ]
        try:
            await self._schedule(helpers)
        except ProctorError as error:
            self.error = self.error or error
            await self._close_open_samples()
        for helper in helpers:
            helper.cancel()
        await asyncio.gather(*helpers, return_exceptions=True)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._drain(committing), _GRACE_S)
        self.error = self.error or self.committer.failure
        return await self._end(planned)

    async def _schedule(self, helpers: list[asyncio.Task[None]]) -> None:
        """Until the queue is done, or it was left; raises what ends the run."""
        schedule = asyncio.create_task(self.scheduler.run())
        at_once = asyncio.create_task(self.stop.at_once.wait())
        waiting: set[asyncio.Task[Any]] = {schedule, at_once, *helpers}
        try:
            while not (schedule.done() or at_once.done()):
                done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                for task in done - {schedule, at_once}:
                    task.result()
            if schedule.done():
                schedule.result()
        finally:
            schedule.cancel()
            at_once.cancel()

    async def _close_open_samples(self) -> None:
        """After a fault that ends the run: what is open closes itself, but not for ever."""
        self.scheduler.close()
        self.scheduler.cancel_all("interrupted")
        tasks = [running.task for running in self.scheduler.running.values()]
        if tasks:
            await asyncio.wait(tasks, timeout=_GRACE_S)

    async def _drain(self, committing: asyncio.Task[None]) -> None:
        await self.committer.finish()
        await committing

    async def _stop_when_asked(self) -> None:
        await self.stop.stopping.wait()
        reason = self.stop.reason or "interrupted"
        self.scheduler.close()
        self.scheduler.cancel_all(reason)
        await asyncio.sleep(_GRACE_S)
        self.stop.at_once.set()

    async def _beat(self) -> None:
        """Renew the lock's time and the summary that lists of runs show."""
        while True:
            await asyncio.sleep(BEAT_S)
            self.folder.beat()
            self.folder.write_summary(without_score=len(self.counts.without_score))
            if self.committer.failure is not None:
                raise self.committer.failure

    async def _end(self, planned: int) -> SessionSummary:
        proven = False
        if not self.stop.at_once.is_set():
            proven = await self._close_boxes()
        scored = len(self.folder.index.entries)
        without = len(self.counts.without_score)
        reason: EndReason = "complete"
        if self.error is not None:
            reason = "failed"
        elif self.stop.reason is not None:
            reason = self.stop.reason
        summary = SessionSummary(
            session=self.info.session,
            reason=reason,
            planned=planned,
            scored=scored,
            without_score=without,
            pending=max(0, planned - scored - without),
            cleanup_proven=proven,
            error=self.error,
        )
        ended = SessionEnded(
            session=summary.session,
            reason=reason,
            scored=scored,
            without_score=without,
            pending=summary.pending,
            cleanup_proven=proven,
            error=error_info(self.error) if self.error else None,
            totals={"cost": self.counts.cost} if self.counts.cost else {},
        )
        try:
            self.tell(ended)
            self.folder.write_summary(without_score=without, ended=reason)
        except StorageError:
            if self.error is None:
                raise  # on a full disk the first error is already in the summary
        return summary

    async def _close_boxes(self) -> bool:
        """Close the suites' pools; proven when the inventory is empty twice in a row."""
        proven = True
        for suite in self.suites.values():
            proven = await self._quietly(f"closing {suite.name}", suite.close()) is not _FAILED
        if self.provider is None:
            return proven
        empty = 0
        for _ in range(4):
            found = await self._quietly(
                "looking for leftover boxes", self.provider.clean(run_id=self.folder.run_id)
            )
            if found is _FAILED:
                return False
            empty = 0 if found else empty + 1
            if empty == 2:
                return proven
        return False

    async def _quietly(self, what: str, work: Any) -> Any:
        try:
            return await work
        except Exception as error:  # a failing clean-up must not hide how the run ended; it is told
            with suppress(StorageError):
                self.tell(RunNotice(level="error", text=f"{what}: {error_info(error).message}"))
            return _FAILED

    # --- a sample

    async def sample(self, sample: PlannedSample, endpoint: int | None) -> None:
        """One attempt, from the queue to the committer."""
        attempt = self.attempts.get(sample.key, 0) + 1
        self.attempts[sample.key] = attempt
        finished = await run_attempt(self.parts, sample, endpoint, attempt)
        self._count(finished.event)
        record = finished.record
        if record is not None and record.attestation is not None and not self.attested:
            self.attested = True
            self.folder.attest(self.info.session, record.attestation)
        await self.committer.put(finished)
        if self.committer.failure is not None:
            raise self.committer.failure

    def _count(self, event: SampleFinished) -> None:
        if event.verdict == "no_score":
            self.counts.without_score[event.sample] = event.stop_reason
        else:
            self.counts.without_score.pop(event.sample, None)

    def charge(self, cost: float) -> bool:
        """Add to what the run cost; at the run's limit no sample is begun any more."""
        self.counts.cost += cost
        limit = self.folder.plan.limits.run_cost
        if limit is None or self.counts.cost < limit:
            return True
        if not self.stop.stopping.is_set():
            self.tell(
                RunNotice(
                    level="warning",
                    text=f"the run's cost limit is reached: {self.counts.cost:g} of {limit:g}",
                )
            )
            self.scheduler.close()
        return False

    def _mend(self) -> None:
        """Tell of samples whose record was stored when a kill came before their event."""
        for key, record in self.folder.records().items():
            if key in self.folder.history.scored:
                continue
            self.tell(
                SampleFinished(
                    sample=key,
                    suite=record.suite,
                    task_id=record.task_id,
                    epoch=record.epoch,
                    attempt=record.attempt,
                    verdict=record.verdict,
                    stop_reason=record.stop_reason,
                    grade_status=record.grade_status,
                    partial=record.partial,
                    usage=record.usage,
                    seconds=record.timings.get("total", 0.0),
                    error=record.error,
                    transcript=record.transcript,
                )
            )


_FAILED = ErrorInfo(kind="failed", message="")


def _system_prompt(path: str | None) -> str | None:
    return Path(path).read_text(encoding="utf-8") if path else None


def elapsed_since(start: float) -> float:
    """Seconds since ``start`` of the monotonic clock."""
    return time.monotonic() - start
