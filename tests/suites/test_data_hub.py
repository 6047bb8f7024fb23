"""The hub: first download, its cache, and what a user is told where there is neither."""

from __future__ import annotations

import gzip
import io
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.cli.suite_data import lacking
from harness.config import Config, resolve
from harness.suites import registry
from harness.suites.data import classeval, evalplus, humaneval, mbpp, mmlu
from harness.suites.data.subjects import SUBJECTS
from tests.support.classic_data import humaneval_records, real_data
from tests.support.hub_server import HubServer, Repositories, serving

ROOT = Path(__file__).resolve().parents[2]
# Nothing listens on port 9 of this machine.
NOWHERE = "http://127.0.0.1:9"
HUMANEVAL = "openai/openai_humaneval"
PARQUET = "openai_humaneval/test-00000-of-00001.parquet"

_LOAD = """
import json, sys
from harness.errors import ConfigError
from harness.suites import sacb_records
from harness.cli.suite_data import lacking
from harness.config import Config, resolve
from harness.suites import registry
from harness.suites.data import classeval, evalplus, humaneval, mbpp, mmlu
from harness.suites.data.subjects import SUBJECTS
LOADS = {
    "humaneval": lambda: humaneval.load(None),
    "humaneval+": lambda: evalplus.load(None, "humaneval+"),
    "mbpp full": lambda: mbpp.load(None, "full"),
    "mbpp sanitized": lambda: mbpp.load(None, "sanitized"),
    "mbpp+": lambda: evalplus.load(None, "mbpp+"),
    "mmlu test": lambda: mmlu.load(None, "test", tuple(SUBJECTS)),
    "mmlu dev": lambda: mmlu.load(None, "dev", tuple(SUBJECTS)),
    "classeval": lambda: classeval.load(None),
    "sacb": lambda: sacb_records.read_tasks(None),
}
for name in sys.argv[1:]:
    try:
        data = LOADS[name]()
        print(json.dumps([name, len(data) if name == "sacb" else data.digest]))
    except ConfigError as error:
        print(error)
"""


def load(home: Path, endpoint: str, *names: str, **extra: str) -> tuple[str, str]:
    """What a process that loads these sets prints and what it says aside. The libraries read
    their settings once a process."""
    env = {k: v for k, v in os.environ.items() if "proxy" not in k.lower()}
    env |= {"HF_HOME": str(home), "HF_ENDPOINT": endpoint, "PYTHONPATH": str(ROOT), **extra}
    done = subprocess.run(
        [sys.executable, "-c", _LOAD, *(names or ("humaneval",))],
        env=env,
        cwd=home,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout, done.stderr


def parquet(records: list[dict[str, Any]], part_of: list[dict[str, Any]] | None = None) -> bytes:
    """A file of ``records``, with the column types of the whole set they are a part of."""
    import pyarrow
    import pyarrow.parquet

    schema = pyarrow.Table.from_pylist(part_of or records).schema
    file = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(records, schema), file)
    return file.getvalue()


def card(config: str, *splits: str, folder: str) -> bytes:
    """A dataset card that names the files of one configuration."""
    rows = "".join(f"  - split: {split}\n    path: {folder}/{split}-*\n" for split in splits)
    return f"---\nconfigs:\n- config_name: {config}\n  data_files:\n{rows}---\n".encode()


def one_split(records: list[dict[str, Any]], config: str = "default") -> dict[str, bytes]:
    folder = "data" if config == "default" else config
    return {
        "README.md": card(config, "test", folder=folder),
        f"{folder}/test-00000-of-00001.parquet": parquet(records),
    }


def made_up() -> Repositories:
    return {HUMANEVAL: one_split(humaneval_records(), "openai_humaneval")}


@pytest.fixture
def hub() -> Iterator[HubServer]:
    with serving(made_up()) as server:
        yield server


