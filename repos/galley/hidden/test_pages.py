"""Pages: where they end, what stands above and below."""

import unittest

from galley import typeset
from galley.errors import LayoutError, StyleError

FOUR = "aa\\\nbb\\\ncc\\\ndd"
SIX = "a\\\nb\\\nc\\\nd\\\ne\\\nf"


def pages(text: str, sheet: str) -> list[str]:
    """Pages with their lines joined; blank lines at the end left out."""
    return ["|".join(page.rstrip("\n").split("\n")) for page in typeset(text, sheet)]


class TestBreaks(unittest.TestCase):
    def test_page_is_as_high_as_told(self) -> None:
        self.assertEqual(typeset("a", "page { height: 3 }"), ["a\n\n\n"])

    def test_endless_page_is_as_high_as_its_text(self) -> None:
        self.assertEqual(typeset("a\n\nb"), ["a\n\nb\n"])

    def test_empty_document_has_a_page(self) -> None:
        self.assertEqual(typeset("", "page { height: 3 }"), ["\n\n\n"])

    def test_space_at_the_edges_is_dropped(self) -> None:
        self.assertEqual(pages("a\n\nb\n\nc", "page { height: 3 }"), ["a||b", "c"])

    def test_space_at_the_top_is_dropped(self) -> None:
        sheet = "page { height: 3 } paragraph { space-after: 2 }"
        self.assertEqual(typeset("a\n\nb", sheet), ["a\n\n\n", "b\n\n\n"])

    def test_page_break(self) -> None:
        self.assertEqual(pages("a\n\n+++\n\nb", "page { height: 9 }"), ["a", "b"])

    def test_page_break_at_the_start_is_ignored(self) -> None:
        self.assertEqual(pages("+++\na", "page { height: 9 }"), ["a"])

    def test_page_break_after_another_is_ignored(self) -> None:
        self.assertEqual(pages("a\n+++\n+++\nb", "page { height: 9 }"), ["a", "b"])

    def test_page_break_on_an_endless_page(self) -> None:
        self.assertEqual(typeset("a\n\n+++\n\nb"), ["a\n\nb\n"])

    def test_page_that_is_too_low(self) -> None:
        with self.assertRaises(LayoutError):
            typeset("a", "page { height: 2 }")

    def test_header_and_footer_take_their_room(self) -> None:
        with self.assertRaises(LayoutError):
            typeset("a", 'page { height: 6; header: "x"; footer: "y" }')


class TestKeeping(unittest.TestCase):
    def test_two_lines_stay_at_the_end(self) -> None:
        found = pages(f"x\n\n{FOUR}", "page { height: 3 }")
        self.assertEqual(found, ["x", "aa|bb", "cc|dd"])

    def test_two_lines_go_to_the_next_page(self) -> None:
        self.assertEqual(pages(FOUR, "page { height: 3 }"), ["aa|bb", "cc|dd"])

    def test_three_lines_are_not_broken(self) -> None:
        found = pages("x\n\na\\\nb\\\nc", "page { height: 4 }")
        self.assertEqual(found, ["x", "a|b|c"])

    def test_orphans_from_the_sheet(self) -> None:
        found = pages(f"x\n\n{SIX}", "page { height: 4 } body { orphans: 3 }")
        self.assertEqual(found, ["x", "a|b|c|d", "e|f"])

    def test_widows_from_the_sheet(self) -> None:
        found = pages(SIX, "page { height: 4 } body { widows: 3 }")
        self.assertEqual(found, ["a|b|c", "d|e|f"])

    def test_single_lines_allowed(self) -> None:
        found = pages("x\n\na\\\nb\\\nc", "page { height: 3 } body { orphans: 1; widows: 1 }")
        self.assertEqual(found, ["x||a", "b|c"])

    def test_nothing_allowed_fills_the_page(self) -> None:
        found = pages("a\\\nb\\\nc\\\nd", "page { height: 3 } paragraph { keep-together: yes }")
        self.assertEqual(found, ["a|b|c", "d"])

    def test_keep_together(self) -> None:
        sheet = "page { height: 5 } code { keep-together: yes; margin-left: 0 }"
        found = pages("x\n\n```\na\nb\nc\nd\n```", sheet)
        self.assertEqual(found, ["x", "a|b|c|d"])

    def test_heading_stays_with_its_text(self) -> None:
        found = pages("x\n\n### T\n\na\\\nb", "page { height: 5 }")
        self.assertEqual(found, ["x", "T||a|b"])

    def test_heading_without_keeping(self) -> None:
        found = pages("x\n\n### T\n\na\\\nb", "page { height: 5 } h3 { keep-next: no }")
        self.assertEqual(found, ["x||T", "a|b"])

    def test_two_headings_stay_together(self) -> None:
        found = pages("x\n\n### T\n\n### U\n\na", "page { height: 5 }")
        self.assertEqual(found, ["x", "T||U||a"])

    def test_term_stays_with_its_definition(self) -> None:
        found = pages("a\\\nb\n\nT\n: d", "page { height: 4 }")
        self.assertEqual(found, ["a|b", "T|    d"])

    def test_quoted_text_is_kept_too(self) -> None:
        found = pages("> x\n>\n> a\\\n> b\\\n> c", "page { height: 4 }")
        self.assertEqual(found, ["> x", "> a|> b|> c"])

    def test_whole_quote_together(self) -> None:
        found = pages("x\n\n> a\n>\n> b", "page { height: 4 } quote { keep-together: yes }")
        self.assertEqual(found, ["x", "> a|>|> b"])


