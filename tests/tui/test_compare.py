"""Two runs side by side, and both transcripts of a task next to each other."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.errors import ProctorError
from tests.tui.conftest import AppMaker
from tests.tui.recorded import TASKS, make_run
from tests.tui.screens import settle, text, until
from tui.screens.choose import Choose
from tui.screens.compare import CompareScreen
from tui.screens.home import HomeScreen
from tui.screens.pair import PairScreen
from tui.widgets.block_list import BlockList
from tui.widgets.sample_pane import SamplePane


def without_the_first_solved(path: Path) -> Path:
    """The same run, but what was resolved is not."""
    log = path / "samples.jsonl"
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    for line in lines:
        line["verdict"] = "unresolved" if line["verdict"] == "resolved" else line["verdict"]
    log.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "two"
    root.mkdir()
    return root


@pytest.fixture
def runs(root: Path) -> tuple[Path, Path]:
    first = make_run(root, name="run-a")
    return first, without_the_first_solved(make_run(root, name="run-b"))


async def test_differences_come_first_and_noise_is_no_ranking(
    runs: tuple[Path, Path], app: AppMaker
) -> None:
    made = app(lambda: CompareScreen(*runs))
    async with made.run_test(size=(120, 30), notifications=True) as pilot:
        await settle(pilot)
        shown = text(made)
        assert "indistinguishable at this sample size" in shown
        assert "2 tasks paired: 50.0 % in the first run, 0.0 % in the second" in shown
        assert "2 tasks cannot show any difference, however large" in shown
        assert "resolves more" not in shown
        rows = [line for line in shown.splitlines() if any(task in line for task in TASKS)]
        assert len(rows) == 6
        assert "◀" in rows[0] and "stockroom-reorder-point" in rows[0]
        assert "✓ resolved" in rows[0] and "✗ unresolved" in rows[0]
        assert all("?" in row and row.count("∅ no score") == 2 for row in rows[1:5])
        assert "=" in rows[5] and "stockroom-csv-import" in rows[5]
        await pilot.press("a")
        await settle(pilot)
        assert "stockroom-csv-import" not in text(made)
        await pilot.press("x")
        await settle(pilot)
        assert "▶" in text(made) and "0.0 % in the first run, 50.0 % in the second" in text(made)
        await pilot.press("q")
    assert made.return_code == 0


async def test_enter_opens_both_transcripts(runs: tuple[Path, Path], app: AppMaker) -> None:
    made = app(lambda: CompareScreen(*runs))
    async with made.run_test(size=(160, 40), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(made.screen, PairScreen)
        panes = list(made.screen.query(SamplePane))
        assert [pane.display for pane in panes] == [True, True]
        assert text(made).count("Transcript") == 2
        assert made.screen.front == 0 and panes[0].has_focus_within
        await pilot.press("2")
        assert [pane.tab for pane in panes] == ["diff", "transcript"]
        await pilot.press("tab")
        await pilot.pause()
        assert made.screen.front == 1
        await pilot.press("3", "tab", "1")
        await pilot.press("right_curly_bracket")
        await settle(pilot)
        assert [pane.tab for pane in panes] == ["transcript", "transcript"]
        await pilot.press("L")
        await settle(pilot)
        assert "2/6" in text(made)
        await pilot.press("H", "H")
        await settle(pilot)
        assert "6/6" in text(made)
        await pilot.press("q")
        await settle(pilot)
        assert isinstance(made.screen, CompareScreen)


async def test_a_narrow_terminal_shows_one_at_a_time(
    runs: tuple[Path, Path], app: AppMaker
) -> None:
    made = app(lambda: CompareScreen(*runs))
    async with made.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        rows = [line for line in text(made).splitlines() if "stockroom-reorder" in line]
        assert len(rows) == 1 and "unresolved" in rows[0]
        await pilot.press("enter")
        await settle(pilot)
        panes = list(made.screen.query(SamplePane))
        assert [pane.display for pane in panes] == [True, False]
        await pilot.press("tab")
        await settle(pilot)
        assert [pane.display for pane in panes] == [False, True]
        assert panes[1].has_focus_within


async def test_search_in_a_pane_is_left_before_the_screen(
    runs: tuple[Path, Path], app: AppMaker
) -> None:
    made = app(lambda: CompareScreen(*runs))
    async with made.run_test(size=(160, 40), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        await pilot.press("slash", *"reorder", "enter")
        await settle(pilot)
        await pilot.press("q")
        await settle(pilot)
        assert isinstance(made.screen, PairScreen)
        await pilot.press("q")
        await settle(pilot)
        assert isinstance(made.screen, CompareScreen)


async def test_runs_of_other_tasks_say_why_they_do_not_compare(
    runs: tuple[Path, Path], root: Path, app: AppMaker
) -> None:
    from harness.plan import Launch, TaskRef
    from harness.store.run_folder import RunFolder
    from tests.tui.recorded import make_plan

    plan = make_plan()
    (suite,) = plan.suites
    fewer = suite.model_copy(update={"tasks": (*suite.tasks[:3], TaskRef(id="x", digest="1" * 64))})
    other = RunFolder.create(root, plan.model_copy(update={"suites": (fewer,)}), Launch())
    made = app(lambda: CompareScreen(runs[0], other.path))
    async with made.run_test(size=(100, 30), notifications=True) as pilot:
        await settle(pilot)
        assert "not comparable" in text(made)
        assert "3 tasks are only in the first run" in text(made)
        await pilot.press("enter")
        await settle(pilot)
        assert "This run has no transcript of it." in text(made)


async def test_a_run_that_is_gone_is_said(runs: tuple[Path, Path], app: AppMaker) -> None:
    made = app(lambda: CompareScreen(runs[0], runs[0] / "nothing"))
    async with made.run_test(size=(100, 30), notifications=True) as pilot:
        await settle(pilot)
        assert "They cannot be compared." in text(made)
        await pilot.press("enter", "a", "x", "y")
        await settle(pilot)
        assert made.is_running
    with pytest.raises(ProctorError):
        PairScreen(runs[0], runs[0] / "nothing", [], 0)


async def test_home_asks_which_run_to_compare_with(
    runs: tuple[Path, Path], root: Path, app: AppMaker
) -> None:
    made = app(lambda: HomeScreen(root))
    async with made.run_test(size=(120, 30), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("c")
        await until(pilot, lambda: isinstance(made.screen, Choose), "the question")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(made.screen, CompareScreen), "the comparison")
        await settle(pilot)
        assert "indistinguishable" in text(made)
        assert len(made.screen.query_one("#pairs", BlockList).blocks) == 6


async def test_with_one_run_there_is_nothing_to_compare_with(root: Path, app: AppMaker) -> None:
    make_run(root)
    made = app(lambda: HomeScreen(root))
    async with made.run_test(size=(120, 30), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("c")
        await pilot.pause(0.2)
        assert "There is no other run" in text(made)
