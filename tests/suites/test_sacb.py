"""Records in SACB's format: read, checked, run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.errors import ConfigError, ConflictError, UsageError
from harness.models.noop import NoopModel
from harness.models.oracle import OracleModel
from harness.outcome import Verdict
from harness.sandbox.protocol import Provider
from harness.suites.protocol import SuiteOptions
from harness.suites.sacb import SacbSuite
from harness.suites.sacb_ids import our_id
from harness.suites.sacb_records import read_tasks
from harness.tasks.task import Tree
from tests.support.grading import node_subject, python_subject, tree
from tests.support.grading_run import context


def texts(files: Tree) -> dict[str, str]:
    return {path: file.content.decode() for path, file in files.items()}


def record(language: str = "python", **changes: Any) -> dict[str, Any]:
    subject = python_subject() if language == "python" else node_subject()
    if language == "python":
        f2p = ["tests.test_prices.DiscountTest.test_ten", "tests.test_prices.DiscountTest.test_all"]
        tests = {
            "tests/test_prices.py": (
                "import unittest\nfrom shop.prices import total\n\n"
                "class DiscountTest(unittest.TestCase):\n"
                "    def test_ten(self):\n        self.assertEqual(total([350], 10), 315)\n"
                "    def test_all(self):\n        self.assertEqual(total([500], 100), 0)\n"
                "    def test_none(self):\n        self.assertEqual(total([350]), 350)\n"
            )
        }
        p2p = ["tests.test_prices.DiscountTest.test_none"]
    else:
        f2p, p2p, tests = ["discount"], ["sum", "negative", "label"], texts(subject.hidden)
    changed = {p: f for p, f in subject.gold.items() if subject.start.get(p) != f}
    return {
        "task_id": f"shop/{language}",
        "lang": language,
        "category": "logic",
        "difficulty": 2,
        "instruction": "The discount is not taken off the total.",
        "files": texts(subject.start),
        "tests": tests,
        "gold": texts(changed),
        "fail_to_pass": f2p,
        "pass_to_pass": p2p,
        **changes,
    }


def coded(plain: dict[str, Any]) -> dict[str, Any]:
    """A record whose maps and lists are JSON strings, as data sets without nesting keep them."""
    return {
        name: json.dumps(value) if isinstance(value, dict | list) else value
        for name, value in plain.items()
    }


def data(path: Path, *records: Any) -> SuiteOptions:
    file = path / "sacb.jsonl"
    file.write_text("".join(json.dumps(item) + "\n" for item in records))
    return SuiteOptions(data=file)


@pytest.mark.parametrize("language", ["python", "typescript"])
async def test_gold_is_resolved_and_noop_is_not(
    bubblewrap: Provider, tmp_path: Path, language: str
) -> None:
    options = data(tmp_path, record(language))
    suite = SacbSuite()
    plan = suite.plan(options)
    suite.load(plan, options)
    assert plan.protocol == "sacb" and suite.languages(plan) == {language}
    for model, verdict in ((OracleModel(), Verdict.RESOLVED), (NoopModel(), Verdict.UNRESOLVED)):
        sample, kept = context(plan, f"shop/{language}", model, bubblewrap)
        result = await suite.run_sample(sample)
        assert result.verdict is verdict, result
        twins = {event.twin for event in kept.events if event.type == "test"}
        assert "none" not in twins  # every test was also run falsified


def test_maps_and_lists_may_be_json_strings(tmp_path: Path) -> None:
    plain = record()
    (one,) = read_tasks(data(tmp_path, plain).data or tmp_path).values()
    (other,) = read_tasks(data(tmp_path, coded(plain)).data or tmp_path).values()
    assert (one.start, one.hidden, one.gold) == (other.start, other.hidden, other.gold)
    assert one.fail_to_pass == other.fail_to_pass


def test_parquet_is_read_like_jsonl(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = [record("python"), record("typescript")]
    file = tmp_path / "sacb.parquet"
    parquet.write_table(pyarrow.Table.from_pylist(rows), file)
    assert data(tmp_path, *rows).data is not None
    from_lines = read_tasks(tmp_path / "sacb.jsonl")
    for task_id, task in read_tasks(file).items():
        assert task == from_lines[task_id]  # its digest too


def test_a_downloaded_data_set_is_found_in_its_folder(tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    rows = [
        {
            name: json.dumps(value) if isinstance(value, dict | list) else value
            for name, value in r.items()
        }
        for r in (record("python"), record("typescript"))
    ]
    copy = tmp_path / "SACB"
    (copy / "data").mkdir(parents=True)
    (copy / "README.md").write_text("a card")
    (copy / "other.json").write_text("{}")
    datasets.Dataset.from_list(rows).to_parquet(copy / "data" / "test-00000-of-00001.parquet")
    plan = SacbSuite().plan(SuiteOptions(data=copy))
    assert [ref.id for ref in plan.tasks] == ["shop/python", "shop/typescript"]
    data(tmp_path, *rows)
    other = SacbSuite().plan(SuiteOptions(data=tmp_path / "sacb.jsonl"))
    assert [ref.digest for ref in plan.tasks] == [ref.digest for ref in other.tasks]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"lang": "cobol"}, "sacb.jsonl:2: lang: 'cobol'"),
        ({"category": "misc"}, "category"),
        ({"instruction": None}, "instruction: missing"),
        ({"files": "{broken"}, "files: not JSON"),
        ({"files": {"../x": "y"}}, "files: '../x'"),
        ({"files": {"two\nlines.py": "y"}}, "file name two\\nlines.py holds a control"),
        ({"files": {"a": "x", "a/b.py": "y"}}, "files: 'a' is both a file and a folder"),
        ({"tests": {"test_a.py": "x", "tests/test_a.py": "y"}}, "tests: a file is there twice"),
        ({"task_id": "two\nlines"}, "task_id: 'two\\nlines' is not one line"),
        ({"task_id": {"a": 1}}, "task_id: not a text"),
        ({"instruction": ["add"]}, "instruction: not a text"),
        ({"instruction": "half a \ud800"}, "instruction: holds half a character"),
        ({"tests": ["a"]}, "tests"),
        ({"fail_to_pass": ["tests.none.X.test"]}, "no test file holds 'tests.none.X.test'"),
        ({"fail_to_pass": []}, "no test decides"),
        ({"task_id": "shop/first"}, "there twice"),
    ],
)
def test_a_bad_record_is_told_by_line_and_field(
    tmp_path: Path, change: dict[str, Any], said: str
) -> None:
    options = data(tmp_path, record(task_id="shop/first"), record(**change))
    with pytest.raises(ConfigError) as caught:
        SacbSuite().plan(options)
    assert said in str(caught.value) and "sacb.jsonl" in str(caught.value)


def test_a_line_that_is_no_json_is_told(tmp_path: Path) -> None:
    options = data(tmp_path, record())
    assert options.data is not None
    options.data.write_text(options.data.read_text() + "{\n")
    with pytest.raises(ConfigError, match=r"sacb.jsonl:2: is not JSON"):
        SacbSuite().plan(options)


def test_without_records_the_file_to_give_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UsageError, match="no such file"):
        SacbSuite().plan(SuiteOptions(data=tmp_path / "none.jsonl"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(ConfigError, match="holds no file of SACB records"):
        SacbSuite().plan(SuiteOptions(data=tmp_path / "empty"))
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(
        ConfigError, match=r"ilintar/SACB is not in the cache.*--data PATH: its records"
    ):
        SacbSuite().plan(SuiteOptions())


def test_a_changed_record_is_a_conflict(tmp_path: Path) -> None:
    plan = SacbSuite().plan(data(tmp_path, record()))
    with pytest.raises(ConflictError, match="1 task changed: "):
        SacbSuite().load(plan, data(tmp_path, record(difficulty=3)))


def test_ids_of_both_languages_become_ours() -> None:
    hidden = tree(
        {
            "tests/test_a.py": "",
            "tests/deep/test_b.py": "",
            "tests/a.test.ts": (
                'describe("one", () => { it("x", () => {}); });\n'
                '// describe("not", () => {\n'
                'describe("two", () => { describe("in }", () => { it("y", () => {}); }); });\n'
                'test("z", () => {});\n'
            ),
        }
    )
    expected = {
        "tests.test_a.C.test_x": "tests/test_a.py::C::test_x",
        "test_a.C.test_x": "tests/test_a.py::C::test_x",
        "tests.deep.test_b.C.test_x": "tests/deep/test_b.py::C::test_x",
        "x": "tests/a.test.ts > one > x",
        "y": "tests/a.test.ts > two > in } > y",
        "z": "tests/a.test.ts > z",
        "none": None,
    }
    assert {test: our_id(test, hidden) for test in expected} == expected
