"""A repository small enough to be mutated within seconds, with tests of both styles."""

from __future__ import annotations

from pathlib import Path

FILES = {
    "repo.toml": """\
schema_version = 1
name = "till"
language = "python"
summary = "Adds up a till's receipts"
licence = "Apache-2.0"

[tests]
style = "pytest"
folder = "acceptance"
timeout_s = 30

[paths]
protected = ["tests/**", "acceptance/**"]
""",
    "gold/README.md": "# till\n\nAdds up receipts; a receipt of 100 or more earns a bonus.\n",
    "gold/till/__init__.py": '"""Receipts."""\n',
    "gold/till/money.py": '''\
"""Amounts in cents."""


def bonus(cents: int) -> int:
    """One cent for each whole ten, from 100 on."""
    if cents < 100:
        return 0
    return cents // 10


def shown(cents: int) -> str:
    """As people write it."""
    return f"{cents // 100}.{cents % 100:02d}"
''',
    "gold/till/book.py": '''\
"""A day's receipts."""

from till.money import bonus


class Book:
    """Receipts by customer."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, int]] = []

    def add(self, name: str, cents: int) -> None:
        """Take a receipt; the name is trimmed."""
        if cents <= 0:
            raise ValueError("a receipt is more than nothing")
        self.rows.append((name.strip(), cents))

    def names(self) -> list[str]:
        """Customers in order, each once."""
        return sorted({name for name, _ in self.rows})

    def bonus_of(self, name: str) -> int:
        """What a customer has earned."""
        return sum(bonus(cents) for owner, cents in self.rows if owner == name)
''',
    "hidden/test_money.py": """\
import unittest

from till.money import bonus, shown


class BonusTest(unittest.TestCase):
    def test_below_the_limit(self):
        self.assertEqual(bonus(99), 0)

    def test_at_the_limit(self):
        self.assertEqual(bonus(100), 10)

    def test_odd_cents_are_dropped(self):
        self.assertEqual(bonus(119), 11)


class ShownTest(unittest.TestCase):
    def test_two_digits(self):
        self.assertEqual(shown(105), "1.05")

    def test_whole(self):
        self.assertEqual(shown(2000), "20.00")
""",
    "hidden/test_book.py": '''\
import pytest

from till.book import Book

NAMES = """
  Ann
Bob
""".splitlines()[1:]


@pytest.fixture
def book():
    book = Book()
    for name in NAMES:
        book.add(name, 250)
    return book


def earned(book, name):
    return book.bonus_of(name)


def test_names_in_order(book):
    book.add("Aaron", 1)
    assert book.names() == ["Aaron", "Ann", "Bob"]


def test_names_once(book):
    book.add("Bob", 1)
    assert book.names() == ["Ann", "Bob"]


def test_bonus_of_a_customer(book):
    assert earned(book, "Bob") == 25


def test_bonus_of_a_trimmed_name(book):
    assert earned(book, "Ann") == 25


def test_nothing_is_refused(book):
    with pytest.raises(ValueError):
        book.add("Ann", 0)


def test_less_than_nothing_is_refused(book):
    with pytest.raises(ValueError):
        book.add("Ann", -5)
''',
}


def write_till(root: Path) -> Path:
    """Write the repository below ``root``; returns its folder."""
    folder = root / "till"
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (folder / "tasks").mkdir(exist_ok=True)
    return folder
