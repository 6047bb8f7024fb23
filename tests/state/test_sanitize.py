"""No text, whatever it is, reaches a terminal as anything but plain characters."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.state.sanitize import safe, safe_bytes, safe_line

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=[]))
HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def assert_plain(shown: str, allowed: str = "\n\t") -> None:
    for char in shown:
        assert char in allowed or unicodedata.category(char) not in HIDDEN, hex(ord(char))
    run = 0
    for char in shown:
        run = run + 1 if unicodedata.category(char)[0] == "M" else 0
        assert run <= 4


@given(ANY_TEXT)
def test_any_text_becomes_plain(text: str) -> None:
    shown = safe(text)
    assert_plain(shown)
    shown.encode("utf-8")


@given(st.binary())
def test_any_bytes_become_plain(content: bytes) -> None:
    assert_plain(safe_bytes(content))


@given(ANY_TEXT, st.integers(1, 50))
def test_a_line_is_one_line_and_bounded(text: str, limit: int) -> None:
    shown = safe_line(text, limit)
    assert_plain(shown, allowed="")
    assert len(shown) <= limit


@given(st.text(st.characters(codec="ascii", categories=["L", "N", "P", "S", "Zs"])))
def test_plain_text_is_left_alone(text: str) -> None:
    assert safe(text) == text


def test_every_format_and_control_character_is_escaped() -> None:
    for code in range(0x110000):
        char = chr(code)
        if unicodedata.category(char) in HIDDEN and char not in "\n\t":
            assert char not in safe(f"a{char}b"), hex(code)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
        ("\x9b31m", "\\x9b31m"),
        ("a\r\nb\rc", "a\nb\\rc"),
        ("user\u202egnp.exe", "user\\u202egnp.exe"),
        ("in\u200bvisible", "in\\u200bvisible"),
        ("tag\U000e0041", "tag\\U000e0041"),
        ("half \ud83d", "half \\ud83d"),
        ("e\u0301t\u00e9", "e\u0301t\u00e9"),
        ("z" + "\u0300" * 50, "z" + "\u0300" * 4 + "[+46 marks]"),
        ("日本語 ok", "日本語 ok"),
        ("blank\u2800\u3164", "blank\\u2800\\u3164"),
    ],
)
def test_what_is_shown(text: str, shown: str) -> None:
    assert safe(text) == shown


def test_bytes_that_are_no_text_are_shown_as_bytes() -> None:
    assert safe_bytes(b"ok \xff\xfe") == "ok \\xff\\xfe"


def test_long_text_is_cut_and_says_by_how_much() -> None:
    shown = safe("x" * 150, limit=100)
    assert shown == "x" * 100 + "\n[50 more characters]"
    assert "more" in safe_bytes(b"y" * 1000, limit=10)
