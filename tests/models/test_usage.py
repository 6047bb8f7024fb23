"""Unknown stays unknown, and costs only where they can be known."""

from __future__ import annotations

import pytest

from harness.errors import UsageError
from harness.models.usage import cost_of, require_prices, usage_of

PRICES = {"prompt": 1.0, "completion": 4.0}


def test_missing_counts_are_unknown() -> None:
    usage = usage_of({"prompt_tokens": 5, "completion_tokens": None}, PRICES)
    assert usage.prompt == 5 and usage.completion is None and usage.cost is None
    for odd in (None, "x", [], {"prompt_tokens": -1}, {"prompt_tokens": True}):
        assert usage_of(odd, PRICES).prompt is None


def test_details_are_read_where_they_are() -> None:
    raw = {
        "prompt_tokens": 10,
        "completion_tokens": 4,
        "prompt_tokens_details": {"cached_tokens": 6},
        "completion_tokens_details": {"reasoning_tokens": 3},
    }
    usage = usage_of(raw, None)
    assert (usage.cached, usage.reasoning, usage.cost) == (6, 3, None)


def test_cached_tokens_cost_as_others_without_a_price_of_their_own() -> None:
    usage = usage_of(
        {"prompt_tokens": 10, "completion_tokens": 1, "prompt_cache_hit_tokens": 4}, PRICES
    )
    assert usage.cost == pytest.approx(14e-6)
    assert cost_of(usage, {**PRICES, "cached": 0.0}) == pytest.approx(10e-6)


def test_a_cost_limit_needs_prices() -> None:
    require_prices(None, cost_limited=False)
    require_prices(PRICES, cost_limited=True)
    for prices in (None, {"prompt": 1.0}):
        with pytest.raises(UsageError):
            require_prices(prices, cost_limited=True)
    with pytest.raises(UsageError):
        require_prices({"prompt": -1.0}, cost_limited=False)
    with pytest.raises(UsageError):
        require_prices({"prompt": float("nan")}, cost_limited=False)
