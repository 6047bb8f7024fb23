"""Data of the classic suites for tests: sets made up here, and the real ones where they lie.

The real sets are never part of the project: PROCTOR_DATA names their folder, and tests that need
it skip without (PROCTOR_REQUIRE=data makes that a failure).
"""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path
from typing import Any

import pytest

from harness.suites.data.subjects import SUBJECTS


def real_data() -> Path:
    """The folder of real data, or a skip."""
    name = os.environ.get("PROCTOR_DATA", "")
    if name and Path(name).is_dir():
        return Path(name)
    reason = "PROCTOR_DATA names no folder of real data"
    if "data" in os.environ.get("PROCTOR_REQUIRE", "").split(","):
        pytest.fail(reason)
    pytest.skip(reason)


def humaneval_records() -> list[dict[str, Any]]:
    """164 problems in HumanEval's form; number 32 has a helper that its test calls."""
    records = []
    for n in range(164):
        prompt = f'def add_{n}(x):\n    """Add {n} to x."""\n'
        test = f"def check(candidate):\n    assert candidate(1) == {n + 1}\n"
        if n == 32:
            prompt = f"from typing import List\n\ndef help_it(x):\n    return x\n\n\n{prompt}"
            test = f"def check(candidate):\n    assert help_it(candidate(1)) == {n + 1}\n"
        records.append(
            {
                "task_id": f"HumanEval/{n}",
                "prompt": prompt,
                "entry_point": f"add_{n}",
                "canonical_solution": f"    return x + {n}\n",
                "test": test,
            }
        )
    return records


def mbpp_records() -> list[dict[str, Any]]:
    """974 problems in the form of MBPP full, code with CRLF; 11 has a setup, 12 imports sys."""
    records = []
    for n in range(1, 975):
        code, setup, tests = (
            f"def f_{n}(x):\r\n  return x + {n}",
            "",
            [f"assert f_{n}(1) == {n + 1}"],
        )
        if n == 11:
            code, setup = "class Node:\r\n  v = 4\r\ndef f_11(x):\r\n  return x.v", "root = Node()"
            tests = ["assert f_11(root) == 4"]
        if n == 12:
            code = "import sys\r\ndef f_12(x):\r\n  return sys.getsizeof(x)"
            tests = ["assert f_12(1) == sys.getsizeof(1)"]
        if n == 13:
            code = "def check(x):\r\n  return x"
            tests = ["assert check(2) == 2"]
        records.append(
            {
                "text": f"Write a function to add {n}.",
                "code": code,
                "task_id": n,
                "test_setup_code": setup,
                "test_list": tests,
                "challenge_test_list": [],
            }
        )
    return records


def sanitized_records() -> list[dict[str, Any]]:
    """427 problems in the form of MBPP sanitized, 257 of them in the test split."""
    ids = [*range(1, 11), *range(11, 268), *range(511, 671)]
    return [
        {
            "source_file": "made up",
            "task_id": n,
            "prompt": f"Write a function to add {n}.",
            "code": f"def f_{n}(x):\n  return math.floor(x) + {n}",
            "test_imports": ["import math"],
            "test_list": [f"assert math.isclose(f_{n}(1), {n + 1})"],
        }
        for n in ids
    ]


def mmlu_folder(folder: Path, splits: tuple[str, ...] = ("dev", "test")) -> Path:
    """CSV files of all subjects with their true numbers of rows and made-up questions.

    Row 0 has a choice that is the word None, and a question of two lines.
    """
    for split in splits:
        (folder / split).mkdir(parents=True, exist_ok=True)
        for name, subject in SUBJECTS.items():
            rows = mmlu_rows(name, 5 if split == "dev" else subject.rows)
            with (folder / split / f"{name}_{split}.csv").open("w", newline="") as file:
                csv.writer(file).writerows(rows)
    return folder


def mmlu_rows(subject: str, count: int) -> list[list[str]]:
    """Rows of one subject as its CSV file has them."""
    rows = [
        [f"{subject} {n}?", f"a{n}", f"b{n}", f"c{n}", f"d{n}", "ABCD"[n % 4]] for n in range(count)
    ]
    rows[0][0] += "\nsecond line"
    rows[0][4] = "None"
    return rows


def write_lines(path: Path, records: list[dict[str, Any]]) -> Path:
    """Records as JSON lines."""
    path.write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")
    return path
