"""Numbers as a person reads them."""

from __future__ import annotations

from harness.report.numbers import p_words
from harness.words import counted


def test_a_small_chance_is_none_of_zero() -> None:
    assert p_words(0.03125) == "p = 0.0312"
    assert p_words(0.0001) == "p = 0.0001"
    assert p_words(0.00004) == "p < 0.0001"
    assert p_words(1.0) == "p = 1.0000"


def test_one_is_no_plural() -> None:
    assert [counted(n, "task") for n in (0, 1, 2)] == ["0 tasks", "1 task", "2 tasks"]
    assert counted(1, "box", "boxes") == "1 box" and counted(2, "box", "boxes") == "2 boxes"
