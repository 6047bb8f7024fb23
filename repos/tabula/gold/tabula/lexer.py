"""From text to tokens."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tabula.errors import SyntaxFault

_RESERVED = """
select distinct from as join left inner cross on where group by having order asc desc nulls
limit offset and or not is null in between like escape case when then else end true false
"""
RESERVED = frozenset(_RESERVED.split())

_TOKEN = re.compile(
    r"""
    (?P<space>\s+|--[^\n]*)
    |(?P<decimal>[0-9]+\.[0-9]+)(?![\w.])
    |(?P<int>[0-9]+)(?![\w.])
    |(?P<text>'(?:[^']|'')*')
    |(?P<quoted>"(?:[^"]|"")+")
    |(?P<word>[^\W\d]\w*)
    |:(?P<param>[^\W\d]\w*)
    |(?P<symbol><>|!=|<=|>=|\|\||[-+*/%=<>(),.;])
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Token:
    """kind: word (a reserved one), name, int, decimal, text, param, symbol or end; text: without
    quotes, names and words in lower case; line, column: from 1."""

    kind: str
    text: str
    line: int
    column: int


def tokens(source: str) -> Iterator[Token]:
    """The tokens of a text, the last of kind ``end``. Raises SyntaxFault."""
    at, line, line_start = 0, 1, 0
    while at < len(source):
        column = at - line_start + 1
        found = _TOKEN.match(source, at)
        if found is None:
            raise SyntaxFault(_complaint(source[at]), line, column)
        if found.lastgroup != "space":
            kind, text = _meaning(found)
            yield Token(kind, text, line, column)
        newlines = found[0].count("\n")
        if newlines:
            line += newlines
            line_start = at + found[0].rindex("\n") + 1
        at = found.end()
    yield Token("end", "end of text", line, at - line_start + 1)


def _meaning(found: re.Match[str]) -> tuple[str, str]:
    kind = found.lastgroup or ""
    text = found[kind]
    match kind:
        case "text":
            return kind, text[1:-1].replace("''", "'")
        case "quoted":
            return "name", text[1:-1].replace('""', '"').lower()
        case "word":
            folded = text.lower()
            return ("word" if folded in RESERVED else "name"), folded
        case "param":
            return kind, text.lower()
        case "symbol" if text == "!=":
            return kind, "<>"
        case _:
            return kind, text


def _complaint(character: str) -> str:
    if character in "'\"":
        return f"a {character} without its end"
    if character.isdigit():
        return "a number that ends in no number"
    return f"{character!r} has no meaning"
