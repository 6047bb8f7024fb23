"""Falsification of Python tests, on many forms of assertion."""

from __future__ import annotations

import unittest
from typing import Any

import pytest

from harness.errors import ConfigError
from harness.grading.subject import Subject
from harness.grading.twin_pairs import TwinSet, base_id, python_twins
from harness.tasks.task import TestSettings, TreeFile

HEAD = """\
import datetime
import math
import unittest
from datetime import date
from decimal import Decimal
from pathlib import PurePosixPath as Path
import pytest
from mod import Bad, Color, Worse
OTHERS = [3, 12, 4.75, 99.5, "north", "2024-05-01", "x: 1", b"ab", b"cd", True]
def test_others():
    assert OTHERS[0] == 3
    assert date(2020, 1, 1) != date(2021, 2, 2)
    assert Decimal("9.75") > Decimal("1.25")
    assert Path("a/b") != Path("c")
    assert Color.RED is not Color.BLUE
def raiser(error):
    raise error
"""
GOLD = """\
import enum
class Bad(Exception): pass
class Worse(Bad): pass
class Color(enum.Enum):
    RED = 1
    BLUE = 2
"""
# Statements that hold. Each must have a falsified form that parses and does not hold.
FUNCTIONS = [
    "assert 1 + 2 == 3",
    "assert 3 == 1 + 2",
    "assert -4 == 1 - 5",
    "assert 2.5 + 1 == 3.5",
    "assert 'so' + 'uth' == 'south'",
    "assert str(date(2024, 1, 31)) == '2024-01-31'",
    "assert date(2024, 1, 30) + datetime.timedelta(days=1) == date(2024, 1, 31)",
    "assert Decimal('1.5') * 1 == Decimal('1.50')",
    "assert Path('a') / 'x' == Path('a/x')",
    "assert bytes([97]) == b'a'",
    "assert sorted([2, 1]) == [1, 2]",
    "assert dict(a=1, b=[2, 'x']) == {'a': 1, 'b': [2, 'x']}",
    "assert (1, 'a') == (1, 'a')",
    "assert {1, 2} == {2, 1}",
    "assert [] == list(())",
    "assert list(()) == []",
    "assert Color(1) is Color.RED",
    "assert Color(1) == Color.RED",
    "assert (1 == 1) is True",
    "assert (1 == 2) == False",
    "assert {}.get(1) is None",
    "x = 'a'\n    assert x is not None",
    "assert 'a' in 'cat'",
    "assert 'z' not in 'cat'",
    "assert 1 < 2",
    "assert 1 < 2 < 3",
    "assert 2 >= 2",
    "assert 1 != 2",
    "assert isinstance(3, int)",
    "assert not isinstance(3, str)",
    "assert 'x'",
    "assert not ''",
    "assert not (False or '')",
    "assert 1 + 1 == 2 and 'a' < 'b'",
    "assert 0 or 1",
    "assert all(x > 0 for x in [1])",
    "assert 1 + 1 == 2, 'message'",
    "assert 0.1 + 0.2 == pytest.approx(0.3)",
    "assert [0.1 + 0.2] == pytest.approx([0.3])",
    "assert 10.0 == pytest.approx(10.4, abs=0.5)",
    "assert math.pi == pytest.approx(3.0, rel=0.1)",
    "x = 5\n    assert x == len('abcde')",
    "a, b = 1, 1\n    assert a == b",
    "with pytest.raises(Bad):\n        raiser(Bad())",
    "with pytest.raises(Bad):\n        raiser(Worse())",
    "with pytest.raises(Worse, match='w'):\n        raiser(Worse('w'))",
    "with pytest.raises((KeyError, Bad)):\n        raiser(KeyError())",
    "with pytest.raises(ValueError) as caught:\n        int('x')\n    assert caught.type",
    "with pytest.raises(UnicodeError):\n        b'\\xff'.decode()",
    "pytest.raises(ZeroDivisionError, lambda: 1 / 0)",
    "for x in [1]:\n        assert x == 1",
    "if True:\n        assert len('ab') == 2",
    "try:\n        assert len('ab') == 2\n    finally:\n        pass",
]
METHODS = [
    "self.assertEqual(1 + 2, 3)",
    "self.assertEqual(3, 1 + 2)",
    "self.assertEqual([1, 'a'], [1, 'a'])",
    "self.assertEqual(list(()), [])",
    "self.assertNotEqual(1, 2)",
    "self.assertTrue('x')",
    "self.assertFalse('')",
    "self.assertIs(None, None)",
    "self.assertIsNot(1, None)",
    "self.assertIsNone({}.get(1))",
    "self.assertIsNotNone(1)",
    "self.assertIn(1, [1])",
    "self.assertNotIn(2, [1])",
    "self.assertIsInstance(1, int)",
    "self.assertNotIsInstance(1, str)",
    "self.assertAlmostEqual(0.1 + 0.2, 0.3)",
    "self.assertAlmostEqual(2.004, 2.0, places=2)",
    "self.assertAlmostEqual(2.4, 2.0, delta=0.5)",
    "self.assertGreater(2, 1)",
    "self.assertGreaterEqual(2, 2)",
    "self.assertLess(1, 2)",
    "self.assertLessEqual(2, 2)",
    "self.assertRegex('abc', 'b')",
    "self.assertNotRegex('abc', 'z')",
    "self.assertCountEqual([2, 1], [1, 2])",
    "self.assertListEqual([1], [1])",
    "self.assertDictEqual({'a': 1}, {'a': 1})",
    "self.assertTupleEqual((1,), (1,))",
    "self.assertSetEqual({1}, {1})",
    "self.assertMultiLineEqual('a\\nb', 'a\\nb')",
    "with self.assertRaises(Bad):\n            raiser(Bad())",
    "with self.assertRaisesRegex(Bad, 'no'):\n            raiser(Bad('no'))",
    "self.assertRaises(ValueError, int, 'x')",
    "with self.subTest(1):\n            self.assertEqual(len('ab'), 2)",
]


