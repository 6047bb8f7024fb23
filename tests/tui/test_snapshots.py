"""Pictures of the screens; a change of one fails until it was looked at (--snapshot-update)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.tui.conftest import AppMaker
from tests.tui.recorded import make_run
from tests.tui.screens import settle
from tui.screens.home import HomeScreen
from tui.screens.replay import ReplayScreen
from tui.screens.run import RunScreen

Snap = Callable[..., bool]
Size = tuple[int, int]
SMALL, LARGE = (80, 24), (120, 40)


def keys(*pressed: str) -> Callable[[Pilot[Any]], Awaitable[None]]:
    """Press keys, then wait until everything stands still."""

    async def press(pilot: Pilot[Any]) -> None:
        await settle(pilot)
        for key in pressed:
            await pilot.press(key)
            await settle(pilot)

    return press


@pytest.mark.parametrize("theme", ["proctor-dark", "proctor-light"])
@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_replay(run: Path, app: AppMaker, snap_compare: Snap, size: Size, theme: str) -> None:
    made = app(lambda: ReplayScreen(run, "stockroom-csv"), theme)
    assert snap_compare(made, terminal_size=size, run_before=keys("0", "d"))


@pytest.mark.parametrize("theme", ["proctor-dark", "proctor-light"])
@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_run(run: Path, app: AppMaker, snap_compare: Snap, size: Size, theme: str) -> None:
    made = app(lambda: RunScreen(run), theme)
    assert snap_compare(made, terminal_size=size, run_before=keys("j"))


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_home(tmp_path: Path, app: AppMaker, snap_compare: Snap, size: Size) -> None:
    make_run(tmp_path)
    made = app(lambda: HomeScreen(tmp_path))
    assert snap_compare(made, terminal_size=size, run_before=keys())


@pytest.mark.parametrize("tab", ["2", "3", "4"])
def test_tabs(run: Path, app: AppMaker, snap_compare: Snap, tab: str) -> None:
    made = app(lambda: ReplayScreen(run, "stockroom-csv"), "proctor-contrast")
    assert snap_compare(made, terminal_size=(100, 30), run_before=keys(tab, "G"))


def test_help(run: Path, app: AppMaker, snap_compare: Snap) -> None:
    made = app(lambda: ReplayScreen(run))
    assert snap_compare(made, terminal_size=SMALL, run_before=keys("question_mark"))
