import unittest

from galley import render, typeset
from galley.errors import TemplateError


class TemplateTest(unittest.TestCase):
    def test_values_and_filters(self) -> None:
        found = render("{{ name | upper }}: {{ sum | number: 2 }}", {"name": "ada", "sum": 1234.5})
        self.assertEqual(found, "ADA: 1,234.50")

    def test_loop(self) -> None:
        text = "{% for x in xs %}\n- {{ x }}\n{% endfor %}\n"
        self.assertEqual(render(text, {"xs": ["a", "b"]}), "- a\n- b\n")

    def test_condition(self) -> None:
        text = "{% if paid %}paid{% else %}open{% endif %}"
        self.assertEqual(render(text, {"paid": False}), "open")

    def test_values_are_escaped(self) -> None:
        self.assertEqual(typeset("{{ x }}", data={"x": "*not* marked"}), ["*not* marked\n"])

    def test_undefined_value(self) -> None:
        with self.assertRaises(TemplateError):
            render("{{ nothing }}", {})