def twins(source: str, gold: str = GOLD) -> TwinSet:
    return python_twins(
        Subject(
            id="t",
            language="python",
            tests=TestSettings(style="pytest"),
            start={},
            hidden={"tests/test_it.py": TreeFile(source.encode())},
            gold={"mod.py": TreeFile(gold.encode())},
        )
    )


def text_of(tree: Any) -> str:
    return str(tree["tests/test_it.py"].content.decode())


def namespace(text: str) -> dict[str, Any]:
    scope: dict[str, Any] = {}
    exec(GOLD, scope)
    text = text.replace("from mod import Bad, Color, Worse", "")
    exec(compile(text, "test_it.py", "exec"), scope)
    return scope


@pytest.mark.parametrize("statement", FUNCTIONS)
def test_a_falsified_assertion_fails_where_the_true_one_holds(statement: str) -> None:
    made = twins(f"{HEAD}\ndef test_form():\n    {statement}\n")
    true = text_of(made.all_true())
    namespace(true)["test_form"]()
    for seed in range(6):
        false = text_of(made.all_falsified(seed))
        assert false.count("\n") == true.count("\n")
        with pytest.raises(BaseException) as caught:
            namespace(false)["test_form"]()
        # it fails by its assertion (or the error it no longer expects), not by a broken text
        assert not isinstance(caught.value, SyntaxError | NameError | AttributeError)


@pytest.mark.parametrize("statement", METHODS)
def test_a_falsified_method_fails_where_the_true_one_holds(statement: str) -> None:
    source = f"{HEAD}\nclass FormTest(unittest.TestCase):\n    def test_form(self):\n        "
    source += f"{statement}\n"
    made = twins(source)

    def outcome(text: str) -> bool:
        result = unittest.TestResult()
        namespace(text)["FormTest"]("test_form").run(result)
        return result.wasSuccessful()

    true = text_of(made.all_true())
    assert outcome(true)
    for seed in range(6):
        false = text_of(made.all_falsified(seed))
        assert false.count("\n") == true.count("\n")
        assert not outcome(false)


def test_ids_parameters_and_decorators_are_kept() -> None:
    source = (
        "import pytest\n\n@pytest.mark.parametrize('a,b', [(1, 1), (2, 2)])\n"
        "def test_pairs(a, b):\n    assert a == b\n"
    )
    made = twins(source)
    false = text_of(made.all_falsified(0))
    assert "def test_pairs(a, b):" in false and "ids=['0', '1']" in false
    assert "ids=['0', '1']" in text_of(made.all_true())
    assert made.names["tests/test_it.py::test_pairs[1]"] == "tests/test_it.py::test_pairs[2-2]"
    assert made.has_twin("tests/test_it.py::test_pairs[1-1]")
    assert base_id("tests/test_it.py::test_pairs[a::b]") == "tests/test_it.py::test_pairs"


def test_comments_are_dropped_from_both_forms() -> None:
    made = twins(
        "def test_a():\n    assert f() == 3  # three\ndef test_b():\n    assert f() == 4\n"
    )
    assert "#" not in text_of(made.all_true()) + text_of(made.all_falsified(1))


def test_inherited_tests_share_the_fate_of_their_base() -> None:
    source = (
        "import unittest\nclass Base:\n    def test_x(self):\n        self.assertEqual(f(), 3)\n"
        "class FirstTest(Base, unittest.TestCase):\n    pass\n"
        "class SecondTest(FirstTest):\n    pass\n"
    )
    pair = twins(source).pair(1)
    roles = {pair.role(f"tests/test_it.py::{name}::test_x") for name in ("FirstTest", "SecondTest")}
    assert len(roles) == 1 and roles != {0}


@pytest.mark.parametrize(
    "body",
    ["f()", "for x in CASES:\n        check(x)", "pytest.fail('no')", "with g():\n        pass"],
)
def test_a_test_without_a_value_has_no_twin(body: str) -> None:
    made = twins(f"import pytest\ndef test_a():\n    {body}\n")
    assert not made.has_twin("tests/test_it.py::test_a")
    assert made.pair(0).role("tests/test_it.py::test_a") == 0


def test_an_error_of_unknown_ancestry_is_not_exchanged() -> None:
    source = (
        "import pytest\nfrom other import Odd\ndef test_a():\n    with pytest.raises(Odd):\n"
        "        f()\n"
    )
    assert not twins(source).has_twin("tests/test_it.py::test_a")


def test_halves_are_complementary() -> None:
    source = "\n".join(f"def test_{n}():\n    assert f() == {n}\n" for n in range(10, 30))
    made = twins(source)
    pair = made.pair()
    true = text_of(made.all_true()).splitlines()
    first, second = text_of(pair.first).splitlines(), text_of(pair.second).splitlines()
    assert len(first) == len(second) == len(true)
    for a, b, t in zip(first, second, true, strict=True):
        # every assertion is true in exactly one of the two forms
        assert ("assert" not in t) or (a == t) != (b == t)
    # a coin for each test: of exact halves, counting one part would tell the other
    counts = {list(made.pair(seed).sides.values()).count(1) for seed in range(20)}
    assert len(counts) > 1 and all(0 < count < 20 for count in counts)
    assert len({tuple(made.pair().sides.items()) for _ in range(5)}) > 1


def test_a_hidden_test_that_does_not_parse_is_named() -> None:
    with pytest.raises(ConfigError, match=r"tests/test_it\.py"):
        twins("def test_a(:\n")
