"""Blocks of a document as they are set."""

import unittest

from galley import typeset
from galley.errors import LayoutError, MarkupError


def lines(text: str, sheet: str = "") -> list[str]:
    return typeset(text, sheet)[0].splitlines()


class TestParagraphsAndHeadings(unittest.TestCase):
    def test_lines_are_joined(self) -> None:
        self.assertEqual(lines("one\ntwo\n\nthree"), ["one two", "", "three"])

    def test_first_heading_is_underlined(self) -> None:
        self.assertEqual(lines("# Title\ntext"), ["Title", "=====", "", "text"])

    def test_second_level(self) -> None:
        self.assertEqual(lines("a\n## Sub\nb"), ["a", "", "Sub", "---", "", "b"])

    def test_two_blank_lines_before_the_first_level(self) -> None:
        self.assertEqual(lines("a\n# B"), ["a", "", "", "B", "="])

    def test_third_level_has_no_line(self) -> None:
        self.assertEqual(lines("### Sub\nb"), ["Sub", "", "b"])

    def test_fourth_level_stands_close(self) -> None:
        self.assertEqual(lines("#### Sub\nb"), ["Sub", "b"])

    def test_hash_without_a_space_is_text(self) -> None:
        self.assertEqual(lines("#tag is text"), ["#tag is text"])

    def test_underline_is_as_wide_as_the_longest_line(self) -> None:
        found = lines("# A longer title", "page { width: 8 }")
        self.assertEqual(found, ["A longer", "title", "========"])

    def test_underline_counts_columns(self) -> None:
        self.assertEqual(lines("## 日本"), ["日本", "----"])

    def test_underline_of_several_characters(self) -> None:
        self.assertEqual(lines("# Title", 'h1 { underline: "-=" }'), ["Title", "-=-=-"])

    def test_underline_of_a_centred_heading(self) -> None:
        found = lines("# Mid", "page { width: 9 } h1 { align: center }")
        self.assertEqual(found, ["   Mid", "   ==="])

    def test_rule(self) -> None:
        self.assertEqual(lines("a\n\n---\n\nb", "page { width: 5 }"), ["a", "", "-----", "", "b"])


class TestLists(unittest.TestCase):
    def test_bullets(self) -> None:
        self.assertEqual(lines("- a\n- b"), ["- a", "- b"])

    def test_items_hang(self) -> None:
        found = lines("- some words\n  go on", "page { width: 8 }")
        self.assertEqual(found, ["- some", "  words", "  go on"])

    def test_nested(self) -> None:
        self.assertEqual(lines("- a\n  - b\n    - c\n- d"), ["- a", "  - b", "    - c", "- d"])

    def test_loose(self) -> None:
        self.assertEqual(lines("- a\n\n- b"), ["- a", "", "- b"])

    def test_blank_line_within_an_item_does_not_make_it_loose(self) -> None:
        self.assertEqual(lines("- a\n\n  b\n- c"), ["- a", "  b", "- c"])

    def test_loose_items_have_space_inside(self) -> None:
        self.assertEqual(lines("- a\n\n  b\n\n- c"), ["- a", "", "  b", "", "- c"])

    def test_numbers_count_from_the_first(self) -> None:
        self.assertEqual(lines("7. a\n3. b\n3. c"), ["7. a", "8. b", "9. c"])

    def test_numbers_are_aligned_at_the_right(self) -> None:
        self.assertEqual(lines("9. a\n1. b"), [" 9. a", "10. b"])

    def test_closing_parenthesis_is_set_as_a_stop(self) -> None:
        self.assertEqual(lines("1) a\n2) b"), ["1. a", "2. b"])

    def test_other_mark_begins_another_list(self) -> None:
        self.assertEqual(lines("- a\n+ b"), ["- a", "", "- b"])

    def test_other_number_mark_begins_another_list(self) -> None:
        self.assertEqual(lines("1. a\n1) b"), ["1. a", "", "1. b"])

    def test_year_does_not_begin_a_list(self) -> None:
        self.assertEqual(lines("It was in\n1999. Then"), ["It was in 1999. Then"])

    def test_later_number_does_not_interrupt(self) -> None:
        self.assertEqual(lines("see page\n12) and"), ["see page 12) and"])

    def test_one_begins_a_list(self) -> None:
        self.assertEqual(lines("Steps:\n1. go"), ["Steps:", "", "1. go"])

    def test_roman_numbers(self) -> None:
        found = lines("3. a\n4. b", "list { numbers: roman }")
        self.assertEqual(found, ["iii. a", " iv. b"])

    def test_letters(self) -> None:
        found = lines("26. a\n27. b", "list { numbers: alpha }")
        self.assertEqual(found, [" z. a", "aa. b"])

    def test_bullet_from_the_sheet(self) -> None:
        self.assertEqual(lines("- a\n  - b", 'list list { marker: "*" }'), ["- a", "  * b"])

    def test_item_without_text(self) -> None:
        self.assertEqual(lines("- \n- b"), ["-", "- b"])

    def test_text_after_a_list(self) -> None:
        self.assertEqual(lines("- a\n\nb"), ["- a", "", "b"])


