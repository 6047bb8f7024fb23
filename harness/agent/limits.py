"""The limits of one episode: checked in one place before each request; that on time also ends
a request that is out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from harness.events.base import Usage
from harness.events.sample import LimitReached
from harness.models.protocol import Reply
from harness.outcome import StopReason
from harness.plan import EpisodeLimits


@dataclass(frozen=True)
class Reached:
    """A limit that is reached: how the episode ends, and what a viewer is told."""

    reason: StopReason
    name: str
    limit: float
    value: float

    def event(self) -> LimitReached:
        return LimitReached(name=self.name, limit=self.limit, value=self.value)

    def __str__(self) -> str:
        return f"{self.name}: {self.value:g} of {self.limit:g}"


class Meter:
    """What an episode has used so far.

    The working clock adds what replies and tool calls took themselves. Waiting for a rate limit,
    for a retry or in a server's queue is in none of them, so it does not run the clock.
    ``slot_context``: tokens that fit into the endpoint's slot; None is unknown. ``charge`` adds a
    cost to the run's and says whether the run may go on.
    """

    def __init__(
        self,
        limits: EpisodeLimits,
        *,
        slot_context: int | None = None,
        charge: Callable[[float], bool] = lambda _cost: True,
    ) -> None:
        self._limits = limits
        self._slot = slot_context
        self._charge = charge
        self._run_may_go_on = True
        self.turns = 0
        self.usage = Usage()
        self.working_s = 0.0
        self.peak_context = 0
        self.usage_unknown = False
        self._last_prompt = 0

    def reply(self, reply: Reply) -> None:
        """Count a reply; called before anything of it is parsed or carried out."""
        self.turns += 1
        self.spent(reply.usage, reply.working_s)
        prompt, completion = reply.usage.prompt, reply.usage.completion
        if prompt is None or completion is None:
            self.usage_unknown = True
            return
        self._last_prompt = prompt
        self.peak_context = max(self.peak_context, prompt + completion)

    def spent(self, usage: Usage, working_s: float) -> None:
        """Count what was used outside of a reply (a request that failed by the model's fault)."""
        self.usage += usage
        self.working_s += working_s
        if usage.cost is not None and not self._charge(usage.cost):
            self._run_may_go_on = False

    def tool(self, seconds: float) -> None:
        """Count the seconds of a tool call."""
        self.working_s += seconds

    @property
    def time_left_s(self) -> float | None:
        """Working seconds left; None without a limit."""
        limit = self._limits.sample_time_s
        return None if limit is None else max(0.0, limit - self.working_s)

    def time_up(self) -> Reached:
        """The limit that cut a request off."""
        limit = self._limits.sample_time_s or 0.0
        value = max(limit, self.working_s)
        return Reached(StopReason.TIME_LIMIT, "sample_time_limit", limit, value)

    @property
    def tokens(self) -> int:
        """Prompt and completion tokens of all turns, as far as they are known."""
        return (self.usage.prompt or 0) + (self.usage.completion or 0)

    def reached(self) -> Reached | None:
        """The first limit that forbids another request."""
        limits, cost = self._limits, self.usage.cost or 0.0
        checks: tuple[tuple[StopReason, str, float | None, float], ...] = (
            (StopReason.MAX_TURNS, "max_turns", limits.max_turns, self.turns),
            (StopReason.TIME_LIMIT, "sample_time_limit", limits.sample_time_s, self.working_s),
            (StopReason.TOKEN_LIMIT, "sample_token_limit", limits.sample_tokens, self.tokens),
            (StopReason.COST_LIMIT, "sample_cost_limit", limits.sample_cost, cost),
            (StopReason.CONTEXT_LIMIT, "context_limit", limits.context_tokens, self.peak_context),
            # the next prompt is longer than the last, and the reply needs room for a token
            (StopReason.CONTEXT_LIMIT, "slot_context", self._slot, self._last_prompt + 1),
        )
        for reason, name, limit, value in checks:
            if limit is not None and value >= limit:
                return Reached(reason, name, float(limit), float(value))
        if not self._run_may_go_on:
            return Reached(StopReason.COST_LIMIT, "run_cost_limit", limits.run_cost or 0.0, cost)
        return None
