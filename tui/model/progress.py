"""The numbers at the top of a run: progress, time left, states, tokens, cost."""

from __future__ import annotations

from harness.outcome import SampleState
from harness.plan import Plan
from harness.state.view import RunView
from harness.store.runs import unfinished_word
from tui.render.lines import Line, Span
from tui.theme import RUN_STATES, STATES

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
    else:
        mark = RUN_STATES[ended_word(view)]
        spans.append((f"{mark.symbol} {mark.word}", mark.role))
    return tuple(spans)


def ended_word(view: RunView) -> str:
    """What became of a run that nobody works on, in the word that all lists use."""
    if view.planned and view.scored >= view.planned:
        return "complete"
    ended = view.ended.reason if view.ended is not None else None
    return unfinished_word(ended, begun=view.session > 0)


def outcome(view: RunView) -> str:
    """``incomplete: 3/4 scored``."""
    return f"{ended_word(view)}: {scored(view)}"


def scored(view: RunView) -> str:
    """``3/4 scored``; those that were tried and have no score are not among them."""
    return f"{view.scored}/{view.planned} scored"
