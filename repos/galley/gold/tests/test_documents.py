import unittest

from galley import Hyphenator, typeset
from galley.errors import MarkupError

LETTER = """\
# Notes

Some *short* text.

1. first
2. second

| Item | Price |
|------|------:|
| Pens | 12.50 |
"""


class DocumentTest(unittest.TestCase):
    def test_whole_document(self) -> None:
        expected = """\
Notes
=====

Some _short_ text.

1. first
2. second

Item  Price
----  -----
Pens  12.50
"""
        self.assertEqual(typeset(LETTER), [expected])

    def test_paragraph_is_filled(self) -> None:
        self.assertEqual(typeset("one two three", "page { width: 9 }"), ["one two\nthree\n"])

    def test_justified_paragraph(self) -> None:
        sheet = "page { width: 10 } paragraph { align: justify }"
        self.assertEqual(typeset("aa bb cc dddd", sheet), ["aa  bb  cc\ndddd\n"])

    def test_balanced_paragraph(self) -> None:
        sheet = "page { width: 6 } paragraph { breaking: balanced }"
        self.assertEqual(typeset("aaa bb cc ddddd", sheet), ["aaa\nbb cc\nddddd\n"])

    def test_hyphenated_paragraph(self) -> None:
        sheet = "page { width: 6 } paragraph { hyphenate: yes }"
        found = typeset("a hyphen", sheet, hyphenator=Hyphenator(["hy3ph"]))
        self.assertEqual(found, ["a hy-\nphen\n"])

    def test_nested_list(self) -> None:
        self.assertEqual(typeset("- a\n  - b\n- c"), ["- a\n  - b\n- c\n"])

    def test_quote(self) -> None:
        self.assertEqual(typeset("> quoted\n> text"), ["> quoted text\n"])

    def test_definitions(self) -> None:
        self.assertEqual(typeset("Term\n: meaning"), ["Term\n    meaning\n"])

    def test_grid(self) -> None:
        found = typeset("| a | b |\n| c | d |", "table { border: grid }")
        self.assertEqual(found, ["+---+---+\n| a | b |\n+---+---+\n| c | d |\n+---+---+\n"])

    def test_code_without_an_end(self) -> None:
        with self.assertRaises(MarkupError):
            typeset("```\ncode")


class PageTest(unittest.TestCase):
    def test_pages_and_footer(self) -> None:
        sheet = 'page { height: 5; width: 6; footer: "{page}/{pages}" }'
        found = typeset("one\n+++\ntwo", sheet)
        self.assertEqual(found, ["one\n\n\n\n 1/2\n", "two\n\n\n\n 2/2\n"])

    def test_footnote(self) -> None:
        found = typeset("text[^a]\n\n[^a]: Note", "page { height: 4 }")
        self.assertEqual(found, ["text[1]\n\n----------\n[1] Note\n"])

    def test_contents(self) -> None:
        found = typeset("{toc}\n+++\n# Title", "page { height: 4; width: 16 }")
        self.assertEqual(found[0], "Title ........ 2\n\n\n\n")

    def test_reference(self) -> None:
        sheet = "h2 { numbered: yes }"
        found = typeset("See {ref:x}.\n\n## Part {#x}", sheet)
        self.assertEqual(found, ["See 1.\n\n1 Part\n------\n"])
