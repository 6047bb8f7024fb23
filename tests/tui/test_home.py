"""Home and the form for a new run."""

from __future__ import annotations

import os
import stat
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from harness.store.labels import read_labels
from harness.store.lock import FolderLock
from harness.store.runs import RunInfo
from harness.store.summary import SuiteHeadline
from tests.tui.conftest import AppMaker
from tests.tui.recorded import make_run
from tests.tui.screens import settle, text, until
from tui.commands import proctor
from tui.model.runs import RunBlocks
from tui.render.lines import cells, text_of
from tui.screens.home import HomeScreen
from tui.screens.new_run import NewRun
from tui.screens.replay import ReplayScreen
from tui.screens.run import RunScreen


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "many"
    root.mkdir()
    make_run(root, name="run-a")
    make_run(root, name="run-b")
    return root


async def test_without_runs_it_says_what_to_do(tmp_path: Path, app: AppMaker) -> None:
    made = app(lambda: HomeScreen(tmp_path / "nothing"))
    async with made.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        assert "No run yet." in text(made) and "n starts one here." in text(made)
        for key in ("enter", "p", "e", "d", "r", "s", "S", "R", "j", "k", "G"):
            await pilot.press(key)
        await settle(pilot)
        assert made.is_running and isinstance(made.screen, HomeScreen)


async def test_runs_are_listed_opened_and_come_back(root: Path, app: AppMaker) -> None:
    made = app(lambda: HomeScreen(root))
    async with made.run_test(size=(120, 30), notifications=True) as pilot:
        await settle(pilot)
        shown = text(made)
        assert "2 runs" in shown and shown.count("qwen2.5") == 2
        assert "(9.5 to 90.5 %)" in shown and "5 min ago" in shown
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(made.screen, RunScreen)
        await pilot.press("q")
        await settle(pilot)
        await pilot.press("p")
        await settle(pilot)
        assert isinstance(made.screen, ReplayScreen)
        await pilot.press("q", "q")
        await settle(pilot)
    assert made.return_code == 0


