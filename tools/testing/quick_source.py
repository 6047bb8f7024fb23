"""Makes pytest find a failing statement quickly: its own way parses and walks the whole test file
anew for every failure, which takes longer than the tests themselves. The text stays the same."""

from __future__ import annotations

import ast
import bisect
import warnings
from typing import Any

_Defined = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Starts:
    """In the place of a parsed file: where its statements begin. (A whole tree that is kept makes
    every collection of garbage slow.)"""

    def __init__(self, text: str) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.lines = _lines(ast.parse(text, "source"))


def install() -> None:
    """Put the quick way in the place of pytest's, where that is as it was when this was written."""
    from _pytest._code import code, source

    names = ("getstatementrange_ast", "get_statement_startend2")
    if not all(hasattr(source, name) for name in names) or not hasattr(code, names[0]):
        return
    whole: Any = vars(source)[names[0]]
    part: Any = vars(source)[names[1]]
    known: dict[str, Starts] = {}

    def quick(lineno: int, text: Any, assertion: bool = False, astnode: Any = None) -> Any:
        content = str(text)
        starts = known.get(content)
        if starts is None:
            starts = known[content] = Starts(content)
        return whole(lineno, text, assertion, starts)

    def quick_part(lineno: int, node: Any) -> tuple[int, int | None]:
        return statement(lineno, node) if isinstance(node, Starts) else part(lineno, node)

    vars(source).update(getstatementrange_ast=quick, get_statement_startend2=quick_part)
    vars(code).update(getstatementrange_ast=quick)


def statement(lineno: int, starts: Starts) -> tuple[int, int | None]:
    """First line of the statement that holds a line, and of the next one; lines count from 0."""
    at = bisect.bisect_right(starts.lines, lineno)
    return starts.lines[at - 1], starts.lines[at] if at < len(starts.lines) else None


def _lines(tree: ast.AST) -> list[int]:
    found = []
    for each in ast.walk(tree):
        if not isinstance(each, ast.stmt | ast.ExceptHandler):
            continue
        if isinstance(each, _Defined):
            found += [decorator.lineno - 1 for decorator in each.decorator_list]
        found.append(each.lineno - 1)
        for name in ("finalbody", "orelse"):
            block = getattr(each, name, None)
            if block:  # the keyword's line is a start of its own
                found.append(block[0].lineno - 2)
    return sorted(found)
