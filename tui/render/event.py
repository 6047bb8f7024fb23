"""One event as lines: a table from its type to the function that knows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from harness.events.grading import TestOutcome
from harness.events.model import MessageAdded, ModelTurn
from harness.events.sample import Fault
from harness.events.tool import ToolResult
from harness.events.union import TranscriptEvent
from tui.plain import clean_line
from tui.render import conversation, grading, tools
from tui.render.context import Context
from tui.render.lines import Line, wrap

_RENDER: dict[str, Callable[[Any, Context], list[Line]]] = {
    "attempt_started": conversation.attempt_started,
    "message": conversation.message,
    "model_turn": conversation.model_turn,
    "retry": conversation.retry,
    "limit": conversation.limit,
    "fault": conversation.fault,
    "episode_finished": conversation.episode_finished,
    "attempt_finished": conversation.attempt_finished,
    "tool_result": tools.tool_result,
    "snapshot": grading.snapshot,
    "grading_started": grading.grading_started,
    "test": grading.test_outcome,
    "grading_finished": grading.grading_finished,
    "extraction": grading.extraction,
    "judgement": grading.judgement,
}
# Sent requests say nothing that the reply does not say better; Raw shows them.
HIDDEN = frozenset({"model_request"})
# Lines of a block before it was rendered.
ESTIMATES = {"message": 6, "model_turn": 5, "tool_result": 1, "test": 1, "grading_finished": 8}


def event_lines(event: TranscriptEvent | None, raw: bytes, ctx: Context) -> list[Line]:
    """Lines of an event; one that cannot be read is shown as the bytes that it is."""
    if event is None:
        text = clean_line(raw[:400].decode("utf-8", "replace"), 300)
        note = "a line that this version cannot read: "
        return wrap(((note, "warn"), (text, "muted")), ctx.width, hang=2)
    render = _RENDER.get(event.type)
    if render is None:
        return [((f"[{event.type}]", "muted"),)]
    return render(event, ctx)


def opens(event: TranscriptEvent | None) -> bool:
    """Whether a block has more to show than it shows folded."""
    match event:
        case ModelTurn():
            return bool(event.reasoning)
        case ToolResult():
            return not tools.is_open(event)
        case MessageAdded():
            return event.kind == "prompt"
        case TestOutcome():
            return bool(event.message) and event.outcome != "passed"
        case Fault():
            return bool(event.error.traceback)
    return event is not None and event.type == "grading_finished"
