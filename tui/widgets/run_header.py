"""The top of a run: who runs what, how far it is, what it scored and spent."""

from __future__ import annotations

from harness.plan import Plan
from harness.state.view import RunView
from tui.model import progress
from tui.plain import clean_line
from tui.render.lines import Line, Span, cells, clip
from tui.widgets.lines_bar import LinesBar


class RunHeader(LinesBar):
    """Three lines and those of the scores; what does not fit is left out from the right."""

    DEFAULT_CSS = "RunHeader { height: 4; background: $surface; }"

    def show(
        self,
        view: RunView,
        plan: Plan,
        *,
        name: str,
        running: bool,
        scores: list[Line],
        rate: float | None,
        eta_s: float | None,
    ) -> None:
        """scores: made to ``room``; rate in samples a second, eta_s the seconds left; None when
        unknown."""
        width = self.size.width
        first: Line = ((" ", ""), *progress.head(view, plan, running))
        if name:
            first = (*first, (f"  {clean_line(name, 60)}", "muted"))
        right: Line = ((progress.containment(plan), "muted"), (" ", ""))
        bar = progress.progress_bar(view, 24 if width >= 100 else 14)
        second: list[Span] = [(" ", ""), *bar, (f" {progress.scored(view)}", "strong")]
        if running and view.done < view.planned:
            left = progress.left(eta_s)
            second += [("   left ", "label"), (left, "text")]
        if running and rate is not None:
            words = f"   {_rate(rate)}"
            if _size(second) + cells(words) <= width:  # a number without its unit says nothing
                second.append((words, "muted"))
        states, spent = progress.counts(view), progress.spent(view)
        if _size(states) + _size(spent) + 4 > width:
            states = [span for span in states if not span[0].startswith(" ")]  # the words
            states = [part for span in states for part in (span, ("  ", ""))]
        third: list[Span] = [(" ", ""), *states, (" ", ""), *spent]
        if view.notices and view.notices[-1].level != "info":
            notice = view.notices[-1]
            role = "error" if notice.level == "error" else "warn"
            third.append((f"   ! {clean_line(notice.text, 200)}", role))
        lines = [first, _fit(second, width), *scores, _fit(third, width)]
        if self.styles.height is None or self.styles.height.value != len(lines):
            self.styles.height = len(lines)
        self.put(lines, right)


def _size(spans: list[Span]) -> int:
    return sum(cells(text) for text, _ in spans)


def _rate(rate: float) -> str:
    return f"{rate:.1f} samples/s" if rate >= 1 else f"{60 * rate:.1f} samples/min"


def _fit(spans: list[Span], width: int) -> Line:
    out: list[Span] = []
    used = 0
    for text, role in spans:
        if used + cells(text) > width:
            out.append((clip(text, width - used), role))
            break
        out.append((text, role))
        used += cells(text)
    return tuple(out)
