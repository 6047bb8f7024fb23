"""The replay, driven by keys."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.errors import ProctorError
from tests.tui.conftest import AppMaker, Clock
from tests.tui.screens import settle, text, until
from tests.tui.shots import QUIZ, make_shots
from tui.app import ProctorApp
from tui.model.timeline import Timeline
from tui.screens.replay import ReplayScreen
from tui.widgets.sample_pane import SamplePane
from tui.widgets.transport import clock as as_clock


def timeline(app: ProctorApp) -> Timeline:
    screen = app.screen
    assert isinstance(screen, ReplayScreen) and screen.source is not None
    return screen.source.timeline


async def test_it_opens_with_the_verdict_in_view(run: Path, app: AppMaker) -> None:
    made = app(lambda: ReplayScreen(run))
    async with made.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        shown = text(made)
        assert "Replay  stockroom-reorder-point@1  ✓ resolved" in shown
        assert "Graded: resolved" in shown and "■ at the end" in shown and "31/31" in shown


async def test_the_keys_of_the_transport(run: Path, app: AppMaker, clock: Clock) -> None:
    made = app(lambda: ReplayScreen(run))
    async with made.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("0")
        assert timeline(made).position == 0
        await pilot.press("l", "right", "h")
        assert timeline(made).position == 1
        await pilot.press("full_stop", "full_stop", "comma")
        assert timeline(made).turn == 1
        await pilot.press("e")
        assert (
            made.screen.query_one(SamplePane).source.rows.kind(  # type: ignore[union-attr]
                timeline(made).position - 1
            )
            == "retry"
        )
        await pilot.press("d")
        assert "edit_replace stockroom/orders.py" in text(made)
        await pilot.press("V")
        assert "Graded: resolved" in text(made)
        await pilot.press("V", "V")
        await pilot.pause()
        assert "There is no verdict after this place." in text(made)
        await pilot.press("dollar_sign")
        assert timeline(made).at_end
        await pilot.press("greater_than_sign", "greater_than_sign", "less_than_sign", "w")
        assert timeline(made).speed == 2.0 and not timeline(made).skip_waiting
        assert "real time" in text(made) and "2x" in text(made)


async def test_playing_shows_events_as_time_passes(run: Path, app: AppMaker, clock: Clock) -> None:
    made = app(lambda: ReplayScreen(run))
    async with made.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("space")
        assert timeline(made).playing and "▶ playing" in text(made)
        clock.now += 0.05
        await until(pilot, lambda: timeline(made).position >= 3, "the first events")
        assert "Turn 1" not in text(made)
        clock.now += 2.0
        await until(pilot, lambda: "Turn 1" in text(made), "the first reply")
        await pilot.press("space")
        assert not timeline(made).playing and "‖ paused" in text(made)


async def test_going_to_a_place(run: Path, app: AppMaker) -> None:
    made = app(lambda: ReplayScreen(run))
    async with made.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("colon", *"turn", "space", "3", "enter")
        await settle(pilot)
        assert timeline(made).turn == 3
        await pilot.press("colon", *"nowhere", "enter")
        await settle(pilot)
        assert timeline(made).turn == 3 and "no such place: nowhere" in text(made)
        await pilot.click("#transport", offset=(30, 0))
        assert timeline(made).position < 12


async def test_tree_and_difference_follow_the_position(run: Path, app: AppMaker) -> None:
    made = app(lambda: ReplayScreen(run))
    async with made.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("2")
        await settle(pilot)
        assert "import math" in text(made) and "+3" in text(made)
        await pilot.press("0")
        await settle(pilot)
        assert "No file differs from the starting tree." in text(made)
        await pilot.press("d")
        await settle(pilot)
        assert "math.ceil" in text(made) and "import math" not in text(made)
        await pilot.press("4", "down", "down")
        await settle(pilot)
        shown = text(made)
        assert "~ stockroom/orders.py" in shown and "math.ceil" in shown
        assert "import math" not in shown
        await pilot.press("dollar_sign")
        await settle(pilot)
        assert "import math" in text(made)


async def test_tests_raw_and_info(run: Path, app: AppMaker) -> None:
    made = app(lambda: ReplayScreen(run, "stockroom-csv"))
    async with made.run_test(size=(120, 90), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("3")
        await settle(pilot)
        assert "(fail_to_pass): 0 of 2 passed" in text(made) and "NameError" in text(made)
        await pilot.press("5", "g", "enter")
        await settle(pilot)
        assert '"type": "attempt_started"' in text(made)
        await pilot.press("6")
        await settle(pilot)
        assert "qwen2.5-coder-7b-q5_k_m.gguf" in text(made)


async def test_search_marks_jumps_and_ends(run: Path, app: AppMaker) -> None:
    made = app(lambda: ReplayScreen(run))
    async with made.run_test(size=(120, 30), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("slash", *"safety stock")
        await settle(pilot)
        assert "1 of 1" in text(made) and "the safety stock is ignored" in text(made)
        await pilot.press("enter", "slash", *(["backspace"] * 12), *"math", "enter")
        await settle(pilot)
        first = text(made)
        await pilot.press("n")
        await settle(pilot)
        assert text(made) != first
        await pilot.press("N")
        await settle(pilot)
        assert text(made) == first
        await pilot.press("q")  # ends the search before it leaves
        await settle(pilot)
        assert made.is_running and not made.screen.query_one(SamplePane).searching


async def test_a_hit_inside_of_what_is_folded_is_opened(run: Path, app: AppMaker) -> None:
    made = app(lambda: ReplayScreen(run))
    async with made.run_test(size=(120, 30), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("slash", *"who calls it")
        await settle(pilot)
        assert "▾ reasoning" in text(made) and "calls it." in text(made)


async def test_folding_reasoning_and_filtering(run: Path, app: AppMaker) -> None:
    made = app(lambda: ReplayScreen(run))
    async with made.run_test(size=(120, 60), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("g", "r")
        assert "Then I can change the formula." in text(made)
        await pilot.press("r")
        assert "Then I can change the formula." not in text(made)
        await pilot.press("F", *"edits", "enter")
        await settle(pilot)
        assert "only edits" in text(made) and "Turn 1" not in text(made)
        await pilot.press("F", "enter")
        await settle(pilot)
        await pilot.press("g")
        assert "only edits" not in text(made) and "Turn 1" in text(made)


async def test_turns_forward_and_back(run: Path, app: AppMaker) -> None:
    made = app(lambda: ReplayScreen(run))
    async with made.run_test(size=(120, 20), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("g", "right_square_bracket", "right_square_bracket")
        lines = text(made).split("\n")
        assert lines[2].startswith("▌ Turn 2")
        await pilot.press("left_square_bracket")
        assert text(made).split("\n")[2].startswith("▌ Turn 1")


async def test_other_samples(run: Path, app: AppMaker) -> None:
    made = app(lambda: ReplayScreen(run))
    async with made.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("L")
        await settle(pilot)
        assert "stockroom-csv-import@1  ✗ unresolved" in text(made)
        await pilot.press("H", "t", *"leap", "enter")
        await settle(pilot)
        assert "almanac-leap-week@1  ∅ no score" in text(made)
        assert "connection refused" in text(made)


async def test_an_attempt_without_an_end_says_so(run: Path, app: AppMaker) -> None:
    made = app(lambda: ReplayScreen(run, "ledger-round-half@1"))
    async with made.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        assert "the recording ends without a verdict" in text(made)


def test_what_cannot_be_replayed_is_said_before_the_screen_changes(
    run: Path, tmp_path: Path
) -> None:
    for target, sample in ((tmp_path / "gone", None), (run, "nobody"), (run, "stock")):
        with pytest.raises(ProctorError):
            ReplayScreen(target, sample)


async def test_a_torn_and_a_damaged_file(run: Path, tmp_path: Path, app: AppMaker) -> None:
    whole = (run / "transcripts/stockroom-reorder-point@1/attempt-1.jsonl").read_bytes()
    lines = whole.split(b"\n")
    lines[3] = b"\x00\xff not json"
    path = tmp_path / "alone.jsonl"
    path.write_bytes(b"\n".join(lines[:12]) + b'\n{"seq":13,"ty')
    made = app(lambda: ReplayScreen(path))
    async with made.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        shown = text(made)
        assert "1 damaged line" in shown and "12/12" in shown
        await pilot.press("2")
        await settle(pilot)
        assert made.is_running


async def test_an_empty_file(tmp_path: Path, app: AppMaker) -> None:
    path = tmp_path / "empty.jsonl"
    path.write_bytes(b"")
    made = app(lambda: ReplayScreen(path))
    async with made.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        for key in ("space", "l", "h", "0", "dollar_sign", "e", "full_stop", "j", "k", "G", "enter",
                    "y", "2", "3", "4", "5", "6", "o", "r"):  # fmt: skip
            await pilot.press(key)
        await settle(pilot)
        assert "Nothing is known" in text(made) or made.is_running


def test_the_clock_is_readable() -> None:
    assert as_clock(4.25) == "0:04.2" and as_clock(754) == "12:34" and as_clock(3723) == "1:02:03"


async def test_a_mark_that_a_recording_has_not_is_told(tmp_path: Path, app: AppMaker) -> None:
    made = app(lambda: ReplayScreen(make_shots(tmp_path, QUIZ)))
    async with made.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("e")
        await settle(pilot)
        assert "There is no error in this recording." in text(made)
