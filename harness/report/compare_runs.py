"""Comparisons of run folders."""

from __future__ import annotations

from pathlib import Path

from harness.report.compare import Comparison, Side, compare
from harness.store.run_folder import RunFolder


def compare_folders(a: Path, b: Path) -> Comparison:
    """Compare two run folders as they are now. Raises ProctorError when one cannot be read."""
    return compare(_side(a), _side(b))


def _side(path: Path) -> Side:
    folder = RunFolder.open(path)
    verdicts = {key: entry.verdict for key, entry in folder.index.entries.items()}
    return Side(folder.run_id, folder.plan, verdicts)
