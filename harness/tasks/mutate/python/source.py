"""A Python file as the kinds of defects see it: nodes with their places, texts and surroundings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeVar

import libcst as cst
from libcst.metadata import MetadataWrapper, ParentNodeProvider, PositionProvider

from harness.tasks.mutate.plant import Plant

N = TypeVar("N", bound=cst.CSTNode)
_LINE = re.compile(r"\r\n|\r|\n")
Function = cst.FunctionDef
Small = (cst.Assign, cst.AugAssign, cst.AnnAssign, cst.Expr, cst.Del, cst.Raise, cst.Return)


class Source:
    """A parsed file. Raises libcst.ParserSyntaxError."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        wrapper = MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True)
        self.module = wrapper.module
        self._positions = wrapper.resolve(PositionProvider)
        self._parents = wrapper.resolve(ParentNodeProvider)
        self._starts = [0, *(match.end() for match in _LINE.finditer(text))]
        self.nodes = list(_walk(self.module))

    def all(self, kind: type[N]) -> Iterator[N]:
        """Nodes of a kind in the order in which they stand, but for annotations."""
        return (node for node in self.nodes if isinstance(node, kind))

    def parent(self, node: cst.CSTNode) -> cst.CSTNode:
        return self._parents[node]

    def span(self, node: cst.CSTNode) -> tuple[int, int]:
        """Offsets of the node without parentheses around it."""
        place = self._positions[node]
        start = self._starts[place.start.line - 1] + place.start.column
        return start, self._starts[place.end.line - 1] + place.end.column

    def code(self, node: cst.CSTNode) -> str:
        """The node's text with parentheses around it, without space before and after."""
        return self.module.code_for_node(node).strip()

    def bare(self, node: cst.CSTNode) -> str:
        """The node's text without parentheses around it."""
        start, end = self.span(node)
        return self.text[start:end]

    def lines(self, node: cst.CSTNode) -> tuple[int, int]:
        """Offsets of the whole lines that the node stands on."""
        start, end = self.span(node)
        first = self.text.rfind("\n", 0, start) + 1
        last = self.text.find("\n", end - 1 if end > start and self.text[end - 1] == "\n" else end)
        return first, len(self.text) if last < 0 else last + 1

    def function(self, node: cst.CSTNode) -> cst.FunctionDef | None:
        """The innermost function around a node."""
        found = self.above(node, cst.FunctionDef)
        return found if isinstance(found, cst.FunctionDef) else None

    def above(self, node: cst.CSTNode, *kinds: type[cst.CSTNode]) -> cst.CSTNode | None:
        """The innermost node of one of the kinds around a node."""
        while node is not self.module:
            node = self._parents[node]
            if isinstance(node, kinds):
                return node
        return None

    def symbol(self, node: cst.CSTNode) -> str:
        """Qualified name of the function or class around a node."""
        names = []
        while node is not self.module:
            node = self._parents[node]
            if isinstance(node, cst.FunctionDef | cst.ClassDef):
                names.append(node.name.value)
        return ".".join(reversed(names))

    def replace(self, node: cst.CSTNode, replacement: str, note: str) -> Plant:
        """The defect that gives ``node`` (without its parentheses) another text."""
        start, end = self.span(node)
        return self.change(start, end, replacement, node, note)

    def operator(self, node: cst.CSTNode, text: str) -> Plant:
        """The defect that puts another operator in the place of one."""
        start, end = self.span(node)
        old = self.text[start:end]
        start += len(old) - len(old.lstrip())
        return self.change(start, start + len(old.strip()), text, node, f"{text} for {old.strip()}")

    def change(self, start: int, end: int, replacement: str, node: cst.CSTNode, note: str) -> Plant:
        """The defect that gives a stretch of text around ``node`` another one."""
        return Plant("", self.path, start, end, replacement, self.symbol(node), note)

    def cut(self, node: cst.CSTNode, note: str) -> Plant | None:
        """The defect that leaves a statement out; None where its block would be empty or where it
        shares its lines with others."""
        block = self.parent(node)
        if isinstance(block, cst.SimpleStatementLine):
            node, block = block, self.parent(block)
        body = tuple(getattr(block, "body", ()))
        if not isinstance(block, cst.IndentedBlock | cst.Module) or len(body) < 2:
            return None
        if len(body) == 2 and is_docstring(body[0]):
            return None
        start, end = self.lines(node)
        rest = self.text[end:]
        if self.text[end - 1 : end] != "\n" or not rest.strip():
            # A file's last lines leave no empty line behind.
            start = len(self.text[:start].rstrip("\n")) + 1
        return self.change(start, end, "", node, note)

    def in_condition(self, node: cst.CSTNode) -> bool:
        """Whether a node's truth decides something."""
        inner, outer = node, self.parent(node)
        while isinstance(outer, cst.BooleanOperation | cst.UnaryOperation):
            inner, outer = outer, self.parent(outer)
        if isinstance(outer, cst.If | cst.While | cst.IfExp | cst.CompIf | cst.Assert):
            return outer.test is inner
        return False


def _walk(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    yield node
    for child in node.children:
        if not isinstance(child, cst.Annotation | cst.BaseParenthesizableWhitespace):
            yield from _walk(child)


def is_docstring(node: cst.CSTNode) -> bool:
    return (
        isinstance(node, cst.SimpleStatementLine)
        and isinstance(node.body[0], cst.Expr)
        and isinstance(node.body[0].value, cst.SimpleString | cst.ConcatenatedString)
    )


def callee(call: cst.Call) -> str:
    """Last part of the name that is called: ``sorted``, ``strip``."""
    if isinstance(call.func, cst.Name):
        return call.func.value
    return call.func.attr.value if isinstance(call.func, cst.Attribute) else ""


def integer(node: cst.CSTNode) -> int | None:
    """The value of a whole number written out."""
    if not isinstance(node, cst.Integer):
        return None
    return int(node.value.replace("_", ""), 0)


def positional(call: cst.Call) -> list[cst.Arg] | None:
    """The arguments when all are positional and none is starred."""
    plain = all(arg.keyword is None and not arg.star for arg in call.args)
    return list(call.args) if plain else None


def plain(node: cst.CSTNode) -> bool:
    """A name, or attributes of one."""
    while isinstance(node, cst.Attribute):
        node = node.value
    return isinstance(node, cst.Name)
