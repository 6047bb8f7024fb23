"""Habits: help, palette, themes, sizes, leaving."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets._toast import Toast

from harness.store.lock import FolderLock
from tests.tui.conftest import AppMaker
from tests.tui.recorded import make_run
from tests.tui.screens import heard, settle, text, type_ahead, until
from tests.tui.shots import QUIZ, make_shots
from tui.outside import copy_out
from tui.screens.help import Help
from tui.screens.home import HomeScreen
from tui.screens.replay import ReplayScreen
from tui.screens.run import RunScreen
from tui.theme import Palette, themes
from tui.widgets.block_list import BlockList
from tui.widgets.find_bar import FindBar
from tui.widgets.sample_pane import SamplePane


async def test_help_shows_the_keys_of_where_one_is(run: Path, app: AppMaker) -> None:
    made = app(lambda: ReplayScreen(run))
    async with made.run_test(size=(120, 60), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("question_mark")
        await settle(pilot)
        assert isinstance(made.screen, Help)
        shown = text(made)
        assert "next turn" in shown and "play, pause" in shown and "resume the run" not in shown
        await pilot.press("q")
        await settle(pilot)
        assert isinstance(made.screen, ReplayScreen)


async def test_help_has_no_key_that_does_nothing_here(tmp_path: Path, app: AppMaker) -> None:
    shots = [shot for shot in QUIZ if shot.grade]
    made = app(lambda: RunScreen(make_shots(tmp_path, shots)))
    async with made.run_test(size=(120, 90), notifications=True) as pilot:
        await settle(pilot)
        for pane in (False, True):
            if pane:
                await pilot.press("tab")
            await pilot.press("question_mark")
            await settle(pilot)
            shown = text(made)
            assert "all scores of the run" in shown and "next sample" in shown
            assert ("Tests" in shown.replace("3 Tests", "")) is pane
            nothing = ("cancel sample", "cancel run", "pause or go on", "resume the run")
            for words in (*nothing, "follow what is active", "pin this sample", " Diff", " Files"):
                assert words not in shown, words
            await pilot.press("q")
            await settle(pilot)


async def test_keys_that_a_run_needs_are_told_where_it_is_narrow(
    tmp_path: Path, app: AppMaker
) -> None:
    begun = make_run(tmp_path, name="begun", running=True)
    for path, running in ((make_shots(tmp_path, QUIZ), False), (begun, True)):
        lock = FolderLock(path)
        if running:
            lock.acquire()
        made = app(lambda path=path: RunScreen(path))
        async with made.run_test(size=(80, 24), notifications=True) as pilot:
            await settle(pilot)
            for _ in ("list", "transcript"):
                bar = text(made).splitlines()[-1]
                assert ("ctrl+r resume" in bar) is not running, bar
                assert "m scores" in bar and ("x cancel" in bar) is running, bar
                await pilot.press("tab")
                await settle(pilot)
        if running:
            lock.release()


async def test_the_palette_has_nothing_twice(run: Path, app: AppMaker) -> None:
    for first in (lambda: RunScreen(run), lambda: ReplayScreen(run)):
        made = app(first)
        async with made.run_test(size=(120, 40)) as pilot:
            await settle(pilot)
            titles = [command.title for command in made.get_system_commands(made.screen)]
            assert "Back" in titles and "First" in titles and len(set(titles)) == len(titles)


async def test_the_palette_has_every_key(run: Path, app: AppMaker) -> None:
    made = app(lambda: ReplayScreen(run))
    async with made.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+p", *"to the start")
        await settle(pilot)
        await pilot.press("down", "enter")
        await settle(pilot)
        screen = made.screen
        assert isinstance(screen, ReplayScreen) and screen.source is not None
        assert screen.source.timeline.position == 0


async def test_themes_change_with_a_key(run: Path, app: AppMaker) -> None:
    made = app(lambda: ReplayScreen(run))
    async with made.run_test(size=(100, 30), notifications=True) as pilot:
        await settle(pilot)
        seen = [made.theme]
        for _ in range(3):
            await pilot.press("T")
            await settle(pilot)
            seen.append(made.theme)
        assert len(set(seen)) == 3 and seen[0] == seen[3]


def contrast(one: str, two: str) -> float:
    def light(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    a, b = sorted((light(one), light(two)), reverse=True)
    return (a + 0.05) / (b + 0.05)


@pytest.mark.parametrize("theme", themes(), ids=lambda theme: theme.name)
def test_text_can_be_read_in_every_theme(theme: object) -> None:
    palette = Palette(theme.name)  # type: ignore[attr-defined]
    background = theme.background  # type: ignore[attr-defined]
    for role in ("text", "muted", "good", "bad", "warn", "path", "code.comment", "code.string"):
        colour = palette.style(role).color
        assert colour is not None and colour.name is not None
        assert contrast(colour.name, background) >= 4.5, role


async def test_without_colour_everything_is_still_said(
    run: Path, app: AppMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    made = app(lambda: RunScreen(run))
    async with made.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        shown = text(made)
        assert "✓ resolved" in shown and "✗ wrong answer" in shown and "∅ no score" in shown


async def test_ctrl_c_asks_once(run: Path, app: AppMaker) -> None:
    made = app(lambda: ReplayScreen(run))
    async with made.run_test(size=(100, 30), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+c")
        await pilot.pause()
        assert "Leave Proctor?" in text(made)
        await pilot.press("escape")
        await settle(pilot)
        assert made.is_running
        await pilot.press("ctrl+c", "ctrl+c")
        await settle(pilot)
    assert made.return_code == 130


@pytest.mark.parametrize("size", [(20, 5), (49, 24), (80, 11)])
async def test_too_small_a_window_says_so(run: Path, app: AppMaker, size: tuple[int, int]) -> None:
    made = app(lambda: RunScreen(run))
    async with made.run_test(size=size, notifications=True) as pilot:
        await settle(pilot)
        assert "Too small" in text(made)


@pytest.mark.parametrize("size", [(50, 12), (80, 24), (120, 40), (300, 80)])
async def test_every_size_from_there_on_works(
    run: Path, app: AppMaker, size: tuple[int, int]
) -> None:
    for first in (lambda: RunScreen(run), lambda: ReplayScreen(run)):
        made = app(first)
        async with made.run_test(size=size, notifications=True) as pilot:
            await settle(pilot)
            for key in ("enter", "1", "2", "3", "4", "5", "6", "1", "G", "g"):
                await pilot.press(key)
            await settle(pilot)
            assert "Too small" not in text(made) and "? help" in text(made)


async def test_a_storm_of_sizes_keeps_the_place(run: Path, app: AppMaker) -> None:
    made = app(lambda: ReplayScreen(run))
    async with made.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("g", "right_square_bracket", "right_square_bracket")
        shown = made.screen.query_one("#transcript", BlockList)
        before = shown.window.top[0]
        for width, height in ((60, 20), (200, 60), (50, 12), (90, 33), (300, 80), (120, 40)):
            await pilot.resize_terminal(width, height)
        await settle(pilot)
        assert shown.window.top[0] == before
        assert shown.cursor == before


async def test_scrolling_up_lets_go_of_the_end_and_g_takes_it_again(
    run: Path, app: AppMaker
) -> None:
    made = app(lambda: ReplayScreen(run))
    async with made.run_test(size=(100, 20), notifications=True) as pilot:
        await settle(pilot)
        shown = made.screen.query_one("#transcript", BlockList)
        shown.growing = shown.follow = True
        await pilot.press("k")
        assert not shown.follow
        await pilot.press("G")
        assert shown.follow
        await pilot.press("pageup")
        assert not shown.follow


async def test_the_mouse_scrolls_selects_and_opens(run: Path, app: AppMaker) -> None:
    made = app(lambda: ReplayScreen(run))
    async with made.run_test(size=(100, 30), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("g")
        shown = made.screen.query_one("#transcript", BlockList)
        line = next(y for y, row in enumerate(text(made).split("\n")) if "System prompt" in row)
        await pilot.click("#transcript", offset=(6, line - 2))
        await settle(pilot)
        assert shown.cursor == 1 and "You are a careful programmer." in text(made)
        await pilot.click("#tabs", offset=(19, 0))
        await settle(pilot)
        assert made.screen.query_one(SamplePane).tab == "diff"


async def test_copies_go_to_the_terminal_and_to_a_file(
    run: Path, app: AppMaker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    made = app(lambda: ReplayScreen(run))
    async with made.run_test(size=(100, 30), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("g", "j", "j", "y")
        await settle(pilot)
        assert made.clipboard.startswith("Orders are placed too late")
        assert "also in" in text(made)
        path = copy_out(made, "x" * 200_000, "much")
        assert path is not None and len(path.read_text()) == 200_000
        assert path.stat().st_mode & 0o077 == 0 or path.parent.stat().st_mode & 0o077 == 0
        await pilot.press("2", "c")
        await settle(pilot)
        assert made.clipboard == "stockroom/orders.py"
        await pilot.press("1", "Y")
        await settle(pilot)
        assert "Orders are placed" in made.clipboard and "test_rounds_up" in made.clipboard


async def test_keys_typed_ahead_go_through_dialogs_and_searches(run: Path, app: AppMaker) -> None:
    """All at once, as after a moment in which the machine was busy with something else."""
    made = app(lambda: ReplayScreen(run))
    async with made.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        type_ahead(made, "0", "colon", *"50%", "enter", "slash", *"formula", "enter", "n", "l")
        await heard(made)
        await settle(pilot)
        screen = made.screen
        assert isinstance(screen, ReplayScreen) and screen.source is not None
        assert screen.source.timeline.position == 18
        assert screen.pane.searching and screen.query_one(FindBar).text == "formula"


async def test_ctrl_c_overtakes_what_was_typed_before_it(run: Path, app: AppMaker) -> None:
    made = app(lambda: ReplayScreen(run))
    async with made.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        type_ahead(made, "colon", *["x"] * 50, "ctrl+c", "ctrl+c")
        await until(pilot, lambda: made.return_code is not None, "the end")
        assert made.return_code == 130


async def test_one_message_at_a_time_and_none_on_another_screen(run: Path, app: AppMaker) -> None:
    made = app(lambda: RunScreen(run))
    async with made.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        for _ in range(3):
            await pilot.press("s")
        await settle(pilot)
        assert len(made.screen.query(Toast)) == 1 and "sorted by" in text(made)
        await pilot.press("p")  # the replay
        await settle(pilot)
        assert not made.screen.query(Toast) and "sorted by" not in text(made)
        await pilot.press("n")
        await settle(pilot)
        assert "Nothing is searched for" in text(made)
        await pilot.press("q")
        await settle(pilot)
        assert not made.screen.query(Toast)


async def test_the_keys_below_a_question_are_those_that_answer_it(run: Path, app: AppMaker) -> None:
    made = app(lambda: HomeScreen(run.parent))
    async with made.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        bar = text(made).splitlines()[-1]
        assert all(word in bar for word in ("r resume", "e name", "d delete", "q quit"))
        await pilot.press("d")
        await settle(pilot)
        bar = text(made).splitlines()[-1]
        assert bar == " ← → choose  enter take it  y delete  esc never mind"
        await pilot.press("escape", "e")
        await settle(pilot)
        bar = text(made).splitlines()[-1]
        assert bar == " tab next field  enter keep  esc never mind"


@pytest.mark.parametrize(("value", "none"), [("1", True), ("", False)])
async def test_no_color_is_heeded_when_it_says_something(
    run: Path, app: AppMaker, monkeypatch: pytest.MonkeyPatch, value: str, none: bool
) -> None:
    monkeypatch.setenv("NO_COLOR", value)
    made = app(lambda: ReplayScreen(run))
    async with made.run_test(size=(100, 30), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("T")
        await settle(pilot)
        strips = made.screen._compositor.render_strips()
        styles = [segment.style for strip in strips for segment in strip if segment.style]
        coloured = [style for style in styles if style.color or style.bgcolor]
        assert not coloured if none else coloured
        assert ("NO_COLOR is set" in text(made)) is none
