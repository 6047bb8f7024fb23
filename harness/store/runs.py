"""The runs in a folder, with the little that a list shows; quick for hundreds of runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from harness.errors import ProctorError
from harness.store import layout
from harness.store.labels import edited_name
from harness.store.lock import is_running
from harness.store.run_folder import RunFolder
from harness.store.summary import RunSummary, SuiteHeadline, read_summary, summarise_folder

# Summaries derived from what lies in a folder, with what they were derived at: a list that is
# renewed every few seconds reads such a folder once.
_DERIVED: dict[Path, tuple[tuple[int, int], RunSummary]] = {}
_KEPT = 512


@dataclass(frozen=True)
class RunInfo:
    """One line of a list of runs. ``problem`` is set when the folder cannot be read; the rest is
    then empty. without_score: samples tried that have no score yet. scores: one a suite, over
    tasks, as ``proctor show`` gives them."""

    run_id: str
    path: Path
    state: Literal["running", "complete", "interrupted", "unreadable"]
    suites: tuple[str, ...] = ()
    model: str = ""
    name: str = ""
    created: datetime | None = None
    planned: int = 0
    scored: int = 0
    resolved: int = 0
    without_score: int = 0
    ended: str | None = None
    problem: str | None = None
    scores: tuple[SuiteHeadline, ...] = ()


def list_runs(root: Path) -> Iterator[RunInfo]:
    """Runs under ``root``, newest first; a folder that is no run is passed over."""
    try:
        folders = sorted((p for p in root.iterdir() if p.is_dir()), reverse=True)
    except OSError:
        return
    for folder in folders:
        if (folder / layout.PLAN).exists():
            yield run_info(folder)


def run_info(folder: Path) -> RunInfo:
    """What a list shows of one run folder; never raises for what lies in it."""
    running = is_running(folder)
    summary = read_summary(folder)
    if summary is None or not (running or _up_to_date(summary, folder)):
        try:
            derived = _derive(folder)
            if summary is not None and summary.samples_bytes == derived.samples_bytes:
                # Of an older version: why it ended stands in the written one alone.
                derived = summary.model_copy(update={"scores": derived.scores})
            summary = derived
        except ProctorError as error:
            # A list names the folder already: what is wrong must not drown in its path.
            problem = f"{error.what} ({error.remedy})" if error.remedy else error.what
            return RunInfo(folder.name, folder, "unreadable", problem=problem)
    name = edited_name(folder)
    complete = summary.planned > 0 and summary.scored >= summary.planned
    return RunInfo(
        run_id=folder.name,
        path=folder,
        state="running" if running else "complete" if complete else "interrupted",
        suites=tuple(summary.suites),
        model=summary.model,
        name=summary.name if name is None else name,
        created=summary.created,
        planned=summary.planned,
        scored=summary.scored,
        resolved=summary.resolved,
        without_score=summary.without_score,
        ended=summary.ended,
        scores=tuple(summary.scores or ()),
    )


def state_word(run: RunInfo) -> str:
    """The one word for a run's state, everywhere: running, complete (every sample has a score),
    incomplete (all were tried, some have none), cancelled, failed, interrupted (also: the runner
    died), not started, unreadable."""
    if run.state != "interrupted":
        return run.state
    return unfinished_word(run.ended, begun=(run.path / layout.RUN_LOG).exists())


def unfinished_word(ended: str | None, *, begun: bool) -> str:
    """``state_word`` of a run that nobody works on and that has samples without a score."""
    if ended is None:
        return "interrupted" if begun else "not started"
    return "incomplete" if ended == "complete" else ended


def _run_folders(root: Path) -> list[Path]:
    try:
        return [p for p in root.iterdir() if (p / layout.PLAN).exists()]
    except OSError:
        return []


def _up_to_date(summary: RunSummary, folder: Path) -> bool:
    return summary.scores is not None and summary.samples_bytes == _size(folder)


def _size(folder: Path) -> int:
    try:
        return (folder / layout.SAMPLES).stat().st_size
    except OSError:
        return 0


def _derive(folder: Path) -> RunSummary:
    try:
        at = (_size(folder), (folder / layout.PLAN).stat().st_mtime_ns)
    except OSError:
        at = (-1, 0)  # gone: opening it says so
    known = _DERIVED.get(folder)
    if known is not None and known[0] == at:
        return known[1]
    run = RunFolder.open(folder)
    found = summarise_folder(
        run.run_id,
        run.plan,
        run.plan_digest,
        run.index,
        name=run.launch.name,
        created=run.sessions.read(1).created,
    )
    if len(_DERIVED) >= _KEPT:
        _DERIVED.clear()
    _DERIVED[folder] = (at, found)
    return found
