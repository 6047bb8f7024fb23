"""Numbers as a person reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.events.base import Usage


def percent(value: float | None) -> str:
    """``62.5 %``; a dash when there is no value."""
    return "-" if value is None else f"{100 * value:.1f} %"


def interval(bounds: tuple[float, float] | None) -> str:
    """``48.9 to 74.2 %``."""
    return "-" if bounds is None else f"{100 * bounds[0]:.1f} to {100 * bounds[1]:.1f} %"


def tokens(usage: Usage) -> str:
    """``12,345 in, 678 out``; unknown stays unknown."""
    if usage.prompt is None and usage.completion is None:
        return "tokens unknown"
    text = f"{_number(usage.prompt)} in, {_number(usage.completion)} out"
    return text if usage.cost is None else f"{text}, cost {usage.cost:.4f}"


def _number(value: int | None) -> str:
    return "?" if value is None else f"{value:,}"


def p_words(p: float | None) -> str:
    """``p = 0.0312``; a chance too small for four places is none of 0."""
    if p is None:
        return "p unknown"
    return "p < 0.0001" if p < 0.0001 else f"p = {p:.4f}"


def counts(numbers: dict[str, int]) -> str:
    return ", ".join(f"{name} {number}" for name, number in numbers.items())
