"""The request of a turn as a curl command, from the interface."""

from __future__ import annotations

from pathlib import Path

from tests.tui.conftest import AppMaker
from tests.tui.screens import settle, until
from tui.screens.replay import ReplayScreen
from tui.screens.run import RunScreen
from tui.widgets.sample_pane import SamplePane


async def test_a_turn_gives_its_request(run: Path, app: AppMaker) -> None:
    made = app(lambda: RunScreen(run))
    async with made.run_test(size=(130, 40), notifications=True) as pilot:
        await settle(pilot)
        pane = made.screen.query_one(SamplePane)
        pane.focus_content()
        pane.action_turn(1)
        await settle(pilot)
        await pilot.press("C")
        await until(pilot, lambda: "curl -sS" in made.clipboard, "the request")
        assert "http://127.0.0.1:8080/v1/chat/completions" in made.clipboard
        assert "safety days" in made.clipboard  # the conversation is in its body


async def test_a_prompt_has_no_request(run: Path, app: AppMaker) -> None:
    made = app(lambda: ReplayScreen(run))
    async with made.run_test(size=(130, 40), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("g")
        await settle(pilot)
        await pilot.press("C")
        await until(pilot, lambda: bool(list(made._notifications)), "a word about it")
        assert "no request" in list(made._notifications)[-1].message
        assert made.clipboard == ""
