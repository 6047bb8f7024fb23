"""Numbers of headings, references, the table of contents."""

import unittest

from galley import typeset
from galley.errors import LayoutError, MarkupError, UnknownLabelError
from galley.numerals import numeral

NUMBERED = 'h1, h2, h3, h4 { numbered: yes; underline: "" } page { width: 30 }'


def first_lines(text: str, sheet: str) -> list[str]:
    """Lines that are not blank."""
    return [line for line in typeset(text, sheet)[0].split("\n") if line]


def texts(text: str, sheet: str) -> list[str]:
    """The last line of text on each page."""
    return [page.rstrip().split("\n")[-1] for page in typeset(text, sheet)]


class TestNumbers(unittest.TestCase):
    def test_levels(self) -> None:
        found = first_lines("# A\n## B\n## C\n# D\n## E", NUMBERED)
        self.assertEqual(found, ["1 A", "1.1 B", "1.2 C", "2 D", "2.1 E"])

    def test_deeper_levels_begin_anew(self) -> None:
        found = first_lines("# A\n## B\n### C\n## D\n### E", NUMBERED)
        self.assertEqual(found, ["1 A", "1.1 B", "1.1.1 C", "1.2 D", "1.2.1 E"])

    def test_level_that_has_not_begun(self) -> None:
        self.assertEqual(first_lines("## A\n# B", NUMBERED), ["0.1 A", "1 B"])

    def test_unnumbered_level_has_no_part(self) -> None:
        sheet = 'h2 { numbered: yes; underline: "" } h1 { underline: "" }'
        self.assertEqual(first_lines("# A\n## B\n## C", sheet), ["A", "1 B", "2 C"])

    def test_unnumbered_heading_begins_deeper_levels_anew(self) -> None:
        sheet = 'h2 { numbered: yes; underline: "" } h1 { underline: "" }'
        self.assertEqual(first_lines("# A\n## B\n# C\n## D", sheet), ["A", "1 B", "C", "1 D"])

    def test_letters_and_roman_numbers(self) -> None:
        sheet = f"{NUMBERED} h1 {{ numbers: roman }} h2 {{ numbers: alpha }}"
        self.assertEqual(first_lines("# A\n# B\n## C", sheet), ["i A", "ii B", "ii.a C"])

    def test_heading_in_a_quote_is_not_numbered(self) -> None:
        self.assertEqual(first_lines("# A\n\n> # B\n\n# C", NUMBERED), ["1 A", "> B", "2 C"])

    def test_label_given_twice(self) -> None:
        with self.assertRaises(MarkupError) as caught:
            typeset("# A {#x}\n\nt\n\n## B {#x}")
        self.assertEqual(str(caught.exception), "line 5: label x is given twice")


class TestNumerals(unittest.TestCase):
    def test_roman(self) -> None:
        self.assertEqual(numeral(1994, "roman"), "mcmxciv")

    def test_roman_small(self) -> None:
        self.assertEqual(numeral(14, "roman"), "xiv")

    def test_roman_forty_nine(self) -> None:
        self.assertEqual(numeral(49, "roman"), "xlix")

    def test_no_roman_zero(self) -> None:
        with self.assertRaises(LayoutError):
            numeral(0, "roman")

    def test_no_roman_four_thousand(self) -> None:
        with self.assertRaises(LayoutError):
            numeral(4000, "roman")

    def test_letters_after_z(self) -> None:
        self.assertEqual(numeral(28, "alpha"), "ab")

    def test_letters_after_zz(self) -> None:
        self.assertEqual(numeral(703, "alpha"), "aaa")

    def test_last_of_two_letters(self) -> None:
        self.assertEqual(numeral(52, "alpha"), "az")

    def test_no_letter_for_zero(self) -> None:
        with self.assertRaises(LayoutError):
            numeral(0, "alpha")


