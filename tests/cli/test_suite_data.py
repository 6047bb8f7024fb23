"""Whether a suite's data are here, as doctor and the form for a new run tell it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from harness.cli.suite_data import lacking
from harness.config import Config, Resolved, resolve
from harness.suites import registry
from harness.suites.data import humaneval
from tests.cli.conftest import Home, Proctor


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub-home"))
    for name in [n for n in os.environ if n.startswith("PROCTOR_")] + ["HF_DATASETS_CACHE"]:
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "hub-home" / "datasets"


def _prepare(cache: Path, revision: str = humaneval.SOURCE.revision) -> None:
    """The folder that the hub's library makes; tests/suites/test_data_hub.py has a real one."""
    place = f"openai___openai_humaneval/openai_humaneval/0.0.0/{revision}"
    (cache / place).mkdir(parents=True)


def _settings(*data: str) -> Resolved:
    return resolve({"data": data}, {}, Config())


@pytest.mark.parametrize("name", ["humaneval", "mbpp+", "mmlu", "classeval"])
def test_a_suite_without_its_data_says_what_to_give(name: str) -> None:
    found = lacking(registry.suite(name), _settings())
    assert found is not None
    assert found[0].startswith("not here; from the hub (") and f"--data {name}=PATH: " in found[1]


def test_nothing_is_lacking_with_data_given_or_cached(tmp_path: Path, cache: Path) -> None:
    suite = registry.suite("humaneval")
    assert lacking(suite, _settings(f"humaneval={tmp_path}")) is None
    gone = lacking(suite, _settings(f"humaneval={tmp_path}/gone"))
    assert gone is not None and "does not exist" in gone[0]
    _prepare(cache, "f" * 40)
    assert lacking(suite, _settings()) is not None
    _prepare(cache)
    assert lacking(suite, _settings()) is None


def test_doctor_says_which_data_are_there(proctor: Proctor, tmp_path: Path) -> None:
    _prepare(tmp_path / "empty" / "datasets")
    (tmp_path / "mmlu").mkdir()
    done = proctor(
        "doctor", "--json", HF_HOME=str(tmp_path / "empty"), PROCTOR_DATA=f"mmlu={tmp_path}/mmlu"
    )
    rows = {row["name"].split(" ")[0]: row for row in done.document["suites"]}
    assert rows["mmlu"]["state"] == "runs here"
    assert rows["mmlu"]["detail"].endswith(f"data in {tmp_path}/mmlu")
    if rows["humaneval"]["state"] == "runs here":  # where a containment is ready
        assert "data of openai/openai_humaneval in the hub's cache" in rows["humaneval"]["detail"]


def test_suites_that_bring_their_tasks_lack_nothing() -> None:
    assert lacking(registry.suite("repos"), _settings()) is None


def test_doctor_tells_it(proctor: Proctor, home: Home, tmp_path: Path) -> None:
    done = proctor("doctor", "--json", HF_HOME=str(tmp_path / "empty"))
    rows = {row["name"]: row for row in done.document["suites"]}
    assert rows["mmlu"]["state"] == "needs data" and "--data mmlu=PATH" in rows["mmlu"]["remedy"]
    assert rows["sacb"]["state"] == "needs data"
