"""Style sheets."""

import unittest

from galley import typeset
from galley.errors import StyleError
from galley.styles import parse


def lines(text: str, sheet: str) -> list[str]:
    return typeset(text, sheet)[0].splitlines()


def refused(sheet: str) -> str:
    """What is said of a sheet that is wrong."""
    try:
        parse(sheet)
    except StyleError as error:
        return str(error)
    return "accepted"


class TestCascade(unittest.TestCase):
    def test_later_rule_wins(self) -> None:
        sheet = parse("paragraph { indent: 1 } paragraph { indent: 2 }")
        self.assertEqual(sheet.style("body", "paragraph").indent, 2)

    def test_longer_selector_wins(self) -> None:
        sheet = parse("quote paragraph { indent: 3 } paragraph { indent: 2 }")
        self.assertEqual(sheet.style("body", "quote", "paragraph").indent, 3)

    def test_longer_selector_needs_its_surroundings(self) -> None:
        sheet = parse("quote paragraph { indent: 3 } paragraph { indent: 2 }")
        self.assertEqual(sheet.style("body", "paragraph").indent, 2)

    def test_elements_may_stand_between(self) -> None:
        sheet = parse("quote paragraph { indent: 3 }")
        self.assertEqual(sheet.style("body", "quote", "list", "item", "paragraph").indent, 3)

    def test_order_of_surroundings_counts(self) -> None:
        sheet = parse("quote list paragraph { indent: 3 }")
        self.assertEqual(sheet.style("body", "list", "item", "quote", "paragraph").indent, 0)

    def test_element_itself_is_not_around_itself(self) -> None:
        sheet = parse('quote quote { prefix: "| " }')
        self.assertEqual(sheet.style("body", "quote").prefix, "> ")

    def test_own_rules_come_after_built_in_ones(self) -> None:
        self.assertEqual(parse("h1 { space-before: 5 }").style("body", "h1").space_before, 5)

    def test_several_selectors(self) -> None:
        sheet = parse("h1, quote h2 { indent: 4 }")
        self.assertEqual(sheet.style("body", "quote", "h2").indent, 4)

    def test_properties_of_several_rules_add_up(self) -> None:
        style = parse("list { tab: 3 } list { depth: 5 }").style("body", "list")
        self.assertEqual((style.tab, style.depth), (3, 5))


class TestInheritance(unittest.TestCase):
    def test_alignment_is_inherited(self) -> None:
        sheet = parse("body { align: right }")
        self.assertEqual(sheet.style("body", "quote", "paragraph").align, "right")

    def test_breaking_is_inherited(self) -> None:
        sheet = parse("quote { breaking: balanced }")
        self.assertEqual(sheet.style("body", "quote", "list").breaking, "balanced")

    def test_widows_are_inherited(self) -> None:
        self.assertEqual(parse("body { widows: 4 }").style("body", "paragraph").widows, 4)

    def test_margins_are_not_inherited(self) -> None:
        sheet = parse("quote { margin-left: 7 }")
        self.assertEqual(sheet.style("body", "quote", "paragraph").margin_left, 0)

    def test_own_value_wins_over_an_inherited_one(self) -> None:
        sheet = parse("paragraph { align: center } quote { align: right }")
        self.assertEqual(sheet.style("body", "quote", "paragraph").align, "center")

    def test_headings_are_set_left(self) -> None:
        self.assertEqual(parse("body { align: justify }").style("body", "h2").align, "left")

    def test_nearest_element_counts(self) -> None:
        sheet = parse("body { align: right } quote { align: center }")
        self.assertEqual(sheet.style("body", "quote", "paragraph").align, "center")


class TestReading(unittest.TestCase):
    def test_comments(self) -> None:
        sheet = parse("/* a { b */ paragraph /* c */ { indent: /* d */ 6 }")
        self.assertEqual(sheet.style("body", "paragraph").indent, 6)

    def test_last_semicolon_may_be_there(self) -> None:
        self.assertEqual(parse("list { indent: 8; }").style("body", "list").indent, 8)

    def test_empty_rule(self) -> None:
        self.assertEqual(parse("list { }").style("body", "list").space_after, 1)

    def test_flags(self) -> None:
        self.assertEqual(parse("h1 { numbered: yes }").style("body", "h1").numbered, True)

    def test_flag_switched_off(self) -> None:
        self.assertEqual(parse("h1 { keep-next: no }").style("body", "h1").keep_next, False)

    def test_text_may_hold_anything(self) -> None:
        self.assertEqual(parse('list { marker: "{;}" }').style("body", "list").marker, "{;}")

    def test_unknown_element(self) -> None:
        self.assertEqual(refused("\n\nh5 { indent: 1 }"), "line 3: unknown element 'h5'")

    def test_unknown_property(self) -> None:
        self.assertEqual(refused("h1 {\n  colour: 1 }"), "line 2: unknown property 'colour'")

    def test_wrong_number(self) -> None:
        self.assertEqual(refused("h1 { indent: -1 }"), "line 1: indent cannot be -1")

    def test_wrong_choice(self) -> None:
        self.assertEqual(refused("h1 { align: middle }"), "line 1: align cannot be middle")

    def test_wrong_flag(self) -> None:
        self.assertEqual(refused("h1 { numbered: true }"), "line 1: numbered cannot be true")

    def test_text_needs_quotes(self) -> None:
        self.assertEqual(refused("list { marker: x }"), "line 1: marker cannot be x")

    def test_missing_brace(self) -> None:
        self.assertEqual(refused("h1 { indent: 1"), "line 1: the sheet ends too early")

    def test_missing_semicolon(self) -> None:
        self.assertEqual(refused("h1 { indent: 1\ntab: 2 }"), "line 2: ';' expected, not 'tab'")

    def test_what_cannot_be_read(self) -> None:
        self.assertEqual(refused("h1 {\n indent = 1 }"), "line 2: cannot read '='")

    def test_error_type(self) -> None:
        with self.assertRaises(StyleError):
            lines("x", "h1 }")


class TestEffects(unittest.TestCase):
    def test_selector_in_a_document(self) -> None:
        found = lines("a\n\n> b", "quote paragraph { indent: 2 }")
        self.assertEqual(found, ["a", "", ">   b"])

    def test_what_follows_a_quote_is_not_touched(self) -> None:
        found = lines("> a\n\nb", "quote paragraph { indent: 2 }")
        self.assertEqual(found, [">   a", "", "b"])

    def test_alignment_of_a_quote_ends_with_it(self) -> None:
        found = lines("> a\n\nb", "page { width: 8 } quote { align: right }")
        self.assertEqual(found, [">      a", "", "b"])

    def test_list_in_a_list(self) -> None:
        found = lines("- a\n  1. b\n  2. c", "list list { numbers: alpha }")
        self.assertEqual(found, ["- a", "  a. b", "  b. c"])

    def test_prefix_of_quotes(self) -> None:
        self.assertEqual(lines("> a\n>\n> b", 'quote { prefix: "" }'), ["a", "", "b"])

    def test_rules_consist_of_their_marker(self) -> None:
        found = lines("---", 'page { width: 5 } rule { marker: "-=" }')
        self.assertEqual(found, ["-=-=-"])


if __name__ == "__main__":
    unittest.main()
