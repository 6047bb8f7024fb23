"""What stands inside a paragraph."""

import unittest

from galley import typeset
from galley.errors import MarkupError, UnknownLabelError


def line(text: str, sheet: str = "") -> str:
    """A text that is set in one line."""
    return "|".join(typeset(text, sheet)[0].splitlines())


class TestEmphasis(unittest.TestCase):
    def test_emphasis(self) -> None:
        self.assertEqual(line("an *apple* here"), "an _apple_ here")

    def test_strong(self) -> None:
        self.assertEqual(line("an **apple** here"), "an *apple* here")

    def test_strong_within_emphasis(self) -> None:
        self.assertEqual(line("*a **b** c*"), "_a *b* c_")

    def test_emphasis_within_strong(self) -> None:
        self.assertEqual(line("**a *b* c**"), "*a _b_ c*")

    def test_both_at_once(self) -> None:
        self.assertEqual(line("***all***"), "*_all_*")

    def test_both_closed_at_once(self) -> None:
        self.assertEqual(line("*a **b***"), "_a *b*_")

    def test_star_between_spaces_is_a_star(self) -> None:
        self.assertEqual(line("2 * 3 * 4"), "2 * 3 * 4")

    def test_star_that_is_not_closed(self) -> None:
        self.assertEqual(line("a *b c"), "a *b c")

    def test_inner_star_that_is_not_closed(self) -> None:
        self.assertEqual(line("**a *b c**"), "*a *b c*")

    def test_star_that_closes_nothing(self) -> None:
        self.assertEqual(line("a* b"), "a* b")

    def test_marks_come_from_the_sheet(self) -> None:
        self.assertEqual(
            line("*a* **b**", 'strong { marker: "" } emphasis { marker: "/" }'), "/a/ b"
        )

    def test_emphasis_over_two_lines(self) -> None:
        self.assertEqual(line("*a\nb* c"), "_a b_ c")


class TestCodeAndLinks(unittest.TestCase):
    def test_code(self) -> None:
        self.assertEqual(line("call `f(x)` now"), "call `f(x)` now")

    def test_nothing_means_anything_in_code(self) -> None:
        self.assertEqual(line(r"`*a* \b [x](y)`"), r"`*a* \b [x](y)`")

    def test_backquote_without_an_end(self) -> None:
        self.assertEqual(line("a ` b"), "a ` b")

    def test_link_is_followed_by_its_url(self) -> None:
        self.assertEqual(
            line("see [the *site*](http://x.org/a)."), "see the _site_ <http://x.org/a>."
        )

    def test_urls_can_be_left_out(self) -> None:
        self.assertEqual(line("see [it](http://x.org).", "link { urls: no }"), "see it.")

    def test_brackets_without_a_link(self) -> None:
        self.assertEqual(line("an [aside] here"), "an [aside] here")


class TestEscapesAndSpaces(unittest.TestCase):
    def test_backslash_takes_punctuation_literally(self) -> None:
        self.assertEqual(line(r"\*a\* \[b\](c) \`d\`"), "*a* [b](c) `d`")

    def test_backslash_before_a_letter_is_itself(self) -> None:
        self.assertEqual(line(r"C:\temp"), r"C:\temp")

    def test_escaped_backslash(self) -> None:
        self.assertEqual(line("a\\\\\nb"), "a\\ b")

    def test_backslash_at_the_end_breaks_the_line(self) -> None:
        self.assertEqual(line("one\\\ntwo"), "one|two")

    def test_no_break_at_a_tilde(self) -> None:
        self.assertEqual(line("aa bb~cc", "page { width: 6 }"), "aa|bb cc")

    def test_runs_of_spaces_are_one(self) -> None:
        self.assertEqual(line("a   b\t c"), "a b c")


class TestNoteMarks(unittest.TestCase):
    def test_mark_joins_the_word(self) -> None:
        text = "word[^n], more\n\n[^n]: Note."
        self.assertEqual(line(text), "word[1], more||----------|[1] Note.")

    def test_mark_without_a_note(self) -> None:
        with self.assertRaises(UnknownLabelError):
            line("word[^n]")

    def test_mark_inside_a_note(self) -> None:
        with self.assertRaises(UnknownLabelError):
            line("w[^a]\n\n[^a]: see[^b]\n[^b]: x")

    def test_note_defined_twice(self) -> None:
        with self.assertRaises(MarkupError):
            line("w[^a]\n\n[^a]: one\n\n[^a]: two")


if __name__ == "__main__":
    unittest.main()
