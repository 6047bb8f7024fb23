"""Templates: tags, values, filters, escaping."""

import unittest
from datetime import date
from decimal import Decimal

from galley import render, typeset
from galley.errors import TemplateError


def filled(text: str, **data: object) -> str:
    return render(text, data)


def value(expression: str, **data: object) -> str:
    """What an expression comes to."""
    return render("{{ " + expression + " }}", data)


def problem(text: str, **data: object) -> str:
    try:
        render(text, data)
    except TemplateError as error:
        return str(error)
    return "accepted"


class TestValues(unittest.TestCase):
    def test_path(self) -> None:
        self.assertEqual(value("a.b.1.c", a={"b": [0, {"c": "deep"}]}), "deep")

    def test_element_of_a_list(self) -> None:
        self.assertEqual(filled("{{ xs.0 }}/{{ xs.1 }}", xs=["p", "q"]), "p/q")

    def test_literals(self) -> None:
        self.assertEqual(filled("{{ 'a' }}{{ \"b\" }}{{ 12 }}{{ 1.5 }}"), "ab121.5")

    def test_none_is_nothing(self) -> None:
        self.assertEqual(filled("<{{ x }}>", x=None), "<>")

    def test_true_is_yes(self) -> None:
        self.assertEqual(value("x", x=True), "yes")

    def test_comparison(self) -> None:
        self.assertEqual(value("3 > 2"), "yes")

    def test_membership(self) -> None:
        self.assertEqual(value("2 in xs", xs=[1, 3]), "no")

    def test_and_binds_closer_than_or(self) -> None:
        self.assertEqual(value("true or true and false"), "yes")

    def test_not_binds_closer_than_and(self) -> None:
        self.assertEqual(value("not false and false"), "no")

    def test_comparison_binds_closer_than_not(self) -> None:
        self.assertEqual(value("not 1 == 2"), "yes")

    def test_parentheses(self) -> None:
        self.assertEqual(value("(true or true) and false"), "no")

    def test_filters_come_last(self) -> None:
        self.assertEqual(value("a or b | upper", a="", b="x"), "X")

    def test_undefined(self) -> None:
        self.assertEqual(
            problem("a\n{{ order.total }}", order={}), "line 2: order.total is not defined"
        )

    def test_index_beyond_the_end(self) -> None:
        self.assertEqual(problem("{{ xs.2 }}", xs=[1, 2]), "line 1: xs.2 is not defined")

    def test_undefined_in_a_comparison(self) -> None:
        self.assertEqual(problem("{{ x == 1 }}"), "line 1: x is not defined")

    def test_what_cannot_be_compared(self) -> None:
        self.assertEqual(problem("{{ 'a' < 1 }}"), "line 1: cannot compare 'a' < 1")

    def test_trailing_words(self) -> None:
        self.assertEqual(problem("{{ a b }}", a=1), "line 1: unexpected 'b'")

    def test_missing_value(self) -> None:
        self.assertEqual(problem("{{ 1 + }}"), "line 1: cannot read '+'")


