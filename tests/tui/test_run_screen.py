"""A run that is watched: one that is over, and real ones that go on."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.control import CommandTail
from harness.errors import ProctorError
from harness.store.lock import FolderLock, is_running
from tests.support.counting_suite import make_folder, make_plan
from tests.tui.conftest import AppMaker, Clock
from tests.tui.screens import settle, text, until
from tests.tui.shots import Shot, make_shots
from tui.commands import Done
from tui.screens.run import SORT_S, RunScreen
from tui.widgets.run_header import RunHeader

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def locked(run: Path) -> Iterator[Path]:
    """The recorded run as if a runner worked on it: its lock is held."""
    lock = FolderLock(run)
    lock.acquire()
    yield run
    lock.release()


async def test_a_run_that_is_not_running(run: Path, app: AppMaker) -> None:
    made = app(lambda: RunScreen(run))
    async with made.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        shown = text(made)
        assert "repos  qwen2.5-coder-7b  ◌ interrupted" in shown and "docker, no network" in shown
        assert "2/6 scored" in shown
        assert "repos all, proctor-1: 50.0 % (9.5 to 90.5 %)" in shown
        assert "✓ resolved       stockroom-reorder-point" in shown
        assert "running" not in shown.split("\n")[2]  # nobody works on it: it waits again


async def test_choosing_samples_with_the_keys(run: Path, app: AppMaker) -> None:
    made = app(lambda: RunScreen(run))
    async with made.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("j")
        await settle(pilot)
        assert "stockroom-csv-import  ✗ unresolved" in text(made)
        await pilot.press("L")
        await settle(pilot)
        assert "almanac-leap-week  ∅ no score  request failed" in text(made)
        await pilot.press("G")
        await settle(pilot)
        assert "Not run yet." in text(made) and "Ctrl+R resumes the run." in text(made)
        await pilot.press("g", "tab", "G")
        await settle(pilot)
        assert "Graded: resolved" in text(made)


async def test_filter_and_sort_of_samples(run: Path, app: AppMaker) -> None:
    made = app(lambda: RunScreen(run))
    async with made.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("slash", *"almanac", "enter")
        await settle(pilot)
        shown = text(made)
        assert "ledger-round-half" not in shown and "almanac-moon-phase" in shown
        await pilot.press("s")
        assert "sorted by state" in text(made)


async def test_a_narrow_window_shows_one_pane_at_a_time(run: Path, app: AppMaker) -> None:
    made = app(lambda: RunScreen(run))
    async with made.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        assert "ledger-round-half" in text(made) and "Transcript" not in text(made)
        await pilot.press("enter")
        await settle(pilot)
        assert "ledger-round-half" not in text(made) and "Transcript" in text(made)
        await pilot.press("q")
        await settle(pilot)
        assert "ledger-round-half" in text(made)


async def test_what_is_active_is_followed_until_a_sample_is_chosen(
    locked: Path, app: AppMaker
) -> None:
    made = app(lambda: RunScreen(locked))
    async with made.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        assert "following" in text(made) and "ledger-round-half  ● running  turn 3" in text(made)
        await pilot.press("k")
        await settle(pilot)
        assert "pinned" in text(made)
        await pilot.press("f")
        await settle(pilot)
        assert "following" in text(made) and "ledger-round-half  ● running" in text(made)


async def test_cancelling_asks_and_tells_the_runner(locked: Path, app: AppMaker) -> None:
    made = app(lambda: RunScreen(locked))
    commands = CommandTail(locked)
    async with made.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("x")
        await pilot.pause()
        assert "Cancel this sample?" in text(made)
        await pilot.press("escape")
        await settle(pilot)
        assert commands.poll() == []
        await pilot.press("x", "y")
        await settle(pilot)
        (command,) = commands.poll()
        assert (command.command, command.sample) == ("cancel_sample", "ledger-round-half@1")
        assert "cancelling …" in text(made)
        await pilot.press("X", "y")
        await settle(pilot)
        assert [c.command for c in commands.poll()] == ["cancel_run"]
        await pilot.press("z")
        await settle(pilot)
        assert [c.command for c in commands.poll()] == ["pause"]


async def test_leaving_a_running_run_asks_what_becomes_of_it(locked: Path, app: AppMaker) -> None:
    made = app(lambda: RunScreen(locked))
    commands = CommandTail(locked)
    async with made.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("q")
        await pilot.pause()
        assert "goes on in the background. Leave it so?" in text(made)
        await pilot.press("escape")
        await settle(pilot)
        assert made.is_running
        await pilot.press("q", "shift+tab", "enter")  # the last answer before "never mind"
        await settle(pilot)
    assert [c.command for c in commands.poll()] == ["cancel_run"]
    assert made.return_code == 0


async def test_the_question_tells_how_much_is_left_while_it_is_open(
    locked: Path, app: AppMaker
) -> None:
    made = app(lambda: RunScreen(locked))
    async with made.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("q")
        await pilot.pause()
        assert "3 samples not done, 1 at work." in text(made)
        last = (locked / "run.jsonl").read_text().splitlines()
        started = next(line for line in last if '"sample_started"' in line)
        other = started.replace("stockroom-reorder-point", "router-trailing-slash")
        with (locked / "run.jsonl").open("a") as file:
            file.write(other + "\n")
        await until(pilot, lambda: "3 samples not done, 2 at work." in text(made), "the number")


async def test_the_question_goes_when_the_run_ends(run: Path, app: AppMaker) -> None:
    lock = FolderLock(run)
    lock.acquire()
    made = app(lambda: RunScreen(run))
    async with made.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("q")
        await pilot.pause()
        assert "Leave it so?" in text(made)
        lock.release()
        await until(pilot, lambda: "Leave it so?" not in text(made), "the end of the question")
        await until(pilot, lambda: "The run is interrupted: 2/6 scored." in text(made), "the end")


@pytest.mark.parametrize("finished", [7, 70_000])
async def test_the_rate_has_its_unit_in_a_small_window(
    locked: Path, app: AppMaker, finished: int
) -> None:
    made = app(lambda: RunScreen(locked))
    async with made.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        screen = made.screen
        assert isinstance(screen, RunScreen)
        view = screen.follower.view
        view.planned, view.finished, view.elapsed = 14042, finished, view.session_began + 3600
        await until(pilot, lambda: "samples/" in text(made), "the rate")
        (line,) = (line for line in text(made).split("\n") if "samples/" in line)
        assert line.rstrip().endswith(("samples/s", "samples/min")) and "left" in line


async def test_a_run_that_is_deleted_while_it_is_open(run: Path, app: AppMaker) -> None:
    made = app(lambda: RunScreen(run))
    async with made.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        shutil.rmtree(run)
        await until(pilot, lambda: "This run was deleted" in text(made), "the notice")
        await pilot.press("j", "k", "tab", "G", "2", "6")
        await settle(pilot)
        assert made.is_running


async def test_the_count_beside_a_filter_goes_with_the_rows(
    locked: Path, app: AppMaker, clock: Clock
) -> None:
    made = app(lambda: RunScreen(locked))
    async with made.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("slash", *"wrong answer")
        await until(pilot, lambda: "1 of 6" in text(made), "the count")
        lines = (locked / "run.jsonl").read_text().splitlines()
        ending = next(line for line in lines if '"unresolved"' in line)
        for at, task in enumerate(("ledger-round-half", "router-trailing-slash"), start=2):
            with (locked / "run.jsonl").open("a") as file:
                file.write(ending.replace("stockroom-csv-import", task) + "\n")
            await until(pilot, lambda at=at: f"✗ {at}" in text(made), "the states")  # type: ignore[misc]
            clock.now += SORT_S  # the last one comes in the second after a sort, then nothing
            await until(pilot, lambda at=at: f"{at} of 6" in text(made), "the count")  # type: ignore[misc]
            assert task in text(made)


async def test_a_run_that_is_resumed_is_not_told_to_be_over(
    run: Path, app: AppMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = FolderLock(run)
    log = run / "run.jsonl"
    started = log.read_text().splitlines()[0]

    async def resumed(*_command: str) -> Done:
        with log.open("a") as file:  # the log comes before the lock is looked at
            file.write(started.replace('"session":1', '"session":2') + "\n")
        lock.acquire()
        return Done(0, "", "")

    monkeypatch.setattr("tui.screens.run.proctor", resumed)
    made = app(lambda: RunScreen(run))
    said: list[str] = []
    monkeypatch.setattr(RunScreen, "say", lambda _self, words, **_more: said.append(words))
    try:
        async with made.run_test(size=(120, 40), notifications=True) as pilot:
            await settle(pilot)
            await pilot.press("ctrl+r")
            await until(pilot, lambda: "● running" in text(made), "the runner")
            await settle(pilot)
            assert said == ["Resuming …"]
            lock.release()
            await until(pilot, lambda: len(said) > 1, "the end")
            assert said[1:] == ["The run is interrupted: 2/6 scored."]
    finally:
        lock.release()


async def test_the_cursor_stays_in_view_when_the_scores_take_a_line_more(
    tmp_path: Path, app: AppMaker
) -> None:
    path = make_shots(tmp_path, [Shot(f"anatomy/{n}", suite="humaneval") for n in range(60)])
    made = app(lambda: RunScreen(path))
    async with made.run_test(size=(120, 24), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("G")
        await settle(pilot)
        header = made.screen.query_one(RunHeader)
        for more in (1, 2, 3):
            header.styles.height = header.size.height + more
            await settle(pilot)
            rows = text(made).splitlines()[:-1]
            assert any("anatomy/59" in row[:36] for row in rows), "\n".join(rows)


def test_what_is_no_run_is_said_to_be_none(tmp_path: Path) -> None:
    with pytest.raises(ProctorError, match="not a run folder"):
        RunScreen(tmp_path)
    (tmp_path / "plan.json").write_text('{"version":999}')
    with pytest.raises(ProctorError, match="newer version"):
        RunScreen(tmp_path)


async def test_a_real_run_from_its_first_sample_to_its_end(tmp_path: Path, app: AppMaker) -> None:
    folder = make_folder(
        tmp_path, make_plan(4, steps=3, delay_s=0.3, agentic=True), concurrency=2
    ).path
    runner = subprocess.Popen(
        [sys.executable, "-m", "tests.support.counting_suite", str(folder)], cwd=ROOT
    )
    try:
        made = app(lambda: RunScreen(folder))
        async with made.run_test(size=(120, 40), notifications=True) as pilot:
            await until(pilot, lambda: "● running" in text(made), "a sample that runs")
            await until(pilot, lambda: "thinking" in text(made), "text that streams in")
            await until(pilot, lambda: "✓ complete" in text(made), "the end")
            await settle(pilot)
            assert "4/4" in text(made)
            await pilot.press("tab", "G")
            await settle(pilot)
            assert "ended: finished" in text(made)
        assert runner.wait(20) == 0
    finally:
        runner.kill()
        runner.wait()


async def test_a_sample_cancelled_by_key_ends_without_a_score(
    tmp_path: Path, app: AppMaker
) -> None:
    folder = make_folder(
        tmp_path, make_plan(2, steps=600, delay_s=0.2, agentic=True), concurrency=1
    ).path
    runner = subprocess.Popen(
        [sys.executable, "-m", "tests.support.counting_suite", str(folder)], cwd=ROOT
    )
    try:
        made = app(lambda: RunScreen(folder))
        async with made.run_test(size=(120, 40), notifications=True) as pilot:
            await until(pilot, lambda: "t0000        turn" in text(made) or "turn 1" in text(made),
                        "the first turn")  # fmt: skip
            await pilot.press("x", "y")
            await until(pilot, lambda: "∅ 1 no score" in text(made), "the sample's end")
            await pilot.press("X", "y")
            await until(pilot, lambda: "■ cancelled" in text(made), "the run's end")
            assert not is_running(folder)
    finally:
        runner.kill()
        runner.wait()
