"""What can be told of a text as Python without running it. Nothing here raises on any text."""

from __future__ import annotations

import ast
import builtins
import re
import warnings
from dataclasses import dataclass, field

from harness import syntax

# Parsing is for answers of a usual size: beyond it, and beyond that many characters in one line
# (deep nesting needs length), a text counts as one that does not parse.
_MAX_TEXT = 200_000
_MAX_LINE = 5_000

# A line at column 0 that begins code rather than prose.
CODE_LINE = re.compile(
    r"(?:(?:async[ \t]+)?def[ \t]+\w+[ \t]*\(|class[ \t]+\w+[ \t]*[:(]|@\w[\w.]*"
    r"|import[ \t]+\w[\w., \t]*(?:#.*)?$|from[ \t]+[\w.]+[ \t]+import[ \t]"
    r"|[A-Za-z_]\w*(?:[ \t]*:[ \t]*[\w\[\], .]+)?[ \t]*=[^=])"
)


@dataclass
class Budget:
    """Characters that one extraction may still parse, so that its time is bounded."""

    left: int = 2_000_000


def parse(text: str, budget: Budget | None = None) -> ast.Module | None:
    """The syntax tree, or None where the text is no Python (or too long to be tried)."""
    if budget is not None:
        budget.left -= len(text)
        if budget.left < 0:
            return None
    if len(text) > _MAX_TEXT or any(len(line) > _MAX_LINE for line in text.split("\n")):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return syntax.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return None


def defines(text: str, name: str) -> bool:
    """Whether a line at column 0 defines ``name``: a function, a class or a plain assignment.

    The whole name counts: ``def factorial`` does not define ``f``.
    """
    escaped = re.escape(name)
    pattern = rf"^(?:(?:async[ \t]+)?def[ \t]+{escaped}[ \t]*\(|class[ \t]+{escaped}[ \t]*[:(]"
    pattern += rf"|{escaped}[ \t]*(?::[^=\n]{{1,200}})?=(?!=))"
    return re.search(pattern, text, re.MULTILINE) is not None


def is_stub(tree: ast.Module, name: str) -> bool:
    """Whether the last definition of ``name`` has no body to speak of: ``pass``, ``...``, a
    docstring, or ``raise NotImplementedError``."""
    found = [n for n in tree.body if isinstance(n, _DEFS) and n.name == name]
    return bool(found) and all(_idle(statement) for statement in found[-1].body)


_DEFS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def _idle(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    if isinstance(statement, ast.Raise):
        return any(
            isinstance(n, ast.Name) and n.id == "NotImplementedError" for n in ast.walk(statement)
        )
    return isinstance(statement, ast.Pass)


@dataclass
class Names:
    """Names that a module binds anywhere, and those it reads."""

    bound: set[str] = field(default_factory=set)
    read: set[str] = field(default_factory=set)

    @property
    def missing(self) -> set[str]:
        """Names that must come from elsewhere."""
        return self.read - self.bound - _BUILTINS


_BUILTINS = set(dir(builtins)) | {"__name__", "__file__", "__doc__"}


def names(tree: ast.AST) -> Names:
    """Names bound and read anywhere in ``tree``; scopes are not told apart."""
    found = Names()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            (found.read if isinstance(node.ctx, ast.Load) else found.bound).add(node.id)
        elif isinstance(node, _DEFS):
            found.bound.add(node.name)
        elif isinstance(node, ast.arg):
            found.bound.add(node.arg)
        elif isinstance(node, ast.alias):
            found.bound.add((node.asname or node.name).split(".")[0])
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            found.bound.add(node.name)
    return found


def supplements(tree: ast.Module, text: str, wanted: set[str]) -> tuple[list[str], set[str]]:
    """Top-level imports, definitions and assignments of ``tree`` that bind names of ``wanted``,
    with what these need in turn, in their order; and the names they bind."""
    lines = text.split("\n")
    bound_by: list[tuple[ast.stmt, set[str]]] = [
        (node, _binds(node))
        for node in tree.body
        if isinstance(node, (*_DEFS, ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign))
    ]
    chosen: set[int] = set()
    needed = set(wanted)
    for _round in range(10):
        more = {i for i, (_, binds) in enumerate(bound_by) if binds & needed} - chosen
        if not more:
            break
        chosen |= more
        for i in more:
            needed |= names(bound_by[i][0]).missing
    parts = []
    got: set[str] = set()
    for i in sorted(chosen):
        node, binds = bound_by[i]
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
        parts.append("\n".join(lines[first - 1 : node.end_lineno]))
        got |= binds
    return parts, got


def _binds(node: ast.stmt) -> set[str]:
    if isinstance(node, _DEFS):
        return {node.name}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {(alias.asname or alias.name).split(".")[0] for alias in node.names}
    return {
        n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    }
