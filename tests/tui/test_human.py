"""Playing by hand: the form, and a whole episode in a real box by keys alone."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from textual.app import ComposeResult

from harness.cli.checks import check_runtimes
from harness.events.model import ModelRequested
from harness.events.run import SampleStarted
from harness.events.sample import AttemptStarted
from harness.ids import sample_key
from harness.outcome import Verdict
from harness.plan import Launch
from harness.store import layout
from harness.store.lock import is_running
from harness.store.run_folder import RunFolder
from tests.cli.conftest import ROOT
from tests.cli.tiny_repo import TASK, write_tiny_repo
from tests.support import boxes
from tests.tui.conftest import AppMaker
from tests.tui.recorded import make_plan, write_events
from tests.tui.screens import text, type_ahead, until
from tui.keys import OrderedKeys
from tui.model.call_form import arguments_of, complete, part_of, tool_forms
from tui.screens.human import HumanScreen, run_screen
from tui.screens.run import RunScreen
from tui.widgets.call_form import CallForm

PATHS = ["README.md", "src/app.py", "src/apply/one.py", "src/apply/two.py", "docs/deep/only.md"]
FORMS = {tool.name: tool for tool in tool_forms("proctor-1")}


@pytest.mark.parametrize(
    ("value", "done", "candidates"),
    [
        ("", "", ["README.md", "docs/", "src/"]),
        ("R", "README.md", ["README.md"]),
        ("s", "src/app", ["src/app.py", "src/apply/"]),
        ("src/appl", "src/apply/", ["src/apply/one.py", "src/apply/two.py"]),
        ("d", "docs/deep/only.md", ["docs/deep/only.md"]),
        ("src/apply/t", "src/apply/two.py", ["src/apply/two.py"]),
        ("nothing", "nothing", []),
    ],
)
def test_paths_complete_as_in_a_shell(value: str, done: str, candidates: list[str]) -> None:
    assert complete(value, PATHS) == (done, candidates)


def test_every_tool_has_a_form() -> None:
    assert list(FORMS) == [
        "list_files",
        "read_file",
        "search",
        "edit_lines",
        "edit_replace",
        "write_file",
        "lint",
        "finish",
    ]
    assert [f.name for f in FORMS["edit_lines"].fields if f.long] == ["new_text"]
    assert all(f.path for tool in FORMS.values() for f in tool.fields if f.name == "path")


def test_fields_become_typed_arguments() -> None:
    read = {"path": "a.py", "start_line": "3", "end_line": ""}
    assert arguments_of("proctor-1", FORMS["read_file"], read) == {"path": "a.py", "start_line": 3}
    deleted = {"path": "a.py", "start_line": "1", "end_line": "2", "new_text": ""}
    assert arguments_of("proctor-1", FORMS["edit_lines"], deleted) == {
        "path": "a.py",
        "start_line": 1,
        "end_line": 2,
        "new_text": "",
    }
    missing = arguments_of("proctor-1", FORMS["read_file"], {"path": ""})
    assert isinstance(missing, str) and missing.startswith("path is missing")
    wrong = arguments_of("proctor-1", FORMS["read_file"], {"path": "a", "start_line": "x"})
    assert isinstance(wrong, str) and "start_line must be a whole number" in wrong


def test_lines_are_taken_from_a_file() -> None:
    assert part_of("a\nb\nc\n", "2", "3") == "b\nc\n"
    assert part_of("a\nb\nc", "", "") == "a\nb\nc"
    assert part_of("a\nb\n", "x", "") == "a\nb\n"


class _FormApp(OrderedKeys):
    def __init__(self) -> None:
        super().__init__()
        self.made: list[tuple[str, dict[str, object]]] = []

    def compose(self) -> ComposeResult:
        yield CallForm("proctor-1", lambda: PATHS, {"README.md": "one\ntwo\n"}.get)

    def on_call_form_made(self, event: CallForm.Made) -> None:
        self.made.append((event.name, event.arguments))
        self.query_one(CallForm).begin()


async def test_the_form_by_keys() -> None:
    made = _FormApp()
    async with made.run_test(size=(100, 30)) as pilot:
        form = made.query_one(CallForm)
        form.begin()
        await pilot.press("j", "enter")  # read_file
        await pilot.pause()
        path = form.field("path")
        assert path.has_focus
        await pilot.press("s", "tab")
        assert path.value == "src/app" and path.has_focus
        await pilot.press("l", "tab", "o", "tab")
        assert path.value == "src/apply/one.py" and path.has_focus
        await pilot.press("tab", "7", "enter", "9", "enter")
        await pilot.pause()
        assert made.made == [
            ("read_file", {"path": "src/apply/one.py", "start_line": 7, "end_line": 9})
        ]
        form.begin()
        await pilot.press("j", "j", "j", "j")  # write_file: the path stays
        await pilot.pause()
        assert form.tool.name == "write_file"
        assert form.field("path").value == "src/apply/one.py"


@pytest.fixture
def waits(tmp_path: Path) -> Iterator[HumanScreen]:
    """A person's run whose first turn is asked for; no runner answers."""
    plan = make_plan(("tally-sum",))
    plan = plan.model_copy(update={"model": plan.model.model_copy(update={"kind": "human"})})
    folder = RunFolder.create(tmp_path, plan, Launch())
    key = sample_key("tally-sum", 1)
    began = {"suite": "repos", "task_id": "tally-sum", "epoch": 1, "attempt": 1, "sample": key}
    header = AttemptStarted(version=1, run_id=folder.run_id, model="human", **began)
    asked = ModelRequested(turn=1, attempt=1, endpoint="", messages=1, digest="0")
    with folder.lock():
        folder.run_log.append(SampleStarted(**began))
        write_events(folder.path / layout.attempt_file(key, 1), [(0.0, header), (0.1, asked)])
        screen = run_screen(folder.path)
        assert isinstance(screen, HumanScreen)
        yield screen


