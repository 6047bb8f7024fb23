"""Shares of several defects: what speaks against them, in words."""

from __future__ import annotations

import pytest

from harness.tasks.shares import share_reasons

F2P = frozenset({"a", "b", "c"})


def test_a_partition_has_nothing_against_it() -> None:
    assert share_reasons([frozenset("a"), frozenset("bc")], F2P) == []


@pytest.mark.parametrize(
    ("shares", "said"),
    [
        (["ab", "bc"], "defects 1 and 2 overlap: each alone breaks b"),
        (["abc", ""], "defect 2 alone is noticed by no hidden test"),
        (["a", "b"], "no defect alone breaks c"),
        (["ad", "bc"], "defect 1 alone breaks tests that pass with all of them: d"),
    ],
)
def test_what_is_no_partition_is_told(shares: list[str], said: str) -> None:
    assert share_reasons([frozenset(share) for share in shares], F2P) == [said]
