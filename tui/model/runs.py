"""Past and running runs as a list: sorted, searched, one line each."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from harness.report.numbers import interval, percent
from tui.model.matching import Query, Words, words_of
from tui.plain import clean_line
from tui.render.lines import Line, clip, middle, pad
from tui.theme import RUN_STATES

if TYPE_CHECKING:
    from harness.store.runs import RunInfo

_OLDEST = datetime.min.replace(tzinfo=UTC)
SORTS: dict[str, Callable[[RunInfo], tuple[object, ...]]] = {
    "newest": lambda r: (-(r.created or _OLDEST).timestamp() if r.created else 0.0,),
    "suite": lambda r: (r.suites, r.model),
    "model": lambda r: (r.model, r.suites),
    "score": lambda r: (1.0 if (one := score_of(r)) is None else -one,),
    "state": lambda r: (list(RUN_STATES).index(_word(r)),),
}
# From here on there is room for the words of states and for intervals.
_WIDE = 110
_WHEN = 12
# Cells for the scores of several suites at most.
_SCORES = 30


@dataclass
class RunBlocks:
    """``bounds``: the interval of a score over so many tasks, filled in when known."""

    runs: list[RunInfo] = field(default_factory=list)
    sort: str = "newest"
    backwards: bool = False
    words: str = ""
    empty: str = ""
    now: datetime | None = None
    bounds: dict[tuple[float, int], tuple[float, float] | None] = field(default_factory=dict)
    shown: list[RunInfo] = field(default_factory=list)
    widths: tuple[int, int] = (0, 0)

    def refresh(self) -> None:
        self.shown = list(self.runs)
        if self.words.strip():
            query = Query(self.words, RUN_STATES)
            self.shown = [r for r in self.runs if query.matches(_words(r))]
        self.shown.sort(key=SORTS[self.sort])
        if self.backwards:
            self.shown.reverse()
        self.widths = _widths(self.shown)
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
        return (run, self._interval(run, _SCORES), when(run.created, self.now), self.widths)

    def toggle(self, index: int) -> bool:
        return False

    def text(self, index: int) -> str:
        return str(self.shown[index].path)

    def lines(self, index: int, width: int) -> list[Line]:
        run = self.shown[index]
        mark = RUN_STATES[_word(run)]
        columns = _columns(width, self.widths)
        word = f"{mark.word:<12}" if columns["state"] > 2 else ""
        state: Line = ((f"{mark.symbol} {word}", mark.role),)
        if run.problem is not None:
            state = ((f"{mark.symbol} {mark.word:<12}", mark.role),)
            text = f"{clean_line(run.run_id)}  {clean_line(run.problem, 300)}"
            return [(*state, (clip(text, width - 14), "muted"))]
        spans = [*state, (pad(when(run.created, self.now), _WHEN), "muted")]
        shown = clip(clean_line(run.name), columns["run"] - 2)
        known = shown or middle(clean_line(run.run_id), columns["run"] - 2)
        spans.append((pad(known, columns["run"]), "text" if shown else "muted"))
        spans.append((pad(clean_line("+".join(run.suites)), columns["suite"]) + " ", "strong"))
        spans.append(
            (pad(middle(clean_line(run.model), columns["model"]), columns["model"]) + " ", "text")
        )
        spans.append((pad(score_words(run), 8, right=True), "strong"))
        if columns["interval"]:
            words = self._interval(run, columns["interval"] - 2)
            spans.append((pad(words, columns["interval"], right=True), "muted"))
        spans.append((pad(_done(run), columns["done"], right=True), "text"))
        return [tuple(spans)]

    def _interval(self, run: RunInfo, room: int) -> str:
        """The interval of a run's one score, or the scores of its several suites: as many of them
        as there is room for."""
        if len(run.scores) > 1:
            return _fitting([percent(each.score) for each in run.scores], room)
        for each in run.scores:
            bounds = None if each.score is None else self.bounds.get((each.score, each.tasks))
            return f"({interval(bounds)})" if bounds else ""
        return ""


def _fitting(words: list[str], room: int) -> str:
    """The words with commas; those that do not fit are left out, never cut."""
    for count in range(len(words), 0, -1):
        text = ", ".join(words[:count]) + (" …" if count < len(words) else "")
        if len(text) <= room:
            return text
    return ""


def _done(run: RunInfo) -> str:
    return f"{run.scored}/{run.planned}"


def _widths(runs: list[RunInfo]) -> tuple[int, int]:
    """The cells that the longest ``_done`` and the longest list of scores take."""
    done = max((len(_done(run)) for run in runs), default=0)
    scores = max((2 + 9 * len(run.scores) for run in runs if len(run.scores) > 1), default=0)
    return done, scores


def score_of(run: RunInfo) -> float | None:
    """The score of a run of one suite, as ``proctor show`` gives it; several suites have no one
    score, nor has a part of a suite."""
    return run.scores[0].score if len(run.scores) == 1 else None


def score_words(run: RunInfo) -> str:
    """``62.5 %``, a dash where there is no score, or how many suites have one each."""
    if len(run.scores) > 1 and run.scored:
        return f"{len(run.scores)} suites"
    return percent(score_of(run))


def wanted_bounds(runs: list[RunInfo]) -> set[tuple[float, int]]:
    """Scores of which an interval is shown, with the number of tasks."""
    return {(each.score, each.tasks) for r in runs for each in r.scores if each.score is not None}


def bounds_of(score: float, tasks: int) -> tuple[float, float] | None:
    """The interval of a mean over ``tasks``; takes most of a second the first time."""
    from harness.report.intervals import wilson_over_tasks

    return wilson_over_tasks([score] * tasks)


def shows_intervals(width: int) -> bool:
    """Whether there is room for intervals."""
    return width >= _WIDE


def head_line(width: int, blocks: RunBlocks) -> Line:
    """The names of the columns, above the list."""
    columns = _columns(width, blocks.widths)
    parts = [pad("state" if columns["state"] > 2 else "", columns["state"]), pad("when", _WHEN)]
    parts += [pad("run", columns["run"]), pad("suite", columns["suite"] + 1)]
    parts += [pad("model", columns["model"] + 1), pad("score", 8, right=True)]
    if columns["interval"]:
        parts.append(pad("95 % interval", columns["interval"], right=True))
    parts.append(pad("scored", columns["done"], right=True))
    return (("  " + "".join(parts), "head"),)


def _columns(width: int, widths: tuple[int, int]) -> dict[str, int]:
    wide = width >= _WIDE
    done, scores = widths
    sizes = {
        "state": 14 if wide else 2,
        "suite": 14 if wide else 9,
        "interval": max(20, min(scores, _SCORES)) if wide else 0,
        "done": max(12 if wide else 8, done + 1),
    }
    left = width - sum(sizes.values()) - _WHEN - 2 - 8
    # A name and an id need two dozen cells, a model's name not more than thirty.
    model = max(8, min(left // 2, 30) if wide else min(left - 18, 20))
    return {**sizes, "model": model, "run": max(2, left - model)}


def when(created: datetime | None, now: datetime | None) -> str:
    """Minutes and hours ago for today's, day and time of this year, the date for others."""
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
    here = created.astimezone()
    this_year = now is not None and here.year == now.astimezone().year
    return here.strftime("%m-%d %H:%M" if this_year else "%Y-%m-%d")


def read_runs(root: Path | None) -> list[RunInfo]:
    """All runs under ``root``, or the user's folder of runs."""
    # Both take longer to load than all that is drawn before they are needed.
    from harness.store.run_folder import default_runs_dir
    from harness.store.runs import list_runs

    return list(list_runs(default_runs_dir() if root is None else root))


def renewed(runs: list[RunInfo]) -> list[RunInfo]:
    """The same list with what changed in those that run, or began to."""
    from harness.store.runs import run_info

    out = []
    for run in runs:
        if run.state == "running" or not run.path.exists():
            if run.path.exists():
                out.append(run_info(run.path))
            continue
        out.append(run)
    return out


def _word(run: RunInfo) -> str:
    from harness.store.runs import state_word

    word = state_word(run)
    return word if word in RUN_STATES else "interrupted"  # of a newer version


def _words(run: RunInfo) -> Words:
    return words_of(f"{run.run_id} {run.model} {run.name}", [*run.suites, _word(run)])
