"""Tables."""

import unittest

from galley import Hyphenator, typeset
from galley.errors import LayoutError, MarkupError


def lines(text: str, sheet: str = "", hyphenator: Hyphenator | None = None) -> list[str]:
    return typeset(text, sheet, None, hyphenator)[0].splitlines()


class TestReading(unittest.TestCase):
    def test_header_and_row(self) -> None:
        self.assertEqual(
            lines("| a | bb |\n|---|---|\n| ccc | d |"), ["a    bb", "---  --", "ccc  d"]
        )

    def test_no_delimiter_no_header(self) -> None:
        self.assertEqual(lines("| a | bb |\n| ccc | d |"), ["a    bb", "ccc  d"])

    def test_delimiter_first_gives_alignments_only(self) -> None:
        self.assertEqual(lines("|--:|---|\n| a | b |\n| ccc | d |"), ["  a  b", "ccc  d"])

    def test_alignments(self) -> None:
        text = "| left | right | mid |\n|:--|--:|:-:|\n| a | b | c |"
        self.assertEqual(lines(text), ["left  right  mid", "----  -----  ---", "a         b   c"])

    def test_short_rows_are_filled(self) -> None:
        self.assertEqual(lines("| a | b |\n| c |\n| d | e |"), ["a  b", "c", "d  e"])

    def test_escaped_pipe(self) -> None:
        self.assertEqual(lines("| a \\| b | c |\n| d | e |"), ["a | b  c", "d      e"])

    def test_marks_in_cells(self) -> None:
        self.assertEqual(lines("| *a* | `b` |\n| c | d |"), ["_a_  `b`", "c    d"])

    def test_too_many_columns(self) -> None:
        with self.assertRaises(MarkupError) as caught:
            lines("x\n\n| a | b |\n|---|---|\n| c | d | e |")
        self.assertEqual(str(caught.exception), "line 5: row has 3 columns, the table 2")

    def test_row_that_is_not_closed(self) -> None:
        with self.assertRaises(MarkupError) as caught:
            lines("| a | b |\n| c | d")
        self.assertEqual(str(caught.exception), "line 2: table row is not closed")

    def test_longest_row_counts(self) -> None:
        self.assertEqual(lines("| a |\n| b | c |", "table { border: grid }")[1], "| a |   |")


class TestWidths(unittest.TestCase):
    def test_wide_characters(self) -> None:
        self.assertEqual(lines("| 日本 | a |\n| b | c |"), ["日本  a", "b     c"])

    def test_cells_wrap(self) -> None:
        found = lines("| aaa bbb ccc | d |", "page { width: 10 }")
        self.assertEqual(found, ["aaa bbb  d", "ccc"])

    def test_room_is_shared_in_proportion(self) -> None:
        text = "| aa aa aa aa aa aa | bb bb bb |\n| c | d |"
        found = lines(text, "page { width: 19 } table { border: grid }")
        self.assertEqual(found[0], "+----------+------+")

    def test_remaining_columns_go_left(self) -> None:
        text = "| aa aa aa | bb bb bb |"
        found = lines(text, "page { width: 18 } table { border: grid }")
        self.assertEqual(found[0], "+--------+-------+")

    def test_longest_word_is_not_cut_while_there_is_room(self) -> None:
        text = "| a a a a a a a a | longword |"
        found = lines(text, "page { width: 14 } table { border: none }")
        self.assertEqual(found, ["a a   longword", "a a", "a a", "a a"])

    def test_widest_column_gives_way(self) -> None:
        found = lines("| abcdefgh | xyz |", "page { width: 9 }")
        self.assertEqual(found, ["abcd  xyz", "efgh"])

    def test_rightmost_of_equals_gives_way(self) -> None:
        found = lines("| abcd | wxyz |", "page { width: 9 }")
        self.assertEqual(found, ["abcd  wxy", "      z"])

    def test_no_room_at_all(self) -> None:
        with self.assertRaises(LayoutError):
            lines("| a | b | c |", "page { width: 6 }")

    def test_just_room_enough(self) -> None:
        self.assertEqual(lines("| ab | b | c |", "page { width: 7 }"), ["a  b  c", "b"])

    def test_hyphenation_in_cells(self) -> None:
        divide = Hyphenator(["b1c"], left=1, right=1)
        sheet = "page { width: 6 } table { hyphenate: yes }"
        self.assertEqual(lines("| abcd | e |", sheet, divide), ["ab-  e", "cd"])


