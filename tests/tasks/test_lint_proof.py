"""What a line of lint is about."""

from __future__ import annotations

import pytest

from harness.tasks.lint_proof import Linted, kind_of


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ('a.py:5:24: error: Incompatible types (got "str [x]")  [assignment]', "type"),
        ("a.py:5:24: error: Undefined name `x`  [F821]", "other"),
        ("a.py:5:1: error: Expected `:`, found newline  [invalid-syntax]", "syntax"),
        ("a.py:5:1: error: invalid syntax  [syntax]", "syntax"),
        ("a.py:5:1: note: the parameter is declared here  [arg-type]", "other"),
        ("src/a.ts:6:12: error TS2339: Property 'x' does not exist on type 'Y'.", "type"),
        ("src/a.ts:6:12: error TS7006: Parameter 'x' implicitly has an 'any' type.", "type"),
        ("src/a.ts:6:12: error TS1005: ';' expected.", "syntax"),
        ("src/a.ts:6:12: error TS18048: 'x' is possibly 'undefined'.", "type"),
        ("  Property 'length' does not exist on type 'never'.", "other"),
    ],
)
def test_lines_are_told_apart(line: str, kind: str) -> None:
    assert kind_of(line) == kind
    linted = Linted(1, ("No problems found.", line))
    assert (linted.of_types() is not None) == (kind == "type")
    assert (linted.of_syntax() is not None) == (kind == "syntax")
