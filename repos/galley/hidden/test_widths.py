"""Columns of text."""

import unittest

from galley.width import clusters, cut, expand_tabs, pad, shorten, width


class TestWidth(unittest.TestCase):
    def test_ascii(self) -> None:
        self.assertEqual(width("hello"), 5)

    def test_wide_characters_take_two(self) -> None:
        self.assertEqual(width("日本"), 4)

    def test_full_width_letters_take_two(self) -> None:
        self.assertEqual(width("ＡＢＣ"), 6)

    def test_combining_mark_takes_none(self) -> None:
        self.assertEqual(width("cafe\u0301"), 4)

    def test_soft_hyphen_takes_none(self) -> None:
        self.assertEqual(width("co\u00adop"), 4)

    def test_decomposed_hangul_is_one_syllable(self) -> None:
        self.assertEqual(width("\u1112\u1161\u11ab"), 2)

    def test_emoji_selector_makes_wide(self) -> None:
        self.assertEqual(width("❤\ufe0f!"), 3)

    def test_joined_emoji_count_once(self) -> None:
        self.assertEqual(width("👩\u200d🚀"), 2)

    def test_control_characters_take_none(self) -> None:
        self.assertEqual(width("a\x07bc"), 3)

    def test_latin_letters_beyond_ascii_take_one(self) -> None:
        self.assertEqual(width("Größe"), 5)


class TestClusters(unittest.TestCase):
    def test_marks_stay_with_their_letter(self) -> None:
        self.assertEqual(clusters("e\u0301x"), ["e\u0301", "x"])

    def test_joiner_binds_what_follows(self) -> None:
        self.assertEqual(clusters("👩\u200d🚀x"), ["👩\u200d🚀", "x"])

    def test_leading_mark_stands_alone(self) -> None:
        self.assertEqual(clusters("\u0301a"), ["\u0301", "a"])


class TestCut(unittest.TestCase):
    def test_cut_in_ascii(self) -> None:
        self.assertEqual(cut("abcdef", 4), ("abcd", "ef"))

    def test_wide_character_does_not_fit_by_half(self) -> None:
        self.assertEqual(cut("a日本", 4), ("a日", "本"))

    def test_mark_is_not_torn_off(self) -> None:
        self.assertEqual(cut("e\u0301e\u0301", 1), ("e\u0301", "e\u0301"))

    def test_everything_fits(self) -> None:
        self.assertEqual(cut("abc", 3), ("abc", ""))


class TestPadAndShorten(unittest.TestCase):
    def test_pad_left_aligned(self) -> None:
        self.assertEqual(pad("ab", 5), "ab   ")

    def test_pad_right_aligned(self) -> None:
        self.assertEqual(pad("日", 5, "right"), "   日")

    def test_odd_space_of_centred_text_is_right(self) -> None:
        self.assertEqual(pad("ab", 5, "center"), " ab  ")

    def test_pad_leaves_wide_text(self) -> None:
        self.assertEqual(pad("abcdef", 3), "abcdef")

    def test_shorten_leaves_what_fits(self) -> None:
        self.assertEqual(shorten("abcde", 5), "abcde")

    def test_ellipsis_is_within_the_room(self) -> None:
        self.assertEqual(shorten("abcdef", 5), "abcd…")

    def test_no_space_before_the_ellipsis(self) -> None:
        self.assertEqual(shorten("abc def", 5), "abc…")

    def test_shorten_counts_columns(self) -> None:
        self.assertEqual(shorten("日本語", 4), "日…")


class TestTabs(unittest.TestCase):
    def test_tab_goes_to_the_next_stop(self) -> None:
        self.assertEqual(expand_tabs("ab\tc", 4), "ab  c")

    def test_tab_at_a_stop_goes_to_the_next(self) -> None:
        self.assertEqual(expand_tabs("abcd\te", 4), "abcd    e")

    def test_tabs_count_columns(self) -> None:
        self.assertEqual(expand_tabs("日\tx", 4), "日  x")

    def test_stops_are_eight_apart_unless_told(self) -> None:
        self.assertEqual(expand_tabs("a\tb\tc"), "a       b       c")