class TestSpans(unittest.TestCase):
    def test_span_takes_the_room_of_its_columns(self) -> None:
        text = "| a | b | c |\n| wide || d |"
        self.assertEqual(lines(text), ["a  b  c", "wide  d"])

    def test_span_makes_columns_wider(self) -> None:
        text = "| a | b | c |\n| wide text || d |"
        self.assertEqual(lines(text), ["a     b    c", "wide text  d"])

    def test_span_over_everything(self) -> None:
        text = "| a | b |\n|---|---|\n| everything ||"
        self.assertEqual(lines(text), ["a     b", "----  ----", "everything"])

    def test_span_is_aligned_as_its_first_column(self) -> None:
        text = "|--:|---|---|\n| aaa | bbb | c |\n| x || d |"
        self.assertEqual(lines(text), ["aaa  bbb  c", "       x  d"])

    def test_span_in_the_middle_is_aligned_by_its_column(self) -> None:
        text = "|---|--:|---|\n| a | bbb | ccc |\n| d | x ||"
        self.assertEqual(lines(text), ["a  bbb  ccc", "d         x"])

    def test_spans_in_the_header(self) -> None:
        text = "| both || c |\n|---|--:|---|\n| a | b | d |"
        self.assertEqual(lines(text), ["both  c", "-  -  -", "a  b  d"])

    def test_spans_count_as_columns(self) -> None:
        with self.assertRaises(MarkupError) as caught:
            lines("| a | b |\n|---|---|\n| c | d ||")
        self.assertEqual(str(caught.exception), "line 3: row has 3 columns, the table 2")

    def test_span_that_needs_more_than_a_column_would_like(self) -> None:
        text = "| a a a a a | b | x x x x x x |\n| cccccccccccc || d |"
        found = lines(text, "page { width: 26 } table { border: grid }")
        self.assertEqual(found[0], "+---------+------+-------+")

    def test_span_wraps(self) -> None:
        text = "| aaa | bbb |\n| one two three ||"
        self.assertEqual(lines(text, "page { width: 8 }"), ["aaa  bbb", "one two", "three"])


class TestBorders(unittest.TestCase):
    def test_none(self) -> None:
        text = "| a | b |\n|---|---|\n| c | d |"
        self.assertEqual(lines(text, "table { border: none }"), ["a  b", "c  d"])

    def test_grid(self) -> None:
        text = "| a | b |\n|---|---|\n| c | d |"
        found = lines(text, "table { border: grid }")
        self.assertEqual(
            found,
            ["+---+---+", "| a | b |", "+===+===+", "| c | d |", "+---+---+"],
        )

    def test_grid_without_header(self) -> None:
        found = lines("| a |\n| b |", "table { border: grid }")
        self.assertEqual(found, ["+---+", "| a |", "+---+", "| b |", "+---+"])

    def test_grid_around_spans(self) -> None:
        text = "| aa | bb |\n| c || \n| d ||"
        found = lines(text, "table { border: grid }")
        self.assertEqual(
            found,
            [
                "+----+----+",
                "| aa | bb |",
                "+----+----+",
                "| c       |",
                "+---------+",
                "| d       |",
                "+---------+",
            ],
        )

    def test_grid_row_of_two_lines(self) -> None:
        found = lines("| aa bb | c |", "page { width: 10 } table { border: grid }")
        self.assertEqual(found, ["+----+---+", "| aa | c |", "| bb |   |", "+----+---+"])


class TestOverPages(unittest.TestCase):
    def test_header_is_repeated(self) -> None:
        text = "| h |\n|---|\n| a |\n| b |\n| c |"
        found = typeset(text, "page { height: 4 }")
        self.assertEqual(found, ["h\n-\na\nb\n", "h\n-\nc\n\n"])

    def test_grid_header_is_repeated(self) -> None:
        text = "| h |\n|---|\n| a |\n| b |"
        found = typeset(text, "page { height: 6 } table { border: grid }")
        self.assertEqual(found[1], "+---+\n| h |\n+===+\n| b |\n+---+\n\n")

    def test_repeated_header_takes_room(self) -> None:
        text = "| h |\n|---|\n| a |\n| b |\n| c |\n| d |\n| e |"
        found = typeset(text, "page { height: 4 }")
        self.assertEqual(found, ["h\n-\na\nb\n", "h\n-\nc\nd\n", "h\n-\ne\n\n"])

    def test_header_is_not_repeated_within_a_page(self) -> None:
        text = "x\n+++\n\n| h |\n|---|\n| a |\n| b |"
        found = typeset(text, "page { height: 4 }")
        self.assertEqual(found, ["x\n\n\n\n", "h\n-\na\nb\n"])

    def test_header_without_a_line_is_repeated(self) -> None:
        text = "| h |\n|---|\n| a |\n| b |\n| c |"
        found = typeset(text, "page { height: 3 } table { border: none }")
        self.assertEqual(found, ["h\na\nb\n", "h\nc\n\n"])

    def test_row_is_not_broken(self) -> None:
        found = typeset("| a |\n| b c d |", "page { height: 3; width: 1 }")
        self.assertEqual(found, ["a\n\n\n", "b\nc\nd\n"])

    def test_header_stays_with_the_first_row(self) -> None:
        found = typeset("x\n\n| h |\n|---|\n| a |", "page { height: 4 }")
        self.assertEqual(found, ["x\n\n\n\n", "h\n-\na\n\n"])

    def test_header_stands_in_the_margin_too(self) -> None:
        text = "> | h |\n> |---|\n> | a |\n> | b |"
        found = typeset(text, "page { height: 3 }")
        self.assertEqual(found[1], "> h\n> -\n> b\n")

    def test_mark_in_a_cell_brings_its_note(self) -> None:
        text = "| a | b[^n] |\n| c | d |\n\n[^n]: N"
        found = typeset(text, "page { height: 4 }")
        self.assertEqual(found[0], "a  b[1]\nc  d\n----------\n[1] N\n")


if __name__ == "__main__":
    unittest.main()