class TestTags(unittest.TestCase):
    def test_if(self) -> None:
        self.assertEqual(filled("{% if x %}a{% endif %}b", x=1), "ab")

    def test_else(self) -> None:
        self.assertEqual(filled("{% if x %}a{% else %}c{% endif %}b", x=0), "cb")

    def test_elif(self) -> None:
        text = "{% if x == 1 %}a{% elif x == 2 %}b{% elif x > 1 %}c{% else %}d{% endif %}"
        self.assertEqual("".join(filled(text, x=x) for x in (1, 2, 3, 0)), "abcd")

    def test_undefined_is_false(self) -> None:
        self.assertEqual(filled("{% if a.b %}x{% else %}y{% endif %}"), "y")

    def test_for(self) -> None:
        self.assertEqual(filled("{% for x in xs %}{{ x }};{% endfor %}", xs=[1, 2]), "1;2;")

    def test_for_else(self) -> None:
        text = "{% for x in xs %}{{ x }}{% else %}none{% endfor %}!"
        self.assertEqual(filled(text, xs=[]), "none!")

    def test_else_is_for_empty_lists_only(self) -> None:
        text = "{% for x in xs %}{{ x }}{% else %}none{% endfor %}!"
        self.assertEqual(filled(text, xs=[7]), "7!")

    def test_undefined_list_is_empty(self) -> None:
        self.assertEqual(filled("{% for x in xs %}x{% else %}nothing{% endfor %}"), "nothing")

    def test_loop_values(self) -> None:
        text = "{% for x in xs %}{% if not loop.first %}, {% endif %}{{ loop.index }}{{ x }}{% endfor %}"
        self.assertEqual(filled(text, xs=["a", "b"]), "1a, 2b")

    def test_last(self) -> None:
        text = "{% for x in xs %}{{ x }}{% if loop.last %}.{% else %}, {% endif %}{% endfor %}"
        self.assertEqual(filled(text, xs=["a", "b"]), "a, b.")

    def test_outer_loop_values_come_back(self) -> None:
        text = "{% for x in xs %}{% for y in ys %}{% endfor %}{{ loop.index }}{% endfor %}"
        self.assertEqual(filled(text, xs=[5, 5], ys=[1, 2, 3]), "12")

    def test_loop_name_hides_and_comes_back(self) -> None:
        text = "{% for x in xs %}{{ x }}{% endfor %}{{ x }}"
        self.assertEqual(filled(text, x="out", xs=["in"]), "inout")

    def test_set(self) -> None:
        self.assertEqual(filled("{% set a = b | upper %}{{ a }}", b="x"), "X")

    def test_set_in_a_loop_ends_with_its_round(self) -> None:
        text = (
            "{% set a = 'out' %}{% for x in xs %}{{ a }}{% set a = x %}{{ a }},{% endfor %}{{ a }}"
        )
        self.assertEqual(filled(text, xs=["p", "q"]), "outp,outq,out")

    def test_set_in_a_condition_stays(self) -> None:
        self.assertEqual(filled("{% if 1 %}{% set a = 'in' %}{% endif %}{{ a }}"), "in")

    def test_comment(self) -> None:
        self.assertEqual(filled("a{# not {{ this }} #}b"), "ab")

    def test_label_is_not_a_comment(self) -> None:
        self.assertEqual(filled("# T {#t}\n\n## U {#u}"), "# T {#t}\n\n## U {#u}")

    def test_tag_alone_takes_its_line(self) -> None:
        text = "a\n{% if 1 %}\nb\n  {% endif %}\nc\n"
        self.assertEqual(filled(text), "a\nb\nc\n")

    def test_value_alone_keeps_its_line(self) -> None:
        self.assertEqual(filled("a\n{{ x }}\nb", x="y"), "a\ny\nb")

    def test_tag_with_text_keeps_the_line(self) -> None:
        self.assertEqual(filled("a {% if 1 %}\nb{% endif %}\n"), "a \nb\n")

    def test_not_closed(self) -> None:
        self.assertEqual(problem("a\n{% if 1 %}b"), "line 2: if 1 is not closed")

    def test_wrong_end(self) -> None:
        self.assertEqual(
            problem("{% if 1 %}\n{% endfor %}"), "line 2: endfor does not belong to if 1"
        )

    def test_end_without_beginning(self) -> None:
        self.assertEqual(problem("a\n\n{% endif %}"), "line 3: endif without a beginning")

    def test_unknown_tag(self) -> None:
        self.assertEqual(problem("{% repeat 3 %}"), "line 1: cannot read 'repeat 3'")

    def test_loop_over_a_number(self) -> None:
        self.assertEqual(problem("{% for x in 3 %}{% endfor %}"), "line 1: cannot loop over 3")


class TestEscaping(unittest.TestCase):
    def test_marks(self) -> None:
        self.assertEqual(
            typeset("{{ x }}", data={"x": "*a* `b` [c](d) {toc}"}), ["*a* `b` [c](d) {toc}\n"]
        )

    def test_backslashes(self) -> None:
        self.assertEqual(typeset("{{ x }}", data={"x": r"C:\*.txt"}), ["C:\\*.txt\n"])

    def test_tilde(self) -> None:
        self.assertEqual(typeset("{{ x }}", data={"x": "~user"}), ["~user\n"])

    def test_heading(self) -> None:
        self.assertEqual(typeset("{{ x }}", data={"x": "# no title"}), ["# no title\n"])

    def test_bullet(self) -> None:
        self.assertEqual(typeset("{{ x }}", data={"x": "- no item"}), ["- no item\n"])

    def test_number_at_the_start(self) -> None:
        self.assertEqual(typeset("{{ x }}", data={"x": "12. no item"}), ["12. no item\n"])

    def test_rule(self) -> None:
        self.assertEqual(typeset("{{ x }}", data={"x": "---"}), ["---\n"])

    def test_quote(self) -> None:
        self.assertEqual(typeset("{{ x }}", data={"x": "> no quote"}), ["> no quote\n"])

    def test_definition(self) -> None:
        self.assertEqual(typeset("term\n{{ x }}", data={"x": ": none"}), ["term : none\n"])

    def test_bar_in_a_cell(self) -> None:
        text = "| {{ x }} | b |\n| c | d |"
        self.assertEqual(typeset(text, data={"x": "a|a"}), ["a|a  b\nc    d\n"])

    def test_line_breaks_are_spaces(self) -> None:
        self.assertEqual(value("x", x=" a\n\n b  c\t"), "a b c")

    def test_negative_number(self) -> None:
        self.assertEqual(value("x", x=-5), "-5")

    def test_raw(self) -> None:
        self.assertEqual(typeset("{{ x | raw }}", data={"x": "*a*"}), ["_a_\n"])

    def test_without_data_there_is_no_template(self) -> None:
        self.assertEqual(typeset("a {{ b }}"), ["a {{ b }}\n"])