class TestQuotesAndCode(unittest.TestCase):
    def test_quote(self) -> None:
        self.assertEqual(lines("> a\n> b\n\nc"), ["> a b", "", "c"])

    def test_blank_line_of_a_quote_keeps_its_mark(self) -> None:
        self.assertEqual(lines("> a\n>\n> b"), ["> a", ">", "> b"])

    def test_quote_in_a_quote(self) -> None:
        self.assertEqual(lines("> > a\n> b"), ["> > a", ">", "> b"])

    def test_list_in_a_quote(self) -> None:
        self.assertEqual(lines("> - a\n> - b"), ["> - a", "> - b"])

    def test_quoted_text_is_narrower(self) -> None:
        self.assertEqual(lines("> aa bb cc", "page { width: 7 }"), ["> aa bb", "> cc"])

    def test_code_is_kept(self) -> None:
        self.assertEqual(lines("```\n# *x*\n\n  y\n```"), ["    # *x*", "", "      y"])

    def test_longer_fence_holds_shorter_ones(self) -> None:
        self.assertEqual(lines("````py\n```\n````"), ["    ```"])

    def test_shorter_fence_closes_nothing(self) -> None:
        with self.assertRaises(MarkupError) as caught:
            lines("````\ncode\n```\n\nmore")
        self.assertEqual(str(caught.exception), "line 1: code is not closed")

    def test_tabs_in_code(self) -> None:
        self.assertEqual(lines("```\na\tb\n```", "code { tab: 4; margin-left: 0 }"), ["a   b"])

    def test_wide_code_goes_on(self) -> None:
        found = lines("```\nabcdefgh\n```", "page { width: 7 } code { margin-left: 2 }")
        self.assertEqual(found, ["  abcde", "  fgh"])

    def test_code_that_is_not_closed(self) -> None:
        with self.assertRaises(MarkupError) as caught:
            lines("a\n\n> b\n> ```\n> c")
        self.assertEqual(str(caught.exception), "line 4: code is not closed")


class TestDefinitions(unittest.TestCase):
    def test_term_and_definition(self) -> None:
        self.assertEqual(lines("Term\n: What it is"), ["Term", "    What it is"])

    def test_several_definitions(self) -> None:
        self.assertEqual(lines("T\n: a\n: b\n  c"), ["T", "    a", "    b c"])

    def test_further_terms(self) -> None:
        self.assertEqual(lines("T\n: a\n\nU\n: b\n\nc"), ["T", "    a", "U", "    b", "", "c"])

    def test_list_in_a_definition(self) -> None:
        self.assertEqual(lines("T\n: - a\n  - b"), ["T", "    - a", "    - b"])


class TestRoom(unittest.TestCase):
    def test_page_margins(self) -> None:
        sheet = "page { width: 8; margin-left: 2; margin-right: 1 }"
        self.assertEqual(lines("aa bb cc", sheet), ["  aa bb", "  cc"])

    def test_block_margins(self) -> None:
        sheet = "page { width: 8 } paragraph { margin-left: 2; margin-right: 1 }"
        self.assertEqual(lines("aa bb cc", sheet), ["  aa bb", "  cc"])

    def test_no_room_for_text(self) -> None:
        with self.assertRaises(LayoutError):
            lines("> > > a", "page { width: 6 }")

    def test_greater_space_counts(self) -> None:
        sheet = "paragraph { space-after: 1 } code { space-before: 2; margin-left: 0 }"
        self.assertEqual(lines("a\n```\nb\n```", sheet), ["a", "", "", "b"])


if __name__ == "__main__":
    unittest.main()