async def test_search_sort_and_order(root: Path, app: AppMaker) -> None:
    made = app(lambda: HomeScreen(root))
    async with made.run_test(size=(120, 30), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("slash", *"run-b", "enter")
        await settle(pilot)
        assert text(made).count("qwen2.5") == 1 and "1 match" in text(made)
        await pilot.press("q")  # clears the search first
        await settle(pilot)
        assert text(made).count("qwen2.5") == 2
        await pilot.press("s", "S")
        assert "by suite backwards" in text(made)


async def test_names_and_notes_are_edited_in_place(root: Path, app: AppMaker) -> None:
    made = app(lambda: HomeScreen(root))
    async with made.run_test(size=(120, 30), notifications=True) as pilot:
        await settle(pilot)
        folder = made.screen.chosen.path  # type: ignore[attr-defined]
        await pilot.press("e", *(["backspace"] * 9), *"[b]new", "enter", *"a note", "enter")
        await settle(pilot)
        assert read_labels(folder) == ("[b]new", "a note")
        await until(pilot, lambda: "[b]new" in text(made), "the new name")


async def test_deleting_asks_first(root: Path, app: AppMaker) -> None:
    made = app(lambda: HomeScreen(root))
    async with made.run_test(size=(120, 30), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("d", "enter")  # "never mind" has the focus
        await settle(pilot)
        assert len(list(root.iterdir())) == 2
        await pilot.press("d", "y")
        await settle(pilot)
        await until(pilot, lambda: "1 run" in text(made), "one run less")
        assert [p.name for p in root.iterdir() if not p.name.startswith(".")] in (
            ["run-a"],
            ["run-b"],
        )


async def test_a_run_at_work_is_not_deleted(root: Path, app: AppMaker) -> None:
    lock = FolderLock(root / "run-a")
    lock.acquire()
    made = app(lambda: HomeScreen(root))
    async with made.run_test(size=(120, 30), notifications=True) as pilot:
        await settle(pilot)
        assert "● 1 running" in text(made)
        shown = made.screen.blocks.shown  # type: ignore[attr-defined]
        at = next(i for i, run in enumerate(shown) if run.state == "running")
        await pilot.press(*(["j"] * at), "d")
        await settle(pilot)
        assert "Delete this run" not in text(made) and (root / "run-a").exists()
    lock.release()


async def test_a_folder_that_cannot_be_read_says_why(root: Path, app: AppMaker) -> None:
    (root / "run-a" / "plan.json").write_text('{"version":999}')
    made = app(lambda: HomeScreen(root))
    async with made.run_test(size=(140, 30), notifications=True) as pilot:
        await until(pilot, lambda: "! unreadable" in text(made), "the folder's state")
        assert "newer version" in text(made)
        shown = made.screen.blocks.shown  # type: ignore[attr-defined]
        at = next(i for i, run in enumerate(shown) if run.state == "unreadable")
        await pilot.press(*(["j"] * at), "enter")
        await settle(pilot)
        assert isinstance(made.screen, HomeScreen)


@pytest.fixture
def fake_doctor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An interpreter that answers as ``proctor doctor --json`` and ``run --json`` would."""
    said = tmp_path / "said"
    program = tmp_path / "python"
    program.write_text(
        f'#!/bin/sh\necho "$@" >> {said}\n'
        'case "$*" in *doctor*) echo \'{"suites":[{"name":"repos (python)","state":"runs here",'
        '"detail":"in docker"},{"name":"sacb","state":"refused","detail":"needs a file"}],'
        '"runtimes":[{"name":"docker","state":"ready","version":"29"}],"endpoints":[]}\';;'
        '*) echo \'{"error":{"what":"no task is chosen","where":"repos","remedy":"see list"}}\';'
        " exit 2;; esac\n"
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(sys, "executable", str(program))
    return said


async def test_the_form_starts_what_was_chosen_and_tells_what_was_wrong(
    root: Path, app: AppMaker, fake_doctor: Path
) -> None:
    made = app(lambda: HomeScreen(root))
    async with made.run_test(size=(120, 45), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("n")
        await until(pilot, lambda: "in docker" in text(made), "what doctor says")
        assert isinstance(made.screen, NewRun)
        assert "refused: needs a file" in text(made) and "To start: choose a suite" in text(made)
        await pilot.press("enter", "tab")
        await pilot.press("G", "enter")  # noop, the last one
        await settle(pilot)
        assert "proctor run repos --model noop" in text(made)
        await pilot.click("#new-start")
        await until(pilot, lambda: "no task is chosen" in text(made), "the error")
        assert "\\n" not in text(made) and "several parted by spaces" in text(made)
        rows = [row.strip() for row in text(made).splitlines()]
        at = rows.index("repos")
        assert rows[at : at + 3] == ["repos", "no task is chosen", "see list"]
        assert "run repos --model noop --detach --json" in fake_doctor.read_text()
        await pilot.press("escape")
        await settle(pilot)
        assert isinstance(made.screen, HomeScreen)


async def test_a_command_that_cannot_answer_is_an_answer_too() -> None:
    done = await proctor("no-such-command", "--json")
    assert not done.ok and "no-such-command" in done.problem
    assert os.environ.get("PYTHONPATH") is None or done.code != 0


_SHARES = (0.0, 0.5, 1.0)


def _runs(*more: RunInfo) -> RunBlocks:
    first = RunInfo("20260101-101010-mmlu-toy-0000", Path("/x"), "complete", ("mmlu",), "toy")
    blocks = RunBlocks(runs=[first, *more])
    blocks.refresh()
    return blocks


@pytest.mark.parametrize("width", [78, 118])
def test_numbers_of_runs_are_never_cut(width: int) -> None:
    three = tuple(SuiteHeadline(name, 4, share) for name, share in zip("abc", _SHARES, strict=True))
    blocks = _runs(
        RunInfo("20260101-b", Path("/x"), "interrupted", planned=14042, scored=8804),
        RunInfo("20260101-c", Path("/x"), "complete", planned=14042, scored=14042),
        RunInfo("20260101-d", Path("/x"), "complete", scores=three, scored=4),
        RunInfo("20260101-e", Path("/x"), "complete", scores=three * 3, scored=4),
    )
    rows = [text_of(blocks.lines(i, width)[0]) for i in range(len(blocks))]
    shown = {letter: row for row in rows for letter in "bcde" if f"20260101-{letter}" in row}
    assert " 8804/14042" in shown["b"] and " 14042/14042" in shown["c"]
    assert all(cells(row) <= width for row in rows)
    if width > 100:
        assert "3 suites  " in shown["d"] and "  0.0 %, 50.0 %, 100.0 %  " in shown["d"]
        assert "  0.0 %, 50.0 %, 100.0 % …  " in shown["e"]


async def test_how_long_ago_a_run_began_goes_on(
    root: Path, app: AppMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = app(lambda: HomeScreen(root))
    async with made.run_test(size=(120, 30), notifications=True) as pilot:
        await settle(pilot)
        assert "5 min ago" in text(made)
        await pilot.press("enter")
        await settle(pilot)
        then = made.now()
        monkeypatch.setattr(made, "now", lambda: then + timedelta(minutes=4))
        await pilot.press("q")
        await until(pilot, lambda: "9 min ago" in text(made), "the time that passed")
