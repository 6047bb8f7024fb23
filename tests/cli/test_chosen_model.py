"""``--model`` and what stands beside it: told before a box is opened or a token is spent."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import Home, Proctor
from tests.support.classic_data import mmlu_folder
from tests.support.counting_suite import make_folder, make_plan
from tests.support.scripted_server import ScriptedServer, say


@pytest.fixture(scope="module")
def mmlu(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A folder with all of MMLU's files, made up: a suite that needs no containment."""
    return str(mmlu_folder(tmp_path_factory.mktemp("mmlu")))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--model", "orcale"], "no model 'orcale' -> did you mean oracle?"),
        (["--model", "replya:last"], "no model 'replya:last' -> "),
        (["--model", "zzz"], "no model 'zzz' -> give --base-url URL, or --model with one of"),
        (["--model", "oracle", "--temperature", "0.3"], "--temperature has no meaning for"),
        (["--model", "noop", "--seed", "1"], "--seed has no meaning for --model noop"),
        (["--model", "human", "--max-tokens", "9"], "--max-tokens has no meaning for"),
        (["--model", "oracle", "--base-url", "http://h/v1"], "--base-url has no meaning for"),
        (["repos", "--model", "oracle"], "suite repos is named twice"),
        (["--model", "replay:nothing"], "no run is called 'nothing'"),
        (["--base-url", "localhost:80/v1"], "write http://localhost:80/v1"),
    ],
)
def test_a_mistake_is_one_line(
    proctor: Proctor, home: Home, arguments: list[str], said: str
) -> None:
    done = proctor("run", "repos", *arguments, "--detach")
    assert done.code == 2 and done.out == "", done.err
    (line,) = done.err.splitlines()
    assert said in line
    assert not home.runs.exists()


def test_an_unknown_model_of_a_file_is_told_with_its_line(proctor: Proctor, home: Home) -> None:
    path = home.project / "proctor.toml"
    path.write_text('[models.quick]\nmodel = "x"\n\n[defaults]\nepochs = 1\nmodel = "quikc"\n')
    done = proctor("run", "repos")
    assert done.code == 2 and f"{path}:6" in done.err and "did you mean quick?" in done.err


def test_sampling_of_a_file_is_for_models_that_sample(
    proctor: Proctor, home: Home, mmlu: str
) -> None:
    (home.project / "proctor.toml").write_text("[defaults]\ntemperature = 0.2\n")
    done = proctor("run", "mmlu", "--data", mmlu, "--model", "oracle", "--limit", "2", "--batch")
    assert done.code == 0, done.err


def test_a_built_in_model_meant_beside_an_endpoint_is_offered(proctor: Proctor, mmlu: str) -> None:
    with ScriptedServer([say("x")]) as server:
        done = proctor(
            "plan", "mmlu", "--base-url", server.url, "--model", "orcale", "--data", mmlu
        )
    assert done.code == 2 and len(done.err.splitlines()) == 1
    assert "no model 'orcale'" in done.err and "did you mean oracle?" in done.err


def test_a_replay_of_a_run_that_lacks_samples_is_refused(
    proctor: Proctor, home: Home, mmlu: str
) -> None:
    begin = ("run", "mmlu", "--data", mmlu, "--batch")
    assert proctor(*begin, "--model", "oracle", "--limit", "3").code == 0
    (source,) = home.runs.iterdir()
    planned = {r["sample"] for r in map(json.loads, (source / "samples.jsonl").open())}

    done = proctor(*begin, "--model", f"replay:{source.name}", "--limit", "20")
    assert done.code == 2 and done.out == ""
    (line,) = done.err.splitlines()
    assert "lacks 17 planned samples: " in line and "and 12 more" in line and str(source) in line
    named = line.split("samples: ")[1].split(" and ")[0].split(", ")
    assert len(named) == 5 and not planned & set(named)
    assert list(home.runs.iterdir()) == [source]

    again = proctor(*begin, "--model", f"replay:{source.name}", "--limit", "3")
    assert again.code == 0, again.err + again.out
    # nor may a replay be extended beyond what there is
    done = proctor("run", "--extend", "last", "--epochs", "2", "--batch")
    assert done.code == 2 and "lacks 3 planned samples" in done.err


def test_a_run_that_never_began_has_nothing_to_replay(proctor: Proctor, home: Home) -> None:
    empty = make_folder(home.runs, make_plan(2))
    done = proctor("run", "repos", "--limit", "1", "--model", f"replay:{empty.run_id}", "--batch")
    assert done.code == 2 and "lacks 1 planned sample: " in done.err
