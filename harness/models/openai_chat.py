"""Models behind OpenAI-compatible endpoints."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field, replace
from typing import Any

from harness.errors import EndpointError, ProctorError, UsageError
from harness.models.body import RequestBody, parameters_of
from harness.models.client import EndpointClient
from harness.models.endpoint import explained
from harness.models.failures import Failure
from harness.models.health import CHAT, Health, Probe
from harness.models.in_flight import Slots
from harness.models.protocol import Message, ModelSession, Reply, SampleSeed, TurnSink
from harness.models.retry import Brake, RetryPolicy, send_with_retries
from harness.models.turn import Turn
from harness.plan import EndpointLaunch, EpisodeLimits, Launch, ModelPlan


@dataclass
class Endpoint:
    """One endpoint as all its sessions share it."""

    launch: EndpointLaunch
    client: EndpointClient
    brake: Brake = field(default_factory=Brake)
    stream_options: bool = True
    gave_logprobs: bool = False
    health: Health = field(default_factory=Health)
    slots: Slots = field(init=False)

    def __post_init__(self) -> None:
        self.slots = Slots(self.launch.slots)

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

    def probe(self, endpoint: Endpoint, path: str = CHAT) -> Probe:
        """A look, from a request about to be made, at whether others are answered."""
        others = [each.health for each in self.endpoints if each is not endpoint]
        model = self.plan.identity.model_id
        return Probe(endpoint.health, others, endpoint.client, model, path)

    @property
    def lost(self) -> dict[int, ProctorError]:
        """The endpoints that answer nobody any more, by place, with what to tell of each."""
        found = ((n, endpoint.health.lost) for n, endpoint in enumerate(self.endpoints))
        return {n: error for n, error in found if error is not None}

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
        self.replies = 0

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
        turn = Turn(self, messages, given, sink)
        try:
            reply = await send_with_retries(
                turn.send,
                self.model.policy,
                before_wait=turn.announce,
                worth=turn.worth_waiting,
            )
        except Failure as failure:
            error = explained(failure, self.endpoint.url)
            await self.endpoint.health.given_up(failure, error, turn.probe)
            raise EndpointError(error.what, where=error.where, remedy=error.remedy) from failure
        self.replies += 1
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
