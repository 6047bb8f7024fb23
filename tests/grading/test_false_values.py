"""False values keep the profile of the true ones: where else they occur tells nothing."""

from __future__ import annotations

import ast
from collections import Counter
from typing import Any

import pytest

from harness.grading.false_values import Surroundings
from harness.grading.subject import Subject
from harness.grading.twin_pairs import TwinSet, python_twins
from harness.tasks.task import TestSettings, TreeFile

PATH = "tests/test_it.py"


def twins(tests: str, source: str = "", instruction: str = "") -> TwinSet:
    subject = Subject(
        id="t",
        language="python",
        tests=TestSettings(style="pytest"),
        start={"mod.py": TreeFile(source.encode())},
        hidden={PATH: TreeFile(tests.encode())},
        instruction=instruction,
    )
    made = python_twins(subject)
    around = Surroundings(made.files, subject.start, instruction)
    return TwinSet(made.hidden, made.files, made.parents, around)


def falsified(made: TwinSet, seed: int) -> list[Any]:
    """What stands behind ``==`` in the falsified form."""
    tree = ast.parse(made.all_falsified(seed)[PATH].content)
    return [
        ast.literal_eval(n.test.comparators[0])
        for n in ast.walk(tree)
        if isinstance(n, ast.Assert) and isinstance(n.test, ast.Compare)
    ]


@pytest.mark.parametrize("seed", range(10))
def test_a_value_that_occurs_once_is_replaced_by_one_that_does(seed: int) -> None:
    numbers = [n * 111 for n in range(1, 9)]
    source = "\n".join(f"def test_{n}():\n    assert f() == {n}\n" for n in numbers)
    values = falsified(twins(source), seed)
    # none of them trades places: a test whose truth is known would give the other away
    assert not set(values) & set(numbers)
    assert max(Counter(values).values()) == 1
    assert {len(str(value)) for value in values} == {3}


@pytest.mark.parametrize("seed", range(10))
def test_a_value_that_occurs_twice_is_replaced_by_one_that_occurs_elsewhere(seed: int) -> None:
    source = (
        "def test_a():\n    assert f(250) == 250\n"
        "def test_b():\n    assert f(315) == 315\n"
        "def test_c():\n    assert f(480) == 480\n"
    )
    assert set(falsified(twins(source), seed)) <= {250, 315, 480}


@pytest.mark.parametrize("seed", range(10))
def test_a_word_of_the_source_is_replaced_by_another_of_its_words(seed: int) -> None:
    tests = 'def test_a():\n    assert label(3) == "many"\n'
    made = twins(tests, 'def label(n):\n    return "many" if n > 1 else "one" if n else "none"\n')
    assert falsified(made, seed)[0] in {"one", "none"}


@pytest.mark.parametrize("seed", range(10))
def test_a_number_of_the_instruction_is_replaced_by_one_of_its_numbers(seed: int) -> None:
    tests = "def test_a():\n    assert f(7) == 315\ndef test_b():\n    assert f(9) == 8\n"
    made = twins(tests, instruction="It gives 350 where everybody expects 315.")
    # 350 stands in the text as 315 does; a made-up number would not
    assert falsified(made, seed)[0] == 350


@pytest.mark.parametrize("text", ["305", "3.05", "-20", "1000", "7", "0", "2.50"])
def test_made_up_numbers_are_as_round_as_true_ones(text: str) -> None:
    made = twins(f"def test_a():\n    assert f() == {text}\n")
    true = ast.literal_eval(text)
    for seed in range(20):
        (value,) = falsified(made, seed)
        assert value != true and type(value) is type(true) and (value < 0) == (true < 0)
        if len(text) > 1 and isinstance(true, int):
            assert (value % 10 == 0) == (true % 10 == 0)
        assert len(str(value)) == len(str(true)) or isinstance(true, float)


@pytest.mark.parametrize("seed", range(5))
def test_texts_keep_their_shape(seed: int) -> None:
    (value,) = falsified(twins('def test_a():\n    assert f() == "tea: 3.05"\n'), seed)
    assert value != "tea: 3.05" and value.startswith("tea: ") and len(value) == 9


def test_a_falsified_file_is_printed_like_a_true_one() -> None:
    source = "def test_a():\n    assert not (f() or g())\ndef test_b():\n    assert f() - 1 != -1\n"
    text = twins(source).all_falsified(1)[PATH].content.decode()
    assert ast.unparse(ast.parse(text)) + "\n" == text


@pytest.mark.parametrize("seed", range(10))
def test_an_error_of_the_package_is_expected_of_a_call_that_raises_nothing(seed: int) -> None:
    tests = (
        "import pytest\nfrom mod import Bad, f\n"
        "def test_a():\n    with pytest.raises(Bad):\n        f(-1)\n"
        "def test_b():\n    assert f(2) == 4\n"
    )
    made = twins(tests, "class Bad(Exception):\n    pass\n")
    text = made.all_falsified(seed)[PATH].content.decode()
    assert "raises(Bad):\n        f(2)" in text
