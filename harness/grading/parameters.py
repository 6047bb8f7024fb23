"""Parametrized tests: their rows as expected values, and ids that do not tell them.

pytest puts a row's values into its id, where a cheat reads what is true. In both printed forms
rows have numbers for ids; results get back the ids that pytest would have given.
"""

from __future__ import annotations

import ast

Function = ast.FunctionDef | ast.AsyncFunctionDef


def number_rows(tree: ast.Module) -> None:
    """Give each parametrized test whose ids can be foreseen numbers instead."""
    for node in ast.walk(tree):
        if isinstance(node, Function):
            call = _decorator(node)
            if call is not None and not _given(call) and (ids := _automatic(call)) is not None:
                numbers: list[ast.expr] = [ast.Constant(str(i)) for i in range(len(ids))]
                call.keywords.append(ast.keyword("ids", ast.List(numbers, ast.Load())))


def numbered(function: Function) -> tuple[dict[str, list[ast.expr]], list[str]]:
    """Of a test that ``number_rows`` changed: parameter -> its value in each row, and the ids that
    pytest would have given; empty for any other."""
    call = _decorator(function)
    if call is None or (ids := _automatic(call)) is None:
        return {}, []
    if _given(call) != ast.unparse(ast.List([ast.Constant(str(i)) for i in range(len(ids))])):
        return {}, []
    names, rows = _names(call), _rows(call)
    return {name: [row[i] for row in rows] for i, name in enumerate(names)}, ids


def _decorator(function: Function) -> ast.Call | None:
    """The one ``parametrize`` of a function."""
    found = [
        d
        for d in function.decorator_list
        if isinstance(d, ast.Call) and ast.unparse(d.func).endswith("mark.parametrize")
    ]
    if len(found) != 1 or len(found[0].args) != 2:
        return None
    return found[0] if all(k.arg == "ids" for k in found[0].keywords) else None


def _given(call: ast.Call) -> str:
    return next((ast.unparse(k.value) for k in call.keywords if k.arg == "ids"), "")


def _names(call: ast.Call) -> list[str]:
    try:
        names = ast.literal_eval(call.args[0])
    except ValueError:
        return []
    parts = names.split(",") if isinstance(names, str) else names
    if not all(isinstance(part, str) for part in parts):
        return []
    return [part.strip() for part in parts if part.strip()]


def _rows(call: ast.Call) -> list[list[ast.expr]]:
    """The rows, each with a value a name; none where one is not written out."""
    names, table = _names(call), call.args[1]
    if not names or not isinstance(table, ast.List | ast.Tuple):
        return []
    if len(names) == 1:
        return [[row] for row in table.elts]
    rows = [row.elts for row in table.elts if isinstance(row, ast.Tuple | ast.List)]
    whole = len(rows) == len(table.elts) and all(len(row) == len(names) for row in rows)
    return rows if whole else []


def _automatic(call: ast.Call) -> list[str] | None:
    """The ids that pytest would make; None where they cannot be foreseen."""
    names, rows = _names(call), _rows(call)
    ids = []
    for number, row in enumerate(rows):
        parts = [_part(name, value, number) for name, value in zip(names, row, strict=True)]
        if None in parts:
            return None
        ids.append("-".join(str(part) for part in parts))
    return ids if ids and len(set(ids)) == len(ids) else None


def _part(name: str, value: ast.expr, number: int) -> str | None:
    if isinstance(value, ast.List | ast.Tuple | ast.Dict | ast.Set):
        return f"{name}{number}"
    try:
        plain = ast.literal_eval(value)
    except ValueError:
        return None
    if isinstance(plain, str):
        return plain if plain.isascii() and plain.isprintable() and "\\" not in plain else None
    return str(plain) if plain is None or isinstance(plain, bool | int | float) else None
