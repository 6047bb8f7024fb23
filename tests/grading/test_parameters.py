"""Rows of parametrized tests: their ids are foreseen as pytest makes them, and shown as numbers."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from harness.grading.parameters import number_rows, numbered
from harness.grading.subject import Subject
from harness.grading.twin_pairs import TwinSet, python_twins
from harness.tasks.task import TestSettings, TreeFile

PATH = "tests/test_it.py"
TABLES = [
    '"n", [1, 2, 3]',
    '"n, want", [(1, 2), (-3, 2.5), (True, None)]',
    '("n", "want"), [([1], "a b"), ([2], "c::d[0]"), ({}, "")]',
    '["a", "b"], (["x", (1, 2)], ["y", (3,)])',
]
UNFORESEEN = [
    '"n", [1, 1]',
    '"n", ROWS',
    '"n", [f(1)]',
    '"n", [pytest.param(1, id="one")]',
    '"n", [1, 2], indirect=True',
    '"n", [1, 2], ids=["one", "two"]',
    '"n, want", [(1, 2), 3]',
]


def source(table: str) -> str:
    return f"import pytest\n@pytest.mark.parametrize({table})\ndef test_it(n): pass\n"


def foreseen(table: str) -> list[str]:
    tree = ast.parse(source(table))
    number_rows(tree)
    (function,) = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]
    return numbered(function)[1]


def test_ids_are_those_that_pytest_makes(tmp_path: Path) -> None:
    names = (["n"], ["n", "want"], ["n", "want"], ["a", "b"])
    text = "import pytest\n"
    for number, (table, given) in enumerate(zip(TABLES, names, strict=True)):
        text += f"@pytest.mark.parametrize({table})\ndef test_{number}({', '.join(given)}): pass\n"
    (tmp_path / "test_them.py").write_text(text)
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, "-c", "/dev/null", "--rootdir", str(tmp_path), str(tmp_path)],
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    ids = [line.partition("::")[2] for line in done.stdout.splitlines() if "::" in line]
    expected = [
        f"test_{number}[{name}]" for number, table in enumerate(TABLES) for name in foreseen(table)
    ]
    assert ids and ids == expected


@pytest.mark.parametrize("table", UNFORESEEN)
def test_what_cannot_be_foreseen_is_left_alone(table: str) -> None:
    tree = ast.parse(source(table))
    before = ast.unparse(tree)
    number_rows(tree)
    assert ast.unparse(tree) == before and foreseen(table) == []


def twins(text: str) -> TwinSet:
    return python_twins(
        Subject(
            id="t",
            language="python",
            tests=TestSettings(style="pytest"),
            start={},
            hidden={PATH: TreeFile(text.encode())},
        )
    )


def test_every_row_is_falsified_and_no_id_tells_its_value() -> None:
    made = twins(
        "import pytest\n@pytest.mark.parametrize('n, want', [(1, 315), (2, 420), (3, 777)])\n"
        "def test_it(n, want):\n    assert f(n) == want\n"
    )
    true = made.all_true()[PATH].content.decode()
    false = made.all_falsified(3)[PATH].content.decode()
    for value in ("315", "420", "777"):
        assert value in true and value not in false
    assert "==" in false and "ids=['0', '1', '2']" in false
    assert made.names[f"{PATH}::test_it[1]"] == f"{PATH}::test_it[2-420]"
    assert made.has_twin(f"{PATH}::test_it[2-420]")