class TestFilters(unittest.TestCase):
    def test_upper_and_lower(self) -> None:
        self.assertEqual(filled("{{ x | upper }}{{ x | lower }}", x="aB"), "ABab")

    def test_chain_from_left_to_right(self) -> None:
        self.assertEqual(value("x | trim | length", x="  ab "), "2")

    def test_number(self) -> None:
        self.assertEqual(value("x | number: 2", x=1234567.891), "1,234,567.89")

    def test_number_without_places(self) -> None:
        self.assertEqual(value("x | number", x=999.5), "1,000")

    def test_number_rounds_halves_away_from_zero(self) -> None:
        self.assertEqual(
            filled("{{ a | number: 2 }} {{ b | number: 1 }}", a=2.675, b=-0.25), "2.68 -0.3"
        )

    def test_number_of_a_decimal(self) -> None:
        self.assertEqual(value("x | number: 1", x=Decimal("0.05")), "0.1")

    def test_no_negative_zero(self) -> None:
        self.assertEqual(value("x | number: 1", x=-0.01), "0.0")

    def test_number_of_a_word(self) -> None:
        with self.assertRaises(TemplateError):
            value("x | number", x="abc")

    def test_number_of_true(self) -> None:
        self.assertEqual(
            problem("\n{{ true | number }}"), "line 2: filter number: not a number: True"
        )

    def test_plural(self) -> None:
        self.assertEqual(value("x | plural: 'item', 'items'", x=1), "1 item")

    def test_plural_of_none(self) -> None:
        self.assertEqual(value("x | plural: 'item', 'items'", x=0), "0 items")

    def test_join(self) -> None:
        self.assertEqual(value("xs | join", xs=["a", 2, True]), "a, 2, yes")

    def test_join_escapes_once(self) -> None:
        self.assertEqual(value("xs | join: '*'", xs=["a", "b"]), r"a\*b")

    def test_joined_text_can_be_filtered_further(self) -> None:
        self.assertEqual(value("xs | join: '-' | upper", xs=["a", "b"]), "A-B")

    def test_sort(self) -> None:
        self.assertEqual(value("xs | sort | join: ' '", xs=["b", "C", "a", 10, 9]), "9 10 a b C")

    def test_sort_by_key(self) -> None:
        rows = [{"k": 2, "n": "x"}, {"k": 1, "n": "y"}, {"k": 2, "n": "a"}]
        text = "{% for r in rows | sort: 'k' %}{{ r.n }}{% endfor %}"
        self.assertEqual(filled(text, rows=rows), "yxa")

    def test_sort_by_an_unknown_key(self) -> None:
        with self.assertRaises(TemplateError):
            value("xs | sort: 'q'", xs=[{"k": 1}])

    def test_first_and_last(self) -> None:
        self.assertEqual(filled("{{ xs | first }}{{ xs | last }}", xs=[3, 4, 5]), "35")

    def test_first_of_nothing(self) -> None:
        with self.assertRaises(TemplateError):
            value("xs | first", xs=[])

    def test_length(self) -> None:
        self.assertEqual(value("xs | length", xs=[1, 2, 3]), "3")

    def test_date(self) -> None:
        self.assertEqual(value("d | date: '%d.%m.%Y'", d="2024-03-01"), "01.03.2024")

    def test_date_pattern_unless_told(self) -> None:
        self.assertEqual(value("d | date", d=date(2024, 2, 29)), "2024-02-29")

    def test_date_of_nonsense(self) -> None:
        with self.assertRaises(TemplateError):
            value("d | date", d="soon")

    def test_truncate(self) -> None:
        self.assertEqual(value("x | truncate: 6", x="abc defg"), "abc d…")

    def test_default_of_undefined(self) -> None:
        self.assertEqual(value("a.b | default: 'none'", a={}), "none")

    def test_default_of_an_empty_text(self) -> None:
        self.assertEqual(value("x | default: 'n/a'", x=""), "n/a")

    def test_zero_is_a_value(self) -> None:
        self.assertEqual(value("x | default: 5", x=0), "0")

    def test_false_is_a_value(self) -> None:
        self.assertEqual(value("x | default: 'other'", x=False), "no")

    def test_roman(self) -> None:
        self.assertEqual(value("x | roman", x=4), "iv")

    def test_unknown_filter(self) -> None:
        self.assertEqual(problem("{{ 1 | half }}"), "line 1: unknown filter 'half'")

    def test_undefined_before_a_filter(self) -> None:
        self.assertEqual(problem("{{ x | upper }}"), "line 1: x is not defined")


if __name__ == "__main__":
    unittest.main()
