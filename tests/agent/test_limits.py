"""The meter of an episode."""

from __future__ import annotations

from harness.agent.limits import Meter
from harness.agent.nudge import Nudges
from harness.events.base import Usage
from harness.models.protocol import Reply
from harness.outcome import StopReason
from harness.plan import EpisodeLimits


def reply(prompt: int | None, completion: int | None, **more: float) -> Reply:
    return Reply(content="", usage=Usage(prompt=prompt, completion=completion, **more))


def test_unknown_usage_never_reaches_a_token_limit_but_is_known_to_be_unknown() -> None:
    meter = Meter(EpisodeLimits(sample_tokens=10))
    meter.reply(reply(None, None))
    assert meter.reached() is None and meter.usage_unknown and meter.peak_context == 0


def test_a_full_slot_is_the_context_limit() -> None:
    meter = Meter(EpisodeLimits(), slot_context=2048)
    meter.reply(reply(2000, 100))
    assert meter.reached() is None, "the template may have dropped reasoning from history"
    meter.reply(reply(2047, 1))
    reached = meter.reached()
    assert reached is not None and reached.reason is StopReason.CONTEXT_LIMIT
    assert meter.peak_context == 2100


def test_tools_run_the_working_clock() -> None:
    meter = Meter(EpisodeLimits(sample_time_s=5))
    meter.tool(4.0)
    assert meter.reached() is None
    meter.tool(1.5)
    reached = meter.reached()
    assert reached is not None and reached.event().name == "sample_time_limit"


def test_the_runs_cost_limit_ends_the_episode() -> None:
    meter = Meter(EpisodeLimits(run_cost=1.0), charge=lambda cost: cost < 0.5)
    meter.reply(reply(1, 1, cost=0.4))
    assert meter.reached() is None
    meter.reply(reply(1, 1, cost=0.6))
    reached = meter.reached()
    assert reached is not None and reached.name == "run_cost_limit"


def test_nudges_are_capped_in_a_row_and_in_all() -> None:
    nudges = Nudges(2, 3)
    assert nudges.next(truncated=False) and nudges.next(truncated=True)
    assert nudges.next(truncated=False) is None
    nudges.called()
    assert nudges.next(truncated=False)
    nudges.called()
    assert nudges.next(truncated=False) is None and nudges.given == 3