class TestReferences(unittest.TestCase):
    def test_number_of_a_heading(self) -> None:
        found = first_lines("see {ref:b}\n# A\n## B {#b}", NUMBERED)
        self.assertEqual(found[0], "see 1.1")

    def test_title_of_an_unnumbered_heading(self) -> None:
        self.assertEqual(first_lines("see {ref:a}.\n### The *A* {#a}", "")[0], "see The A.")

    def test_page(self) -> None:
        found = texts("on {page:b}\n+++\n# B {#b}\n\nx", "page { height: 6 }")
        self.assertEqual(found, ["on 2", "x"])

    def test_page_before(self) -> None:
        found = texts("### B {#b}\n\nx\n+++\non {page:b}", "page { height: 6 }")
        self.assertEqual(found, ["x", "on 1"])

    def test_page_counts_from_the_first_number(self) -> None:
        sheet = "page { height: 6; first-page: 3; numbers: roman }"
        self.assertEqual(texts("on {page:b}\n+++\n### B {#b}", sheet), ["on iv", "B"])

    def test_page_of_an_endless_document(self) -> None:
        self.assertEqual(first_lines("on {page:b}\n### B {#b}", "")[0], "on ?")

    def test_heading_with_text_moves_to_its_page(self) -> None:
        text = "{page:b}\n\nx\n\n### B {#b}\n\na\\\nb"
        self.assertEqual(texts(text, "page { height: 6 }"), ["x", "b"])

    def test_page_number_of_a_moved_heading(self) -> None:
        text = "{page:b}\n\nx\n\n### B {#b}\n\na\\\nb"
        found = typeset(text, "page { height: 6 }")
        self.assertEqual(found[0], "2\n\nx\n\n\n\n")

    def test_reference_in_a_note(self) -> None:
        text = "a[^n]\n+++\n### B {#b}\n\n[^n]: page {page:b}"
        self.assertEqual(texts(text, "page { height: 6 }"), ["[1] page 2", "B"])

    def test_unknown_label(self) -> None:
        with self.assertRaises(UnknownLabelError):
            typeset("see {ref:nowhere}")

    def test_unknown_page_label(self) -> None:
        with self.assertRaises(UnknownLabelError):
            typeset("see {page:nowhere}", "page { height: 5 }")


class TestContents(unittest.TestCase):
    def test_titles_only_without_pages(self) -> None:
        found = first_lines("{toc}\n# *A*\n## B[^n]\n\n[^n]: N", "")[:2]
        self.assertEqual(found, ["A", "  B"])

    def test_depth(self) -> None:
        found = first_lines("{toc}\n\n---\n# A\n## B\n### C", "page { width: 3 }")[:3]
        self.assertEqual(found, ["A", "  B", "---"])

    def test_depth_from_the_sheet(self) -> None:
        sheet = "toc { depth: 3 } page { width: 5 }"
        found = first_lines("{toc}\n\n---\n# A\n### C", sheet)[:3]
        self.assertEqual(found, ["A", "    C", "-----"])

    def test_dots_and_pages(self) -> None:
        text = "{toc}\n+++\n# One\n+++\n# Two"
        found = typeset(text, "page { height: 4; width: 12 }")
        self.assertEqual(found[0], "One ...... 2\nTwo ...... 3\n\n\n")

    def test_numbers(self) -> None:
        text = "{toc}\n+++\n# One\n## Sub"
        found = typeset(text, f"page {{ height: 9 }} {NUMBERED} page {{ width: 16 }}")
        self.assertEqual(found[0].rstrip(), "1 One ........ 2\n  1.1 Sub .... 2")

    def test_long_title(self) -> None:
        text = "{toc}\n+++\n# A rather long title"
        found = typeset(text, f"page {{ height: 9 }} {NUMBERED} page {{ width: 18 }}")
        self.assertEqual(found[0].rstrip(), "1 A rather\n  long title ... 2")

    def test_three_dots_at_least(self) -> None:
        text = "{toc}\n+++\n### Abcd ef"
        sheet = "page { height: 5; width: 16 } toc { depth: 3 }"
        self.assertEqual(typeset(text, sheet)[0].rstrip(), "    Abcd\n    ef ....... 2")

    def test_contents_that_move_the_text(self) -> None:
        text = "{toc}\n\n" + "\n\n".join(f"### H{number}" for number in range(1, 6))
        sheet = "page { height: 5; width: 16 } toc { depth: 3 }"
        found = typeset(text, sheet)
        self.assertEqual(found[0].split("\n")[4], "    H5 ....... 3")

    def test_heading_in_a_list_is_not_listed(self) -> None:
        found = first_lines("{toc}\n\n- ### In\n\n### Out", "toc { depth: 3 }")
        self.assertEqual(found, ["    Out", "- In", "Out"])


if __name__ == "__main__":
    unittest.main()
