"""What commands tell of a run folder: state, counts, scores; read with the folder's own parts."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.cli.common import said
from harness.errors import ProctorError
from harness.events.run import SampleFinished
from harness.outcome import is_final
from harness.report.scores import Summary, summarise
from harness.store import layout
from harness.store.runs import run_info, state_word
from harness.store.transcript import read_run_log

if TYPE_CHECKING:
    from harness.store.run_folder import RunFolder


def unscored_endings(folder: Path) -> list[SampleFinished]:
    """The last ending of each sample that has no score."""
    last: dict[str, SampleFinished] = {}
    for event in _run_events(folder):
        if isinstance(event, SampleFinished):
            if is_final(event.verdict):
                last.pop(event.sample, None)
            else:
                last[event.sample] = event
    return list(last.values())


def summary_of(folder: RunFolder, redux: str | None = None) -> Summary:
    """Scores of a run as they stand now. ``redux``: labels to use in place of the launch's."""
    return summarise(
        folder.records(),
        folder.plan,
        unscored=unscored_endings(folder.path),
        run_id=folder.run_id,
        faulty=_faulty(folder, redux),
    )


def _faulty(folder: RunFolder, redux: str | None) -> frozenset[str] | None:
    """Tasks of mmlu that are labelled faulty; labels or data that are gone are told, for the
    other scores stand without them."""
    labels = redux or folder.launch.redux
    suite = next((s for s in folder.plan.suites if s.name == "mmlu"), None)
    if labels is None or suite is None:
        return None
    from harness.report.redux import faulty_ids

    try:
        return faulty_ids(Path(labels), suite, folder.launch.data_of("mmlu"))
    except ProctorError as error:
        if redux is not None:
            raise
        said(f"warning: no score without mislabelled rows: {error}")
        return None


def state_of(folder: Path) -> str:
    """The run's state in the word that lists use."""
    return state_word(run_info(folder))


def _run_events(folder: Path) -> Iterable[Any]:
    path = folder / layout.RUN_LOG
    return read_run_log(path) if path.exists() else ()
