"""Runs on disk, and an app whose clock stands still."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.tui.recorded import BEGAN, make_run
from tests.tui.screens import heard
from tui.app import ProctorApp
from tui.keys import OrderedKeys
from tui.screens.base import ProctorScreen


class Clock:
    """Seconds that pass when told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def _still(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setenv("TEXTUAL_ANIMATIONS", "none")
    monkeypatch.delenv("NO_COLOR", raising=False)


@pytest.fixture(autouse=True)
def _keys_are_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    """``Pilot.press`` alone waits for a moment without work: on a loaded machine that comes while
    keys are still on their way."""
    press = Pilot.press

    async def patient(pilot: Pilot[Any], *keys: str) -> None:
        await press(pilot, *keys)
        if isinstance(pilot.app, OrderedKeys):
            await heard(pilot.app)

    monkeypatch.setattr(Pilot, "press", patient)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run folder of six samples, see ``recorded``."""
    root = tmp_path / "runs"
    root.mkdir()
    return make_run(root)


@pytest.fixture
def clock() -> Clock:
    return Clock()


AppMaker = Callable[..., ProctorApp]


@pytest.fixture
def app(clock: Clock) -> Iterator[AppMaker]:
    """Makes an app of a screen, with the clock that stands still."""

    def make(first: Callable[[], ProctorScreen], theme: str | None = None) -> ProctorApp:
        return ProctorApp(first, clock=clock, now=lambda: BEGAN + timedelta(minutes=5), theme=theme)

    yield make