def _calls(screen: HumanScreen) -> list[dict[str, Any]]:
    rows = (screen.folder / layout.CONTROL).read_text().splitlines()
    return [json.loads(row)["call"] for row in rows]


async def test_keys_typed_faster_than_they_are_heard_go_where_they_were_meant() -> None:
    made = _FormApp()
    async with made.run_test(size=(100, 30)) as pilot:
        form = made.query_one(CallForm)
        form.begin()
        # All at once, as after a moment in which the machine was busy with something else.
        keys = ["j", "enter", *"jjjgG", "enter", "3", "enter", "4", "enter"]
        keys += ["G", "enter", *"done", "enter"]
        type_ahead(made, *keys)
        await until(pilot, lambda: len(made.made) == 2, "two calls")
        assert made.made == [
            ("read_file", {"path": "jjjgG", "start_line": 3, "end_line": 4}),
            ("finish", {"summary": "done"}),
        ]


async def test_a_call_sent_twice_in_haste_is_one_call(waits: HumanScreen, app: AppMaker) -> None:
    made = app(lambda: waits)
    async with made.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: bool(waits._waits()), "a turn that waits")
        await pilot.press("enter", *"src", "ctrl+s", "ctrl+s")
        assert [row["name"] for row in _calls(waits)] == ["list_files"]
        # It is the next turn's: nothing went out by the second key, which opened the fields.
        waits._asked = ""
        assert waits.form.in_fields
        await pilot.press("ctrl+s")
        assert len(_calls(waits)) == 2


async def test_a_turn_that_comes_takes_no_focus_away(waits: HumanScreen, app: AppMaker) -> None:
    made = app(lambda: waits)
    async with made.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: bool(waits._waits()), "a turn that waits")
        await pilot.press("j", "enter", *"tally")
        waits._asked, waits._told = waits._waits(), None
        waits._show_turn()
        await pilot.press(*"/co")
        waits._asked, waits._told = "", None  # the next turn is there
        waits._show_turn()
        await pilot.press(*"re.py")
        assert waits.form.tool.name == "read_file" and waits.form.field("path").has_focus
        assert waits.form._texts()["path"] == "tally/core.py"


