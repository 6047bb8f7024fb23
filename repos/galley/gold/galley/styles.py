"""Style sheets: rules by element, with inheritance.

quote paragraph { align: justify; margin-left: 4 }
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from galley.errors import StyleError
from galley.numerals import KINDS

Path = tuple[str, ...]


class Style(NamedTuple):
    """All properties; which of them mean something depends on the element."""

    align: str = "left"
    breaking: str = "greedy"
    hyphenate: bool = False
    stretch: int = 0
    orphans: int = 2
    widows: int = 2
    indent: int = 0
    margin_left: int = 0
    margin_right: int = 0
    space_before: int = 0
    space_after: int = 0
    keep_next: bool = False
    keep_together: bool = False
    prefix: str = ""
    marker: str = ""
    underline: str = ""
    numbered: bool = False
    numbers: str = "decimal"
    border: str = "rule"
    urls: bool = True
    tab: int = 8
    depth: int = 2
    width: int = 72
    height: int = 0
    header: str = ""
    footer: str = ""
    first_page: int = 1
    skip_first: bool = False


INHERITED = ("align", "breaking", "hyphenate", "stretch", "orphans", "widows")

CHOICES = {
    "align": ("left", "right", "center", "justify"),
    "breaking": ("greedy", "balanced"),
    "numbers": KINDS,
    "border": ("rule", "grid", "none"),
}

ELEMENTS = {
    *("page", "body", "h1", "h2", "h3", "h4", "paragraph", "code", "quote", "list", "item"),
    *("definitions", "term", "definition", "table", "note", "toc", "rule"),
    *("emphasis", "strong", "literal", "link"),
}

DEFAULT = """
h1 { space-before: 2; space-after: 1; underline: "="; keep-next: yes; keep-together: yes }
h2 { space-before: 1; space-after: 1; underline: "-"; keep-next: yes; keep-together: yes }
h3 { space-before: 1; space-after: 1; keep-next: yes; keep-together: yes }
h4 { space-before: 1; keep-next: yes; keep-together: yes }
h1, h2, h3, h4 { align: left; hyphenate: no }
paragraph, list, definitions, table, toc, rule { space-after: 1 }
code { margin-left: 4; space-after: 1 }
quote { prefix: "> "; space-after: 1 }
list { marker: "-" }
term { keep-next: yes }
definition { margin-left: 4 }
table { align: left; hyphenate: no }
rule { marker: "-" }
emphasis { marker: "_" }
strong { marker: "*" }
literal { marker: "`" }
"""

_TOKEN = re.compile(r'\s*(?:(/\*.*?\*/)|("[^"\n]*")|([\w-]+)|([{}:;,]))', re.DOTALL)


class Rule(NamedTuple):
    selector: Path
    name: str
    value: Any


class Token(NamedTuple):
    text: str
    line: int


class Sheet:
    """Rules in order of their weight; later ones win."""

    def __init__(self, rules: list[Rule]) -> None:
        self._rules = sorted(rules, key=lambda rule: len(rule.selector))
        self._known: dict[Path, Style] = {}

    def style(self, *path: str) -> Style:
        """The style of the last element of a path that begins at the body."""
        if path not in self._known:
            self._known[path] = self._resolved(path)
        return self._known[path]

    def _resolved(self, path: Path) -> Style:
        style = Style()
        if len(path) > 1:
            parent = self.style(*path[:-1])
            inherited = {name: getattr(parent, name) for name in INHERITED}
            style = style._replace(**inherited)
        own = {rule.name: rule.value for rule in self._rules if matches(rule.selector, path)}
        return style._replace(**own)


def matches(selector: Path, path: Path) -> bool:
    """Whether the selector's last part is the element and the others stand above it in order."""
    if selector[-1] != path[-1]:
        return False
    above = iter(path[:-1])
    return all(part in above for part in selector[:-1])


def parse(text: str) -> Sheet:
    """The default sheet with the rules of ``text`` after it. Raises StyleError."""
    return Sheet([*_rules(_tokens(DEFAULT)), *_rules(_tokens(text))])


def _tokens(text: str) -> list[Token]:
    found: list[Token] = []
    at = 0
    text = text.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            line = text.count("\n", 0, at + len(text[at:]) - len(text[at:].lstrip())) + 1
            raise StyleError(line, f"cannot read {text[at:].split()[0]!r}")
        if not match[1]:
            word = match[2] or match[3] or match[4]
            line = text.count("\n", 0, match.end() - len(word)) + 1
            found.append(Token(word, line))
        at = match.end()
    return found


def _rules(tokens: list[Token]) -> Iterator[Rule]:
    stream = _Stream(tokens)
    while not stream.ended():
        selectors = [_selector(stream)]
        while stream.peek() == ",":
            stream.take()
            selectors.append(_selector(stream))
        stream.need("{")
        while stream.peek() != "}":
            name, value = _property(stream)
            for selector in selectors:
                yield Rule(selector, name, value)
            if stream.peek() != "}":
                stream.need(";")
        stream.need("}")


class _Stream:
    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._at = 0

    def ended(self) -> bool:
        return self._at == len(self._tokens)

    def peek(self) -> str:
        return "" if self.ended() else self._tokens[self._at].text

    def take(self) -> Token:
        if self.ended():
            line = self._tokens[-1].line
            raise StyleError(line, "the sheet ends too early")
        self._at += 1
        return self._tokens[self._at - 1]

    def need(self, text: str) -> None:
        token = self.take()
        if token.text != text:
            raise StyleError(token.line, f"{text!r} expected, not {token.text!r}")


def _selector(stream: _Stream) -> Path:
    parts: list[str] = []
    while not parts or stream.peek() not in (",", "{"):
        token = stream.take()
        if token.text not in ELEMENTS:
            raise StyleError(token.line, f"unknown element {token.text!r}")
        parts.append(token.text)
    return tuple(parts)


def _property(stream: _Stream) -> tuple[str, Any]:
    token = stream.take()
    name = token.text.replace("-", "_")
    if name not in Style._fields:
        raise StyleError(token.line, f"unknown property {token.text!r}")
    stream.need(":")
    given = stream.take()
    try:
        return name, _value(name, given.text)
    except ValueError:
        raise StyleError(given.line, f"{token.text} cannot be {given.text}") from None


def _value(name: str, text: str) -> object:
    kind = type(Style._field_defaults[name])
    if kind is bool:
        if text not in ("yes", "no"):
            raise ValueError(text)
        return text == "yes"
    if kind is int:
        if not text.isdecimal():
            raise ValueError(text)
        return int(text)
    if name in CHOICES:
        if text not in CHOICES[name]:
            raise ValueError(text)
        return text
    if not text.startswith('"'):
        raise ValueError(text)
    return text[1:-1]
