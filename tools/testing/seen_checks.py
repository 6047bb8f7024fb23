"""Trusted checks, compiled so that a failing ``assert`` tells what it saw."""

from __future__ import annotations

import ast
import types
from typing import Any

GOT, EXPECTED = "_proctor_got", "_proctor_expected"
SHOWN = 500


class _Seeing(ast.NodeTransformer):
    """Names the two sides of a compared assertion; evaluates nothing twice or in another order."""

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        test = node.test
        if isinstance(test, ast.Compare) and len(test.ops) == 1:
            test.left = _named(GOT, test.left)
            test.comparators[0] = _named(EXPECTED, test.comparators[0])
        elif not isinstance(test, ast.BoolOp | ast.NamedExpr | ast.Constant):
            node.test = _named(GOT, test)
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return node


def _named(name: str, value: ast.expr) -> ast.expr:
    return ast.NamedExpr(ast.Name(name, ast.Store()), value)


def compiled(text: str, name: str) -> types.CodeType:
    """Code of trusted statements. Raises SyntaxError."""
    tree = _Seeing().visit(ast.parse(text, name))
    code = compile(ast.fix_missing_locations(tree), name, "exec", dont_inherit=True)
    assert isinstance(code, types.CodeType)
    return code


def values(error: BaseException, names: set[str]) -> tuple[str | None, str | None, str | None]:
    """Of a failed assertion in a file of ``names``: its text's line, what it got, what it expected.

    The line is ``file:number``; values are shown bounded, None where there were none.
    """
    got = expected = where = None
    step = error.__traceback__
    while step is not None:
        frame = step.tb_frame
        if frame.f_code.co_filename in names:
            where = f"{frame.f_code.co_filename}:{step.tb_lineno}"
            space = frame.f_locals
            got = shown(space[GOT]) if GOT in space else None
            expected = shown(space[EXPECTED]) if EXPECTED in space else None
        step = step.tb_next
    return where, got, expected


def shown(value: Any) -> str:
    """A bounded repr."""
    try:
        text = repr(value)
    except Exception as error:  # a value too strange to be shown is no fault of the judge
        text = f"<{type(value).__name__}: {type(error).__name__}>"
    return text if len(text) <= SHOWN else f"{text[:SHOWN]} [...]"
