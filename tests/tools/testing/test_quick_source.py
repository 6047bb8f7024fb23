"""The quick way to a failing statement finds what pytest's own way finds."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from _pytest._code.source import get_statement_startend2

from tools.testing.quick_source import Starts, statement

ODD = """\
@decorated
@twice
class A:
    def f(self):
        try:
            x = (1,
                 2)
        except ValueError:
            pass
        else:
            y = 3
        finally:
            z = 4

    async def g(self):
        for i in range(3):
            break
        else:
            return 1
"""


@pytest.mark.parametrize("text", [ODD, Path(__file__).read_text(), "x = 1\n"])
def test_statements_begin_and_end_where_pytest_says(text: str) -> None:
    starts, tree = Starts(text), ast.parse(text)
    for line in range(text.count("\n")):
        assert statement(line, starts) == get_statement_startend2(line, tree)
