"""Models behind OpenAI-compatible endpoints."""

from __future__ import annotations

import asyncio
import itertools
import json
import re
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

from harness.errors import EndpointError, UsageError
from harness.events.base import Usage
from harness.models.answer import answer_of, read_answer
from harness.models.body import RequestBody, parameters_of
from harness.models.client import EndpointClient
from harness.models.endpoint import explained
from harness.models.errors_table import Meaning
from harness.models.failures import Failure
from harness.models.protocol import Message, ModelError, ModelSession, Reply, SampleSeed, TurnSink
from harness.models.retry import Brake, Resend, RetryPolicy, send_with_retries
from harness.plan import EndpointLaunch, EpisodeLimits, Launch, ModelPlan

SAME_ERROR_LIMIT = 3  # the same 5xx for one prompt, while the server answers others
_VARYING = re.compile(r"\b(?=\w*\d)\w+\b")  # ids, times and counts inside a message
_OWN = {Meaning.CONTEXT_LIMIT, Meaning.UNPARSABLE_REPLY, Meaning.MODEL_REFUSED}


@dataclass
class Endpoint:
    """One endpoint as all its sessions share it."""

    launch: EndpointLaunch
    client: EndpointClient
    brake: Brake = field(default_factory=Brake)
    stream_options: bool = True
    answered: int = 0

    @property
    def url(self) -> str:
        return self.launch.url


class EndpointModel:
    """A model behind one or several equal endpoints."""

    def __init__(
        self,
        plan: ModelPlan,
        launch: Launch,
        limits: EpisodeLimits,
        *,
        policy: RetryPolicy | None = None,
    ) -> None:
        if not launch.endpoints:
            raise UsageError("no endpoint to send requests to", remedy="give --base-url")
        self.plan = plan
        self.policy = policy or RetryPolicy(total_s=launch.retry_wait_s)
        self.request_timeout_s = launch.request_timeout_s
        self.endpoints = [
            Endpoint(each, EndpointClient(each, idle_s=launch.idle_timeout_s))
            for each in launch.endpoints
        ]
        self._next = itertools.count()

    def session(self, sample: SampleSeed) -> ModelSession:
        """A session on the endpoint that the scheduler chose, else on the next in turn."""
        place = sample.endpoint if sample.endpoint is not None else next(self._next)
        session = EndpointSession(self, self.endpoints[place % len(self.endpoints)], sample)
        if self.plan.tool_protocol == "text":
            from harness.models.text_protocol import TextProtocolSession, constrains

            return TextProtocolSession(session, constrained=constrains(self.plan))
        return session

    async def close(self) -> None:
        for endpoint in self.endpoints:
            await endpoint.client.close()


class EndpointSession:
    """One sample's conversation with an endpoint."""

    def __init__(self, model: EndpointModel, endpoint: Endpoint, sample: SampleSeed) -> None:
        self.model = model
        self.endpoint = endpoint
        self._sample = sample
        parameters = parameters_of(model.plan, epoch=sample.epoch)
        self._body = RequestBody(parameters, model.plan.reasoning_history)
        self._call_ids: set[str] = set()

    async def turn(
        self,
        messages: list[Message],
        tools: list[dict[str, Any]],
        sink: TurnSink,
        extra: dict[str, Any] | None = None,
    ) -> Reply:
        """The next reply. ``extra`` adds parameters (the text protocol's response_format)."""
        given = {**(extra or {})}
        if tools:
            given |= {"tools": tools, "tool_choice": "auto"}
        turn = _Turn(self, messages, given, sink)
        try:
            reply = await send_with_retries(turn.send, self.model.policy, before_wait=turn.announce)
        except Failure as failure:
            error = explained(failure, self.endpoint.url)
            raise EndpointError(error.what, where=error.where, remedy=error.remedy) from failure
        return replace(
            reply,
            tool_calls=tuple(self._unique(call) for call in reply.tool_calls),
            usage=reply.usage if turn.spent is None else turn.spent + reply.usage,
            working_s=turn.working_s + reply.working_s,
        )

    def _unique(self, call: Any) -> Any:
        """Calls without an id, or with one that was there before, get one of ours: results are
        paired with calls by it."""
        call_id = call.id
        if not call_id or call_id in self._call_ids:
            call_id = next(
                name
                for number in itertools.count(len(self._call_ids) + 1)
                if (name := f"call_{number}") not in self._call_ids
            )
        self._call_ids.add(call_id)
        return call if call_id == call.id else call.model_copy(update={"id": call_id})

    def notify(self, text: str) -> None:
        self._sample.notify(text)

    @property
    def key(self) -> str:
        return self._sample.key

    @property
    def epoch(self) -> int:
        return self._sample.epoch

    def build(
        self, messages: list[Message], extra: dict[str, Any]
    ) -> tuple[bytes, str, dict[str, Any]]:
        if self.endpoint.stream_options:
            extra = {**extra, "stream_options": {"include_usage": True}}
        return self._body.build(messages, extra)

    async def close(self) -> None:
        return None


