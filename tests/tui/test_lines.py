"""Breaking lines: nothing is lost, nothing is too wide."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tui.model.heights import Heights
from tui.render.lines import chop, clip, middle, pad, text_of, width_of, wrap

words = st.text(alphabet="ab 字é👍", max_size=80)


@given(words, st.integers(4, 30))
def test_chopped_lines_hold_all_of_the_text_and_fit(text: str, width: int) -> None:
    parts = chop(((text, "code"),), width)
    assert "".join(text_of(part) for part in parts) == text
    assert all(width_of(part) <= width for part in parts)


@given(words, st.integers(6, 30), st.integers(0, 4))
def test_wrapped_lines_hold_all_words_and_fit(text: str, width: int, hang: int) -> None:
    parts = wrap(((text, "text"),), width, hang=hang)
    joined = "".join(text_of(part).strip() for part in parts)
    assert joined.replace(" ", "") == text.replace(" ", "")
    assert all(cell_len(text_of(part).rstrip()) <= width for part in parts)


def test_words_are_kept_whole_where_they_fit() -> None:
    parts = wrap((("one two three four", "text"),), 9, hang=2)
    assert [text_of(part).rstrip() for part in parts] == ["one two", "  three", "  four"]


@given(words, st.integers(1, 20))
def test_clipped_padded_and_middled_texts_have_the_width(text: str, width: int) -> None:
    assert cell_len(clip(text, width)) <= width
    assert cell_len(pad(text, width)) == width
    assert cell_len(middle(text, width)) <= width


def test_a_path_keeps_its_end() -> None:
    shown = middle("src/very/long/path/to/module.py", 20)
    assert shown.endswith("module.py"[-10:]) and shown.startswith("src/") and "…" in shown


@given(st.lists(st.integers(0, 9), min_size=1, max_size=60), st.data())
def test_heights_agree_with_plain_sums(values: list[int], data: st.DataObject) -> None:
    heights = Heights(values[: len(values) // 2])
    heights.extend(values[len(values) // 2 : -1])
    heights.append(values[-1])
    for _ in range(5):
        index = data.draw(st.integers(0, len(values) - 1))
        values[index] = data.draw(st.integers(0, 9))
        heights.set(index, values[index])
    cut = data.draw(st.integers(0, len(values)))
    heights.truncate(cut)
    values = values[:cut]
    assert heights.total == sum(values)
    for index in range(len(values) + 1):
        assert heights.before(index) == sum(values[:index])
    for y in range(sum(values)):
        index, line = heights.find(y)
        assert sum(values[:index]) + line == y and line < values[index]


@pytest.mark.parametrize("size", [0, 1, 7])
def test_heights_of_nothing_are_found_too(size: int) -> None:
    assert Heights([0] * size).find(3)[0] in range(max(1, size))
