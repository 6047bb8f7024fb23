"""Resuming and extending: what may change, what may not, and how a refusal names it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from harness.cli.assemble import Request
from harness.cli.start import check_space, continue_run
from harness.config import Config, resolve
from harness.errors import ConflictError, StorageError
from harness.store.run_folder import RunFolder
from tests.cli.conftest import Home, Proctor
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
    config = Config(defaults=(("user file", {"temperature": 0.7, "epochs": 5}),))
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


def test_space_is_asked_for_at_the_nearest_folder_that_exists(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_space(tmp_path / "not" / "there" / "yet")
    monkeypatch.setattr("harness.cli.start.LEAST_SPACE", 1 << 62)
    with pytest.raises(StorageError, match="MiB are free") as caught:
        check_space(tmp_path / "not")
    assert caught.value.remedy and "--out" in caught.value.remedy