class _Turn:
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
        self.server_errors: Counter[str] = Counter()
        self.answered_before = self.endpoint.answered

    async def send(self, attempt: int) -> Reply:
        """One sending; raises Failure (sent again when retryable) and ModelError."""
        await self.endpoint.brake.passed()
        body, digest, parameters = self.session.build(self.messages, self.extra)
        self.sink.requested(attempt, self.endpoint.url, digest, parameters)
        started = time.monotonic()
        try:
            async with asyncio.timeout(self.model.request_timeout_s):
                reply = await self._exchange(body)
        except TimeoutError:
            raise Failure(
                "timeout", f"no whole reply in {self.model.request_timeout_s} s"
            ) from None
        except Failure as failure:
            raise await self._judged(failure, time.monotonic() - started) from failure
        self.endpoint.answered += 1
        if self.endpoint.brake.release():
            self.session.notify(f"{self.endpoint.url} answers again")
        if not (reply.content or reply.reasoning or reply.tool_calls or reply.truncated):
            self._once("empty_reply", "the reply was empty", reply)
        return replace(reply, attempts=attempt)

    async def _exchange(self, body: bytes) -> Reply:
        client, plan, started = self.endpoint.client, self.model.plan, time.monotonic()
        async with client.chat(body, session=self.session.key) as response:
            read = await read_answer(response, self.sink, started)
        return answer_of(read, plan, self.endpoint.url)

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
        if failure.meaning is Meaning.UNPARSABLE_REPLY:
            self.working_s += seconds
            if "unparsable" not in self.resent:
                self.resent.add("unparsable")
                return Resend("unparsable_reply", failure.message, status=failure.status)
        if failure.meaning in _OWN:
            return self._model_error(failure.meaning.value, failure.message)
        if (failure.status or 0) >= 500 and not failure.endpoint_wide:
            same = _VARYING.sub("#", failure.message)
            self.server_errors[same] += 1
            if self.server_errors[same] >= SAME_ERROR_LIMIT and await self._healthy():
                return self._model_error(
                    "unparsable_reply",
                    failure.message,
                    flag=f"the server failed {SAME_ERROR_LIMIT} times on this prompt and answered "
                    f"others: {failure.message[:200]}",
                )
        return failure

    def _model_error(self, reason: str, message: str, flag: str | None = None) -> ModelError:
        return ModelError(reason, message, self.spent, working_s=self.working_s, flag=flag)

    async def _healthy(self) -> bool:
        """Whether the server answers others: another sample since this turn began, or else a
        control request of one token."""
        if self.endpoint.answered > self.answered_before:
            return True
        control = {
            "model": self.model.plan.identity.model_id,
            "messages": [{"role": "user", "content": "Say yes."}],
            "max_tokens": 1,
            "stream": True,
        }
        try:
            async with (
                asyncio.timeout(60),
                self.endpoint.client.chat(json.dumps(control).encode()) as response,
            ):
                await read_answer(response, None, time.monotonic())
        except (Failure, TimeoutError):
            return False
        return True

    def announce(self, attempt: int, wait_s: float, failure: Failure) -> None:
        """Tell of a retry; one that concerns the endpoint holds back everyone on it."""
        self.sink.retrying(attempt, wait_s, failure.info())
        shared = failure.endpoint_wide and not isinstance(failure, Resend)
        if shared and self.endpoint.brake.hold(wait_s):
            text = f"{self.endpoint.url}: {failure.message[:200]}; holding back {wait_s:.0f} s"
            self.session.notify(text)
