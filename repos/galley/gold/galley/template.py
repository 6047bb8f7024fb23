"""Templates: markup with variables, conditions and loops.

A text is cut into tokens, the tokens are made into a tree of nodes, the tree writes the markup.
"""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from galley.errors import TemplateError
from galley.expressions import Eval, Missing, Scope, compile_expression, known
from galley.filters import FILTERS, printed

_TAG = re.compile(r"\{\{(.*?)\}\}|\{%(.*?)%\}|\{#(?!\w)(.*?)#\}", re.DOTALL)
_FOR = re.compile(r"for\s+([A-Za-z_]\w*)\s+in\s+(.+)", re.DOTALL)
_SET = re.compile(r"set\s+([A-Za-z_]\w*)\s*=\s*(.+)", re.DOTALL)


class Token(NamedTuple):
    """``kind`` is text, value or tag."""

    kind: str
    text: str
    line: int


class Plain(NamedTuple):
    text: str


class Value(NamedTuple):
    value: Eval
    line: int


class Assign(NamedTuple):
    name: str
    value: Eval
    line: int


class Branch(NamedTuple):
    condition: Eval
    body: "Nodes"


class If(NamedTuple):
    branches: tuple[Branch, ...]
    otherwise: "Nodes"


class For(NamedTuple):
    name: str
    values: Eval
    body: "Nodes"
    otherwise: "Nodes"
    line: int


Node = Plain | Value | Assign | If | For
Nodes = tuple[Node, ...]


def render(text: str, data: Mapping[str, object]) -> str:
    """The template filled in. Raises TemplateError."""
    reader = _Reader(tokens(text))
    nodes = reader.nodes()
    reader.finish()
    return "".join(_written(nodes, Scope(data)))


def tokens(text: str) -> list[Token]:
    """Texts, values and tags; comments and lines that hold nothing but tags are gone."""
    found: list[Token] = []
    at = 0
    while match := _TAG.search(text, at):
        start, end = match.span()
        if match[1] is None:
            start, end = _alone(text, start, end)
        line = text.count("\n", 0, match.start()) + 1
        found.append(Token("text", text[at:start], line))
        if match[1] is not None:
            found.append(Token("value", match[1].strip(), line))
        elif match[2] is not None:
            found.append(Token("tag", match[2].strip(), line))
        at = end
    found.append(Token("text", text[at:], text.count("\n") + 1))
    return [token for token in found if token.text or token.kind != "text"]


def _alone(text: str, start: int, end: int) -> tuple[int, int]:
    """The whole line, if a tag stands alone on it."""
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", end)
    line_end = len(text) if line_end < 0 else line_end + 1
    if text[line_start:start].strip() or text[end:line_end].strip():
        return start, end
    return line_start, line_end


class _Reader:
    """Makes nodes of tokens."""

    def __init__(self, found: list[Token]) -> None:
        self._tokens = found
        self._at = 0

    def nodes(self) -> Nodes:
        """Nodes up to a tag that ends or continues the block around them."""
        nodes: list[Node] = []
        while self._at < len(self._tokens):
            token = self._tokens[self._at]
            word = token.text.split(None, 1)[0] if token.text.strip() else ""
            if token.kind == "tag" and word in ("elif", "else", "endif", "endfor"):
                break
            self._at += 1
            if token.kind == "text":
                nodes.append(Plain(token.text))
            elif token.kind == "value":
                nodes.append(Value(_expression(token.text, token.line), token.line))
            else:
                nodes.append(self._statement(word, token))
        return tuple(nodes)

    def finish(self) -> None:
        if self._at < len(self._tokens):
            token = self._tokens[self._at]
            raise TemplateError(token.line, f"{token.text} without a beginning")

    def _statement(self, word: str, token: Token) -> Node:
        if word == "if":
            return self._if(token)
        if word == "for" and (match := _FOR.fullmatch(token.text)):
            body = self.nodes()
            otherwise = self.nodes() if self._next(token) == "else" else None
            if otherwise is not None:
                self._next(token, "endfor")
            values = _expression(match[2], token.line)
            return For(match[1], values, body, otherwise or (), token.line)
        if word == "set" and (match := _SET.fullmatch(token.text)):
            return Assign(match[1], _expression(match[2], token.line), token.line)
        raise TemplateError(token.line, f"cannot read {token.text!r}")

    def _if(self, opening: Token) -> Node:
        branches: list[Branch] = []
        otherwise: Nodes = ()
        condition = opening.text[2:]
        line = opening.line
        while True:
            body = self.nodes()
            branches.append(Branch(_expression(condition, line), body))
            word = self._next(opening, "elif", "else", "endif")
            if word == "elif":
                condition, line = (
                    self._tokens[self._at - 1].text[4:],
                    self._tokens[self._at - 1].line,
                )
                continue
            if word == "else":
                otherwise = self.nodes()
                self._next(opening, "endif")
            return If(tuple(branches), otherwise)

    def _next(self, opening: Token, *allowed: str) -> str:
        """The word of the tag that stands here, which has to be one of those allowed."""
        words = allowed or ("else", "endfor")
        if self._at == len(self._tokens):
            raise TemplateError(opening.line, f"{opening.text} is not closed")
        token = self._tokens[self._at]
        word = token.text.split(None, 1)[0]
        if word not in words:
            raise TemplateError(token.line, f"{word} does not belong to {opening.text}")
        self._at += 1
        return word


def _expression(text: str, line: int) -> Eval:
    return compile_expression(text, line, FILTERS)


def _written(nodes: Nodes, scope: Scope) -> Iterable[str]:
    for node in nodes:
        if isinstance(node, Plain):
            yield node.text
        elif isinstance(node, Value):
            yield printed(known(node.value(scope), node.line))
        elif isinstance(node, Assign):
            scope.set(node.name, known(node.value(scope), node.line))
        elif isinstance(node, If):
            chosen = (branch.body for branch in node.branches if branch.condition(scope))
            yield from _written(next(chosen, node.otherwise), scope)
        else:
            yield from _looped(node, scope)


def _looped(node: For, scope: Scope) -> Iterable[str]:
    values = node.values(scope)
    if isinstance(values, Missing) or values is None:
        elements: list[object] = []
    elif isinstance(values, str) or not isinstance(values, Iterable):
        raise TemplateError(node.line, f"cannot loop over {values!r}")
    else:
        elements = list(values)
    if not elements:
        yield from _written(node.otherwise, scope)
    for index, element in enumerate(elements, 1):
        loop = {"index": index, "first": index == 1, "last": index == len(elements)}
        inner = Scope({node.name: element, "loop": loop}, scope)
        yield from _written(node.body, inner)
