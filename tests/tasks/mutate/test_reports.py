"""What failing tests tell, and the reports made of it."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from textwrap import dedent

import pytest

from harness.tasks.mutate.by_model import objection
from harness.tasks.mutate.combine import Proposal
from harness.tasks.mutate.distinct import single_of
from harness.tasks.mutate.instruct import report
from harness.tasks.mutate.outcome import Outcome
from harness.tasks.mutate.python_facts import python_fact
from harness.tasks.mutate.repo import Ground, load_ground
from harness.tasks.mutate.stream import Stream
from harness.tasks.mutate.typescript_facts import typescript_fact
from harness.tasks.task import TreeFile
from tests.tasks.mutate.tiny import write_till

ORDERS = dedent(
    '''
    import unittest
    from shop.orders import load, picks
    from shop.errors import ShopError

    TEXT = """
    item MILK
    item JAM
    """


    def refusal(call):
        try:
            call()
        except ShopError as error:
            return f"{type(error).__name__}: {error}"
        return "accepted"


    class OrderTest(unittest.TestCase):
        def setUp(self):
            self.shop = load(TEXT)

        def order(self, text):
            self.shop.apply(f"order {text}")

        def test_earliest_first(self):
            self.order("MILK=1")
            self.assertEqual(picks(self.shop), [("M1", 1)])

        def test_unknown_item(self):
            self.assertEqual(refusal(lambda: self.order("TEA=1")), "ShopError: unknown item TEA")

        def test_nothing(self):
            with self.assertRaises(ShopError):
                self.order("")
    '''
)
HIDDEN = {"acceptance/test_orders.py": TreeFile(ORDERS.encode())}
PATH = "acceptance/test_orders.py::OrderTest::"


def test_a_test_is_unrolled_into_a_program() -> None:
    message = (
        "E   AssertionError: Lists differ: [('M2', 1)] != [('M1', 1)]\nE   \nE   First differing"
    )
    fact = python_fact(HIDDEN, f"{PATH}test_earliest_first", message)
    assert fact is not None and fact.whole
    assert fact.words == "earliest first"
    assert fact.setup.startswith("from shop.orders import load, picks\n")
    assert fact.setup.endswith('shop = load(TEXT)\nshop.apply("order MILK=1")')
    assert "self" not in fact.setup and "unittest" not in fact.setup
    assert 'TEXT = """\nitem MILK\nitem JAM\n"""' in fact.setup
    ast.parse(fact.setup)
    assert (fact.call, fact.expected, fact.seen) == ("picks(shop)", '[("M1", 1)]', "[('M2', 1)]")


def test_a_refusal_that_does_not_come_is_told_as_one() -> None:
    message = "E   AssertionError: 'accepted' != 'ShopError: unknown item TEA'"
    fact = python_fact(HIDDEN, f"{PATH}test_unknown_item", message)
    assert fact is not None
    assert fact.refused == "ShopError: unknown item TEA" and fact.error == "" == fact.seen
    assert "refusal" not in fact.setup + fact.call
    told = python_fact(HIDDEN, f"{PATH}test_nothing", "E   AssertionError: ShopError not raised")
    message = "E   AssertionError: assert [...] == [...]\nE     At index 0 diff: 1 != 2"
    cut = python_fact(HIDDEN, f"{PATH}test_earliest_first", message)
    assert cut is not None and (cut.first, cut.after) == ("entry 1 is 1 where it should be 2", "")
    assert told is not None and (told.refused, told.error) == ("ShopError", "")


def test_a_crash_before_the_assertion_tells_what_was_to_hold_afterwards() -> None:
    line = ORDERS[: ORDERS.index('self.order("MILK=1")')].count("\n") + 1
    message = (
        f"acceptance/test_orders.py:{line}: in test_earliest_first\n"
        "E   shop.errors.ShopError: no stock at 0x7f00deadbeef\n"
    )
    fact = python_fact(HIDDEN, f"{PATH}test_earliest_first", message)
    assert fact is not None and fact.whole
    assert fact.error == "ShopError"  # what differs from run to run is left out
    assert fact.after == 'picks(shop) == [("M1", 1)]'


@pytest.mark.parametrize(
    ("message", "seen", "first"),
    [
        ("E       assert 3 == 4\nE        +  where 3 = f()", "3", ""),
        ("E   AssertionError: assert [1...9] == [1, 2]\nE     \nE     At index 0 diff: 1 != 2", "",
         "entry 1 is 1 where it should be 2"),
        ("E     Right contains one more item: 'b'", "", "'b' is missing"),
        ("E     Left contains 1 more item:\nE     {'b': 1}", "",
         "{'b': 1} is there and should not be"),
        ("E   AssertionError: assert 'accepted' == 'Refused...of any'", "'accepted'", ""),
        ("E   AssertionError: False is not true", "False", ""),
        ("E   assert <object at 0x7fffdeadbeef> == 4", "", ""),
    ],
)  # fmt: skip
def test_what_came_is_read_from_the_failure(message: str, seen: str, first: str) -> None:
    from harness.tasks.mutate.messages import first_difference, seen_value

    assert (seen_value(message), first_difference(message)) == (seen, first)


def test_an_error_is_known_by_its_name_or_its_module() -> None:
    from harness.tasks.mutate.messages import error_seen

    assert error_seen("E   tabula.errors.NameFault: no table x") == "NameFault: no table x"
    assert error_seen("E   ValueError: odd\n") == "ValueError: odd"
    assert error_seen("E   AssertionError: 1 != 2") == ""


def test_a_test_of_node_is_read_too() -> None:
    text = dedent(
        """
        import assert from 'node:assert/strict';
        import { test, describe } from 'node:test';
        import { span } from '../src/span.ts';

        // Most tests begin with it.
        const parse = (text: string) => {
          return span(text);
        };

        describe('span', () => {
          const weeks = ['6w'];

          test('weeks are days', () => {
            const made = parse(...weeks);
            assert.equal(made.days, 42);
          });
        });
        """
    )
    hidden = {"acceptance/span.test.ts": TreeFile(text.encode())}
    test = "acceptance/span.test.ts > span > weeks are days"
    fact = typescript_fact(hidden, test, "Expected values to be strictly equal:\n\n30 !== 42\n")
    assert fact is not None
    assert (fact.call, fact.expected, fact.seen) == ("made.days", "42", "30")
    # with what the test needs, without imports, which would tell the place
    assert fact.setup == (
        "const parse = (text: string) => {\n  return span(text);\n};\nconst weeks = ['6w'];\n"
        "const made = parse(...weeks);"
    )


@pytest.mark.parametrize(
    ("told", "seen"),
    [
        ("strictly deep-equal:\n+ actual - expected\n\n  [\n    'a',\n-   'b'\n  ]\n", "[ 'a' ]"),
        ("strictly equal:\n+ actual - expected\n\n+ '206'\n- '200'\n     ^\n", "'206'"),
        ("strictly equal:\n+ actual - expected\n\n+ 'a\\n' +\n+   'b'\n- 'c'\n", "'a\\nb'"),
        ("strictly deep-equal:\n+ actual - expected\n... Skipped lines\n\n  [\n", ""),
        ("strictly equal:\n\ntrue !== false\n", "true"),
    ],
)
def test_the_value_that_node_saw_is_read(told: str, seen: str) -> None:
    text = "test('one', () => {\n  assert.deepEqual(f(), ['a', 'b']);\n});\n"
    hidden = {"acceptance/x.test.ts": TreeFile(text.encode())}
    message = f"AssertionError [ERR_ASSERTION]: Expected values to be {told}\n    at Test.run (x)"
    fact = typescript_fact(hidden, "acceptance/x.test.ts > one", message)
    assert fact is not None and fact.seen == seen


def proposal(ground: Ground) -> Proposal:
    plant = next(p for p in ground.plants() if p.kind == "edge" and p.path == "till/money.py")
    failing = {
        "acceptance/test_money.py::BonusTest::test_at_the_limit": "E   AssertionError: 0 != 10",
        "acceptance/test_book.py::test_bonus_of_a_customer": "E   assert 0 == 25",
    }
    return Proposal(1, (single_of(plant, Outcome(11, failing), ground.text(plant.path)),), 1)


def test_a_report_tells_symptoms_and_neither_place_nor_tests(tmp_path: Path) -> None:
    ground = load_ground(write_till(tmp_path))
    texts = {report(ground, proposal(ground), Stream("report", n)) for n in range(40)}
    assert len(texts) > 20
    for text in texts:
        assert "bonus(100)" in text and "`10`" in text and "`0`" in text
        assert "money.py" not in text and "test_" not in text and "acceptance" not in text
        assert "{" not in re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    assert report(ground, proposal(ground), Stream("x")) == report(
        ground, proposal(ground), Stream("x")
    )


def test_a_models_report_that_gives_the_place_away_is_refused(tmp_path: Path) -> None:
    ground = load_ground(write_till(tmp_path))
    good = (
        "When I ask for bonus(100) I get 0. The manual says that it has to be 10, please mend it."
    )
    assert objection(good, ground, proposal(ground)) == ""
    assert objection("", ground, proposal(ground)) == "it is too short"
    assert "money.py" in objection(f"{good} See till/money.py.", ground, proposal(ground))
    assert "test_at_the_limit" in objection(f"{good} (test_at_the_limit)", ground, proposal(ground))
