"""Lines of paragraphs: breaking, hyphens, justification."""

import unittest

from galley import Hyphenator, typeset
from galley.breaking import Word, balanced, greedy, pieces
from galley.hyphen import read_patterns

LEIPZIG = Hyphenator(["b1c", "d1e", "f1g"], left=1, right=1)


def lines(text: str, sheet: str, hyphenator: Hyphenator | None = None) -> list[str]:
    return typeset(text, sheet, None, hyphenator)[0].splitlines()


def shapes(text: str, room: int) -> list[str]:
    """Balanced lines."""
    items = pieces([Word(word) for word in text.split()], room)
    return [" ".join(line.words) for line in balanced(items, room, room)]


class TestGreedy(unittest.TestCase):
    def test_lines_are_filled(self) -> None:
        self.assertEqual(lines("aaa bb cc dddd", "page { width: 6 }"), ["aaa bb", "cc", "dddd"])

    def test_exact_fit(self) -> None:
        self.assertEqual(lines("aaa bbb ccc", "page { width: 7 }"), ["aaa bbb", "ccc"])

    def test_columns_count(self) -> None:
        self.assertEqual(lines("日本 語 x", "page { width: 6 }"), ["日本", "語 x"])

    def test_indent_shortens_the_first_line(self) -> None:
        found = lines("aa bb cc dd", "page { width: 6 } paragraph { indent: 2 }")
        self.assertEqual(found, ["  aa", "bb cc", "dd"])

    def test_word_that_is_too_wide_is_cut(self) -> None:
        found = lines("ab cdefghijk l", "page { width: 4 }")
        self.assertEqual(found, ["ab", "cdef", "ghij", "k l"])

    def test_wide_characters_are_cut_whole(self) -> None:
        self.assertEqual(lines("日本語", "page { width: 5 }"), ["日本", "語"])

    def test_break_after_a_hyphen(self) -> None:
        self.assertEqual(lines("well-known x", "page { width: 6 }"), ["well-", "known", "x"])

    def test_break_after_a_dash(self) -> None:
        self.assertEqual(lines("yes—no maybe", "page { width: 5 }"), ["yes—", "no", "maybe"])

    def test_no_break_after_a_leading_hyphen(self) -> None:
        self.assertEqual(lines("aa -bb", "page { width: 4 }"), ["aa", "-bb"])

    def test_soft_hyphen_shows_at_the_end_only(self) -> None:
        found = lines("co\u00adoperate co\u00adop", "page { width: 9 }")
        self.assertEqual(found, ["cooperate", "coop"])

    def test_soft_hyphen_breaks(self) -> None:
        found = lines("aa coop\u00aderate", "page { width: 8 }")
        self.assertEqual(found, ["aa coop-", "erate"])

    def test_hyphen_needs_room(self) -> None:
        found = lines("aa coop\u00aderate", "page { width: 7 }")
        self.assertEqual(found, ["aa", "coop-", "erate"])

    def test_pieces_of_a_plain_text(self) -> None:
        items = pieces([Word("aa"), Word("bb")], 9)
        self.assertEqual([line.words for line in greedy(items, 9, 9)], [("aa", "bb")])


class TestHyphenation(unittest.TestCase):
    def test_off_unless_the_sheet_says_so(self) -> None:
        self.assertEqual(lines("a abcd", "page { width: 5 }", LEIPZIG), ["a", "abcd"])

    def test_words_are_divided(self) -> None:
        sheet = "page { width: 5 } body { hyphenate: yes }"
        self.assertEqual(lines("a abcd", sheet, LEIPZIG), ["a ab-", "cd"])

    def test_as_much_as_fits(self) -> None:
        sheet = "page { width: 6 } body { hyphenate: yes }"
        self.assertEqual(lines("abcdefg", sheet, LEIPZIG), ["abcd-", "efg"])

    def test_headings_are_not_divided(self) -> None:
        sheet = "page { width: 5 } body { hyphenate: yes }"
        self.assertEqual(lines("### a abcd", sheet, LEIPZIG), ["a", "abcd"])

    def test_code_is_not_divided(self) -> None:
        sheet = 'page { width: 5 } body { hyphenate: yes } literal { marker: "" }'
        self.assertEqual(lines("a `abcd`", sheet, LEIPZIG), ["a", "abcd"])

    def test_words_with_dashes_are_not_divided(self) -> None:
        sheet = "page { width: 6 } body { hyphenate: yes }"
        self.assertEqual(lines("x ab-abcd", sheet, LEIPZIG), ["x ab-", "abcd"])


