"""How the command line starts the interface: an exit code comes back, or what went wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tui.app import ProctorApp
from tui.screens.base import ProctorScreen


def run_replay(target: Path, sample: str | None = None) -> int:
    """Replay a run folder or a transcript file. Raises ProctorError."""
    from tui.screens.replay import ReplayScreen

    screen = ReplayScreen(target, sample)  # what is wrong is said before the screen changes
    return _run(lambda: screen)


def _run(first: Callable[[], ProctorScreen]) -> int:
    app = ProctorApp(first)
    app.run()
    if app.failure is not None:
        raise app.failure
    return app.return_code or 0


def run_home() -> int:
    """All runs. Raises what the interface fell over."""
    from harness.store.run_folder import default_runs_dir
    from tui.screens.home import HomeScreen

    return _run(lambda: HomeScreen(default_runs_dir()))


def run_view(folder: Path) -> int:
    """Watch a run folder, whether a runner works on it or not. Raises ProctorError."""
    from tui.screens.run import RunScreen

    screen = RunScreen(folder)
    return _run(lambda: screen)
