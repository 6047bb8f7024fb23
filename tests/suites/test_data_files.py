"""Data sets from a user's files, whatever form they circulate in."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from harness.errors import ConfigError
from harness.suites.data import classeval, evalplus, humaneval, mbpp, mmlu
from harness.suites.data.hub import records_of
from harness.suites.data.literals import MBPP_SHAPES
from harness.suites.data.subjects import SUBJECTS
from tests.support.classic_data import (
    humaneval_records,
    mbpp_records,
    mmlu_folder,
    mmlu_rows,
    real_data,
    sanitized_records,
    write_lines,
)


def test_same_rows_have_the_same_digest_from_every_form(tmp_path: Path) -> None:
    import datasets
    import pyarrow as pa
    import pyarrow.parquet as pq

    records = humaneval_records()
    plain = write_lines(tmp_path / "whatever.txt", records)
    (tmp_path / "a.gz").write_bytes(gzip.compress(plain.read_bytes()))
    (tmp_path / "b.json").write_text(json.dumps(records[::-1], indent=1))
    pq.write_table(pa.Table.from_pylist(records), tmp_path / "c.parquet")
    found = [humaneval.load(tmp_path / n) for n in ("whatever.txt", "a.gz", "b.json", "c.parquet")]
    hub = datasets.Dataset.from_list(records)
    found.append(humaneval.from_records(records_of(hub, "hub"), "hub"))
    assert len({f.digest for f in found}) == 1
    assert {tuple(r.id for r in f.rows) for f in found} == {humaneval.IDS}
    records[7]["test"] += " "
    assert humaneval.load(write_lines(plain, records)).digest != found[0].digest


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda r: r.pop(17), "HumanEval/17 missing"),
        (lambda r: r.append(r[3]), "HumanEval/3 is there twice"),
        (lambda r: r.append({**r[3], "task_id": "HumanEval/164"}), "unknown: HumanEval/164"),
        (lambda r: r[5].pop("test"), ":6: column test is missing"),
        (lambda r: r[5].update(prompt=3), ":6: column prompt is no string"),
        (lambda r: r[0].pop("entry_point"), "it has no column entry_point"),
    ],
)
def test_humaneval_that_is_not_as_published(tmp_path: Path, damage: object, says: str) -> None:
    records = humaneval_records()
    damage(records)  # type: ignore[operator]
    with pytest.raises(ConfigError) as error:
        humaneval.load(write_lines(tmp_path / "h.jsonl", records))
    assert says in str(error.value)


def test_a_bad_line_is_named(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "h.jsonl", humaneval_records()[:2])
    path.write_text(path.read_text() + "{broken\n")
    with pytest.raises(ConfigError, match=r"h\.jsonl:3: is not JSON"):
        humaneval.load(path)
    path.write_bytes(b"{}\n\xff\n")
    with pytest.raises(ConfigError, match=r"h\.jsonl:2: is not UTF-8"):
        humaneval.load(path)
    path.write_bytes(b"\x1f\x8bnot gzip")
    with pytest.raises(ConfigError, match="damaged gzip"):
        humaneval.load(path)
    path.write_bytes(b"PAR1 not parquet")
    with pytest.raises(ConfigError, match="damaged parquet"):
        humaneval.load(path)


def test_a_line_separator_inside_a_string_ends_no_line(tmp_path: Path) -> None:
    records = humaneval_records()
    records[0]["prompt"] += "# \u2028 \x85\n"
    text = "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records)
    (tmp_path / "h.jsonl").write_text(text, encoding="utf-8")
    assert "\u2028" in humaneval.load(tmp_path / "h.jsonl").rows[0].prompt


def test_a_folder_is_searched_by_content(tmp_path: Path) -> None:
    write_lines(tmp_path / "samples.jsonl", [{"task_id": "HumanEval/0", "completion": "x"}])
    write_lines(tmp_path / "data.jsonl", humaneval_records())
    (tmp_path / "m").mkdir()
    write_lines(tmp_path / "m" / "x.jsonl", mbpp_records())
    (tmp_path / "m" / "y.json").write_text(json.dumps(sanitized_records()))
    assert len(humaneval.load(tmp_path).rows) == 164
    assert len(mbpp.load(tmp_path, "full").rows) == 974
    assert len(mbpp.load(tmp_path, "sanitized").rows) == 427
    write_lines(tmp_path / "more.jsonl", humaneval_records())
    with pytest.raises(ConfigError, match=r"2 files that look like HumanEval.*data\.jsonl, more"):
        humaneval.load(tmp_path)
    with pytest.raises(ConfigError, match="holds no file of ClassEval"):
        classeval.load(tmp_path)


def test_mbpp_editions_are_never_taken_for_each_other(tmp_path: Path) -> None:
    full = write_lines(tmp_path / "a.jsonl", mbpp_records())
    with pytest.raises(ConfigError, match=r"sanitized.*give sanitized-mbpp\.json"):
        mbpp.load(full, "sanitized")
    with pytest.raises(ConfigError, match="973 of 974 tasks; 5 missing"):
        mbpp.load(write_lines(full, [r for r in mbpp_records() if r["task_id"] != 5]), "full")
    short = write_lines(tmp_path / "b.jsonl", sanitized_records()[:-1])
    with pytest.raises(ConfigError, match="426 of 427 tasks, 257 of 257 in the test split"):
        mbpp.load(short, "sanitized")


def test_mmlu_is_read_as_text_with_ids_by_place(tmp_path: Path) -> None:
    rows = mmlu.load(mmlu_folder(tmp_path), "test", list(SUBJECTS)).rows
    assert len(rows) == 14_042
    first = rows[0]
    assert first.id == "abstract_algebra/0"
    assert first.choices[3] == "None"
    assert first.question == "abstract_algebra 0?\nsecond line"
    assert len({row.id for row in rows}) == 14_042


def test_mmlu_from_parquet_has_the_digest_of_the_csv_files(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    subjects = ["anatomy", "virology"]
    records = [
        {"question": r[0], "subject": s, "choices": r[1:5], "answer": "ABCD".index(r[5])}
        for s in subjects
        for r in mmlu_rows(s, SUBJECTS[s].rows)
    ]
    (tmp_path / "all").mkdir()
    table = pa.Table.from_pylist(records)
    pq.write_table(table, tmp_path / "all" / "test-00000-of-00001.parquet")
    from_csv = mmlu.load(mmlu_folder(tmp_path / "csv", ("test",)), "test", subjects)
    assert mmlu.load(tmp_path / "all", "test", subjects).digest == from_csv.digest


def test_a_first_row_read_as_a_header_is_noticed(tmp_path: Path) -> None:
    path = mmlu_folder(tmp_path) / "test" / "anatomy_test.csv"
    lines = path.read_text()
    path.write_text("question,A,B,C,D,answer\n" + lines)
    assert len(mmlu.load(tmp_path, "test", ["anatomy"]).rows) == 135
    path.write_text(lines.split("\n", 2)[2])
    with pytest.raises(ConfigError, match="anatomy has 134 rows in its test split, not 135"):
        mmlu.load(tmp_path, "test", ["anatomy"])


@pytest.mark.parametrize(
    ("line", "says"),
    [("q,1,2,3,A", "has 5 fields"), ("q,1,2,3,4,E", "the answer is 'E'"), ('q,"1', "is no CSV")],
)
def test_a_bad_row_of_mmlu_is_named(tmp_path: Path, line: str, says: str) -> None:
    path = mmlu_folder(tmp_path, ("test",)) / "test" / "virology_test.csv"
    path.write_text("ok?,1,2,3,4,A\n" + line + "\n")
    with pytest.raises(ConfigError, match=says) as error:
        mmlu.load(tmp_path, "test", ["virology"])
    assert "virology_test.csv:2" in str(error.value)


def test_missing_subjects_are_counted(tmp_path: Path) -> None:
    (mmlu_folder(tmp_path) / "test" / "virology_test.csv").unlink()
    with pytest.raises(ConfigError, match=r"no file virology_test\.csv \(1 of 57"):
        mmlu.load(tmp_path, "test", list(SUBJECTS))


def test_evalplus_inputs_get_their_true_types(tmp_path: Path) -> None:
    first = {
        "task_id": "Mbpp/2",
        "prompt": '"""\nShared elements.\nassert similar_elements((1, 2), (2,)) == (2,)\n"""\n',
        "entry_point": "similar_elements",
        "canonical_solution": "def similar_elements(a, b):\n    return tuple(set(a) & set(b))\n",
        "base_input": [[[1, 2], [2]]],
        "plus_input": [[[], []]],
        "atol": 0,
        "contract": "",
        "assertion": "",
    }
    others = [
        {**first, "task_id": f"Mbpp/{n}", "plus_input": {} if n == 793 else [[[1], [float("inf")]]]}
        for n in [793, *range(1000, 1376)]
    ]
    row = evalplus.load(write_lines(tmp_path / "p.jsonl", [first, *others]), "mbpp+").rows[0]
    assert (row.base, row.plus) == (("[(1, 2), (2,)]",), ("[(), ()]",))
    assert row.shown_test == "assert similar_elements((1, 2), (2,)) == (2,)"
    assert row.prompt == "Shared elements."
    with pytest.raises(ConfigError, match="377 tasks, not 378"):
        evalplus.load(write_lines(tmp_path / "p.jsonl", [first, *others[:-1]]), "mbpp+")


def test_real_files_have_their_published_sizes() -> None:
    data = real_data()
    assert len(humaneval.load(data).rows) == 164
    assert len(mbpp.load(data, "full").rows) == 974
    assert len(mbpp.load(data, "sanitized").rows) == 427
    assert len(mmlu.load(data, "test", list(SUBJECTS)).rows) == 14_042
    assert len(mmlu.load(data, "dev", list(SUBJECTS)).rows) == 285
    assert len(mmlu.load(data, "val", list(SUBJECTS)).rows) == 1_531
    assert sum(len(r.methods) for r in classeval.load(data).rows) == 410
    plus = data / "evalplus"
    assert len(evalplus.load(plus, "humaneval+").rows) == 164
    assert len(evalplus.load(plus, "mbpp+").rows) == 378
    assert len(evalplus.load(plus / "MbppPlus-v0.1.0.jsonl.gz", "mbpp+").rows) == 399


def test_real_inputs_of_mbpp_plus_agree_with_the_literals_of_the_other_format() -> None:
    plus = real_data() / "evalplus"
    release = {r.id: r for r in evalplus.load(plus / "MbppPlus.jsonl.gz", "mbpp+").rows}
    script = evalplus.load(plus / "MbppPlus-OriginFmt.jsonl.gz", "mbpp+").rows
    names = {"inf": float("inf"), "nan": float("nan")}
    differing = []
    for row in (r for r in script if int(r.id.split("/")[1]) in MBPP_SHAPES):
        other = release[row.id]
        ours = {_shown(text, names) for text in (*other.base, *other.plus)}
        if len(row.plus) == len(other.base) + len(other.plus):
            theirs = {_shown(text, names) for text in row.plus}
            differing += [row.id] if ours != theirs else []
    assert differing == []


def _shown(text: str, names: dict[str, float]) -> str:
    return repr(list(eval(text, dict(names))))
