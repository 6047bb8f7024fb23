"""One question put to a model: asked once, the reply stored before it is read."""

from __future__ import annotations

from collections.abc import Callable

from harness.agent.limits import Meter
from harness.agent.sink import TurnEvents, turn_event
from harness.events.model import MessageAdded
from harness.models.completion import complete_text, option_scores
from harness.models.protocol import ModelError, Reply, SampleSeed
from harness.outcome import SampleState, StopReason
from harness.suites.extract.answer import Answer, no_answer
from harness.suites.protocol import SampleContext
from harness.suites.shot import ShotProtocol, ShotTask

# Shorter beginnings cost more as a file of their own than in each transcript.
_WORTH_SHARING = 200

Read = Callable[[ShotTask, str, ShotProtocol], Answer]


class Asked:
    """One question put to the model, with all that it used."""

    def __init__(
        self, task: ShotTask, protocol: ShotProtocol, read: Read, context: SampleContext
    ) -> None:
        self.task, self.protocol, self.read, self.context = task, protocol, read, context
        self.meter = Meter(context.plan.limits, charge=context.charge)
        self.stop = StopReason.FINISHED
        self.flags: list[str] = []
        self.truncated = False
        self.prompt_too_long = False

    async def ask(self) -> Answer:
        """The answer, or none where the model failed by its own fault."""
        context, task, protocol = self.context, self.task, self.protocol
        session = context.model.session(
            SampleSeed(
                key=context.sample,
                suite=context.suite.name,
                task=task,
                endpoint=context.endpoint,
                notify=lambda text: context.sink.progress(SampleState.RUNNING, turn=1, note=text),
            )
        )
        messages = task.prompt.messages(context.system_prompt)
        head = task.prompt.head
        prefix = context.sink.blob(head.encode()) if len(head) >= _WORTH_SHARING else None
        for message in messages:
            asked = message.role == "user"
            context.sink.emit(
                MessageAdded(
                    role="user" if asked else "system",
                    kind="prompt",
                    content=task.prompt.rest if asked and prefix else message.content,
                    prefix=prefix if asked else None,
                )
            )
        events = TurnEvents(context.sink, 1, len(messages), self.meter)
        try:
            if protocol.mode == "logprobs":
                reply = await option_scores(session, task.prompt.text, events, messages=messages)
            elif protocol.mode == "completion":
                reply = await complete_text(
                    session,
                    task.prompt.text,
                    events,
                    messages=messages,
                    stop=protocol.stop,
                    max_tokens=protocol.max_tokens,
                )
            else:
                reply = await session.turn(messages, [], events)
        except ModelError as error:
            return self.failed(error)
        finally:
            await session.close()
        return self.took(reply)

    def took(self, reply: Reply) -> Answer:
        """Count and store a reply, then read it."""
        self.meter.reply(reply)
        self.truncated = reply.truncated
        self.context.sink.emit(turn_event(1, reply))
        if reply.flag:
            self.flags.append(reply.flag)
        if reply.time_up:
            reached = self.meter.time_up()
            self.context.sink.emit(reached.event())
            self.stop = reached.reason
        elif reply.refused:
            self.stop = StopReason.MODEL_REFUSED
        elif reply.context_full:
            self.stop = StopReason.CONTEXT_LIMIT
        elif reply.truncated and self.protocol.max_tokens is None:
            self.stop = StopReason.TOKEN_LIMIT
        content = reply.content
        if not content.strip() and reply.tool_calls:
            content = reply.tool_calls[-1].raw  # code sent as a call although no tool was offered
        return self.read(self.task, content, self.protocol)

    def failed(self, error: ModelError) -> Answer:
        self.meter.spent(error.usage, error.working_s)
        self.stop = StopReason(error.reason)
        self.prompt_too_long = self.stop is StopReason.CONTEXT_LIMIT
        if error.flag:
            self.flags.append(error.flag)
        return no_answer(error.reason)
