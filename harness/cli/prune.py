"""``proctor runs --prune``: shows what would go and how much it holds, asks, deletes."""

from __future__ import annotations

import sys
from datetime import UTC, datetime

import click

from harness.cli.common import emit_json, run_folders, said
from harness.errors import ExitCode, ProctorError, UsageError
from harness.words import counted


def prune_runs(
    older_than: str | None, failed: bool, keep: int | None, *, yes: bool, as_json: bool
) -> int:
    """Delete the runs that meet all conditions; returns the exit code. Raises UsageError."""
    from harness.cli.runs import words
    from harness.state.sanitize import safe_line
    from harness.store.prune import age_of, delete_run, folder_bytes, parse_age, to_prune
    from harness.store.runs import run_info, state_word

    age = None if older_than is None else parse_age(older_than)
    runs = [run_info(path) for path in run_folders()]
    now = datetime.now(UTC)
    chosen = to_prune(runs, now=now, older_than=age, failed=failed, keep=keep)
    sizes = {run.run_id: folder_bytes(run.path) for run in chosen}
    rows = [{"run": r.run_id, "folder": str(r.path), "bytes": sizes[r.run_id]} for r in chosen]
    if not chosen:
        if as_json:
            emit_json({"runs": [], "bytes": 0, "deleted": 0, "problems": []})
        else:
            said(f"no run of {len(runs)} meets this; nothing was deleted")
        return int(ExitCode.OK)
    for run in chosen:
        days = counted((now - age_of(run)).days, "day")
        size = megabytes(sizes[run.run_id])
        facts = f"{size:>9}  {days:>9} old  {state_word(run)}, {words(run)}"
        said(safe_line(f"{run.run_id}  {facts}"))
    said(f"{counted(len(chosen), 'run')} of {len(runs)}, {megabytes(sum(sizes.values()))} in all")
    if not _agreed(yes, as_json, len(chosen)):
        said("nothing was deleted")
        return int(ExitCode.OK)
    problems = []
    for run in chosen:
        try:
            delete_run(run.path)
        except ProctorError as error:  # it was taken up meanwhile, or cannot be written
            problems.append(str(error))
            said(f"kept: {error}")
    deleted = len(chosen) - len(problems)
    if as_json:
        total = sum(sizes.values())
        emit_json({"runs": rows, "bytes": total, "deleted": deleted, "problems": problems})
    else:
        said(f"{counted(deleted, 'run')} deleted")
    return int(ExitCode.INCOMPLETE if problems else ExitCode.OK)


def _agreed(yes: bool, as_json: bool, number: int) -> bool:
    if yes:
        return True
    if as_json or not sys.stdin.isatty():
        raise UsageError(
            "nobody can be asked here, so nothing was deleted", remedy="add --yes to delete these"
        )
    return click.confirm(f"Delete {counted(number, 'run')} for good?", default=False, err=True)


def megabytes(size: int) -> str:
    """``12.3 MiB``."""
    return f"{size / (1 << 20):.1f} MiB"