class TestNotes(unittest.TestCase):
    def test_note_at_the_foot(self) -> None:
        found = typeset("a[^n]\n\n[^n]: Note", "page { height: 5 }")
        self.assertEqual(found, ["a[1]\n\n\n----------\n[1] Note\n"])

    def test_notes_in_order_of_their_marks(self) -> None:
        found = typeset("a[^y] b[^x]\n\n[^x]: X\n[^y]: Y", "page { height: 4 }")
        self.assertEqual(found, ["a[1] b[2]\n----------\n[1] Y\n[2] X\n"])

    def test_note_takes_room_from_the_text(self) -> None:
        found = pages("a\n\nb[^n]\n\n[^n]: N", "page { height: 4 }")
        self.assertEqual(found, ["a", "b[1]||----------|[1] N"])

    def test_note_stands_at_its_first_mark_only(self) -> None:
        found = pages("a[^n]\n\n+++\n\nb[^n]\n\n[^n]: N", "page { height: 4 }")
        self.assertEqual(found, ["a[1]||----------|[1] N", "b[1]"])

    def test_second_mark_on_a_later_page_takes_no_room(self) -> None:
        found = pages("a[^n]\n+++\nb[^n]\n\nc\n\n[^n]: N", "page { height: 3 }")
        self.assertEqual(found, ["a[1]|----------|[1] N", "b[1]||c"])

    def test_note_marked_again_on_its_page_stands_once(self) -> None:
        found = pages("a[^n]\n\nb[^n]\n\n[^n]: N", "page { height: 7 }")
        self.assertEqual(found, ["a[1]||b[1]|||----------|[1] N"])

    def test_note_marked_again_in_its_line_stands_once(self) -> None:
        found = pages("a[^n] b[^n]\n\n[^n]: N", "page { height: 5 }")
        self.assertEqual(found, ["a[1] b[1]|||----------|[1] N"])

    def test_rule_above_notes_once(self) -> None:
        found = pages("a[^x]\\\nb[^y]\n\n[^x]: X\n[^y]: Y", "page { height: 5 }")
        self.assertEqual(found, ["a[1]|b[2]|----------|[1] X|[2] Y"])

    def test_long_note_hangs(self) -> None:
        found = pages("a[^n]\n\n[^n]: aa bb\n  cc", "page { height: 5; width: 10 }")
        self.assertEqual(found, ["a[1]||----------|[1] aa bb|    cc"])

    def test_note_goes_on_at_the_next_page(self) -> None:
        note = "w\\\n  x\\\n  y\\\n  z"
        found = pages(f"a[^n]\n\nb\n\n[^n]: {note}", "page { height: 4 }")
        self.assertEqual(found, ["a[1]|----------|[1] w|    x", "b|----------|    y|    z"])

    def test_later_notes_come_after_what_was_left(self) -> None:
        note = "w\\\n  x\\\n  y"
        text = f"a[^n]\n\nb[^m]\n\n[^n]: {note}\n[^m]: M"
        found = pages(text, "page { height: 4 }")
        self.assertEqual(found, ["a[1]|----------|[1] w|    x", "b[2]|----------|    y|[2] M"])

    def test_rest_of_a_note_on_a_page_of_its_own(self) -> None:
        note = "w\\\n  x\\\n  y"
        found = typeset(f"a[^n]\n\n[^n]: {note}", "page { height: 3 }")
        self.assertEqual(
            found,
            ["a[1]\n----------\n[1] w\n", "----------\n    x\n    y\n"],
        )

    def test_unmarked_note_is_not_set(self) -> None:
        self.assertEqual(typeset("a\n\n[^n]: N"), ["a\n"])

    def test_mark_in_a_heading(self) -> None:
        found = pages("### T[^n]\n\na\n\n[^n]: N", "page { height: 6 }")
        self.assertEqual(found, ["T[1]||a||----------|[1] N"])

    def test_endless_notes_at_the_end(self) -> None:
        found = typeset("a[^y]\n\nb[^x][^y]\n\n[^x]: X\n\n[^y]: Y")
        self.assertEqual(found, ["a[1]\n\nb[2][1]\n\n----------\n[1] Y\n[2] X\n"])


