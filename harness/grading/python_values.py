"""Expected values in Python tests: literals, where they stand, and what differs from them."""

from __future__ import annotations

import ast
import datetime
import decimal
import fractions
import pathlib
import uuid
from collections.abc import Callable
from typing import Any

from harness import syntax
from harness.grading.hierarchy import Hierarchy
from harness.grading.twins import Edit, Literal
from harness.tasks.task import Tree

# Calls with constant arguments that make a plain value; evaluated to compare, never for others.
_MAKERS: dict[str, Callable[..., Any]] = {
    "Decimal": decimal.Decimal,
    "Fraction": fractions.Fraction,
    "date": datetime.date,
    "datetime": datetime.datetime,
    "time": datetime.time,
    "timedelta": datetime.timedelta,
    "Path": pathlib.PurePosixPath,
    "PurePosixPath": pathlib.PurePosixPath,
    "UUID": uuid.UUID,
    "frozenset": frozenset,
    "set": set,
}
BUILTIN_ERRORS = ("ValueError", "TypeError", "KeyError", "RuntimeError", "ZeroDivisionError")


class Printed:
    """A printed file: its text, tree, and spans in characters."""

    def __init__(self, text: str, parents: dict[str, set[str]]) -> None:
        self.text = text
        self.tree = syntax.parse(text)
        self._lines = [line.encode() for line in text.split("\n")]
        self._starts = [0]
        for line in text.split("\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)
        self._errors = Hierarchy(parents, class_parents({"": text}))
        self.calm = _calm(self.tree)
        # parameters of the test that is being read: name -> its value in each row
        self.rows: dict[str, list[ast.expr]] = {}

    def span(self, node: ast.expr) -> tuple[int, int]:
        """Character offsets of a node."""
        end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or 0
        return self._offset(node.lineno, node.col_offset), self._offset(end_line, end_column)

    def edit(self, node: ast.expr, text: str) -> Edit:
        """The node replaced by ``text``."""
        start, end = self.span(node)
        return Edit(start, end, text)

    def apart(self, a: str, b: str) -> bool:
        """Whether two error types (several joined by ``|``) surely exclude each other."""
        return all(self._errors.apart(x, y) for x in a.split("|") for y in b.split("|"))

    def expected(self, node: ast.expr, tolerance: float = 0.0) -> list[Literal]:
        """The values in an expected expression that can be replaced one by one."""
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            return [v for item in node.elts for v in self.expected(item, tolerance)]
        if isinstance(node, ast.Dict):
            return [v for item in node.values for v in self.expected(item, tolerance)]
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            name = name or getattr(node.func, "id", "")
            if name == "approx" and node.args:
                return self.expected(node.args[0], _approx(node))
        value = self.literal(node, tolerance)
        return [] if value is None else [value]

    def in_rows(self, node: ast.expr) -> list[Literal]:
        """For a parameter of the test: a value in each row; none where a row has none."""
        found = [self.expected(value) for value in self.rows.get(getattr(node, "id", ""), [])]
        return [values[0] for values in found] if all(found) else []

    def literal(self, node: ast.expr, tolerance: float = 0.0) -> Literal | None:
        """The node as a value that has others of its kind."""
        kind, key = _kind_and_key(node)
        if kind is None or key is None:
            return None
        start, end = self.span(node)
        if tolerance < 0:
            tolerance = -tolerance * abs(float(key)) if kind in ("int", "float") else 0.0
        return Literal(start, end, kind, key, self.text[start:end], tolerance)

    def _offset(self, line: int, column: int) -> int:
        return self._starts[line - 1] + len(self._lines[line - 1][:column].decode())


def _calm(tree: ast.Module) -> dict[str, list[str]]:
    """Imported function -> its calls with plain arguments whose result some assertion compares."""
    imported = {
        (alias.asname or alias.name).partition(".")[0]
        for node in tree.body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    found: dict[str, list[str]] = {}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Assert) or not isinstance(node.test, ast.Compare):
            continue
        call = node.test.left
        if not isinstance(call, ast.Call) or not isinstance(node.test.ops[0], ast.Eq):
            continue
        name = ast.unparse(call.func)
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        if name.partition(".")[0] in imported and all(map(_is_plain, given)):
            found.setdefault(name, []).append(ast.unparse(call))
    return found


def _is_plain(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        return False
    return True


def literals_in(tree: ast.Module, printed: Printed) -> list[Literal]:
    """All literals of a file, but not docstrings, parts of f-strings or parameters' ids."""
    found: list[Literal] = []
    stack: list[ast.AST] = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.JoinedStr):
            continue
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        if isinstance(node, ast.expr):
            value = printed.literal(node)
            if value is not None:
                found.append(value)
                continue
        stack.extend(ast.iter_child_nodes(node))
    return found


def error_name(node: ast.expr) -> str | None:
    """The last part of a plain or dotted name."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else None


def class_parents(sources: dict[str, str]) -> dict[str, set[str]]:
    """Class name -> names of its bases, over all classes in ``sources``."""
    parents: dict[str, set[str]] = {}
    for text in sources.values():
        try:
            tree = syntax.parse(text)
        except (SyntaxError, ValueError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                names = {error_name(base) or "?" for base in node.bases}
                parents.setdefault(node.name, set()).update(names)
    return parents


def parents_in(tree: Tree) -> dict[str, set[str]]:
    """``class_parents`` of all Python files of a tree."""
    texts = {
        path: file.content.decode("utf-8", "replace")
        for path, file in tree.items()
        if path.endswith(".py")
    }
    return class_parents(texts)


def _kind_and_key(node: ast.expr) -> tuple[str | None, str | None]:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = node.operand.value if isinstance(node.operand, ast.Constant) else None
        if isinstance(inner, int | float) and not isinstance(inner, bool):
            return type(inner).__name__, repr(-inner)
        return None, None
    if isinstance(node, ast.Constant):
        value = node.value
        if isinstance(value, bool | int | float | str | bytes):
            return type(value).__name__, value if isinstance(value, str) else repr(value)
        return None, None
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        # A member of an enumeration, by the usual spelling: ``Status.OPEN``.
        if node.value.id[:1].isupper() and node.attr.isupper():
            return f"member:{node.value.id}", node.attr
        return None, None
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        name = name or getattr(node.func, "id", "")
        maker = _MAKERS.get(name)
        if maker is None:
            return None, None
        try:
            args = [ast.literal_eval(arg) for arg in node.args]
            made = maker(*args, **{str(k.arg): ast.literal_eval(k.value) for k in node.keywords})
        except (ValueError, TypeError, ArithmeticError, SyntaxError):
            return None, None
        # A number's text can have many forms of one value; hash is equal for all of them.
        key = str(hash(made)) if name in ("Decimal", "Fraction") else repr(made)
        return f"call:{ast.unparse(node.func)}", key
    return None, None


def _approx(call: ast.Call) -> float:
    """Tolerance of pytest.approx: an absolute one, or minus a relative one."""
    given = {k.arg: k.value.value for k in call.keywords if isinstance(k.value, ast.Constant)}
    absolute, relative = given.get("abs"), given.get("rel")
    if isinstance(absolute, int | float):
        return float(absolute) + 1e-9
    return -float(relative) if isinstance(relative, int | float) else -1e-3
