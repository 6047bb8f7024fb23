"""A transcript as plain text: every event that a reader cares for, in order, one block each."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from harness.events.grading import (
    AnswerExtracted,
    AnswerJudged,
    GradingFinished,
    GradingStarted,
    SnapshotTaken,
    TestOutcome,
)
from harness.events.model import MessageAdded, ModelTurn, RequestRetried
from harness.events.sample import (
    AttemptFinished,
    AttemptStarted,
    EpisodeFinished,
    Fault,
    LimitReached,
)
from harness.events.tool import ToolResult, TreeChange
from harness.outcome import END_POLICY, GRADE_POLICY
from harness.report.table import tokens
from harness.words import counted

if TYPE_CHECKING:
    from harness.events.union import TranscriptEvent


def transcript_lines(events: Iterable[TranscriptEvent]) -> Iterator[str]:
    """Lines without their ends; untrusted text is in them as it was stored, so sanitize it."""
    for event in events:
        yield from _lines(event)


def _lines(event: TranscriptEvent) -> Iterator[str]:
    match event:
        case AttemptStarted():
            yield f"=== {event.sample} of {event.suite}, attempt {event.attempt} ==="
            yield f"run {event.run_id}, model {event.model}, tools {event.tool_protocol or 'none'}"
            facts = [f"{k} {v}" for k, v in event.task.items() if k != "instruction"]
            if facts:  # the instruction stands in the prompt
                yield "task " + ", ".join(facts)
            if event.tree:
                yield f"starting tree: {counted(len(event.tree), 'file')}"
        case MessageAdded():
            kind = "" if event.kind == "prompt" else f", {event.kind}"
            yield from _block(f"[{event.role}{kind}]", event.content)
        case RequestRetried():
            yield (
                f"[retry] turn {event.turn}, sending {event.attempt} failed, again in "
                f"{event.wait_s:.1f} s{event.gives_up and f' ({event.gives_up})'}: "
                f"{event.error.kind}: {event.error.message}"
            )
        case ModelTurn():
            yield from _turn(event)
        case ToolResult():
            yield from _result(event)
        case LimitReached():
            yield f"[limit] {event.name}: {event.value:g} of {event.limit:g}"
        case EpisodeFinished():
            detail = f": {event.detail}" if event.detail else ""
            yield f"[episode ended] {END_POLICY[event.stop_reason].label}{detail}"
        case SnapshotTaken():
            yield from _snapshot(event)
        case GradingStarted():
            yield (
                f"[grading] {event.fail_to_pass} fail_to_pass, {event.pass_to_pass} pass_to_pass"
                + (f", in {event.provider}" if event.provider else "")
            )
        case TestOutcome():
            twin = "" if event.twin == "none" else f", falsified form {event.twin}"
            yield f"[test] {event.outcome}{twin}: {event.id} ({event.group})"
            if event.message and event.outcome != "passed":
                yield from _indented(event.message)
        case GradingFinished():
            yield from _graded(event)
        case AnswerExtracted():
            yield from _block(f"[answer, {event.kind} by {event.rule}]", event.value or "none")
        case AnswerJudged():
            yield from _judged(event)
        case Fault():
            yield f"[fault] {event.error.kind}: {event.error.message}"
        case AttemptFinished():
            yield f"[verdict] {event.verdict.value} ({END_POLICY[event.stop_reason].label})"
        case _:
            return


def _turn(event: ModelTurn) -> Iterator[str]:
    facts = [tokens(event.usage), f"{event.request_s:.1f} s"]
    if event.attempts > 1:
        facts.append(f"{counted(event.attempts, 'sending')}")
    if event.truncated:
        facts.append("cut by the time limit" if event.time_up else "cut by length")
    yield ""
    yield f"--- turn {event.turn} ({', '.join(facts)})"
    if event.reasoning:
        yield from _block("[reasoning]", event.reasoning)
    if event.content:
        yield from _block("[assistant]", event.content)
    for call in event.tool_calls:
        if call.arguments is None:
            yield from _block(f"[call {call.id}] {call.name}: {call.problem}", call.raw)
        else:
            yield f"[call {call.id}] {call.name} {json.dumps(call.arguments, ensure_ascii=False)}"


def _result(event: ToolResult) -> Iterator[str]:
    state = "error" if event.is_error else "ok"
    if not event.executed:
        state = "not carried out"
    elif event.path_refused:
        state = "path refused"
    yield from _block(
        f"[result {event.call_id}] {event.name}: {state}, {1000 * event.elapsed_s:.1f} ms",
        event.text,
    )
    for change in event.delta:
        yield f"  {_change(change)} {change.path}"


def _change(change: TreeChange) -> str:
    if change.before is None:
        return "added"
    return "deleted" if change.after is None else "changed"


def _snapshot(event: SnapshotTaken) -> Iterator[str]:
    yield ""
    size = f"{counted(event.files, 'file')}, {counted(event.bytes, 'byte')}"
    yield f"[tree] {size}, {len(event.changes)} changed"
    for change in event.changes:
        note = ", protected: not graded" if change.protected else ""
        yield f"  {change.kind} {change.path} (+{change.added_lines} -{change.removed_lines}{note})"
    yield from _indented(event.diff)
    if event.diff_cut:
        yield "  (the diff is cut here)"


def _graded(event: GradingFinished) -> Iterator[str]:
    yield (
        f"[graded] {GRADE_POLICY[event.grade_status].label}: "
        f"fail_to_pass {event.fail_to_pass_passed} of {event.fail_to_pass_total}, "
        f"pass_to_pass {event.pass_to_pass_passed} of {event.pass_to_pass_total}, "
        f"{event.seconds:.1f} s"
    )
    if event.detail:
        yield from _indented(event.detail)
    for flag in event.flags:
        yield f"  flag {flag.kind}: {flag.detail}"
    for test in event.tampered_ids:
        yield f"  passes true and falsified: {test}"


def _judged(event: AnswerJudged) -> Iterator[str]:
    """The outcome; for code the check that failed, with its values."""
    head = f"[judged] {GRADE_POLICY[event.grade_status].label}"
    if event.checks_total is not None:
        head += f", {event.checks_passed} of {counted(event.checks_total, 'check')} passed"
    yield head
    yield from _indented(event.detail)
    if event.expected is not None:
        yield from _indented(f"expected {event.expected}")
    if event.got is not None:
        yield from _indented(f"got      {event.got}")
    elif event.expected is not None and event.checks_total is None:
        yield "  got      no answer"


def _block(head: str, text: str) -> Iterator[str]:
    yield head
    yield from _indented(text)


def _indented(text: str) -> Iterator[str]:
    for line in text.rstrip("\n").split("\n") if text else ():
        yield f"  {line}"
