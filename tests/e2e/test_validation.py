"""``proctor task validate`` as a person runs it: its words, its choices, and Ctrl+C."""

from __future__ import annotations

import json
import shutil
import signal
from pathlib import Path

import pytest

from tests.cli.tiny_repo import TASK, write_tiny_repo
from tests.support import boxes
from tests.support.proctor_process import Home, Proctor

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
OTHER = "tally-sums-off-again"


@pytest.fixture
async def home(tmp_path: Path) -> Home:
    await (await boxes.require("bubblewrap")).close()
    return Home(tmp_path, "bubblewrap")


def two_tasks(root: Path) -> Path:
    folder = write_tiny_repo(root)
    other = shutil.copytree(folder / "tasks" / TASK, folder / "tasks" / OTHER)
    text = (other / "task.toml").read_text()
    (other / "task.toml").write_text(text.replace(TASK, OTHER))
    return folder


def validate(home: Home, folder: Path, *arguments: str) -> tuple[int, list[str]]:
    """Exit code and lines of a validation that runs to its end, less those on slow machines."""
    process = Proctor.start(home, "task", "validate", "--data", str(folder), *arguments)
    try:
        code = process.wait()
        return code, [line for line in process.said.splitlines() if "  at work: " not in line]
    finally:
        process.stop()


def test_levels_are_told_and_fresh_evidence_is_left_alone(home: Home) -> None:
    folder = two_tasks(home.root / "repos")
    code, lines = validate(home, folder, "--all", "--jobs", "1")
    assert code == 0, lines
    assert lines[0].startswith("repositories 1/1  tally: valid, ")
    assert lines[1].startswith("core 1/2  ") and " left" in lines[1]
    assert lines[2].startswith("core 2/2  ") and " left" not in lines[2]
    assert lines[3].startswith("time: repositories 1 in ")
    assert lines[3].endswith("; 1 box at a time in bubblewrap")
    assert [line.split(",")[0] for line in lines[4:]] == [f"{TASK}  valid", f"{OTHER}  valid"]

    assert validate(home, folder, "--stale") == (0, ["fresh evidence: 2 of 2 tasks"])
    # Evidence that says something else than what is found, and a task that was changed.
    file = folder / "tasks" / TASK / "evidence.json"
    content = json.loads(file.read_text())
    content["not_passed"]["failed"].append("tests/test_core.py::test_label_of_one")
    file.write_text(json.dumps(content))
    toml = folder / "tasks" / OTHER / "task.toml"
    toml.write_text(toml.read_text().replace("everybody expects", "we expect"))
    code, lines = validate(home, folder, "--check")
    assert code == 1 and not any(line.startswith("repositories") for line in lines)
    assert "differs in tests/test_core.py::test_label_of_one (1 test in all)" in lines[-2]
    assert "has evidence for an older version of it" in lines[-1]
    assert json.loads(file.read_text()) == content  # nothing was written

    code, lines = validate(home, folder, "--stale")
    assert code == 0 and lines[0] == "fresh evidence: 1 of 2 tasks"
    assert lines[-1].startswith(f"{OTHER}  valid") and not lines[-2].startswith(TASK)


@pytest.mark.parametrize("arguments", [("--all", "tally-*"), ("--fresh", "--stale")])
def test_options_that_exclude_each_other_are_told(home: Home, arguments: tuple[str, ...]) -> None:
    code, lines = validate(home, two_tasks(home.root / "repos"), *arguments)
    assert code == 2 and len(lines) == 1 and "exclude each other" in lines[0]


def test_ctrl_c_keeps_what_is_written_and_leaves_no_box(home: Home) -> None:
    folder = two_tasks(home.root / "repos")
    process = Proctor.start(
        home, "task", "validate", "--data", str(folder), "--full", "--jobs", "1"
    )
    try:
        assert process.wait_until(lambda: "core 2/2" in process.said), process.said
        assert process.wait_until(lambda: bool(process.boxes("bubblewrap")))
        process.signal(signal.SIGINT)
        assert process.wait() == 130, process.said
        assert process.boxes("bubblewrap") == []
    finally:
        process.stop()
    assert "Traceback" not in process.said
    assert (folder / "evidence.json").exists()
    for name in (TASK, OTHER):
        evidence = json.loads((folder / "tasks" / name / "evidence.json").read_text())
        assert evidence["full"] is None
