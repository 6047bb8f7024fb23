import unittest

from galley import Hyphenator
from galley.styles import parse
from galley.width import shorten, width


class PartsTest(unittest.TestCase):
    def test_width_of_wide_characters(self) -> None:
        self.assertEqual(width("日本 x"), 6)

    def test_shortened_text(self) -> None:
        self.assertEqual(shorten("a long text", 7), "a long…")

    def test_hyphenation(self) -> None:
        self.assertEqual(Hyphenator(["hy3ph", "he2n"]).split("hyphen"), ["hy", "phen"])

    def test_style_sheet(self) -> None:
        sheet = parse("quote paragraph { indent: 3 }")
        self.assertEqual(sheet.style("body", "quote", "paragraph").indent, 3)
