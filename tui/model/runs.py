"""Past and running runs as a list: sorted, searched, one line each."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from harness.report.table import interval, percent
from harness.store.runs import RunInfo, list_runs, run_info
from tui.plain import clean_line
from tui.render.lines import Line, clip, middle, pad
from tui.theme import RUN_STATES

_OLDEST = datetime.min.replace(tzinfo=UTC)
SORTS: dict[str, Callable[[RunInfo], tuple[object, ...]]] = {
    "newest": lambda r: (-(r.created or _OLDEST).timestamp() if r.created else 0.0,),
    "suite": lambda r: (r.suites, r.model),
    "model": lambda r: (r.model, r.suites),
    "score": lambda r: (-(r.resolved / r.scored) if r.scored else 1.0,),
    "state": lambda r: (list(RUN_STATES).index(r.state),),
}
_WIDE, _MEDIUM = 110, 74


@dataclass
class RunBlocks:
    """``bounds``: the interval of each run by (resolved, scored), filled in when known."""

    runs: list[RunInfo] = field(default_factory=list)
    sort: str = "newest"
    backwards: bool = False
    words: str = ""
    empty: str = ""
    now: datetime | None = None
    bounds: dict[tuple[int, int], tuple[float, float] | None] = field(default_factory=dict)
    shown: list[RunInfo] = field(default_factory=list)

    def refresh(self) -> None:
        words = self.words.lower().split()
        self.shown = [r for r in self.runs if all(w in _text(r) for w in words)]
        self.shown.sort(key=SORTS[self.sort])
        if self.backwards:
            self.shown.reverse()
        self.empty = (
            "No run matches.\nEscape clears the search."
            if self.runs
            else "No run yet.\nn starts one here. From a shell: proctor run SUITE --model MODEL\n"
            "Without a model server: proctor run repos --model oracle"
        )

    def next_sort(self) -> str:
        names = list(SORTS)
        self.sort = names[(names.index(self.sort) + 1) % len(names)]
        return self.sort

    def __len__(self) -> int:
        return len(self.shown)

    def key(self, index: int) -> Hashable:
        return self.shown[index].run_id

    def index_of(self, key: Hashable) -> int | None:
        return next((i for i, run in enumerate(self.shown) if run.run_id == key), None)

    def estimates(self, start: int) -> list[int]:
        return [1] * (len(self) - start)

    def revision(self, index: int) -> Hashable:
        run = self.shown[index]
        return (run, self.bounds.get((run.resolved, run.scored)), self.now)

    def toggle(self, index: int) -> bool:
        return False

    def text(self, index: int) -> str:
        return str(self.shown[index].path)

    def lines(self, index: int, width: int) -> list[Line]:
        run = self.shown[index]
        mark = RUN_STATES[run.state]
        state: Line = ((f"{mark.symbol} ", mark.role), (f"{mark.word:<12}", mark.role))
        if run.problem is not None:
            text = clip(f"{clean_line(run.run_id)}  {clean_line(run.problem, 300)}", width - 14)
            return [(*state, (text, "muted"))]
        columns = _columns(width)
        bounds = self.bounds.get((run.resolved, run.scored))
        score = percent(run.resolved / run.scored) if run.scored else "-"
        spans = [*state, (pad(when(run.created, self.now), 17), "muted")]
        spans.append((pad(clean_line("+".join(run.suites)), columns["suite"]) + " ", "strong"))
        spans.append(
            (pad(middle(clean_line(run.model), columns["model"]), columns["model"]) + " ", "text")
        )
        spans.append((pad(score, 8, right=True), "strong"))
        if columns["interval"]:
            words = f"({interval(bounds)})" if bounds else ""
            spans.append((pad(words, columns["interval"], right=True), "muted"))
        done = f"{run.scored}/{run.planned}"
        spans.append((pad(done, columns["done"], right=True), "text"))
        if columns["name"] > 4:
            spans.append(("  " + pad(clean_line(run.name), columns["name"]), "muted"))
        return [tuple(spans)]


def head_line(width: int, blocks: RunBlocks) -> Line:
    """The names of the columns, above the list."""
    columns = _columns(width)
    parts = [pad("state", 14), pad("when", 17), pad("suite", columns["suite"] + 1)]
    parts += [pad("model", columns["model"] + 1), pad("score", 8, right=True)]
    if columns["interval"]:
        parts.append(pad("95 % interval", columns["interval"], right=True))
    parts.append(pad("scored", columns["done"], right=True))
    if columns["name"] > 4:
        parts.append("  name")
    return (("  " + "".join(parts), "head"),)


def _columns(width: int) -> dict[str, int]:
    wide = width >= _WIDE
    sizes = {
        "suite": 14 if wide else 10,
        "interval": 20 if wide else 0,
        "done": 12 if wide else 9,
    }
    left = width - 14 - 17 - sizes["suite"] - 2 - 8 - sizes["interval"] - sizes["done"]
    # A name needs a dozen cells; what is left beyond thirty of the model is for it too.
    model = max(16, min(left - 14, 30)) if wide else max(8, left)
    return {**sizes, "model": model, "name": max(0, left - model - 2) if wide else 0}


def when(created: datetime | None, now: datetime | None) -> str:
    """Minutes and hours ago for today's, the date for others."""
    if created is None:
        return "unknown"
    if now is not None:
        seconds = (now - created).total_seconds()
        if 0 <= seconds < 60:
            return "just now"
        if 0 <= seconds < 3600:
            return f"{int(seconds // 60)} min ago"
        if 0 <= seconds < 24 * 3600:
            return f"{int(seconds // 3600)} h ago"
    return created.astimezone().strftime("%Y-%m-%d %H:%M")


def read_runs(root: Path) -> list[RunInfo]:
    """All runs under ``root``."""
    return list(list_runs(root))


def renewed(runs: list[RunInfo]) -> list[RunInfo]:
    """The same list with what changed in those that run, or began to."""
    out = []
    for run in runs:
        if run.state == "running" or not run.path.exists():
            if run.path.exists():
                out.append(run_info(run.path))
            continue
        out.append(run)
    return out


def _text(run: RunInfo) -> str:
    word = RUN_STATES[run.state].word
    return f"{run.run_id} {' '.join(run.suites)} {run.model} {run.name} {word}".lower()
