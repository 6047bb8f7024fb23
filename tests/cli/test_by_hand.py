"""``--model human`` from the command line, and the recorded run that ships."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from harness.store.recorded import recorded_dir, recorded_names
from harness.store.run_folder import RunFolder
from tests.cli.conftest import Home, Proctor
from tests.support.counting_suite import make_folder, make_plan


@pytest.fixture(autouse=True)
def _own_cache(home: Home, tmp_path: Path) -> None:
    home.env["XDG_CACHE_HOME"] = str(tmp_path / "cache")


@pytest.mark.parametrize("flags", [["--batch"], ["--json"], ["--fail-under", "0.5"], []])
def test_a_person_cannot_play_without_the_interface(
    proctor: Proctor, home: Home, flags: list[str]
) -> None:
    done = proctor("run", "repos", "--limit", "1", "--model", "human", *flags)
    assert done.code == 2
    told = done.err + done.out  # --json answers on stdout
    assert "a person plays --model human in the interface" in told
    assert (flags[0] if flags else "no terminal") in told and "--detach" in told
    assert not home.runs.exists()


def test_nor_when_a_run_is_taken_up_again(proctor: Proctor, home: Home) -> None:
    plan = make_plan(2)
    human = plan.model.model_copy(update={"kind": "human", "name": "human"})
    folder = make_folder(home.runs, plan.model_copy(update={"model": human}))
    done = proctor("run", "--resume", folder.run_id, "--batch")
    assert done.code == 2 and "a person plays" in done.err


def test_what_ships_is_small_and_says_nothing_of_a_machine() -> None:
    assert recorded_names() == ["demo"]
    packed = recorded_dir() / "demo.zip"
    assert packed.stat().st_size < 100_000
    with zipfile.ZipFile(packed) as archive:
        names = [name.partition("/")[2] for name in archive.namelist()]
        assert {"plan.json", "samples.jsonl", "run.jsonl", "control.jsonl"} <= set(names)
        everything = b"".join(archive.read(name) for name in archive.namelist())
    for word in (b"/home/", b"/root/", b"/work/", b"/tmp/", b".local/share"):
        assert word not in everything


def test_the_recorded_run_replays(proctor: Proctor, home: Home) -> None:
    done = proctor("replay", "demo", "--batch")
    assert done.code == 0, done.err
    assert "stockroom-last-day@1 of repos" in done.out and "model human" in done.out
    assert "[verdict] resolved" in done.out
    shown = proctor("show", "demo", "--json").document
    assert shown["summary"]["resolved"] == 1
    folder = RunFolder.open(shown["folder"])
    assert "Played by hand" in folder.launch.note
    calls = [json.loads(line) for line in (folder.path / "control.jsonl").open()]
    assert {call["command"] for call in calls} == {"human_call"}
    assert len(calls) == folder.records()["stockroom-last-day@1"].metrics["turns"]


def test_a_run_of_ones_own_comes_first(proctor: Proctor, home: Home) -> None:
    own = make_folder(home.runs, make_plan(1))
    own.path.rename(home.runs / "demo")
    assert proctor("show", "demo", "--json").document["folder"] == str(home.runs / "demo")


def test_a_cache_that_cannot_be_written_is_one_line(proctor: Proctor, home: Home) -> None:
    cache = Path(home.env["XDG_CACHE_HOME"])
    cache.write_text("a file")
    done = proctor("replay", "demo", "--batch")
    assert done.code == 1 and len(done.err.strip().splitlines()) == 1
    assert "cannot be unpacked" in done.err
