"""Past and running runs as a list: sorted, searched, one line each; deleting and renaming."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from harness.errors import ProctorError, StorageError
from harness.report.table import interval, percent
from harness.store import layout
from harness.store.atomic import write_atomic
from harness.store.lock import FolderLock
from harness.store.runs import RunInfo, list_runs, run_info
from harness.store.sessions import SessionFiles
from harness.store.summary import read_summary
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
    name = max(0, left // 2 - 2) if wide else 0
    return {**sizes, "model": max(8, left - name - (2 if name > 4 else 0)), "name": name}


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


def delete_run(path: Path) -> None:
    """Delete a run folder that nobody works on. Raises ConflictError, StorageError."""
    lock = FolderLock(path)
    lock.acquire()
    # Renamed first: whoever looks at the list meanwhile sees a run whole, or not at all.
    doomed = path.with_name(f".deleted-{path.name}-{secrets.token_hex(3)}")
    try:
        path.rename(doomed)
    except OSError as error:
        raise StorageError(f"cannot be deleted: {error.strerror}", where=str(path)) from error
    finally:
        lock.release()
    shutil.rmtree(doomed, ignore_errors=True)
    if doomed.exists():
        raise StorageError("could not be deleted whole", where=str(doomed))


def note_of(path: Path) -> tuple[str, str]:
    """Name and note of a run, empty when there are none."""
    try:
        sessions = SessionFiles(path)
        launch = sessions.read(sessions.numbers()[-1]).launch
    except (ProctorError, IndexError):
        return "", ""
    return launch.name, launch.note


def rename_run(path: Path, name: str, note: str) -> None:
    """Write name and note where the latest session keeps them. Raises StorageError."""
    sessions = SessionFiles(path)
    numbers = sessions.numbers()
    if not numbers:
        raise StorageError("the run has no session", where=str(path))
    info = sessions.read(numbers[-1])
    launch = info.launch.model_copy(update={"name": name, "note": note})
    sessions.write(info.model_copy(update={"launch": launch}))
    summary = read_summary(path)
    if summary is not None:
        content = summary.model_copy(update={"name": name}).model_dump_json(indent=1)
        write_atomic(path / layout.SUMMARY, content.encode() + b"\n", sync=False)


def _text(run: RunInfo) -> str:
    word = RUN_STATES[run.state].word
    return f"{run.run_id} {' '.join(run.suites)} {run.model} {run.name} {word}".lower()
