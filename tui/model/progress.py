"""The numbers at the top of a run: progress, time left, score with interval, tokens, cost."""

from __future__ import annotations

from harness.outcome import SampleState
from harness.plan import Plan
from harness.report.table import interval, percent
from harness.state.view import RunView
from tui.render.lines import Line, Span
from tui.theme import STATES

_BAR = 24


def duration(seconds: float | None) -> str:
    """``45 s``, ``3 min 20 s``, ``2 h 05 min``."""
    if seconds is None:
        return "unknown"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"


def left(seconds: float | None) -> str:
    """Time left; never nothing while there is something left."""
    return "under 1 s" if seconds is not None and seconds < 1 else duration(seconds)


def progress_bar(view: RunView, width: int = _BAR) -> list[Span]:
    """Resolved, other scored, without score and the rest, apart by character and colour."""
    total = max(1, view.planned)
    parts = [
        (view.counts[SampleState.RESOLVED], "█", "good"),
        (view.scored - view.counts[SampleState.RESOLVED], "▓", "bad"),
        (view.counts[SampleState.NO_SCORE], "▒", "warn"),
        (view.running, "░", "running"),
    ]
    spans: list[Span] = []
    used = 0
    for count, char, role in parts:
        cells = min(width - used, max(1, round(width * count / total)) if count else 0)
        if cells:
            spans.append((char * cells, role))
            used += cells
    spans.append(("·" * (width - used), "faint"))
    return spans


def counts(view: RunView) -> list[Span]:
    """Each state that there is, as symbol, number and word."""
    spans: list[Span] = []
    for state, mark in STATES.items():
        number = view.counts[state]
        if number:
            spans += [(f"{mark.symbol} {number}", mark.role), (f" {mark.word}  ", "muted")]
    return spans


def score(view: RunView, plan: Plan, bounds: tuple[float, float] | None) -> list[Span]:
    """Share of scored samples that are resolved, with the interval when it is known."""
    if not view.scored:
        return [("score ", "label"), ("none yet", "muted")]
    resolved = view.counts[SampleState.RESOLVED]
    spans: list[Span] = [("score ", "label"), (percent(resolved / view.scored), "strong")]
    if bounds is not None and plan.epochs == 1:
        spans.append((f" ({interval(bounds)})", "muted"))
    return spans


def spent(view: RunView) -> list[Span]:
    """Tokens of samples that ended and of those that run; cost where prices are known."""
    running = [
        s.usage
        for s in view.samples.values()
        if s.state in (SampleState.RUNNING, SampleState.GRADING)
    ]
    usage = sum(running, view.usage)
    if usage.prompt is None and usage.completion is None:
        return [("tokens ", "label"), ("unknown", "muted")]
    text = f"{short(usage.prompt)} in, {short(usage.completion)} out"
    spans: list[Span] = [("tokens ", "label"), (text, "text")]
    if usage.cost is not None:
        spans += [("  cost ", "label"), (f"{usage.cost:.4f}", "text")]
    return spans


def short(value: int | None) -> str:
    """``980``, ``12.3k``, ``4.56M``."""
    if value is None:
        return "?"
    if value < 10_000:
        return f"{value:,}"
    return f"{value / 1000:.1f}k" if value < 1_000_000 else f"{value / 1_000_000:.2f}M"


def containment(plan: Plan) -> str:
    """The containment in few words."""
    if plan.containment is None:
        return "runs no code"
    return f"{plan.containment.provider}, no network"


def head(view: RunView, plan: Plan, running: bool) -> Line:
    """Suites, model, whether a runner works on it."""
    suites = "+".join(suite.name for suite in plan.suites)
    spans: list[Span] = [(suites, "title"), ("  ", ""), (plan.model.name, "strong"), ("  ", "")]
    if running:
        word = "paused" if view.paused else "running"
        spans.append((f"● {word}", "running"))
    elif view.ended is not None:
        role = "good" if view.ended.reason == "complete" else "warn"
        spans.append((f"■ {view.ended.reason}", role))
    elif view.planned and view.done == view.planned:
        spans.append(("✓ complete", "good"))
    else:
        spans.append(("◌ not running", "warn"))
    return tuple(spans)