async def test_a_mistake_is_said_and_nothing_is_sent() -> None:
    made = _FormApp()
    async with made.run_test(size=(100, 30)) as pilot:
        form = made.query_one(CallForm)
        form.begin()
        await pilot.press("j", "enter")
        form.make()
        await pilot.pause()
        hint = form.query_one("#form-hint")
        assert hint.has_class("-problem") and "path is missing" in str(hint.render())
        assert made.made == []


async def test_text_of_a_file_is_filled_in() -> None:
    made = _FormApp()
    async with made.run_test(size=(100, 30)) as pilot:
        form = made.query_one(CallForm)
        form.begin()
        await pilot.press("j", "j", "j", "enter")  # edit_lines
        await pilot.press("R", "tab", "tab", "2", "enter", "2", "enter")
        form.fill()
        await pilot.pause()
        await pilot.press(*"three")
        form.make()
        await pilot.pause()
        assert made.made == [
            (
                "edit_lines",
                {"path": "README.md", "start_line": 2, "end_line": 2, "new_text": "two\nthree"},
            )
        ]


# --- a whole episode


@pytest.fixture
async def waiting(tmp_path: Path) -> Path:
    """A run of the tiny repository that waits for a person."""
    _, ready = await check_runtimes()
    names = [report.provider for report in ready]
    if not names:
        boxes.unavailable("any", "no sandbox is ready, proctor doctor tells why")
    sandbox = "bubblewrap" if "bubblewrap" in names else names[0]
    repos = tmp_path / "repos"
    write_tiny_repo(repos)
    env = os.environ | {"PYTHONPATH": str(ROOT), "PROCTOR_SANDBOX": sandbox}
    env["PROCTOR_RUNS"] = str(tmp_path / "runs")

    def command(*arguments: str) -> None:
        done = subprocess.run(
            [sys.executable, "-m", "harness.cli.main", *arguments, "--data", str(repos)],
            env=env,
            capture_output=True,
            text=True,
            timeout=150,
        )
        assert done.returncode == 0, done.stderr + done.stdout

    await asyncio.to_thread(command, "task", "validate")
    await asyncio.to_thread(command, "run", "repos", "--model", "human", "--detach")
    (folder,) = (tmp_path / "runs").iterdir()
    return folder


@pytest.mark.slow
async def test_a_task_is_solved_by_keys_and_graded(waiting: Path, app: AppMaker) -> None:
    screen = run_screen(waiting)
    assert isinstance(screen, HumanScreen)
    made = app(lambda: screen)
    async with made.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: bool(screen._waits()), "a turn that waits")
        assert "Adding up [1, 2] gives 2" in text(made)
        # a path that is wrong: the tools' own answer, as for any model
        await pilot.press("j", "enter", *"tally/nothing.py", "enter", "enter", "enter")
        await until(pilot, lambda: "there is no file" in text(made), "the error")
        await until(pilot, lambda: bool(screen._waits()), "the next turn")
        await pilot.press("j", "j", "j", "enter")  # edit_replace; the path is kept: clear it
        await pilot.press("ctrl+u", *"tally/c", "tab", "tab", *"sum(values) - 1", "tab")
        await pilot.press(*"sum(values)", "ctrl+s")
        await until(pilot, lambda: "edit_replace tally/core.py" in text(made), "the edit")
        await until(pilot, lambda: bool(screen._waits()), "the next turn")
        await pilot.press("G", "enter", *"done", "enter")
        await until(pilot, lambda: "This sample is over" in text(made), "the verdict")
        await until(pilot, lambda: not screen.follower.running, "the end of the run")
        await pilot.press("escape", "q")
    assert not is_running(waiting)
    run = RunFolder.open(waiting)
    (record,) = run.records().values()
    assert (record.task_id, record.verdict) == (TASK, Verdict.RESOLVED)
    assert record.metrics["tool_calls"] == 3 and record.metrics["tool_errors"] == 1
    assert run.plan.model.kind == "human" and run.plan.limits.sample_time_s is None
    assert run.launch.concurrency == 1
    # afterwards it is looked at like any other
    assert type(run_screen(waiting)) is RunScreen
