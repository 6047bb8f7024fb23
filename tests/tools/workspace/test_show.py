"""Text for the model: visible, clipped, counted."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tools.workspace.show import clip_line, clip_result, visible


@given(st.text())
def test_shown_text_is_utf8_without_controls(text: str) -> None:
    shown = visible(text)
    shown.encode()
    assert not any(ord(c) < 32 and c not in "\t\n" for c in shown)


def test_escapes_tell_which_character_it_was() -> None:
    assert visible("a\x1bb\rc\u202ed\udcffe\ttab\n") == "a\\x1bb\\rc\\u202ed\\xffe\ttab\n"


@given(
    st.integers(0, 30_000).map(lambda n: "x" * n) | st.integers(0, 9_000).map(lambda n: "ab\n" * n)
)
def test_a_cut_result_says_so_and_fits(text: str) -> None:
    clipped = clip_result(text)
    assert len(clipped) <= 12_000
    assert clipped == text or "more characters" in clipped


def test_a_long_line_is_cut() -> None:
    assert clip_line("x" * 2_500).endswith("[... 500 more characters]")
