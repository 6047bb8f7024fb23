"""From events to views. No clock, no files: the same events give the same view, live or later."""

from __future__ import annotations

from harness.events.base import Usage
from harness.events.grading import (
    AnswerExtracted,
    AnswerJudged,
    GradingFinished,
    GradingStarted,
    SnapshotTaken,
    TestOutcome,
)
from harness.events.model import MessageAdded, ModelRequested, ModelTurn, RequestRetried
from harness.events.run import (
    ControlAcknowledged,
    RunNotice,
    SampleFinished,
    SampleProgress,
    SampleStarted,
    SessionEnded,
    SessionStarted,
)
from harness.events.sample import (
    AttemptFinished,
    AttemptStarted,
    EpisodeFinished,
    Fault,
    LimitReached,
)
from harness.events.tool import ToolResult
from harness.events.union import RunEvent, TranscriptEvent
from harness.outcome import SampleState
from harness.state.view import FINAL_STATES, FileState, RunView, SampleView, TranscriptView

_ACKNOWLEDGED_KEPT = 200


def reduce_run(view: RunView, event: RunEvent) -> None:
    """Bring ``view`` up to date with the next line of ``run.jsonl``."""
    view.elapsed, view.time = event.elapsed, event.time
    match event:
        case SessionStarted():
            put_back(view)
            view.session, view.host, view.planned = event.session, event.host, event.samples
            view.concurrency, view.paused, view.ended = event.concurrency, False, None
            view.session_began, view.finished = event.elapsed, 0
        case SampleStarted():
            sample = _sample(view, event)
            view.move(sample, SampleState.RUNNING)
            sample.attempt, sample.endpoint, sample.began = (
                event.attempt,
                event.endpoint,
                event.elapsed,
            )
            sample.turn, sample.usage, sample.note = 0, Usage(), ""
            sample.error = sample.transcript = sample.verdict = None
            sample.stop_reason = sample.grade_status = sample.partial = None
        case SampleProgress():
            known = view.samples.get(event.sample)
            if known is not None and known.state not in FINAL_STATES:
                view.move(known, event.state)
                known.note = event.note
                known.turn = event.turn or known.turn  # a notice between turns knows of none
                if event.usage != Usage():
                    known.usage = event.usage
        case SampleFinished():
            _finish(view, _sample(view, event), event)
        case ControlAcknowledged():
            _acknowledge(view, event)
        case RunNotice():
            view.notices.append(event)
        case SessionEnded():
            put_back(view)
            view.ended = event


def reduce_transcript(view: TranscriptView, event: TranscriptEvent) -> None:
    """Bring ``view`` up to date with the next event of an attempt."""
    view.events += 1
    view.elapsed = event.elapsed
    match event:
        case AttemptStarted():
            view.header = event
            view.tree = {path: _file(facts) for path, facts in event.tree.items()}
        case MessageAdded():
            view.nudges += event.kind == "nudge"
        case ModelRequested():
            # The stream stays: its first text may have been read before this event, and what a
            # sending in vain left there is taken back in the live file itself.
            view.asked, view.sending, view.waiting = event.turn, event.attempt, ""
        case RequestRetried():
            view.retries += 1
            view.waiting = f"{event.error.kind}: sending again in {event.wait_s:.0f} s"
            view.waiting += event.gives_up and f", {event.gives_up}"
        case ModelTurn():
            view.turn, view.asked, view.sending, view.waiting = event.turn, 0, 0, ""
            view.usage = view.usage + event.usage
            _clear_stream(view)
        case ToolResult():
            _tool(view, event)
        case LimitReached():
            view.limit = event
        case EpisodeFinished():
            view.stop_reason, view.detail = event.stop_reason, event.detail
            view.asked, view.waiting = 0, ""
            _clear_stream(view)
        case SnapshotTaken():
            view.snapshot = event
        case GradingStarted():
            view.grading = event
        case TestOutcome():
            view.tests.append(event)
        case GradingFinished():
            view.graded = event
        case AnswerExtracted():
            view.extraction = event
        case AnswerJudged():
            view.judgement = event
        case Fault():
            view.faults.append(event.error)
        case AttemptFinished():
            view.verdict, view.stop_reason = event.verdict, event.stop_reason
            view.asked, view.waiting = 0, ""
            _clear_stream(view)


def apply_delta(view: TranscriptView, turn: int, kind: str, offset: int, text: str) -> None:
    """Add streamed text; what belongs to a stored turn, or comes after the end, is void."""
    if turn <= view.turn or view.stop_reason is not None:
        return
    if turn != view.stream_turn:
        view.stream_turn, view.stream = turn, {}
    joined = view.stream.get(kind, "")[:offset] + text
    if joined:
        view.stream[kind] = joined
    else:
        view.stream.pop(kind, None)


def _clear_stream(view: TranscriptView) -> None:
    view.stream_turn, view.stream = 0, {}


def _sample(view: RunView, event: SampleStarted | SampleFinished) -> SampleView:
    if event.sample not in view.samples:
        view.plan([(event.sample, event.suite, event.task_id, event.epoch)])
    return view.samples[event.sample]


def put_back(view: RunView) -> None:
    """Samples that a session left in the middle wait again."""
    if not view.running:
        return
    for sample in view.samples.values():
        if sample.state in (SampleState.RUNNING, SampleState.GRADING):
            view.move(sample, SampleState.QUEUED)


def _finish(view: RunView, sample: SampleView, event: SampleFinished) -> None:
    view.move(sample, SampleState(event.verdict.value))
    view.finished += 1
    view.usage = view.usage + event.usage
    sample.attempt, sample.verdict, sample.stop_reason = (
        event.attempt,
        event.verdict,
        event.stop_reason,
    )
    sample.grade_status, sample.partial = event.grade_status, event.partial
    sample.usage, sample.seconds, sample.note = event.usage, event.seconds, ""
    sample.error, sample.transcript = event.error, event.transcript


def _acknowledge(view: RunView, event: ControlAcknowledged) -> None:
    view.acknowledged[event.command_id] = event
    while len(view.acknowledged) > _ACKNOWLEDGED_KEPT:
        del view.acknowledged[next(iter(view.acknowledged))]
    if not event.accepted:
        return
    if event.command in ("pause", "resume"):
        view.paused = event.command == "pause"
    elif event.command == "set_concurrency" and event.detail.isdecimal():
        view.concurrency = int(event.detail)


def _tool(view: TranscriptView, event: ToolResult) -> None:
    view.tool_calls += event.executed
    view.tool_errors += event.is_error
    view.path_refusals += event.path_refused
    view.edits += bool(event.delta)
    for change in event.delta:
        view.changed[change.path] = view.changed.get(change.path, 0) + 1
        if change.after is None:
            view.tree.pop(change.path, None)
        else:
            view.tree[change.path] = FileState(change.after, change.mode_after)


def _file(facts: dict[str, object]) -> FileState:
    digest, mode = facts.get("digest"), facts.get("mode")
    return FileState(str(digest), mode if isinstance(mode, int) else None)
