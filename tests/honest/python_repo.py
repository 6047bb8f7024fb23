"""A Python repository in pieces, with one defect: what honest Python solutions are made of."""

from __future__ import annotations

from harness.grading.subject import Subject
from harness.tasks.task import TestSettings
from tests.support.grading import tree

CORE = "parcels/core.py"
PIECES = {
    "HEAD": '''\
"""Postage of parcels."""

import asyncio
import enum
''',
    "ERRORS": '''\
class ParcelError(Exception):
    """Whatever is wrong with a parcel."""


class WeightError(ParcelError):
    """A weight that cannot be."""


class FormatError(ParcelError):
    """A text that names no amount."""
''',
    "MONEY": '''\
class Money:
    """An amount in cents of one currency."""

    def __init__(self, cents, currency="EUR"):
        self.cents = cents
        self.currency = currency

    def __eq__(self, other):
        if not isinstance(other, Money):
            return NotImplemented
        return (self.cents, self.currency) == (other.cents, other.currency)

    def __hash__(self):
        return hash((self.cents, self.currency))

    def __add__(self, other):
        return Money(self.cents + other.cents, self.currency)

    def __lt__(self, other):
        return self.cents < other.cents

    def __str__(self):
        return f"{self.cents // 100}.{self.cents % 100:02d} {self.currency}"

    def __repr__(self):
        return f"Money({self.cents}, {self.currency!r})"
''',
    "PARSE": '''\
def parse(text):
    """The amount that a text names."""
    number, _, currency = text.partition(" ")
    whole, _, rest = number.partition(".")
    if not (whole.isdigit() and rest.isdigit() and len(rest) == 2 and currency):
        raise FormatError(f"no amount: {text!r}")
    return Money(int(whole) * 100 + int(rest), currency)
''',
    "SIZE": '''\
class Size(enum.Enum):
    """How large a parcel is."""

    SMALL = "small"
    MEDIUM = "medium"
    LARGE = "large"


def size_of(grams):
    """The size of a parcel of that weight."""
    if grams <= 0:
        raise WeightError(f"no weight: {grams}")
    if grams <= 500:
        return Size.SMALL
    return Size.MEDIUM if grams <= 2000 else Size.LARGE
''',
    "RATE": '''\
PRICES = {Size.SMALL: 199, Size.MEDIUM: 449, Size.LARGE: 899}


def rate(grams, express=False):
    """What a parcel costs; express takes half as much again, rounded down."""
    cents = PRICES[size_of(grams)]
    return Money(cents + cents // 2 if express else cents)
''',
    "BASKET": '''\
class Basket:
    """Parcels that are sent together."""

    def __init__(self):
        self.parcels = []
        self.closed = False

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.closed = True

    def add(self, name, grams):
        self.parcels.append((name, grams))
        return self

    def __len__(self):
        return len(self.parcels)

    def __iter__(self):
        return (name for name, _ in self.parcels)

    def __contains__(self, name):
        return any(known == name for known, _ in self.parcels)

    def total(self):
        result = Money(0)
        for _, grams in self.parcels:
            result = result + rate(grams)
        return result

    def by_size(self):
        found = {}
        for name, grams in self.parcels:
            found.setdefault(size_of(grams).value, []).append(name)
        return found
''',
    "QUOTE": '''\
async def quote(weights):
    """The rate of each weight."""
    await asyncio.sleep(0)
    return [rate(grams) for grams in weights]
''',
    "SUMMARY": '''\
def summary(basket):
    """One line for people."""
    return f"{len(basket)} parcels, {basket.total()}"
''',
}
DEFECT = ("cents + cents // 2 if express", "cents + cents if express")
_INIT = '''\
"""Postage of parcels."""

from parcels.core import (
    Basket,
    FormatError,
    Money,
    ParcelError,
    Size,
    WeightError,
    parse,
    quote,
    rate,
    size_of,
    summary,
)
'''
_TESTS = """\
import asyncio
import unittest

import pytest

from parcels import (
    Basket, FormatError, Money, ParcelError, Size, WeightError, parse, quote, rate, size_of, summary
)


def test_rate_small():
    assert rate(250) == Money(199, "EUR")


def test_rate_express():
    assert rate(250, express=True) == Money(298, "EUR")


def test_rate_express_text():
    assert str(rate(1200, True)) == "6.73 EUR"


def test_rate_cents():
    assert rate(5000).cents == 899


@pytest.mark.parametrize("grams, cents", [(500, 298), (2000, 673), (2001, 1348)])
def test_express_cents(grams, cents):
    assert rate(grams, express=True).cents == cents


def test_parse():
    assert parse("1.50 EUR") == Money(150, "EUR")


def test_parse_other_currency():
    assert parse("20.05 CHF").currency == "CHF"


def test_format_error():
    with pytest.raises(FormatError):
        parse("much")


def test_weight_error():
    with pytest.raises(WeightError):
        rate(0)


def test_any_error():
    with pytest.raises(ParcelError):
        size_of(-5)


def test_size():
    assert size_of(700) is Size.MEDIUM


def test_size_value():
    assert size_of(4000).value == "large"


def test_money_in_a_set():
    assert len({Money(5), Money(5), Money(7)}) == 2


def test_money_order():
    assert Money(5) < Money(7)


def test_money_is_no_number():
    assert Money(5) != 5


def test_money_repr():
    assert repr(Money(105, "USD")) == "Money(105, 'USD')"


def test_quote():
    assert asyncio.run(quote([100, 900])) == [Money(199), Money(449)]


class BasketTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.parcels = [("book", 400), ("lamp", 1500), ("pen", 20)]

    def setUp(self):
        self.basket = Basket()
        for name, grams in self.parcels:
            self.basket.add(name, grams)

    def test_length(self):
        self.assertEqual(len(self.basket), 3)

    def test_names(self):
        self.assertEqual(list(self.basket), ["book", "lamp", "pen"])

    def test_contains(self):
        self.assertIn("lamp", self.basket)

    def test_total(self):
        self.assertEqual(self.basket.total(), Money(847))

    def test_by_size(self):
        self.assertEqual(self.basket.by_size(), {"small": ["book", "pen"], "medium": ["lamp"]})

    def test_summary(self):
        self.assertEqual(summary(self.basket), "3 parcels, 8.47 EUR")

    def test_closed(self):
        with Basket() as basket:
            self.assertFalse(basket.closed)
        self.assertTrue(basket.closed)
"""
_FILE = "tests/test_parcels.py::"
_DECIDE = ("test_rate_express", "test_rate_express_text", *(
    f"test_express_cents[{given}]" for given in ("500-298", "2000-673", "2001-1348")
))  # fmt: skip
_KEEP = (
    "test_rate_small", "test_rate_cents", "test_parse", "test_parse_other_currency",
    "test_format_error", "test_weight_error", "test_any_error", "test_size", "test_size_value",
    "test_money_in_a_set", "test_money_order", "test_money_is_no_number", "test_money_repr",
    "test_quote",
    *(f"BasketTest::test_{name}" for name in (
        "length", "names", "contains", "total", "by_size", "summary", "closed")),
)  # fmt: skip


def module(**pieces: str) -> str:
    """The core module with some pieces replaced."""
    unknown = pieces.keys() - PIECES.keys()
    assert not unknown, unknown
    return "\n\n".join({**PIECES, **pieces}.values())


def solution(**pieces: str) -> dict[str, str]:
    """The repository's files with some pieces of the core replaced."""
    return {"parcels/__init__.py": _INIT, CORE: module(**pieces)}


def parcels() -> Subject:
    """The task: express costs twice as much instead of half as much again."""
    gold = solution()
    start = {**gold, CORE: gold[CORE].replace(*DEFECT)}
    assert start != gold
    return Subject(
        id="parcels-express",
        language="python",
        tests=TestSettings(style="pytest", timeout_s=20),
        start=tree(start),
        hidden=tree({"tests/test_parcels.py": _TESTS}),
        gold=tree(gold),
        protected=("tests/**", "conftest.py", "**/conftest.py"),
        fail_to_pass=tuple(_FILE + name for name in _DECIDE),
        pass_to_pass=tuple(_FILE + name for name in _KEEP),
    )