def test_no_network_and_no_cache_is_one_line_that_names_the_file(tmp_path: Path) -> None:
    said, aside = load(tmp_path, NOWHERE)
    assert "--data PATH: HumanEval.jsonl.gz" in said
    assert f"{HUMANEVAL} is not in the cache and the hub cannot be reached ({NOWHERE}: " in said
    assert said.count("\n") == 1
    assert "Retrying" not in aside


def _lines(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as file:
        return [json.loads(line) for line in file]


def _published(data: Path) -> Repositories:
    """The sets in the shape in which they lie on the hub."""
    full = [dict(r) for r in _lines(data / "mbpp/mbpp.jsonl")]
    sanitized = json.loads((data / "mbpp/sanitized-mbpp.json").read_text())
    parts = {
        "train": range(601, 975),
        "validation": range(511, 601),
        "prompt": range(1, 11),
        "test": range(11, 511),
    }
    mbpp_files = {
        f"{config}/{part}-00000-of-00001.parquet": parquet(
            [row for row in rows if row["task_id"] in ids], rows
        )
        for config, rows in (("full", full), ("sanitized", sanitized))
        for part, ids in parts.items()
    }
    cards = [card(config, *parts, folder=config) for config in ("full", "sanitized")]
    mbpp_files["README.md"] = b"---\n%s%s---\n" % (
        cards[0].removeprefix(b"---\n").removesuffix(b"---\n"),
        cards[1].removeprefix(b"---\nconfigs:\n").removesuffix(b"---\n"),
    )
    mmlu_files = {"README.md": card("all", "test", "validation", "dev", folder="all")}
    for split, name in (("test", "test"), ("val", "validation"), ("dev", "dev")):
        rows = [
            {
                "question": row.question,
                "subject": subject,
                "choices": list(row.choices),
                "answer": row.answer,
            }
            for subject in SUBJECTS
            for row in mmlu.read_csv(data / f"mmlu/{split}/{subject}_{split}.csv", subject)
        ]
        mmlu_files[f"all/{name}-00000-of-00001.parquet"] = parquet(rows)
    plus = data / "evalplus"
    return {
        HUMANEVAL: one_split(_lines(data / "humaneval/HumanEval.jsonl.gz"), "openai_humaneval"),
        "google-research-datasets/mbpp": mbpp_files,
        "cais/mmlu": mmlu_files,
        "FudanSELab/ClassEval": one_split(
            json.loads((data / "classeval/ClassEval_data.json").read_text())
        ),
        "evalplus/humanevalplus": one_split(_lines(plus / "HumanEvalPlus-OriginFmt.jsonl.gz")),
        "evalplus/mbppplus": one_split(_lines(plus / "MbppPlus-OriginFmt.jsonl.gz")),
    }


def test_every_set_is_downloaded_once_and_is_what_its_files_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = real_data()
    plus = data / "evalplus"
    subjects = tuple(SUBJECTS)
    expected = {
        "humaneval": humaneval.load(data / "humaneval").digest,
        "humaneval+": evalplus.load(plus / "HumanEvalPlus-OriginFmt.jsonl.gz", "humaneval+").digest,
        "mbpp full": mbpp.load(data / "mbpp", "full").digest,
        "mbpp sanitized": mbpp.load(data / "mbpp", "sanitized").digest,
        "mbpp+": evalplus.load(plus / "MbppPlus-OriginFmt.jsonl.gz", "mbpp+").digest,
        "mmlu test": mmlu.load(data / "mmlu", "test", subjects).digest,
        "mmlu dev": mmlu.load(data / "mmlu", "dev", subjects).digest,
        "classeval": classeval.load(data / "classeval").digest,
    }
    with serving(_published(data)) as hub:
        said, aside = load(tmp_path, hub.url, *expected)
        assert dict(map(json.loads, said.splitlines())) == expected
        assert "test split" in aside  # progress is shown
        hub.asked.clear()
        small = ("humaneval", "mbpp sanitized", "mmlu dev", "classeval")
        again, _ = load(tmp_path, hub.url, *small)
        assert dict(map(json.loads, again.splitlines())) == {name: expected[name] for name in small}
        assert hub.asked == []  # what is in the cache is not asked for
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    for name in ("humaneval", "humaneval+", "mbpp", "mbpp+", "mmlu", "classeval"):
        assert lacking(registry.suite(name), resolve({}, {}, Config())) is None, name


def test_sacb_comes_from_the_hub(tmp_path: Path) -> None:
    from tests.suites.test_sacb import record

    with serving({"ilintar/SACB": one_split([record(), record("typescript")])}) as hub:
        said, _ = load(tmp_path, hub.url, "sacb")
    assert json.loads(said) == ["sacb", 2]


def test_another_revision_in_the_cache_is_not_taken_for_the_pinned_one(
    tmp_path: Path, hub: HubServer
) -> None:
    other = "a" * 40
    fetch = f"import datasets; datasets.load_dataset({HUMANEVAL!r}, revision={other!r})"
    env = os.environ | {"HF_HOME": str(tmp_path), "HF_ENDPOINT": hub.url}
    subprocess.run(
        [sys.executable, "-c", fetch], env=env, check=True, capture_output=True, timeout=240
    )
    said, _ = load(tmp_path, NOWHERE)
    assert (
        f"is in the cache, but of another revision ({other}, not {humaneval.SOURCE.revision})"
        in (said)
    )
    said, _ = load(tmp_path, hub.url)
    assert json.loads(said)[0] == "humaneval"
    said, _ = load(tmp_path, NOWHERE)
    assert json.loads(said)[0] == "humaneval"


def test_a_damaged_cache_is_said_to_be_that_and_mended_by_the_hub(
    tmp_path: Path, hub: HubServer
) -> None:
    good, _ = load(tmp_path, hub.url)
    (arrow,) = (tmp_path / "datasets").rglob("*.arrow")
    arrow.write_bytes(arrow.read_bytes()[:1000])
    said, _ = load(tmp_path, NOWHERE)
    assert "is damaged in the cache" in said
    assert "--data PATH" in said
    assert load(tmp_path, hub.url)[0] == good
    assert load(tmp_path, NOWHERE)[0] == good


@pytest.mark.parametrize("status", [401, 404])
def test_a_hub_that_refuses_is_told_from_one_that_is_away(
    tmp_path: Path, hub: HubServer, status: int
) -> None:
    hub.refusal = status
    said, _ = load(tmp_path, hub.url)
    assert "is not in the cache and the hub did not give it (" in said
    assert "cannot be reached" not in said
    assert "--data PATH: HumanEval.jsonl.gz" in said
    assert said.count("\n") == 1


def test_a_hub_that_never_answers_is_one_that_is_away(tmp_path: Path, hub: HubServer) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        endpoint = f"http://127.0.0.1:{silent.getsockname()[1]}"
        said, aside = load(tmp_path, endpoint)
        assert "the hub cannot be reached" in said
        assert "Retrying" not in aside
        good, _ = load(tmp_path, hub.url)
        assert load(tmp_path, endpoint)[0] == good


def test_what_speaks_no_http_is_no_hub(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:

        def greet() -> None:
            peer, _ = other.accept()
            with peer:
                peer.recv(1000)
                peer.sendall(b"220 mail.example ready\r\n")

        thread = threading.Thread(target=greet)
        thread.start()
        said, _ = load(tmp_path, f"http://127.0.0.1:{other.getsockname()[1]}")
        thread.join()
    assert "the hub cannot be reached" in said
    assert said.count("\n") == 1


def test_the_hub_is_not_asked_where_that_is_forbidden(tmp_path: Path, hub: HubServer) -> None:
    said, _ = load(tmp_path, hub.url, HF_HUB_OFFLINE="1")
    assert f"{HUMANEVAL} is not in the cache and HF_HUB_OFFLINE is set" in said
    assert hub.asked == []
