"""Tokens into trees. From loose to tight: comparison, `&`, `+ -`, `* /`, `^`, sign, `%`.

All operators of two sides group from the left, `^` too; a sign binds tighter than `^`.
"""

from decimal import Decimal

from gridcalc.addresses import Corner, ordered
from gridcalc.errors import AddressError, ErrorValue, FormulaError
from gridcalc.lexer import Token, tokenize
from gridcalc.nodes import Binary, Call, CellRef, Literal, NameRef, Node, Percent, RangeRef, Unary

LEVELS = (("=", "<>", "<", "<=", ">", ">="), ("&",), ("+", "-"), ("*", "/"), ("^",))
MAX_LENGTH = 512
MAX_DEPTH = 48


def parse_formula(text: str) -> Node:
    """The tree of a formula without its `=`. Raises FormulaError."""
    if len(text) > MAX_LENGTH:
        raise FormulaError(f"a formula has at most {MAX_LENGTH} characters", MAX_LENGTH)
    return _Parser(tokenize(text)).formula()


class _Parser:
    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._at = 0
        self._depth = 0

    def formula(self) -> Node:
        node = self._expression()
        if self._next.kind != "end":
            raise self._unexpected()
        return node

    @property
    def _next(self) -> Token:
        return self._tokens[self._at]

    def _take(self) -> Token:
        token = self._next
        self._at += 1
        return token

    def _accept(self, *operators: str) -> str | None:
        if self._next.kind == "operator" and self._next.text in operators:
            return self._take().text
        return None

    def _expect(self, operator: str) -> None:
        if self._accept(operator) is None:
            raise FormulaError(f"{operator!r} is missing", self._next.position)

    def _unexpected(self) -> FormulaError:
        token = self._next
        what = "end of formula" if token.kind == "end" else repr(token.text)
        return FormulaError(f"unexpected {what}", token.position)

    def _expression(self) -> Node:
        self._deeper(1)
        node = self._binary(0)
        self._depth -= 1
        return node

    def _deeper(self, levels: int) -> None:
        self._depth += levels
        if self._depth > MAX_DEPTH:
            raise FormulaError("nested too deeply", self._next.position)

    def _binary(self, level: int) -> Node:
        if level == len(LEVELS):
            return self._signed()
        node = self._binary(level + 1)
        while operator := self._accept(*LEVELS[level]):
            node = Binary(operator, node, self._binary(level + 1))
        return node

    def _signed(self) -> Node:
        signs: list[str] = []
        while sign := self._accept("-", "+"):
            signs.append(sign)
        self._deeper(len(signs))
        node = self._primary()
        self._depth -= len(signs)
        while self._accept("%"):
            node = Percent(node)
        for sign in reversed(signs):
            node = Unary(sign, node)
        return node

    def _primary(self) -> Node:
        token = self._next
        if token.kind == "number":
            self._take()
            return Literal(Decimal(token.text))
        if token.kind == "text":
            self._take()
            return Literal(token.text[1:-1].replace('""', '"'))
        if token.kind == "error":
            self._take()
            return Literal(ErrorValue(token.text.upper()))
        if token.kind in ("sheet", "cell"):
            return self._reference()
        if token.kind == "word":
            return self._word()
        if self._accept("("):
            node = self._expression()
            self._expect(")")
            return node
        raise self._unexpected()

    def _reference(self) -> Node:
        sheet = None
        if self._next.kind == "sheet":
            sheet = self._take().text[:-1]
            if sheet.startswith("'"):
                sheet = sheet[1:-1].replace("''", "'")
        one = self._corner()
        if self._accept(":") is None:
            return CellRef(one, sheet)
        return RangeRef(*ordered(one, self._corner()), sheet)

    def _corner(self) -> Corner:
        if self._next.kind != "cell":
            raise self._unexpected()
        token = self._take()
        try:
            return Corner.parse(token.text)
        except AddressError as error:
            raise FormulaError(str(error), token.position) from None

    def _word(self) -> Node:
        token = self._take()
        name = token.text.upper()
        if self._accept("("):
            return Call(name, self._arguments())
        if name in ("TRUE", "FALSE"):
            return Literal(name == "TRUE")
        return NameRef(token.text)

    def _arguments(self) -> tuple[Node, ...]:
        if self._accept(")"):
            return ()
        arguments = [self._argument()]
        while self._accept(","):
            arguments.append(self._argument())
        self._expect(")")
        return tuple(arguments)

    def _argument(self) -> Node:
        if self._next.kind == "operator" and self._next.text in (",", ")"):
            return Literal(None)
        return self._expression()
