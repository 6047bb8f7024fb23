"""Names, notes and the end of runs; ``proctor runs``."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path

import pytest

from harness.errors import ConflictError, UsageError
from harness.store.labels import read_labels, write_labels
from harness.store.lock import FolderLock
from harness.store.prune import delete_run, folder_bytes, parse_age
from harness.store.run_folder import RunFolder
from harness.store.runs import run_info
from tests.cli.conftest import Home, Proctor
from tests.support.counting_suite import carry_out, make_folder, make_plan


def aged(folder: RunFolder, days: float) -> Path:
    """The run, last written so many days ago."""
    then = time.time() - days * 86400
    for path in folder.path.rglob("*"):
        if path.is_file():
            os.utime(path, (then, then))
    return folder.path


@pytest.fixture
def runs(home: Home) -> dict[str, Path]:
    """A new run and one of 40 days with scores, one of 50 days without any."""
    found = {}
    for name, days, carried_out in (("failed", 50, False), ("old", 40, True), ("new", 0, True)):
        folder = make_folder(home.runs, make_plan(2), name=name)
        if carried_out:
            asyncio.run(carry_out(folder))
        found[name] = aged(folder, days)
    return found


def left(runs: dict[str, Path]) -> set[str]:
    return {name for name, path in runs.items() if path.exists()}


@pytest.mark.parametrize(
    ("flags", "stay"),
    [
        (["--older-than", "30d"], {"new"}),
        (["--older-than", "6w"], {"new", "old"}),
        (["--older-than", "45d", "--failed"], {"new", "old"}),
        (["--older-than", "60d", "--failed"], {"new", "old", "failed"}),
        (["--failed"], {"new", "old"}),
        (["--keep", "1"], {"new"}),
        (["--keep", "2"], {"new", "old"}),
        (["--keep", "0"], set()),
        (["--keep", "2", "--older-than", "1d"], {"new", "old"}),
    ],
)
def test_what_meets_all_conditions_goes(
    proctor: Proctor, runs: dict[str, Path], flags: list[str], stay: set[str]
) -> None:
    done = proctor("runs", "--prune", "--yes", *flags)
    assert done.code == 0, done.err
    assert left(runs) == stay
    assert {row["name"] for row in proctor("runs", "--json").document} == stay


def test_it_shows_what_and_how_much_and_asks(proctor: Proctor, runs: dict[str, Path]) -> None:
    done = proctor("runs", "--prune", "--older-than", "30d")
    assert done.code == 2  # nobody can be asked here
    assert left(runs) == {"new", "old", "failed"}
    assert runs["old"].name in done.err and "40 days old" in done.err
    assert runs["failed"].name in done.err and "50 days old" in done.err
    assert "2 runs of 3," in done.err and "MiB in all" in done.err
    assert "--yes" in done.err.splitlines()[-1]
    assert runs["new"].name not in done.err


@pytest.mark.parametrize(("answer", "stay"), [("y", {"new"}), ("n", {"new", "old", "failed"})])
def test_an_answer_decides(home: Home, runs: dict[str, Path], answer: str, stay: set[str]) -> None:
    ours, theirs = pty.openpty()
    os.write(ours, f"{answer}\n".encode())
    done = subprocess.run(
        [sys.executable, "-m", "harness.cli.main", "runs", "--prune", "--older-than", "30d"],
        cwd=home.project, env=home.env, stdin=theirs, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    os.close(ours)
    os.close(theirs)
    assert done.returncode == 0 and "Delete 2 runs for good?" in done.stderr
    assert left(runs) == stay


def test_a_run_at_work_stays(proctor: Proctor, runs: dict[str, Path]) -> None:
    lock = FolderLock(runs["old"])
    lock.acquire()
    try:
        done = proctor("runs", "--prune", "--keep", "0", "--yes")
        assert done.code == 0 and left(runs) == {"old"}
        with pytest.raises(ConflictError):
            delete_run(runs["old"])
    finally:
        lock.release()
    assert (runs["old"] / "plan.json").exists()


def test_a_folder_that_cannot_be_read_stays(proctor: Proctor, runs: dict[str, Path]) -> None:
    (runs["old"] / "summary.json").unlink(missing_ok=True)
    (runs["old"] / "plan.json").write_text("{")
    proctor("runs", "--prune", "--keep", "0", "--yes")
    assert left(runs) == {"old"}


def test_one_document(proctor: Proctor, runs: dict[str, Path]) -> None:
    size = folder_bytes(runs["failed"])
    document = proctor("runs", "--prune", "--failed", "--yes", "--json").document
    assert document["deleted"] == 1 and document["bytes"] == size > 0
    assert document["runs"][0]["folder"] == str(runs["failed"])
    again = proctor("runs", "--prune", "--failed", "--yes", "--json").document
    assert again == {"runs": [], "bytes": 0, "deleted": 0, "problems": []}


@pytest.mark.parametrize(
    "flags",
    [
        ["--prune"],
        ["--keep", "3"],
        ["--failed"],
        ["--prune", "--older-than", "soon"],
        ["--prune", "--keep", "-1"],
        ["--prune", "--keep", "1", "--name", "last", "x"],
    ],
)
def test_half_a_command_deletes_nothing(
    proctor: Proctor, runs: dict[str, Path], flags: list[str]
) -> None:
    done = proctor("runs", *flags, "--yes") if "--prune" in flags else proctor("runs", *flags)
    assert done.code == 2 and left(runs) == {"new", "old", "failed"}


def test_ages() -> None:
    assert parse_age("12h") == timedelta(hours=12)
    assert parse_age(" 30D ") == timedelta(days=30)
    assert parse_age("2w") == timedelta(days=14)
    for text in ("", "3", "d", "-1d", "1.5d", "1y"):
        with pytest.raises(UsageError):
            parse_age(text)


def test_only_run_folders_are_deleted(tmp_path: Path) -> None:
    (tmp_path / "precious").mkdir()
    with pytest.raises(UsageError):
        delete_run(tmp_path / "precious")
    assert (tmp_path / "precious").exists()


# --- names and notes


def test_names_and_notes_are_edited(proctor: Proctor, runs: dict[str, Path]) -> None:
    run = runs["old"]
    before = {name: (run / name).read_bytes() for name in ("plan.json", "sessions/1.json")}
    done = proctor("runs", "--name", run.name, "better name", "--note", run.name, "why it is")
    assert done.code == 0 and "better name / why it is" in done.err
    rows = {row["run_id"]: row for row in proctor("runs", "--json").document}
    assert rows[run.name]["name"] == "better name"
    assert "better name" in proctor("runs").out
    assert read_labels(run) == ("better name", "why it is")
    # the plan stays sealed, and so does the record of how it was carried out
    assert before == {name: (run / name).read_bytes() for name in before}
    assert json.loads((run / "labels.json").read_text())["name"] == "better name"
    RunFolder.open(run)


def test_one_label_leaves_the_other(runs: dict[str, Path]) -> None:
    assert read_labels(runs["old"]) == ("old", "")
    write_labels(runs["old"], note="only a note")
    assert read_labels(runs["old"]) == ("old", "only a note")
    write_labels(runs["old"], name="")
    assert read_labels(runs["old"]) == ("", "only a note")
    assert run_info(runs["old"]).name == ""


def test_a_name_survives_another_session(runs: dict[str, Path]) -> None:
    write_labels(runs["failed"], name="mine")
    asyncio.run(carry_out(RunFolder.open(runs["failed"])))
    assert run_info(runs["failed"]).name == "mine"


def test_damaged_labels_are_none(runs: dict[str, Path]) -> None:
    (runs["old"] / "labels.json").write_bytes(b"\xff{")
    assert read_labels(runs["old"]) == ("old", "") and run_info(runs["old"]).name == "old"
    with pytest.raises(UsageError):
        write_labels(runs["old"], name="x" * 5000)


def test_a_name_cannot_steer_the_terminal(proctor: Proctor, runs: dict[str, Path]) -> None:
    # no command takes such a name, but a folder may come from elsewhere
    labels = {"name": "\x1b]0;gone\x07[bold]\nsecond line"}
    (runs["old"] / "labels.json").write_text(json.dumps(labels))
    for name in ("\x1b[31m", "two\nlines", "last"):
        with pytest.raises(UsageError):
            write_labels(runs["old"], name=name)
    out = proctor("runs").out
    assert "\x1b" not in out and "[bold]" in out and len(out.splitlines()) == len(runs)
