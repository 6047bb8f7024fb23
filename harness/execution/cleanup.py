"""What surrounds a session: mending what a kill left open, proving that no box is left."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress

from harness.errors import StorageError
from harness.events.run import RunNotice, SampleFinished
from harness.execution.faults import error_info
from harness.sandbox.protocol import Provider
from harness.store.run_folder import RunFolder
from harness.suites.protocol import Suite

# Looks at the inventory before giving up on two empty ones in a row.
_LOOKS = 4


def tell_missing_ends(folder: RunFolder) -> None:
    """Tell of samples whose record was stored when a kill came before their event."""
    for key in set(folder.index.entries) - folder.history.scored:
        record = folder.index.read(key)
        folder.run_log.append(
            SampleFinished(
                sample=key,
                suite=record.suite,
                task_id=record.task_id,
                epoch=record.epoch,
                attempt=record.attempt,
                verdict=record.verdict,
                stop_reason=record.stop_reason,
                grade_status=record.grade_status,
                partial=record.partial,
                usage=record.usage,
                seconds=record.timings.get("total", 0.0),
                error=record.error,
                transcript=record.transcript,
            )
        )


async def prove_clean(
    folder: RunFolder,
    suites: dict[str, Suite],
    provider: Provider | None,
    tell: Callable[[RunNotice], object],
) -> bool:
    """Close the suites' pools, remove what is left of this run's boxes; True when the inventory
    then was empty twice in a row."""

    async def tried(what: str, work: Awaitable[list[str] | None]) -> tuple[bool, list[str] | None]:
        try:
            return True, await work
        except Exception as error:  # a failing clean-up must not hide how the run ended; it is told
            with suppress(StorageError):
                tell(RunNotice(level="error", text=f"{what}: {error_info(error).message}"))
            return False, None

    proven = True
    for suite in suites.values():
        closed, _ = await tried(f"closing {suite.name}", suite.close())
        proven = proven and closed
    empty = 0
    for _ in range(_LOOKS if provider is not None else 0):
        assert provider is not None
        looked, found = await tried(
            "looking for leftover boxes", provider.clean(run_id=folder.run_id)
        )
        if not looked:
            return False
        empty = 0 if found else empty + 1
        if empty == 2:
            return proven
    return proven and provider is None
