"""One attempt at a sample: from its context to what is stored of it."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from pydantic import ValidationError

from harness.errors import ContainmentError, StorageError
from harness.events.base import EVENTS_VERSION, Usage
from harness.events.run import SampleFinished, SampleStarted
from harness.events.sample import AttemptStarted, Fault
from harness.execution.boxes import BoxCap
from harness.execution.faults import error_info, stop_reason_of
from harness.execution.pending import PlannedSample
from harness.models.protocol import Model
from harness.models.redact import redacted
from harness.outcome import StopReason, Verdict, is_final
from harness.plan import Launch
from harness.sandbox.protocol import Provider
from harness.store.commit import FinishedAttempt
from harness.store.records import SampleRecord
from harness.store.run_folder import RunFolder
from harness.store.sink import AttemptSink
from harness.suites.protocol import SampleContext, SampleResult, Suite


@dataclass(frozen=True)
class SessionParts:
    """What all attempts of a session share. ``charge`` adds to the run's cost; False: enough."""

    folder: RunFolder
    launch: Launch
    session: int
    model: Model
    suites: dict[str, Suite]
    provider: Provider | None
    boxes: BoxCap
    charge: Callable[[float], bool]
    system_prompt: str | None = None


async def run_attempt(
    parts: SessionParts, sample: PlannedSample, endpoint: int | None, attempt: int
) -> FinishedAttempt:
    """Run one attempt; every end of it is a FinishedAttempt.

    Raises only what ends the run: StorageError, ContainmentError.
    """
    plan = parts.folder.plan
    suite_plan = plan.suites[sample.suite]
    suite = parts.suites[suite_plan.name]
    address = redacted(parts.launch.endpoints[endpoint].url) if endpoint is not None else None
    began = time.monotonic()
    parts.folder.run_log.append(
        SampleStarted(
            sample=sample.key,
            suite=suite_plan.name,
            task_id=sample.task_id,
            epoch=sample.epoch,
            attempt=attempt,
            endpoint=address,
        )
    )
    header = AttemptStarted(
        version=EVENTS_VERSION,
        run_id=parts.folder.run_id,
        sample=sample.key,
        suite=suite_plan.name,
        task_id=sample.task_id,
        epoch=sample.epoch,
        attempt=attempt,
        model=plan.model.name,
        tool_protocol=plan.model.tool_protocol,
        endpoint=address,
    )
    sink = parts.folder.sample_sink(header, shared=not suite.agentic)
    try:
        context = SampleContext(
            plan=plan,
            suite=suite_plan,
            run_id=parts.folder.run_id,
            sample=sample.key,
            task_id=sample.task_id,
            epoch=sample.epoch,
            attempt=attempt,
            model=parts.model,
            provider=parts.boxes.provider(parts.provider) if parts.provider else None,
            sink=sink,
            endpoint=endpoint,
            charge=parts.charge,
            system_prompt=parts.system_prompt,
        )
        result = await _result(suite, context, sink)
        record, result = _record(parts, context, result, address, time.monotonic() - began)
        if result.error is not None and record is None and not sink.faulted:
            sink.emit(Fault(error=result.error))
        sink.end(result.verdict, result.stop_reason)
        if sink.failure is not None:
            raise sink.failure
    except BaseException:
        sink.close()
        raise
    event = SampleFinished(
        sample=sample.key,
        suite=suite_plan.name,
        task_id=sample.task_id,
        epoch=sample.epoch,
        attempt=attempt,
        verdict=result.verdict,
        stop_reason=result.stop_reason,
        grade_status=result.grade_status,
        partial=result.partial,
        usage=result.usage,
        seconds=round(time.monotonic() - began, 3),
        error=result.error,
    )
    return FinishedAttempt(sink, record, event)


async def _result(suite: Suite, context: SampleContext, sink: AttemptSink) -> SampleResult:
    """What the suite says, or what its exception means."""
    try:
        result = await suite.run_sample(context)
    except asyncio.CancelledError as cancel:
        task = asyncio.current_task()
        if task is not None:
            task.uncancel()
        reason = StopReason.CANCELLED if "cancelled" in cancel.args else StopReason.INTERRUPTED
        return SampleResult(Verdict.NO_SCORE, reason, None)
    except (StorageError, ContainmentError):
        raise
    except Exception as error:  # a fault in one sample never ends the run; it is stored and shown
        return SampleResult(Verdict.NO_SCORE, stop_reason_of(error), None, error=error_info(error))
    if sink.failure is not None:
        raise sink.failure
    return result


def _record(
    parts: SessionParts,
    context: SampleContext,
    result: SampleResult,
    address: str | None,
    seconds: float,
) -> tuple[SampleRecord | None, SampleResult]:
    """The final record, or None and the result as it then stands."""
    if not is_final(result.verdict):
        return None, result
    try:
        record = SampleRecord(
            sample=context.sample,
            suite=context.suite.name,
            task_id=context.task_id,
            epoch=context.epoch,
            attempt=context.attempt,
            session=parts.session,
            plan=parts.folder.plan_digest,
            executes_code=context.suite.executes_code,
            attestation=result.attestation,
            verdict=result.verdict,
            stop_reason=result.stop_reason,
            grade_status=result.grade_status,
            partial=result.partial,
            fail_to_pass=result.fail_to_pass,
            pass_to_pass=result.pass_to_pass,
            flags=result.flags,
            category=result.category,
            subject=result.subject,
            difficulty=result.difficulty,
            metrics=result.metrics,
            usage=result.usage,
            timings={**result.timings, "total": round(seconds, 4)},
            digests=result.digests,
            endpoint=address,
            finished_at=datetime.now(UTC),
            error=result.error,
        )
    except ValidationError as error:  # a score that may not stand, e.g. without an attestation
        info = error_info(error)
        usage = result.usage if isinstance(result.usage, Usage) else Usage()
        failed = SampleResult(
            Verdict.NO_SCORE, StopReason.INTERNAL_ERROR, None, usage=usage, error=info
        )
        return None, failed
    return record, result


def unstorable(sample: PlannedSample, suite: str, attempt: int, error: Exception) -> SampleFinished:
    """The end of an attempt whose result or events could not be stored as they are."""
    return SampleFinished(
        sample=sample.key,
        suite=suite,
        task_id=sample.task_id,
        epoch=sample.epoch,
        attempt=attempt,
        verdict=Verdict.NO_SCORE,
        stop_reason=StopReason.INTERNAL_ERROR,
        error=error_info(error),
    )


def host_name() -> str:
    """This machine's name, for session files."""
    return socket.gethostname()
