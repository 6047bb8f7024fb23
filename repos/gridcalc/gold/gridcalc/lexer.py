"""Formula text into tokens."""

import re
from dataclasses import dataclass

from gridcalc.errors import ErrorValue, FormulaError

_ERRORS = "|".join(re.escape(error.value) for error in ErrorValue)
_TOKEN = re.compile(
    rf"""
      (?P<space>\s+)
    | (?P<number>[0-9]+(?:\.[0-9]*)?|\.[0-9]+)
    | (?P<text>"(?:[^"]|"")*")
    | (?P<error>{_ERRORS})
    | (?P<sheet>'(?:[^']|'')+'!|[A-Za-z_][A-Za-z0-9_.]*!)
    | (?P<cell>\$?[A-Za-z]{{1,2}}\$?[0-9]{{1,4}}(?![A-Za-z0-9_.(]))
    | (?P<word>[A-Za-z_][A-Za-z0-9_.]*)
    | (?P<operator><=|>=|<>|[-+*/^&=<>%(),:])
    """,
    re.VERBOSE | re.IGNORECASE,
)


@dataclass(frozen=True)
class Token:
    """A piece of a formula; `kind` is end behind the last one."""

    kind: str
    text: str
    position: int


def tokenize(text: str) -> list[Token]:
    """All tokens but spaces, and an end token. Raises FormulaError."""
    tokens: list[Token] = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            what = "text without an end" if text[position] == '"' else repr(text[position])
            raise FormulaError(f"unexpected {what}", position)
        kind = str(match.lastgroup)
        if kind != "space":
            tokens.append(Token(kind, match[0], position))
        position = match.end()
    tokens.append(Token("end", "", len(text)))
    return tokens
