"""Commands that look at run folders: runs, show, replay, cancel, and folders that are damaged."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from harness.cli.runs import id_width
from harness.execution.stop import StopSignal
from harness.store.lock import FolderLock, is_running
from harness.store.run_folder import RunFolder
from tests.cli.conftest import ROOT, Home, OnTerminal, Proctor
from tests.support.counting_suite import carry_out, make_folder, make_plan


@pytest.fixture
def finished(home: Home) -> RunFolder:
    """A run of ten single-shot samples."""
    folder = make_folder(home.runs, make_plan(10))
    asyncio.run(carry_out(folder))
    return RunFolder.open(folder.path)


@pytest.fixture
def faulty(home: Home) -> RunFolder:
    """A run of four agentic samples, two of which have no score."""
    folder = make_folder(
        home.runs, make_plan(4, agentic=True, fail=["t0001"], crash=["t0002"], steps=2)
    )
    asyncio.run(carry_out(folder))
    return RunFolder.open(folder.path)


def test_runs_lists_what_is_there(proctor: Proctor, home: Home, finished: RunFolder) -> None:
    done = proctor("runs")
    assert done.code == 0
    (line,) = done.out.splitlines()
    assert line.startswith(finished.run_id) and "complete" in line and "10 of 10 scored" in line
    (row,) = proctor("runs", "--json").document
    assert (row["run_id"], row["planned"], row["scored"]) == (finished.run_id, 10, 10)


@pytest.mark.parametrize(
    ("ended", "word"),
    [
        ("none", "not started"),
        ("cancelled", "cancelled"),
        ("interrupted", "interrupted"),
        ("killed", "interrupted"),
        ("faults", "incomplete"),
        ("complete", "complete"),
    ],
)
def test_every_command_has_the_same_word_for_a_state(
    proctor: Proctor, home: Home, ended: str, word: str
) -> None:
    fail = ["t0001"] if ended == "faults" else []
    folder = make_folder(home.runs, make_plan(3, fail=fail))
    if ended in ("cancelled", "interrupted"):
        stop = StopSignal()
        stop.request(ended)
        asyncio.run(carry_out(folder, stop))
    elif ended == "killed":
        with folder.lock():
            (folder.path / "run.jsonl").touch()
    elif ended != "none":
        asyncio.run(carry_out(folder))
    assert proctor("runs").out.split("  ")[1] == word
    assert proctor("runs", "--json").document[0]["state"] == word
    assert proctor("show", "last").out.split(": ")[1].startswith(f"{word}, ")
    assert proctor("show", "last", "--json").document["state"] == word


def test_damaged_records_are_one_line_and_no_crash(
    proctor: Proctor, home: Home, finished: RunFolder
) -> None:
    path = finished.path / "samples.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    for damage in (b"\xff\x00garbage{\n", b"{}\n", b"[1]\n", b"[" * 5000 + b"\n"):
        path.write_bytes(b"".join([*lines[:3], damage, *lines[3:]]))
        every = (["replay", "last", "--batch"], ["compare", "last", "last"],
                 ["run", "--resume", "last"])  # fmt: skip
        for arguments in (["show", "last"], *(every if damage == b"{}\n" else ())):
            done = proctor(*arguments)
            assert done.code == 1 and "internal" not in done.err, done.err
            (line,) = done.err.splitlines()
            assert str(path) in line and "cannot be read" in line and "Error" not in line
        done = proctor("runs")
        assert done.code == 0 and len(done.out.splitlines()) == 1 and "unreadable" in done.out


def test_a_folder_without_a_plan_is_no_run(
    proctor: Proctor, home: Home, finished: RunFolder
) -> None:
    (finished.path / "plan.json").unlink()
    assert "there is no run yet" in proctor("runs").err
    for arguments in (["show"], ["replay", "--batch"], ["cancel"], ["run", "--resume"]):
        done = proctor(*arguments, str(finished.path))
        assert done.code == 2 and "no plan.json" in done.err and len(done.err.splitlines()) == 1


def test_runs_without_any(proctor: Proctor) -> None:
    done = proctor("runs")
    assert (done.code, done.out) == (0, "") and "there is no run yet" in done.err
    assert proctor("runs", "--json").document == []


def test_a_damaged_folder_hides_no_other(proctor: Proctor, home: Home, finished: RunFolder) -> None:
    damaged = make_folder(home.runs, make_plan(2))
    (damaged.path / "plan.json").write_text("{")
    done = proctor("runs")
    assert done.code == 0
    assert len(done.out.splitlines()) == 2
    assert "10 of 10 scored" in done.out and "cannot be read" in done.out


@pytest.mark.parametrize("how", ["last", "id", "prefix", "path"])
def test_a_run_is_found(proctor: Proctor, finished: RunFolder, how: str) -> None:
    text = {
        "last": "last",
        "id": finished.run_id,
        "prefix": finished.run_id[:12],
        "path": str(finished.path),
    }[how]
    done = proctor("show", text, "--json")
    assert done.code == 0 and done.document["run"] == finished.run_id


def test_an_ambiguous_beginning_is_refused(proctor: Proctor, home: Home) -> None:
    for _ in range(2):
        make_folder(home.runs, make_plan(1))
    done = proctor("show", "2")
    assert done.code == 2 and "the beginning of 2 runs" in done.err


@pytest.mark.parametrize("command", [("show",), ("replay", "--batch")])
def test_a_run_is_found_by_its_name(
    proctor: Proctor, home: Home, finished: RunFolder, command: tuple[str, ...]
) -> None:
    make_folder(home.runs, make_plan(1))
    assert proctor("runs", "--name", finished.run_id, "first try").code == 0
    found = proctor(*command, "first try")
    assert found.code == 0, found.err
    assert finished.run_id in found.out
    assert "no run is called 'other'" in proctor(*command, "other").err


def test_a_name_of_several_runs_is_refused(proctor: Proctor, home: Home) -> None:
    for folder in [make_folder(home.runs, make_plan(1)) for _ in range(2)]:
        proctor("runs", "--name", folder.run_id, "twin")
    for command in (("show",), ("run", "--resume"), ("run", "--extend")):
        done = proctor(*command, "twin")
        assert done.code == 2 and "'twin' is the name of 2 runs" in done.err
        assert "give the id of one" in done.err


def test_an_id_goes_before_a_name(proctor: Proctor, home: Home, finished: RunFolder) -> None:
    other = make_folder(home.runs, make_plan(1))
    proctor("runs", "--name", other.run_id, finished.run_id)
    assert proctor("show", finished.run_id, "--json").document["run"] == finished.run_id


def test_a_long_id_breaks_no_other_line(
    on_terminal: OnTerminal, home: Home, finished: RunFolder
) -> None:
    plan = make_plan(3)
    model = plan.model.model_copy(
        update={"name": "a-model-with-a-name-" + "as-long-as-it-gets-" * 3}
    )
    long = make_folder(home.runs, plan.model_copy(update={"model": model}))
    lines = on_terminal("runs", columns=96)
    assert lines[0].startswith(long.run_id)
    (whole,) = [line for line in lines if line.startswith(finished.run_id)]
    assert " complete  " in whole and whole.endswith("10 of 10 scored, counting echo")
    assert all(len(line) <= 96 for line in lines)


def test_the_column_of_ids_is_as_wide_as_the_lines_that_fit_allow() -> None:
    lines = [("a" * 20, "x" * 30), ("b" * 24, "x" * 30), ("c" * 70, "x" * 30)]
    assert id_width(lines, None) == 70
    assert id_width(lines, 200) == 70
    assert id_width(lines, 80) == 48  # what the short lines have room for
    assert id_width(lines[:2], 80) == 24
    assert id_width(lines, 30) == 0  # all of them are folded


def test_flags_of_a_sample_are_shown_with_it(proctor: Proctor, finished: RunFolder) -> None:
    path = finished.path / "samples.jsonl"
    records = [json.loads(line) for line in path.read_text().splitlines()]
    for record in records:
        if record["task_id"] == "t0003":
            record["flags"] = ["left_processes", "the server failed 3 times on this prompt"]
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    shown = proctor("show", "last", "--sample", "t0003").out.splitlines()
    assert shown[-2:] == [
        "[flag] left_processes: the code left processes behind, which were ended",
        "[flag] the server failed 3 times on this prompt",
    ]
    assert "[flag]" not in proctor("show", "last", "--sample", "t0004").out
    marked = [line for line in proctor("show", "last").out.splitlines() if "flagged" in line]
    assert marked[0] == "counting: 1 flagged for a person to look at"
    assert [line.split()[1] for line in marked[1:]] == ["t0003@1"]


def test_show_gives_scores_and_errors(proctor: Proctor, faulty: RunFolder) -> None:
    document = proctor("show", "last", "--json").document
    assert document["state"] == "incomplete"
    suite = document["summary"]["suites"][0]
    assert (suite["planned"], suite["scored"], suite["without_score"]) == (4, 2, 2)
    assert suite["errors"] == {"EndpointError": 1, "RuntimeError": 1}
    text = proctor("show", "last").out
    assert "model server failed (1)" in text and "2 of 4" in text


def test_show_one_sample(proctor: Proctor, faulty: RunFolder) -> None:
    document = proctor("show", "last", "--sample", "t0000", "--json").document
    assert document["sample"] == "t0000@1"
    assert document["record"]["sample"] == "t0000@1"
    types = [event["type"] for event in document["events"]]
    assert types[0] == "attempt_started" and types[-1] == "attempt_finished"
    turn = proctor("show", "last", "--sample", "t0000@1", "--turn", "2", "--json").document
    assert {event["turn"] for event in turn["events"]} == {2}
    missing = proctor("show", "last", "--sample", "t0000", "--turn", "9")
    assert missing.code == 2 and "has no turn 9" in missing.err
    unknown = proctor("show", "last", "--sample", "x")
    assert unknown.code == 2 and "has no sample 'x'" in unknown.err
    curl = proctor("show", "last", "--sample", "t0000", "--turn", "1", "--curl")
    assert curl.code == 2 and "sends no requests" in curl.err


def test_replay_prints_every_sample_that_ran(proctor: Proctor, faulty: RunFolder) -> None:
    done = proctor("replay", "last", "--batch")
    assert done.code == 0
    assert [line for line in done.out.splitlines() if line.startswith("=== ")] == [
        f"=== t000{n}@1 of counting, attempt 1 ===" for n in range(4)
    ]
    assert "[fault] EndpointError: " in done.out
    assert "[verdict] no_score (request failed)" in done.out
    one = proctor("replay", "last", "--batch", "--sample", "t0003")
    assert one.out.count("=== ") == 1 and "--- turn 2" in one.out


def test_replay_of_a_transcript_file(proctor: Proctor, faulty: RunFolder) -> None:
    path = faulty.path / "transcripts" / "t0000@1" / "attempt-1.jsonl"
    assert "t0000@1" in proctor("replay", str(path)).out
    with path.open("ab") as file:
        file.write(b'{"type": "model_tu')
    assert proctor("replay", str(path)).code == 0
    assert proctor("replay", str(path), "--sample", "x").code == 2


def test_a_transcript_cannot_steer_the_terminal(proctor: Proctor, faulty: RunFolder) -> None:
    path = faulty.path / "transcripts" / "t0000@1" / "attempt-1.jsonl"
    lines = path.read_text().splitlines()
    for position, line in enumerate(lines):
        event = json.loads(line)
        if event["type"] == "model_turn":
            event["content"] = "\x1b]0;title\x07\x1b[2Jgone\x9b31m \u202ereversed [bold]x[/]"
            lines[position] = json.dumps(event)
    path.write_text("\n".join(lines) + "\n")
    out = proctor("replay", str(path)).out
    assert not set(out) & set("\x1b\x07\x9b\u202e")
    assert "[bold]x[/]" in out


def test_a_run_of_a_newer_version(proctor: Proctor, finished: RunFolder) -> None:
    path = finished.path / "plan.json"
    plan = json.loads(path.read_text())
    plan["version"] = 99
    path.write_text(json.dumps(plan))
    for command in (["show", "last"], ["replay", "last"], ["run", "--resume", "last"]):
        done = proctor(*command)
        assert done.code == 2 and len(done.err.strip().splitlines()) == 1
        assert "newer version" in done.err and str(finished.path) in done.err


def test_a_plan_that_was_edited(proctor: Proctor, finished: RunFolder) -> None:
    path = finished.path / "plan.json"
    path.write_text(path.read_text().replace('"epochs":1', '"epochs":2'))
    done = proctor("show", "last")
    assert done.code == 3 and "changed after it was sealed" in done.err


def test_an_unreadable_run_folder(proctor: Proctor, finished: RunFolder) -> None:
    path = finished.path / "plan.json"
    path.unlink()
    path.mkdir()  # no right is needed to see that this is no file
    done = proctor("show", str(finished.path))
    assert done.code == 2 and str(finished.path) in done.err
    assert len(done.err.strip().splitlines()) == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_run_folder_without_rights(proctor: Proctor, finished: RunFolder) -> None:
    finished.path.chmod(0)
    try:
        done = proctor("show", str(finished.path))
    finally:
        finished.path.chmod(0o700)
    assert done.code == 2 and "Permission denied" in done.err


def test_a_folder_that_another_process_runs(proctor: Proctor, finished: RunFolder) -> None:
    lock = FolderLock(finished.path)
    lock.acquire()
    try:
        done = proctor("run", "--resume", "last")
        assert done.code == 3 and len(done.err.strip().splitlines()) == 1
        assert f"process {os.getpid()}" in done.err and str(finished.path) in done.err
        assert "running" in proctor("runs").out
    finally:
        lock.release()


def test_cancel_stops_a_run_that_another_process_carries_out(proctor: Proctor, home: Home) -> None:
    folder = make_folder(home.runs, make_plan(6, delay_s=30.0), concurrency=2)
    runner = subprocess.Popen(
        [sys.executable, str(ROOT / "tests/support/counting_suite.py"), str(folder.path)],
        env=home.env,
        stdout=subprocess.DEVNULL,
    )
    try:
        _until_running(folder.path, runner)
        unknown = proctor("cancel", "last", "--sample", "x")
        assert unknown.code == 2 and "no sample 'x'" in unknown.err
        waiting = proctor("cancel", "last", "--sample", "t0005")
        assert waiting.code == 3 and "not at work" in waiting.err
        done = proctor("cancel", "last")
        assert done.code == 0, done.err
        assert "is being cancelled" in done.err and done.out == ""
        assert runner.wait(60) == 1
    finally:
        runner.kill()
        runner.wait()
    assert proctor("show", "last", "--json").document["state"] == "cancelled"


def test_cancel_of_a_run_that_nobody_works_on(proctor: Proctor, finished: RunFolder) -> None:
    done = proctor("cancel", "last")
    assert done.code == 3 and "nobody works on this run" in done.err
    document = proctor("cancel", "last", "--json").document
    assert document["error"]["kind"] == "ConflictError"


def _until_running(folder: Path, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 60
    log = folder / "run.jsonl"
    while not (is_running(folder) and log.exists() and b"sample_started" in log.read_bytes()):
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.05)