class TestRunningLines(unittest.TestCase):
    def test_footer(self) -> None:
        sheet = 'page { height: 5; width: 11; footer: "{page} of {pages}" }'
        found = typeset("a\n\n+++\n\nb", sheet)
        self.assertEqual(found, ["a\n\n\n\n  1 of 2\n", "b\n\n\n\n  2 of 2\n"])

    def test_header(self) -> None:
        found = typeset("a", 'page { height: 5; width: 9; header: "l|m|r" }')
        self.assertEqual(found, ["l   m   r\n\na\n\n\n"])

    def test_first_page_number(self) -> None:
        sheet = 'page { height: 5; first-page: 7; footer: "{page}/{pages}|" }'
        self.assertEqual(pages("a\n+++\nb", sheet), ["a||||7/8", "b||||8/8"])

    def test_roman_page_numbers(self) -> None:
        sheet = 'page { height: 5; first-page: 4; numbers: roman; footer: "{page}/{pages}|" }'
        self.assertEqual(pages("a\n+++\nb", sheet), ["a||||iv/v", "b||||v/v"])

    def test_skip_first(self) -> None:
        sheet = 'page { height: 5; skip-first: yes; header: "{page}|" }'
        self.assertEqual(typeset("a\n+++\nb", sheet), ["\n\na\n\n\n", "2\n\nb\n\n\n"])

    def test_title_is_the_first_chapter(self) -> None:
        sheet = 'page { height: 9; header: "{title}|" }'
        found = pages("a\n+++\n# *One*\n\n# Two", sheet)
        self.assertEqual([page.split("|")[0] for page in found], ["One", "One"])

    def test_section_begins_on_the_page(self) -> None:
        sheet = 'page { height: 10; header: "{section}|" }'
        found = pages("# One\n\na\n+++\nb\n\n# Two\n\nc\n+++\nd", sheet)
        self.assertEqual([page.split("|")[0] for page in found], ["One", "Two", "Two"])

    def test_first_section_of_the_page_is_shown(self) -> None:
        sheet = 'page { height: 14; header: "{section}|" }'
        found = pages("# One\n\na\n\n# Two\n\nb\n+++\nc", sheet)
        self.assertEqual([page.split("|")[0] for page in found], ["One", "Two"])

    def test_no_section_yet(self) -> None:
        sheet = 'page { height: 8; header: "{section}|{page}" }'
        found = pages("a\n+++\n# One", sheet)
        self.assertEqual([page.split("|")[0].split() for page in found], [["1"], ["One", "2"]])

    def test_bar_in_a_title_separates_nothing(self) -> None:
        sheet = 'page { height: 8; width: 9; header: "{title}||{page}" }'
        self.assertEqual(typeset("# a\\|b", sheet)[0].split("\n")[0], "a|b     1")

    def test_bar_in_a_section_separates_nothing(self) -> None:
        sheet = 'page { height: 8; width: 20; footer: "{page}|{section}|" }'
        found = typeset("# T\n+++\n# in\\|out", sheet)
        self.assertEqual(found[1].split("\n")[7], "2      in|out")

    def test_middle_gives_way(self) -> None:
        sheet = 'page { height: 5; width: 12; header: "long left|mid|" }'
        self.assertEqual(typeset("a", sheet)[0].split("\n")[0], "long left m…")

    def test_middle_gives_way_to_the_right_part(self) -> None:
        sheet = 'page { height: 5; width: 16; header: "|middle|right" }'
        self.assertEqual(typeset("a", sheet)[0].split("\n")[0], "middle     right")

    def test_middle_may_stand_close(self) -> None:
        sheet = 'page { height: 5; width: 11; header: "aa|middle|bb" }'
        self.assertEqual(typeset("a", sheet)[0].split("\n")[0], "aa midd… bb")

    def test_middle_that_just_fits(self) -> None:
        sheet = 'page { height: 5; width: 10; header: "aa|midd|bb" }'
        self.assertEqual(typeset("a", sheet)[0].split("\n")[0], "aa midd bb")

    def test_long_left_part_is_shortened(self) -> None:
        sheet = 'page { height: 5; width: 8; header: "long left||9" }'
        self.assertEqual(typeset("a", sheet)[0].split("\n")[0], "long… 9")

    def test_margin_moves_running_lines(self) -> None:
        sheet = 'page { height: 5; width: 8; margin-left: 3; header: "l||r" }'
        self.assertEqual(typeset("a", sheet)[0].split("\n")[0], "   l   r")

    def test_unknown_field(self) -> None:
        with self.assertRaises(StyleError):
            typeset("a", 'page { height: 5; footer: "{date}" }')


if __name__ == "__main__":
    unittest.main()
