"""How the command line starts the interface: an exit code comes back, or what went wrong."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from tui.app import ProctorApp
from tui.screens.base import ProctorScreen


def run_home() -> int:
    """All runs."""
    from harness.store.run_folder import default_runs_dir
    from tui.screens.home import HomeScreen

    return asyncio.run(_run(lambda: HomeScreen(default_runs_dir())))


def run_view(folder: Path) -> int:
    """Watch a run folder, whether a runner works on it or not. Raises ProctorError."""
    return asyncio.run(watch(folder))


def run_replay(target: Path, sample: str | None = None, speed: float | None = None) -> int:
    """Replay a run folder or a transcript file; with a speed it plays from the start at once.

    Raises ProctorError.
    """
    from tui.screens.replay import ReplayScreen

    screen = ReplayScreen(target, sample, speed)  # what is wrong is said before the screen changes
    return asyncio.run(_run(lambda: screen))


async def watch(folder: Path) -> int:
    """``run_view`` in the loop that runs. Raises ProctorError."""
    from tui.screens.human import run_screen

    screen = run_screen(folder)
    return await _run(lambda: screen)


async def _run(first: Callable[[], ProctorScreen]) -> int:
    app = ProctorApp(first)
    try:
        await app.run_async()
    finally:
        app.stop_listening()
    if app.failure is not None:
        raise app.failure
    return app.return_code or 0
