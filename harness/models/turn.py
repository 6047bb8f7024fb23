"""One turn of a session: its sendings, and what each failure among them means."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from harness.events.base import Usage
from harness.models.answer import Read, answer_of, read_answer
from harness.models.errors_table import Meaning
from harness.models.failures import Failure
from harness.models.health import SAME_ERROR_LIMIT, RepeatedErrors
from harness.models.in_flight import Request, TimeUp, in_flight
from harness.models.protocol import Message, ModelError, Reply, TurnSink
from harness.models.retry import Resend

if TYPE_CHECKING:
    from harness.models.openai_chat import EndpointSession

_OWN = {Meaning.CONTEXT_LIMIT, Meaning.UNPARSABLE_REPLY, Meaning.MODEL_REFUSED}


class Turn:
    """The sendings of one turn, and what they have met so far."""

    def __init__(
        self,
        session: EndpointSession,
        messages: list[Message],
        extra: dict[str, Any],
        sink: TurnSink,
    ) -> None:
        self.session, self.sink = session, sink
        self.endpoint, self.model = session.endpoint, session.model
        self.messages, self.extra = messages, extra
        self.spent: Usage | None = None
        self.working_s = 0.0
        self.resent: set[str] = set()
        self.probe = self.model.probe(self.endpoint)
        self.errors = RepeatedErrors(self.endpoint.health, self.probe)

    async def send(self, attempt: int) -> Reply:
        """One sending; raises Failure (sent again when retryable) and ModelError."""
        await self.endpoint.brake.passed()
        body, digest, parameters = self.session.build(self.messages, self.extra)
        self.sink.requested(attempt, self.endpoint.url, digest, parameters)
        read = Read()
        request = Request(self.sink, self.endpoint, self._left_s())
        try:
            async with (
                in_flight(request, timeout_s=self.model.request_timeout_s),
                self.endpoint.client.chat(body, session=self.session.key) as response,
            ):
                await read_answer(response, read, self.sink, request.bytes_came)
            reply = answer_of(read, self.model.plan, self.endpoint.url)
        except TimeUp:
            return replace(self._cut(read, request), attempts=attempt)
        except Failure as failure:
            raise await self._judged(failure, time.monotonic() - read.started) from failure
        self.endpoint.health.answers(self.errors.met)
        if self.endpoint.brake.release():
            self.session.notify(f"{self.endpoint.url} answers again")
        if not (reply.content or reply.reasoning or reply.tool_calls or reply.truncated):
            self._once("empty_reply", "the reply was empty", reply)
        return replace(reply, attempts=attempt)

    def worth_waiting(self, failure: Failure) -> bool:
        """Whether to send again after ``failure``; an episode under way stays where it is."""
        return failure.retryable and (self.session.replies > 0 or self.probe.worth_waiting(failure))

    def _left_s(self) -> float | None:
        left = self.sink.time_left_s
        return None if left is None else max(0.0, left - self.working_s)

    def _cut(self, read: Read, request: Request) -> Reply:
        """What had come when the sample's time was up."""
        read.stop()
        reply = answer_of(read, self.model.plan, self.endpoint.url, time_up=True)
        return replace(reply, working_s=request.working_s, flag=request.silence())

    def _once(self, kind: str, text: str, reply: Reply) -> None:
        """Have a reply made again, the first time only; what it used counts."""
        if kind in self.resent:
            return
        self.resent.add(kind)
        self.spent = reply.usage if self.spent is None else self.spent + reply.usage
        self.working_s += reply.working_s
        raise Resend(kind, text)

    async def _judged(self, failure: Failure, seconds: float) -> Exception:
        """What a failed sending is: the model's fault, something to send again, or the end."""
        if failure.meaning is Meaning.NO_STREAM_OPTIONS and self.endpoint.stream_options:
            self.endpoint.stream_options = False
            self.session.notify(f"{self.endpoint.url} refuses stream_options: usage is unknown")
            return Resend("http", failure.message)
        if failure.kind == "html" and self.endpoint.health.answered:
            return Failure("malformed", f"{failure.message} in place of an answer")  # of a proxy
        if failure.meaning is Meaning.UNPARSABLE_REPLY:
            self.working_s += seconds
            if "unparsable" not in self.resent:
                self.resent.add("unparsable")
                return Resend("unparsable_reply", failure.message, status=failure.status)
        if failure.meaning in _OWN:
            return self._model_error(failure.meaning.value, failure.message)
        if await self.errors.of_prompt(failure):
            return self._model_error(
                "unparsable_reply",
                failure.message,
                flag=f"the server failed {SAME_ERROR_LIMIT} times on this prompt and answered "
                f"others each time: {failure.message[:200]}",
            )
        return failure

    def _model_error(self, reason: str, message: str, flag: str | None = None) -> ModelError:
        return ModelError(reason, message, self.spent, working_s=self.working_s, flag=flag)

    def announce(self, attempt: int, wait_s: float, failure: Failure, gives_up: str) -> None:
        """Tell of a retry; one that concerns the endpoint holds back everyone on it."""
        self.sink.retrying(attempt, wait_s, failure.info(), gives_up)
        shared = failure.endpoint_wide and not isinstance(failure, Resend)
        if shared and self.endpoint.brake.hold(wait_s):
            text = f"{self.endpoint.url}: {failure.message[:200]}; holding back {wait_s:.0f} s"
            self.session.notify(text)
