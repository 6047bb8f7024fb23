"""Reading a screen in tests."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from textual import events
from textual.pilot import Pilot
from textual.worker import WorkerCancelled

from tui.app import ProctorApp
from tui.keys import OrderedKeys

# Long enough for a box to be opened on a machine that has much else to do.
PATIENCE_S = 60.0


def text(app: ProctorApp) -> str:
    """What stands on the screen."""
    return "\n".join(
        "".join(segment.text for segment in strip).rstrip()
        for strip in app.screen._compositor.render_strips()
    )


def type_ahead(app: OrderedKeys, *keys: str) -> None:
    """All keys in one go, before any of them is looked at."""
    for key in keys:
        app.post_message(events.Key(key, key if len(key) == 1 else None))


async def heard(app: OrderedKeys) -> None:
    """Until all keys that were pressed have done what they do."""
    while app.hearing and app.is_running:
        await asyncio.sleep(0.005)


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
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        if true():
            return
        await pilot.pause(0.02)
    raise AssertionError(f"never happened: {what}\n{text(pilot.app)}")  # type: ignore[arg-type]