class TestPatterns(unittest.TestCase):
    def test_odd_digits_divide(self) -> None:
        self.assertEqual(Hyphenator(["hy3ph", "he2n"]).split("hyphen"), ["hy", "phen"])

    def test_greatest_digit_counts(self) -> None:
        self.assertEqual(Hyphenator(["a1b", "xa2b"]).points("xxxabbb"), [])

    def test_liang_example(self) -> None:
        found = Hyphenator(["hy3ph", "he2n", "hena4", "hen5at", "1na", "n2at", "1tio", "2io"])
        self.assertEqual(found.split("hyphenation"), ["hy", "phen", "ation"])

    def test_pattern_at_the_start_of_a_word(self) -> None:
        self.assertEqual(Hyphenator([".un1"]).points("unununun"), [2])

    def test_pattern_at_the_end_of_a_word(self) -> None:
        self.assertEqual(Hyphenator(["1ing."]).points("ingsinging"), [7])

    def test_letters_left_before(self) -> None:
        self.assertEqual(Hyphenator(["a1a"], left=3, right=1).points("aaaaa"), [3, 4])

    def test_letters_left_after(self) -> None:
        self.assertEqual(Hyphenator(["a1a"], left=1, right=3).points("aaaaa"), [1, 2])

    def test_two_and_three_letters_unless_told(self) -> None:
        self.assertEqual(Hyphenator(["a1a"]).points("aaaaaa"), [2, 3])

    def test_case_does_not_matter(self) -> None:
        self.assertEqual(Hyphenator(["hy3ph"]).split("HyPHen"), ["Hy", "PHen"])

    def test_exceptions_win(self) -> None:
        found = Hyphenator(["ta1b"], ["tab-le"])
        self.assertEqual(found.split("Table"), ["Tab", "le"])

    def test_exception_without_hyphens_is_never_divided(self) -> None:
        self.assertEqual(Hyphenator(["re1c"], ["record"]).points("record"), [])

    def test_exception_without_hyphens_in_a_text(self) -> None:
        divide = Hyphenator(["re1c", "co1d"], ["record"])
        sheet = "page { width: 6 } body { hyphenate: yes }"
        self.assertEqual(
            lines("a record recoding", sheet, divide), ["a", "record", "reco-", "ding"]
        )

    def test_punctuation_does_not_count(self) -> None:
        self.assertEqual(Hyphenator(["hy3ph"]).split("(hyphen),"), ["(hy", "phen),"])

    def test_words_with_digits_are_left(self) -> None:
        self.assertEqual(Hyphenator(["hy3ph"]).split("hyphen2"), ["hyphen2"])

    def test_pattern_that_is_none(self) -> None:
        with self.assertRaises(ValueError):
            Hyphenator(["a b"])

    def test_exceptions_and_comments_of_a_file(self) -> None:
        found = read_patterns("% some\nta1b hy3ph % more\ntab-le\n")
        self.assertEqual(found.split("table") + found.split("hyphen"), ["tab", "le", "hy", "phen"])


