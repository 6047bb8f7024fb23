"""How the command line starts the interface: an exit code comes back, or what went wrong."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

from tui.app import ProctorApp
from tui.screens.base import ProctorScreen


def run_home() -> int:
    """All runs."""
    from tui.screens.home import HomeScreen

    return asyncio.run(_run(HomeScreen))


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


def run_page() -> int:
    """All runs, in a page of ``run_serve``; ends when the server does, however that ends."""
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    return run_home()


def run_serve(
    host: str, port: int, public_url: str | None, tell: Callable[[str, bool], None]
) -> int:
    """The interface in a browser until Ctrl+C. Raises UsageError."""
    from tui.web.server import serve

    asyncio.run(serve(host, port, public_url, tell))
    return 0


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1.0)
    os.kill(os.getpid(), signal.SIGTERM)


def keep_what_is_loaded() -> None:
    """Modules and classes stay to the end: the garbage collector need not walk through all of
    them, for a twentieth of a second, while a key waits."""
    gc.freeze()


async def _run(first: Callable[[], ProctorScreen]) -> int:
    app = ProctorApp(first)
    keep_what_is_loaded()
    try:
        await app.run_async()
    finally:
        app.stop_listening()
    if app.failure is not None:
        raise app.failure
    return app.return_code or 0
