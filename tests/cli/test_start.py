"""Resuming and extending: what may change, what may not, and how a refusal names it."""

from __future__ import annotations

import asyncio
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from harness.cli.assemble import Request
from harness.cli.start import check_space, continue_run
from harness.config import Config, resolve
from harness.errors import ConflictError, StorageError
from harness.plan import TaskRef, differences
from harness.store.run_folder import RunFolder
from tests.cli.conftest import Home, Proctor
from tests.support.classic_data import mmlu_folder
from tests.support.counting_suite import carry_out, make_folder, make_plan


@pytest.fixture
def folder(home: Home) -> RunFolder:
    """A finished run of four samples."""
    made = make_folder(home.runs, make_plan(4), concurrency=2)
    asyncio.run(carry_out(made))
    return made


def request(config: Config | None = None, **flags: Any) -> Request:
    return Request((), resolve(flags, {}, config or Config()))


def test_extending_by_epochs_runs_only_what_is_new(folder: RunFolder) -> None:
    extended = continue_run(str(folder.path), request(epochs=2), extend=True)
    assert (extended.plan.epochs, len(extended.records())) == (2, 4)
    summary = asyncio.run(carry_out(RunFolder.open(folder.path)))
    assert (summary.scored, summary.planned) == (8, 8)
    assert folder.attempts("t0000@1") == [1]


def test_a_resumed_run_may_change_how_it_is_carried_out(folder: RunFolder) -> None:
    again = request(concurrency=7, base_url=("http://elsewhere/v1",), request_timeout=9.0)
    resumed = continue_run(str(folder.path), again, extend=False)
    assert resumed.plan_digest == folder.plan_digest
    assert (resumed.launch.concurrency, resumed.launch.request_timeout_s) == (7, 9.0)
    assert [endpoint.url for endpoint in resumed.launch.endpoints] == ["http://elsewhere/v1"]


def test_values_of_files_do_not_touch_a_sealed_run(folder: RunFolder) -> None:
    config = Config(
        defaults=(
            (
                {"temperature": "user file", "epochs": "user file"},
                {"temperature": 0.7, "epochs": 5},
            ),
        )
    )
    resumed = continue_run(str(folder.path), request(config), extend=False)
    assert resumed.plan_digest == folder.plan_digest


@pytest.mark.parametrize(
    ("flags", "field"),
    [
        ({"temperature": 0.3}, "model.sampling.temperature: none -> 0.3"),
        ({"max_turns": 3}, "limits.max_turns: 50 -> 3"),
        ({"model": "other"}, "model.name: echo -> other"),
        ({"epochs": 2}, "epochs: 1 -> 2"),
    ],
)
def test_resume_names_the_field_that_differs(
    proctor: Proctor, folder: RunFolder, flags: dict[str, Any], field: str
) -> None:
    with pytest.raises(ConflictError) as caught:
        continue_run(str(folder.path), request(**flags), extend=False)
    assert field in caught.value.what
    arguments = [part for key, value in flags.items()
                 for part in (f"--{key.replace('_', '-')}", str(value))]  # fmt: skip
    done = proctor("run", "--resume", "last", *arguments)
    assert done.code == 3 and field in done.err and len(done.err.strip().splitlines()) == 1


def test_extend_changes_nothing_else(folder: RunFolder) -> None:
    with pytest.raises(ConflictError, match="temperature"):
        continue_run(str(folder.path), request(epochs=2, temperature=1.0), extend=True)
    with pytest.raises(ConflictError, match="epochs"):
        extended = continue_run(str(folder.path), request(epochs=3), extend=True)
        continue_run(str(extended.path), request(epochs=2), extend=True)


def test_differences_are_counts_and_names_and_short_digests(folder: RunFolder) -> None:
    old = folder.plan
    (suite,) = old.suites
    tasks = [t.model_copy(update={"digest": "f" * 64}) for t in suite.tasks[:2]]
    more = [TaskRef(id=f"new{n}", digest="e" * 64) for n in range(7)]
    changed = suite.model_copy(
        update={"tasks": (*tasks, suite.tasks[2], *more), "prompt_digest": "a" * 64}
    )
    lines = differences(old, old.model_copy(update={"suites": (changed,)}))
    tasks_of = f"suites.{suite.name}.tasks: "
    assert f"{tasks_of}2 tasks changed: t0000, t0001" in lines
    assert f"{tasks_of}1 task missing: t0003" in lines
    assert f"{tasks_of}7 tasks added: new0, new1, new2, new3, new4 and 2 more" in lines
    assert f"suites.{suite.name}.prompt_digest:  -> {'a' * 12}" in lines
    assert not any(re.search("[0-9a-f]{13}", line) for line in lines)
    (line,) = differences(old, old.model_copy(update={"suites": ()}))
    assert line == f"suites.{suite.name}: 4 tasks -> none"


@pytest.mark.parametrize(
    ("command", "place"),
    [
        *(("run", place) for place in ("flag", "variable", "below", "dangling", "file")),
        *(("runs", place) for place in ("variable", "below", "file")),
        *(("doctor", place) for place in ("dangling", "file")),
    ],
)
def test_a_runs_folder_that_is_none_is_refused(
    proctor: Proctor, home: Home, tmp_path: Path, command: str, place: str
) -> None:
    taken = tmp_path / "taken"
    if place == "dangling":
        taken.symlink_to("nowhere")
    else:
        taken.write_text("a file")
    flags = ["run", "repos", "--model", "oracle", "--batch"] if command == "run" else [command]
    env = {}
    if place == "flag":
        flags += ["--out", str(taken)]
    elif place == "file":
        (home.project / "proctor.toml").write_text(f"[defaults]\nout = '{taken}'\n")
    else:
        env["PROCTOR_RUNS"] = str(taken / "below" if place == "below" else taken)
    done = proctor(*flags, **env)
    if command == "doctor":
        assert f"not usable: {taken} is no folder" in done.out
    else:
        assert done.code == 2 and done.out == "", done.err
        assert f"is no folder ({taken})" in done.err and len(done.err.splitlines()) == 1


def test_what_names_a_run_does_so_from_any_folder(
    proctor: Proctor, home: Home, tmp_path: Path
) -> None:
    data = str(mmlu_folder(tmp_path / "mmlu"))
    for out in (".", "a folder"):
        done = proctor(
            "run", "mmlu", "--data", data, "--model", "oracle", "--limit", "2", "--batch",
            "--out", out,
        )  # fmt: skip
        assert done.code == 0, done.err
        hint = done.out.splitlines()[-1]
        assert hint.startswith("look at it: proctor replay ")
        command = shlex.split(hint.removeprefix("look at it: proctor "))
        shown = subprocess.run(
            [sys.executable, "-m", "harness.cli.main", *command, "--batch"],
            cwd="/", env=home.env, capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        assert shown.returncode == 0 and "[judged]" in shown.stdout, shown.stderr


def test_space_is_asked_for_at_the_nearest_folder_that_exists(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_space(tmp_path / "not" / "there" / "yet")
    monkeypatch.setattr("harness.cli.start.LEAST_SPACE", 1 << 62)
    with pytest.raises(StorageError, match="MiB are free") as caught:
        check_space(tmp_path / "not")
    assert caught.value.remedy and "--out" in caught.value.remedy