class TestBalanced(unittest.TestCase):
    def test_blanks_are_shared(self) -> None:
        self.assertEqual(shapes("aaa bb cc ddddd", 6), ["aaa", "bb cc", "ddddd"])

    def test_last_line_costs_nothing(self) -> None:
        self.assertEqual(shapes("aaaa bbb cc", 8), ["aaaa bbb", "cc"])

    def test_fewer_lines_are_better(self) -> None:
        self.assertEqual(shapes("aaa bb", 6), ["aaa bb"])

    def test_greedy_differs(self) -> None:
        found = lines("aaa bb cc ddddd", "page { width: 6 } body { breaking: greedy }")
        self.assertEqual(found, ["aaa bb", "cc", "ddddd"])

    def test_sheet_asks_for_it(self) -> None:
        found = lines("aaa bb cc ddddd", "page { width: 6 } body { breaking: balanced }")
        self.assertEqual(found, ["aaa", "bb cc", "ddddd"])

    def test_forced_break_costs_nothing(self) -> None:
        sheet = "page { width: 6 } body { breaking: balanced }"
        self.assertEqual(lines("aaa bb c\\\nddddd", sheet), ["aaa bb", "c", "ddddd"])

    def test_short_line_before_a_forced_break(self) -> None:
        sheet = "page { width: 9 } body { breaking: balanced }"
        self.assertEqual(lines("aaaa bbbb c\\\ndd", sheet), ["aaaa bbbb", "c", "dd"])

    def test_hyphen_costs_nine(self) -> None:
        sheet = "page { width: 6 } body { breaking: balanced }"
        self.assertEqual(lines("aaa bb\u00adbb ccc", sheet), ["aaa", "bbbb", "ccc"])

    def test_hyphen_that_is_worth_it(self) -> None:
        sheet = "page { width: 7 } body { breaking: balanced }"
        self.assertEqual(lines("aaa bb\u00adbbb cc", sheet), ["aaa bb-", "bbb cc"])

    def test_indent_is_seen(self) -> None:
        sheet = "page { width: 6 } body { breaking: balanced } paragraph { indent: 3 }"
        self.assertEqual(lines("aaa bb cc ddddd", sheet), ["   aaa", "bb cc", "ddddd"])


class TestJustified(unittest.TestCase):
    def test_left_over_goes_left_then_right(self) -> None:
        sheet = "page { width: 12 } body { align: justify }"
        found = lines("aa bb cc ddd ee ff gg hhh i", sheet)
        self.assertEqual(found, ["aa bb cc ddd", "ee ff gg hhh", "i"])

    def test_first_line_from_the_left(self) -> None:
        sheet = "page { width: 9 } body { align: justify }"
        self.assertEqual(lines("aa bb cc dddd", sheet), ["aa  bb cc", "dddd"])

    def test_second_line_from_the_right(self) -> None:
        sheet = "page { width: 9 } body { align: justify }"
        found = lines("aaaaaaaaa aa bb cc dddd", sheet)
        self.assertEqual(found, ["aaaaaaaaa", "aa bb  cc", "dddd"])

    def test_three_lines_take_turns(self) -> None:
        sheet = "page { width: 12 } body { align: justify }"
        found = lines("aa bb cc dd eee ff gg hhh ii jj kkk ll mmm", sheet)
        self.assertEqual(found, ["aa  bb cc dd", "eee  ff   gg", "hhh   ii  jj", "kkk ll mmm"])

    def test_even_share(self) -> None:
        sheet = "page { width: 10 } body { align: justify }"
        self.assertEqual(lines("aa bb cc dddd", sheet), ["aa  bb  cc", "dddd"])

    def test_last_line_stays(self) -> None:
        sheet = "page { width: 9 } body { align: justify }"
        self.assertEqual(lines("aa bb", sheet), ["aa bb"])

    def test_line_before_a_forced_break_stays(self) -> None:
        sheet = "page { width: 9 } body { align: justify }"
        self.assertEqual(lines("aa bb\\\ncc", sheet), ["aa bb", "cc"])

    def test_verses_stay(self) -> None:
        sheet = "page { width: 12 } body { align: justify }"
        self.assertEqual(lines("a b\\\nccc dd e\\\nf", sheet), ["a b", "ccc dd e", "f"])

    def test_single_word_stays(self) -> None:
        sheet = "page { width: 9 } body { align: justify }"
        self.assertEqual(lines("aa bbbbbbbb", sheet), ["aa", "bbbbbbbb"])

    def test_limit_of_stretching(self) -> None:
        sheet = "page { width: 9 } body { align: justify; stretch: 3 }"
        self.assertEqual(lines("aa bb ccccccc", sheet), ["aa bb", "ccccccc"])

    def test_within_the_limit(self) -> None:
        sheet = "page { width: 8 } body { align: justify; stretch: 3 }"
        self.assertEqual(lines("aa bb ccccccc", sheet), ["aa    bb", "ccccccc"])

    def test_right(self) -> None:
        sheet = "page { width: 6 } body { align: right }"
        self.assertEqual(lines("aa bbbbb", sheet), ["    aa", " bbbbb"])

    def test_centre(self) -> None:
        sheet = "page { width: 6 } body { align: center }"
        self.assertEqual(lines("aa bbbbb", sheet), ["  aa", "bbbbb"])


if __name__ == "__main__":
    unittest.main()
