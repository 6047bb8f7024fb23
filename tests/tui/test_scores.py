"""Scores at home and in a run: the numbers of ``proctor show``, or none where it gives none."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from harness.cli.run_facts import summary_of
from harness.report.numbers import percent
from harness.state.follow import RunFollower
from harness.store.lock import FolderLock
from harness.store.run_folder import RunFolder
from tests.tui.conftest import AppMaker
from tests.tui.recorded import make_run
from tests.tui.screens import PATIENCE_S, settle, text, until
from tests.tui.shots import CODE, QUIZ, Shot, make_shots
from tui.model.records import Records
from tui.model.score_lines import score_lines
from tui.render.lines import text_of, width_of
from tui.screens.help import Help
from tui.screens.home import HomeScreen
from tui.screens.run import RunScreen
from tui.widgets.block_list import BlockList

SMALL, LARGE = (80, 24), (120, 40)
# Two epochs of one task, one of the other: 2 of 3 samples, but a half of the tasks.
UNEVEN = (
    Shot("anatomy/0", subject="anatomy", category="other"),
    Shot("anatomy/0", epoch=2, subject="anatomy", category="other"),
    Shot("virology/0", "wrong_answer", subject="virology", category="other"),
    Shot("virology/0", None, epoch=2),
)
PART = tuple(
    Shot(f"HumanEval/{task}", grade, epoch=epoch, suite="humaneval")
    for epoch in (1, 2, 3)
    for task, grade in enumerate(("ok", "wrong_answer", "ok" if epoch == 1 else "timeout"))
)


def shown_by_the_command_line(path: Path) -> str:
    (suite,) = summary_of(RunFolder.open(path)).suites
    return percent(suite.score)


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_uneven_epochs_are_one_number_everywhere(
    tmp_path: Path, app: AppMaker, size: tuple[int, int]
) -> None:
    path = make_shots(tmp_path, UNEVEN, epochs=2)
    assert shown_by_the_command_line(path) == "50.0 %"
    made = app(lambda: HomeScreen(tmp_path))
    async with made.run_test(size=size, notifications=True) as pilot:
        await settle(pilot)
        home = text(made)
        assert "50.0 %" in home and "66.7 %" not in home and "3/4" in home
        await pilot.press("enter")
        await settle(pilot)
        run = text(made)
        assert "mmlu test, proctor-chat: 50.0 % (9.5 to 90.5 %)" in run and "66.7 %" not in run
        assert "∅ incomplete" in run and "3/4 scored" in run and "4/4" not in run
        assert "pass@1 50.0 %" in run and "pass@2 100.0 % (not of 1 task)" in run
        assert "micro 50.0 %, macro 50.0 %" in run and "other 50.0 %" in run


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_a_part_of_a_suite_has_no_score_anywhere(
    tmp_path: Path, app: AppMaker, size: tuple[int, int]
) -> None:
    path = make_shots(tmp_path, PART, epochs=3, options={"partial": [3, 164]})
    _partial_credit(path)
    assert shown_by_the_command_line(path) == "-"
    made = app(lambda: HomeScreen(tmp_path))
    async with made.run_test(size=size, notifications=True) as pilot:
        await settle(pilot)
        assert "%" not in text(made).split("\n", 2)[2] and " -   " in text(made)
        await pilot.press("enter")
        await settle(pilot)
        run = text(made)
        assert "humaneval test, proctor-chat: - (3 of 164 tasks answered)" in run
        assert "partial" not in run
        assert "pass@1 44.4 %" in run and "pass@3 66.7 %" in run


def _partial_credit(path: Path) -> None:
    records = (path / "samples.jsonl").read_text()
    assert '"partial":null' in records
    (path / "samples.jsonl").write_text(records.replace('"partial":null', '"partial":0.25'))


async def test_suites_of_one_run_have_a_score_each(tmp_path: Path, app: AppMaker) -> None:
    path = make_shots(tmp_path, (*QUIZ, *CODE))
    scores = [percent(s.score) for s in summary_of(RunFolder.open(path)).suites]
    made = app(lambda: HomeScreen(tmp_path))
    async with made.run_test(size=(130, 24), notifications=True) as pilot:
        await settle(pilot)
        assert "2 suites" in text(made) and ", ".join(scores) in text(made)
        await pilot.press("enter")
        await settle(pilot)
        for name, score in zip(("mmlu", "humaneval"), scores, strict=True):
            assert f"{name} test, proctor-chat: {score}" in text(made)
        assert "⚑ 1 flagged" in text(made) and "‼ 1 tampered" in text(made)
        await pilot.press("enter", "m", "G")
        await settle(pilot)
        assert "humaneval: ended by finished 6" in text(made)


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_all_that_show_prints_is_a_key_away(
    tmp_path: Path, app: AppMaker, size: tuple[int, int]
) -> None:
    path = make_shots(tmp_path, QUIZ)
    made = app(lambda: RunScreen(path))
    async with made.run_test(size=size, notifications=True) as pilot:
        await settle(pilot)
        assert "STEM 100.0 %" in text(made) and "social sciences 0.0 %" in text(made)
        await pilot.press("m", "G")
        await settle(pilot)
        shown = text(made)
        assert "without a score: the model server failed (1)" in shown
        assert "no_answer 1" in shown and "answers taken by anchored 4" in shown
        await pilot.press("q")
        await settle(pilot)
        assert isinstance(made.screen, RunScreen)


@pytest.mark.parametrize("width", [50, 60, 80, 100, 130, 200])
@pytest.mark.parametrize("most", [1, 2, 3])
def test_the_lines_keep_to_their_place(tmp_path: Path, width: int, most: int) -> None:
    path = make_shots(tmp_path, (*UNEVEN, *CODE, Shot("MBPP/1", suite="mbpp")), epochs=2)
    records, plan = Records(path), RunFolder.open(path).plan
    records.read(plan)
    assert records.summary is not None
    lines = score_lines(records.summary, plan, width, most)
    assert 1 <= len(lines) <= most and all(width_of(line) <= width for line in lines)
    if most < 3:
        assert "m shows all scores" in text_of(lines[-1])


async def test_a_run_that_goes_on_renews_its_scores(tmp_path: Path, app: AppMaker) -> None:
    path = make_shots(tmp_path, QUIZ[:1] + UNEVEN[2:3], ended=False)
    made = app(lambda: RunScreen(path))
    async with made.run_test(size=LARGE, notifications=True) as pilot:
        await settle(pilot)
        assert "50.0 % (9.5 to 90.5 %)" in text(made)
        for name in ("samples.jsonl", "run.jsonl"):
            _again(path, name)
        await until(pilot, lambda: "proctor-chat: 100.0 %" in text(made), "the new score")


def _again(path: Path, name: str) -> None:
    """The last sample was tried again, and is resolved now."""
    last = next(
        line for line in reversed((path / name).read_text().splitlines()) if '"sample":' in line
    )
    with (path / name).open("a") as file:
        file.write(last.replace("unresolved", "resolved").replace("wrong_answer", "ok") + "\n")


def test_the_rest_is_read_at_once_when_the_run_has_ended(tmp_path: Path) -> None:
    path = make_shots(tmp_path, QUIZ[:1] + UNEVEN[2:3], ended=False)
    records, follower = Records(path), RunFollower(path)
    view, plan = follower.catch_up(), follower.plan

    async def read_twice(meanwhile: Callable[[], None]) -> None:
        await records.renew(plan, view, lambda: None)
        records.heard()
        reading = asyncio.create_task(records.renew(plan, view, meanwhile))
        await reading

    asyncio.run(read_twice(records.hurry))  # the end comes while a reading is under way
    assert records.due(running=False)
    asyncio.run(records.renew(plan, view, lambda: None))
    assert not records.due(running=False)
    _again(path, "samples.jsonl")  # what is written after the log told of the end
    deadline = time.monotonic() + PATIENCE_S
    while not records.due(running=False):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    asyncio.run(records.renew(plan, view, lambda: None))
    assert records.summary is not None and records.summary.resolved == 2


def test_a_long_rest_after_a_reading_ends_when_it_is_quiet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tui.model.records._REST", 1e9)
    path = make_shots(tmp_path, QUIZ, ended=False)
    records, follower = Records(path), RunFollower(path)
    view, plan = follower.catch_up(), follower.plan
    for _ in range(2):  # the first time it is mostly scipy's
        asyncio.run(records.renew(plan, view, lambda: None))
    records.heard()
    assert not records.due(running=True) and records.due(running=False)
    deadline = time.monotonic() + PATIENCE_S
    while not records.due(running=True):
        assert time.monotonic() < deadline
        time.sleep(0.01)


async def test_a_run_that_has_ended_has_its_last_score_without_a_key(
    tmp_path: Path, app: AppMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tui.model.records._REST", 1e9)
    path = make_shots(tmp_path, QUIZ[:1] + UNEVEN[2:3], ended=False)
    lock = FolderLock(path)
    lock.acquire()
    made = app(lambda: RunScreen(path))
    async with made.run_test(size=LARGE, notifications=True) as pilot:
        await until(pilot, lambda: "50.0 % (9.5 to" in text(made), "the first score")
        _again(path, "run.jsonl")
        lock.release()
        await until(pilot, lambda: "The run is" in text(made), "the end")
        screen = made.screen
        assert isinstance(screen, RunScreen)
        await until(pilot, lambda: not screen.records.stale, "a last look at the records")
        await settle(pilot)
        _again(path, "samples.jsonl")
        await until(pilot, lambda: "proctor-chat: 100.0 %" in text(made), "the last score")


async def test_all_scores_follow_a_run_that_goes_on(tmp_path: Path, app: AppMaker) -> None:
    path = make_shots(tmp_path, (QUIZ[0], replace(QUIZ[2], epoch=2)), epochs=2)
    made = app(lambda: RunScreen(path))
    async with made.run_test(size=LARGE, notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("m")
        await until(pilot, lambda: "2 of 4" in text(made), "the table")
        row = next(line for line in text(made).splitlines() if "2 of 4" in line)
        assert "no score  not run" in text(made) and row.split("2 of 4")[1].split()[:2] == [
            "0",
            "2",
        ]
        assert "mmlu: 2 not run yet" in text(made)
        assert "enter" not in text(made).splitlines()[-1] and "? help" in text(made)
        await pilot.press("j", "j", "j")
        place = made.screen.query_one(BlockList).cursor
        for name in ("samples.jsonl", "run.jsonl"):
            _again(path, name)
        await until(pilot, lambda: "mmlu test, proctor-chat: 100.0 %" in text(made), "the new one")
        assert made.screen.query_one(BlockList).cursor == place == 3
        await pilot.press("question_mark")
        assert isinstance(made.screen, Help) and "copy all of it" in text(made)
        await pilot.press("q", "m")
        assert isinstance(made.screen, RunScreen)


async def test_all_scores_can_be_asked_for_before_they_are_read(
    tmp_path: Path, app: AppMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_shots(tmp_path, QUIZ)
    go_on, read = threading.Event(), Records.read
    monkeypatch.setattr(Records, "read", lambda *given: (go_on.wait(PATIENCE_S), read(*given)))
    made = app(lambda: RunScreen(path))
    try:
        async with made.run_test(size=LARGE, notifications=True) as pilot:
            await pilot.press("m")
            await until(pilot, lambda: "Reading the scores …" in text(made), "the word")
            go_on.set()
            await until(pilot, lambda: "answers taken by anchored" in text(made), "the scores")
    finally:
        go_on.set()


def test_the_plain_score_and_the_list_of_runs_need_no_scipy(tmp_path: Path) -> None:
    path = make_shots(tmp_path, UNEVEN, epochs=2)
    code = (
        "import sys; from pathlib import Path\n"
        "from tui.model.runs import RunBlocks, read_runs\n"
        f"blocks = RunBlocks(runs=read_runs(Path({str(tmp_path)!r})))\n"
        "blocks.refresh()\n"
        "assert '50.0 %' in str(blocks.lines(0, 120)), blocks.lines(0, 120)\n"
        "from harness.store.run_folder import RunFolder; from tui.model.records import Records\n"
        f"path = Path({str(path)!r}); plan = RunFolder.open(path).plan\n"
        "records = Records(path); records.read_plain(plan)\n"
        "plain = ''.join(text for text, _ in records.lines(plan, 80, 3)[0])\n"
        "assert plain == ' mmlu test, proctor-chat: 50.0 %', plain\n"
        "assert 'scipy' not in sys.modules\n"
        "records.read(plan)\n"
        "assert ''.join(t for t, _ in records.lines(plan, 80, 3)[0]).startswith(plain)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


async def test_opening_home_in_a_small_window_loads_no_scipy(tmp_path: Path) -> None:
    make_run(tmp_path)
    code = (
        "import asyncio, sys; from pathlib import Path\n"
        "from tui.app import ProctorApp; from tui.screens.home import HomeScreen\n"
        "async def main():\n"
        f"    app = ProctorApp(lambda: HomeScreen(Path({str(tmp_path)!r})))\n"
        "    async with app.run_test(size=(80, 24)) as pilot:\n"
        "        await pilot.pause(); await app.workers.wait_for_complete(); await pilot.pause()\n"
        "        assert app.screen.blocks.shown\n"
        "asyncio.run(main())\n"
        "assert 'scipy' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)
