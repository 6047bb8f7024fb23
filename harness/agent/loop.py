"""The episode: model and tools in turn, until it ends with a stop reason."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from harness.agent.calls import TIME_UP, CallRunner, assistant_message
from harness.agent.faults import fault_of
from harness.agent.limits import Meter
from harness.agent.nudge import Nudges
from harness.agent.prompts import system_prompt, user_message
from harness.agent.sink import EpisodeSink, TurnEvents, turn_event
from harness.events.base import ErrorInfo, Usage
from harness.events.model import MessageAdded
from harness.events.sample import EpisodeFinished, Fault
from harness.models.protocol import Message, ModelError, ModelSession, Reply
from harness.outcome import SampleState, StopReason
from harness.plan import EpisodeLimits
from harness.sandbox.protocol import Box


@dataclass(frozen=True)
class EpisodeTask:
    """What an episode is about. tree: the starting files; tools: function definitions of the
    protocol; system: a user's own system prompt in place of the protocol's."""

    instruction: str
    tree: Mapping[str, bytes]
    tools: list[dict[str, Any]]
    protocol: str = "proctor-1"
    system: str | None = None


@dataclass(frozen=True)
class EpisodeOutcome:
    """How an episode ended. seconds: ``working_s`` as limits count it. ``error`` is set where the
    fault is not the model's; flags are for a person to look at."""

    stop_reason: StopReason
    detail: str
    metrics: dict[str, Any]
    usage: Usage
    working_s: float
    error: ErrorInfo | None = None
    flags: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _End:
    reason: StopReason
    detail: str = ""
    error: ErrorInfo | None = None
    flag: str | None = None


async def run_episode(
    session: ModelSession,
    box: Box,
    task: EpisodeTask,
    limits: EpisodeLimits,
    sink: EpisodeSink,
    *,
    slot_context: int | None = None,
    charge: Callable[[float], bool] = lambda _cost: True,
) -> EpisodeOutcome:
    """Run one episode to its end; every way to end is an EpisodeOutcome and an event.

    Only asyncio cancellation is raised, after the events that close the transcript
    (``task.cancel("interrupted")`` makes it interrupted, anything else cancelled).
    """
    episode = _Episode(
        session, box, task, limits, sink, Meter(limits, slot_context=slot_context, charge=charge)
    )
    try:
        end = await episode.run()
    except ModelError as error:
        episode.meter.spent(error.usage, error.working_s)
        episode.prompt_too_long = error.reason == "context_limit" and episode.meter.turns == 0
        end = _End(StopReason(error.reason), error.message, flag=error.flag)
    except asyncio.CancelledError as cancel:
        interrupted = "interrupted" in cancel.args
        episode.finish(_End(StopReason.INTERRUPTED if interrupted else StopReason.CANCELLED))
        raise
    except Exception as error:  # no fault may leave a transcript without an end
        reason, info = fault_of(error)
        end = _End(reason, info.message, info)
    return episode.finish(end)


class _Episode:
    """The state of one episode."""

    def __init__(
        self,
        session: ModelSession,
        box: Box,
        task: EpisodeTask,
        limits: EpisodeLimits,
        sink: EpisodeSink,
        meter: Meter,
    ) -> None:
        self.session, self.task, self.sink, self.meter = session, task, sink, meter
        self.calls = CallRunner(box, sink, meter, limits.repeated_errors)
        self.nudges = Nudges(limits.nudges_in_a_row, limits.nudges_total)
        self.limits = limits
        self.messages: list[Message] = []
        self.truncated_turns = 0
        self.prompt_too_long = False

    async def run(self) -> _End:
        system = self.task.system or system_prompt(self.task.protocol)
        self.say("system", "prompt", system)
        self.say("user", "prompt", user_message(self.task.tree, self.task.instruction))
        while True:
            if reached := self.meter.reached():
                self.sink.emit(reached.event())
                return _End(reached.reason, str(reached))
            reply = await self.model_turn()
            if reply.time_up:
                return self.cut(reply)
            if reply.refused and not reply.tool_calls:
                return _End(StopReason.MODEL_REFUSED, reply.content[:500])
            self.messages.append(assistant_message(reply))
            self.messages += await self.calls.run(self.meter.turns, reply)
            if self.calls.finished:
                return _End(StopReason.FINISHED)
            if self.calls.stuck:
                return _End(StopReason.REPEATED_ERROR)
            if reply.context_full:
                return _End(StopReason.CONTEXT_LIMIT, "the reply filled the context")
            if reply.tool_calls:
                self.nudges.called()
            elif nudge := self.nudges.next(truncated=reply.truncated):
                self.say("user", "nudge", nudge)
            else:
                return _End(StopReason.NO_TOOL_CALLS)

    async def model_turn(self) -> Reply:
        """One reply: counted and stored before anything is done with it."""
        turn = self.meter.turns + 1
        self.sink.progress(SampleState.RUNNING, turn=turn, usage=self.meter.usage)
        events = TurnEvents(self.sink, turn, len(self.messages), self.meter)
        reply = await self.session.turn(self.messages, self.task.tools, events)
        self.meter.reply(reply)
        self.truncated_turns += reply.truncated
        self.sink.emit(turn_event(turn, reply))
        if turn == 1 and self.meter.usage_unknown and self.limits.sample_tokens is not None:
            text = "the server reports no usage, so the token limit cannot be checked"
            error = ErrorInfo(kind="usage_unknown", message=text)
            self.sink.emit(Fault(error=error, fatal=False))
        return reply

    def cut(self, reply: Reply) -> _End:
        """The end of an episode whose time was up in the middle of a reply."""
        self.calls.refuse_all(self.meter.turns, reply, TIME_UP)
        reached = self.meter.time_up()
        self.sink.emit(reached.event())
        return _End(reached.reason, str(reached), flag=reply.flag)

    def say(self, role: Any, kind: Any, content: str) -> None:
        """Put a message of ours into the conversation."""
        self.messages.append(Message(role=role, content=content))
        self.sink.emit(MessageAdded(role=role, kind=kind, content=content, turn=self.meter.turns))

    def finish(self, end: _End) -> EpisodeOutcome:
        """Write the events that close the episode."""
        metrics = {
            "turns": self.meter.turns,
            **self.calls.counts.metrics(),
            "nudges": self.nudges.given,
            "truncated_turns": self.truncated_turns,
            "peak_context": self.meter.peak_context or None,
        }
        if self.prompt_too_long:
            metrics["prompt_too_long"] = True
        if end.error is not None:
            self.sink.emit(Fault(error=end.error))
        self.sink.emit(EpisodeFinished(stop_reason=end.reason, detail=end.detail, metrics=metrics))
        return EpisodeOutcome(
            stop_reason=end.reason,
            detail=end.detail,
            metrics=metrics,
            usage=self.meter.usage,
            working_s=self.meter.working_s,
            error=end.error,
            flags=[end.flag] if end.flag else [],
        )
