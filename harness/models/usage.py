"""Tokens and what they cost. What a server does not tell stays unknown."""

from __future__ import annotations

from typing import Any

from harness.errors import UsageError
from harness.events.base import Usage

PRICE_KEYS = ("prompt", "cached", "completion")
_MOST = 10**15  # tokens; a server that tells more tells nothing
_PER = 1_000_000  # prices are for a million tokens, as providers print them


def usage_of(raw: Any, prices: dict[str, float] | None) -> Usage:
    """The usage object of an answer, with its cost where it can be known."""
    if not isinstance(raw, dict):
        return Usage()
    cached = _count(_sub(raw, "prompt_tokens_details", "cached_tokens"))
    usage = Usage(
        prompt=_count(raw.get("prompt_tokens")),
        cached=cached if cached is not None else _count(raw.get("prompt_cache_hit_tokens")),
        completion=_count(raw.get("completion_tokens")),
        reasoning=_count(_sub(raw, "completion_tokens_details", "reasoning_tokens")),
    )
    return usage.model_copy(update={"cost": cost_of(usage, prices)})


def cost_of(usage: Usage, prices: dict[str, float] | None) -> float | None:
    """Cost in the table's currency; None without prices or without counts.

    Cached prompt tokens cost ``cached`` where that price is given, else as any other.
    """
    if prices is None or usage.prompt is None or usage.completion is None:
        return None
    if "prompt" not in prices or "completion" not in prices:
        return None
    cached = min(usage.cached or 0, usage.prompt)
    prompt = (usage.prompt - cached) * prices["prompt"]
    prompt += cached * prices.get("cached", prices["prompt"])
    return (prompt + usage.completion * prices["completion"]) / _PER


def require_prices(prices: dict[str, float] | None, *, cost_limited: bool) -> None:
    """Raise UsageError for a price table that cannot be used, or a cost limit without one."""
    if prices is not None:
        unknown = sorted(set(prices) - set(PRICE_KEYS))
        if unknown or any(not value >= 0 for value in prices.values()):
            raise UsageError(
                f"prices: {', '.join(unknown) or 'a negative value'}",
                remedy="give prompt, completion and perhaps cached, per million tokens",
            )
    if cost_limited and (prices is None or not {"prompt", "completion"} <= set(prices)):
        raise UsageError(
            "a cost limit needs prices, and none are known for this model",
            remedy="set prices.prompt and prices.completion for the model in proctor.toml",
        )


def _sub(raw: dict[str, Any], outer: str, inner: str) -> Any:
    details = raw.get(outer)
    return details.get(inner) if isinstance(details, dict) else None


def _count(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < _MOST:
        return None
    return value
