"""A place in a row of tokens; what parsing reads from."""

from collections.abc import Callable
from typing import NoReturn, TypeVar

from tabula.errors import SyntaxFault
from tabula.lexer import Token, tokens

T = TypeVar("T")


class Cursor:
    """Goes through the tokens of a text. All methods raise SyntaxFault."""

    def __init__(self, source: str) -> None:
        self._tokens = list(tokens(source))
        self._at = 0

    @property
    def token(self) -> Token:
        """The token to be read next."""
        return self._tokens[self._at]

    def advance(self) -> Token:
        """Read one token, whatever it is."""
        token = self.token
        if token.kind != "end":
            self._at += 1
        return token

    def ahead(self, count: int) -> list[Token]:
        """The next tokens, the last one again where there are not so many."""
        following = self._tokens[self._at : self._at + count]
        return following + [self._tokens[-1]] * (count - len(following))

    def sees(self, *words: str) -> bool:
        """Whether the next tokens are these reserved words."""
        following = self._tokens[self._at : self._at + len(words)]
        return [(t.kind, t.text) for t in following] == [("word", word) for word in words]

    def accept(self, *words: str) -> bool:
        """Read these reserved words if they come next."""
        seen = self.sees(*words)
        if seen:
            self._at += len(words)
        return seen

    def expect(self, *words: str) -> None:
        """Read these reserved words."""
        if not self.accept(*words):
            self.fail(f"expected {' '.join(words).upper()}")

    def sees_symbol(self, *symbols: str) -> bool:
        """Whether the next token is one of these symbols."""
        return self.token.kind == "symbol" and self.token.text in symbols

    def accept_symbol(self, *symbols: str) -> str | None:
        """Read one of these symbols if it comes next."""
        return self.advance().text if self.sees_symbol(*symbols) else None

    def expect_symbol(self, symbol: str) -> None:
        """Read this symbol."""
        if self.accept_symbol(symbol) is None:
            self.fail(f"expected {symbol!r}")

    def accept_name(self) -> str | None:
        """Read a name if one comes next."""
        return self.advance().text if self.token.kind == "name" else None

    def name(self, what: str) -> str:
        """Read a name of something."""
        found = self.accept_name()
        return found if found is not None else self.fail(f"expected {what}")

    def several(self, one: Callable[["Cursor"], T]) -> tuple[T, ...]:
        """One or more, with commas between them."""
        found = [one(self)]
        while self.accept_symbol(","):
            found.append(one(self))
        return tuple(found)

    def fail(self, message: str) -> NoReturn:
        """Complain about the next token."""
        token = self.token
        what = token.text if token.kind == "end" else repr(token.text)
        raise SyntaxFault(f"{message}, not {what}", token.line, token.column)
