"""One session of a run: everything pending is run, stored and told, until nothing is left."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal

from harness.errors import (
    ConflictError,
    ContainmentError,
    EndpointError,
    ExitCode,
    InfrastructureError,
    ProctorError,
    StorageError,
)
from harness.events.base import EVENTS_VERSION
from harness.events.run import RunNotice, SampleFinished, SessionEnded, SessionStarted
from harness.execution.attempt import SessionParts, host_name, run_attempt, unstorable
from harness.execution.boxes import BoxCap
from harness.execution.cleanup import prove_clean, tell_missing_ends
from harness.execution.commands import CommandLoop
from harness.execution.faults import error_info
from harness.execution.pending import PlannedSample, check_unique, pending
from harness.execution.prepare import system_prompt
from harness.execution.scheduler import Scheduler
from harness.execution.stop import StopSignal
from harness.models.protocol import Model, OverEndpoints
from harness.outcome import LARGER_CONTEXT, PROMPT_TOO_LONG, StopReason
from harness.sandbox.protocol import Provider
from harness.store import layout
from harness.store.commit import Committer, FinishedAttempt
from harness.store.lock import BEAT_S
from harness.store.run_folder import RunFolder
from harness.store.summary import planned_samples
from harness.suites.protocol import Suite

EndReason = Literal["complete", "cancelled", "interrupted", "failed"]
# Closing a box takes seconds at most; what has not closed by then is left to the reaper.
_GRACE_S = 30.0
# Time for the end of a transcript when even closing is not waited for.
_AT_ONCE_S = 1.0


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
    by_signal: bool = False

    @property
    def exit_code(self) -> ExitCode:
        """What the process should exit with."""
        if self.error is not None:
            return self.error.exit_code
        if self.by_signal:
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
        self.cut_short = False
        self.told_no_room = False
        self.lost: set[int] = set()
        self.failed_at: dict[str, frozenset[int]] = {}
        self.parts = SessionParts(
            folder=folder,
            launch=launch,
            session=self.info.session,
            model=model,
            suites=suites,
            provider=provider,
            boxes=BoxCap(launch.boxes),
            charge=self.charge,
            system_prompt=system_prompt(folder.plan, launch),
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
        tell_missing_ends(self.folder)
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
        self.charge(0.0)
        committing = asyncio.create_task(self.committer.run())
        helpers = [
            asyncio.create_task(work)
            for work in (self.commands.run(), self._beat(), self._stop_when_asked())
        ]
        cancelled = False
        try:
            await self._schedule(helpers)
        except (
            Exception
        ) as error:  # whatever it is: samples are closed, the folder says what ended it
            self.error = _as_known(error)
            await self._close_open_samples()
        except asyncio.CancelledError:  # of the caller: end as if asked to, then go
            cancelled = True
            self.stop.request()
            await self._close_open_samples()
        if self.stop.at_once.is_set():
            await self._abandon_open_samples()
        for helper in helpers:
            helper.cancel()
        await asyncio.gather(*helpers, return_exceptions=True)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._drain(committing), _GRACE_S)
        self.error = self.error or self.committer.failure
        summary = await self._end(planned)
        if cancelled:
            raise asyncio.CancelledError
        return summary

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

    async def _abandon_open_samples(self) -> None:
        """Told twice: what was closing itself is interrupted in that, too."""
        tasks = [running.task for running in self.scheduler.running.values()]
        for task in tasks:
            task.cancel("interrupted")
        if tasks:
            await asyncio.wait(tasks, timeout=_AT_ONCE_S)

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
            proven = await prove_clean(self.folder, self.suites, self.provider, self.tell)
        scored = len(self.folder.index.entries)
        without = len(self.counts.without_score)
        reason: EndReason = "complete"
        if self.error is not None:
            reason = "failed"
        elif self.stop.reason is not None:
            reason = self.stop.reason
        elif self.cut_short and scored + without < planned:
            reason = "interrupted"
        summary = SessionSummary(
            session=self.info.session,
            reason=reason,
            planned=planned,
            scored=scored,
            without_score=without,
            pending=max(0, planned - scored - without),
            cleanup_proven=proven,
            error=self.error,
            by_signal=self.stop.reason == "interrupted",
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

    # --- a sample

    async def sample(self, sample: PlannedSample, endpoint: int | None) -> None:
        """One attempt, from the queue to the committer."""
        attempt = layout.free_attempt(
            self.folder.path, sample.key, self.attempts.get(sample.key, 0) + 1
        )
        self.attempts[sample.key] = attempt
        try:
            finished = await run_attempt(self.parts, sample, endpoint, attempt)
        except (StorageError, ContainmentError):
            raise
        except Exception as error:  # a result that cannot be stored is a fault of that sample only
            suite = self.folder.plan.suites[sample.suite].name
            event = unstorable(sample, suite, attempt, error)
            self._count(event)
            self.tell(event)
            return
        self._count(finished.event)
        record = finished.record
        if record is not None and record.metrics.get("prompt_too_long") and not self.told_no_room:
            self.told_no_room = True
            text = f"{PROMPT_TOO_LONG} ({sample.key} scores 0, and so will others like it)"
            self.tell(RunNotice(level="warning", text=f"{text}: {LARGER_CONTEXT}"))
        if record is not None and record.attestation is not None and not self.attested:
            self.attested = True
            self.folder.attest(self.info.session, record.attestation)
        await self._hand_over(finished)
        self._leave_lost_endpoints()
        self._try_elsewhere(sample, endpoint, finished.event)
        if self.committer.failure is not None:
            raise self.committer.failure

    def _leave_lost_endpoints(self) -> None:
        """No more samples for an endpoint that answers nobody; raises when none is left."""
        model = self.parts.model
        lost = model.lost if isinstance(model, OverEndpoints) else {}
        places = len(self.parts.launch.endpoints)
        for place in lost.keys() - self.lost:
            self.lost.add(place)
            if len(self.lost) >= places:
                raise self._no_endpoint_left(lost[place])
            self.scheduler.leave(place)
            text = f"{lost[place]}; the samples that are left go to the other endpoints"
            self.tell(RunNotice(level="warning", text=text))

    def _try_elsewhere(
        self, sample: PlannedSample, endpoint: int | None, event: SampleFinished
    ) -> None:
        """A sample whose requests failed goes to another endpoint, to each once."""
        if endpoint is None or event.stop_reason != StopReason.REQUEST_FAILED:
            return
        tried = self.failed_at.get(sample.key, frozenset()) | {endpoint}
        self.failed_at[sample.key] = tried
        self.scheduler.elsewhere(sample, tried)

    def _no_endpoint_left(self, error: ProctorError) -> ProctorError:
        if isinstance(error, ConflictError):  # what the plan needs is not there: no use to resume
            return error
        go_on = f"then proctor run --resume {self.folder.run_id} goes on"
        return EndpointError(
            f"nothing is answered any more, the run ends here: {error.what}",
            where=error.where,
            remedy=f"{error.remedy}; {go_on}" if error.remedy else f"mend the server; {go_on}",
        )

    async def _hand_over(self, finished: FinishedAttempt) -> None:
        """A finished attempt is stored, also when it is told to end while it waits for that."""
        while True:
            try:
                return await self.committer.put(finished)
            except asyncio.CancelledError:
                task = asyncio.current_task()
                if task is None or self.stop.at_once.is_set():
                    raise
                task.uncancel()

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
        if not self.cut_short:
            self.tell(
                RunNotice(
                    level="warning",
                    text=f"the run's cost limit is reached: {self.counts.cost:g} of {limit:g}",
                )
            )
            self.cut_short = True
            self.scheduler.close()
        return False


def _as_known(error: Exception) -> ProctorError:
    if isinstance(error, ProctorError):
        return error
    return InfrastructureError(f"the session failed: {type(error).__name__}: {error}")
