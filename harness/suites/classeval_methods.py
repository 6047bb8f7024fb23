"""One method of a class: taken out of a text, or put into the reference class."""

from __future__ import annotations

import ast
import textwrap

from harness.suites.data.rows import ClassEvalRow, MethodInfo
from harness.suites.extract.pytext import parse

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def method_in(code: str, class_name: str, method: str) -> str | None:
    """The method's text (decorators included, at column 0), the last where there are several;
    None where the class or the method is not there."""
    tree = parse(code)
    span = _span(tree, class_name, method) if tree is not None else None
    if span is None:
        return None
    return textwrap.dedent("\n".join(code.split("\n")[span[0] : span[1]]))


def with_method(row: ClassEvalRow, method: MethodInfo, code: str) -> str:
    """The reference class with ``code`` in place of its method.

    What a reply has beside the method (imports, helper functions) goes in front of the class.
    """
    own, beside = _parted(code, method.name)
    solution = row.solution.replace("\r\n", "\n")
    tree = parse(solution)
    span = _span(tree, row.class_name, method.name) if tree is not None else None
    if span is None:
        return f"{solution}\n\n{code}"
    lines = solution.split("\n")
    indent = lines[span[0]][: len(lines[span[0]]) - len(lines[span[0]].lstrip())]
    body = textwrap.indent(textwrap.dedent(own), indent)
    text = "\n".join([*lines[: span[0]], body, *lines[span[1] :]])
    return f"{beside}\n\n{text}" if beside.strip() else text


def _parted(code: str, method: str) -> tuple[str, str]:
    tree = parse(code)
    found = [n for n in tree.body if isinstance(n, _FUNCTIONS) and n.name == method] if tree else []
    if not found:
        return code, ""
    first, last = _lines(found[-1])
    lines = code.split("\n")
    return "\n".join(lines[first:last]), "\n".join([*lines[:first], *lines[last:]])


def _span(tree: ast.Module, class_name: str, method: str) -> tuple[int, int] | None:
    for node in reversed(tree.body):
        if isinstance(node, ast.ClassDef) and node.name == class_name:
            for part in reversed(node.body):
                if isinstance(part, _FUNCTIONS) and part.name == method:
                    return _lines(part)
    return None


def _lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[int, int]:
    """First line with decorators (from 0) and the line after the last."""
    first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
    return first - 1, node.end_lineno or node.lineno
