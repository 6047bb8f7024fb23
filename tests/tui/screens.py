"""Reading a screen in tests."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from textual.pilot import Pilot
from textual.worker import WorkerCancelled

from tui.app import ProctorApp


def text(app: ProctorApp) -> str:
    """What stands on the screen."""
    return "\n".join(
        "".join(segment.text for segment in strip).rstrip()
        for strip in app.screen._compositor.render_strips()
    )


async def settle(pilot: Pilot[Any]) -> None:
    """Until workers are done and nothing is left to draw."""
    await pilot.pause()
    # Those without a group wait for an answer to a question.
    working = [worker for worker in pilot.app.workers if worker.group != "default"]
    if working:
        with suppress(WorkerCancelled):
            await pilot.app.workers.wait_for_complete(working)
    await pilot.pause()


async def until(pilot: Pilot[Any], true: Callable[[], bool], what: str = "") -> None:
    """Wait for something to become true; the test fails when it does not."""
    for _ in range(400):
        if true():
            return
        await pilot.pause(0.02)
    raise AssertionError(f"never happened: {what}\n{text(pilot.app)}")  # type: ignore[arg-type]
