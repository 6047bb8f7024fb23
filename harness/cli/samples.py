"""Samples of a run by name, and the events of their last attempt."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from harness.errors import UsageError
from harness.ids import sample_key
from harness.store.transcript import read_transcript

if TYPE_CHECKING:
    from harness.store.run_folder import RunFolder


def planned_keys(folder: RunFolder) -> list[str]:
    """Keys of all planned samples."""
    plan = folder.plan
    return [
        sample_key(task.id, epoch)
        for epoch in range(1, plan.epochs + 1)
        for suite in plan.suites
        for task in suite.tasks
    ]


def sample_keys(folder: RunFolder) -> list[str]:
    """Keys of the samples that have a transcript, in planned order."""
    records = folder.records()
    return [key for key in planned_keys(folder) if key in records or folder.attempts(key)]


def choose_sample(folder: RunFolder, text: str) -> str:
    """The key that ``text`` names: a key, a task's id (with ``#2`` for an epoch), or a unique
    beginning of a key. Raises UsageError."""
    keys = planned_keys(folder)
    if text in keys:
        return text
    task, _, epoch = text.replace("#", "@").partition("@")
    if epoch.isdecimal() or (not epoch and folder.plan.epochs == 1):
        own = sample_key(task, int(epoch or 1))  # of a task's own id, as tables show it
        if own in keys:
            return own
    matching = [key for key in keys if key.startswith(text)]
    if len(matching) == 1:
        return matching[0]
    if not matching:
        raise UsageError(
            f"the run has no sample {text!r}",
            where=str(folder.path),
            remedy=f"its samples begin with: {', '.join(keys[:3])}",
        )
    raise UsageError(
        f"{text!r} is the beginning of {len(matching)} samples",
        where=", ".join(matching[:3]),
        remedy="give more of the key",
    )


def attempt_events(folder: RunFolder, key: str) -> Iterable[Any]:
    """Events of the attempt that counts, of the last one where none does. Raises UsageError."""
    ref = folder.transcript_of(key)
    if ref is None:
        raise UsageError(
            f"sample {key} has no transcript yet", where=str(folder.path), remedy="it has not run"
        )
    return read_transcript(folder.transcript_path(ref), ref.offset, ref.length)
