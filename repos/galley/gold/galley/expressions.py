"""Expressions of templates: ``order.total > 100 and not paid``."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from galley.errors import TemplateError

_TOKEN = re.compile(
    r"""\s*(?:
        (?P<number>\d+(?:\.\d+)?)
      | (?P<text>"[^"]*"|'[^']*')
      | (?P<name>[A-Za-z_]\w*(?:\.\w+)*)
      | (?P<sign>==|!=|<=|>=|<|>|\||:|,|\(|\))
    )""",
    re.VERBOSE,
)
_WORDS = {"and", "or", "not", "in", "true", "false", "none"}


class Token(NamedTuple):
    kind: str
    text: str


class Missing:
    """What a path leads to when there is nothing; any use but ``default`` and tests is an error."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __bool__(self) -> bool:
        return False


class Scope:
    """Names and their values; inner scopes see outer ones."""

    def __init__(self, values: Mapping[str, object], outer: "Scope | None" = None) -> None:
        self._values = dict(values)
        self._outer = outer

    def set(self, name: str, value: object) -> None:
        self._values[name] = value

    def get(self, path: str) -> object:
        """Follow a dotted path through mappings and sequences."""
        first, *rest = path.split(".")
        value = self._find(first, path)
        for key in rest:
            value = _step(value, key, path)
        return value

    def _find(self, name: str, path: str) -> object:
        if name in self._values:
            return self._values[name]
        return self._outer._find(name, path) if self._outer else Missing(path)


def _step(value: object, key: str, path: str) -> object:
    if isinstance(value, Mapping):
        return value.get(key, Missing(path))
    if isinstance(value, Sequence) and not isinstance(value, str) and key.isdecimal():
        return value[int(key)] if int(key) < len(value) else Missing(path)
    return Missing(path)


Eval = Callable[[Scope], object]
Filters = Mapping[str, Callable[..., object]]


def compile_expression(text: str, line: int, filters: Filters) -> Eval:
    """The expression as a function of a scope. Raises TemplateError."""
    parser = _Parser(_tokens(text, line), line, filters)
    result = parser.piped()
    parser.finish()
    return result


def known(value: object, line: int) -> object:
    """The value. Raises TemplateError when there is none."""
    if isinstance(value, Missing):
        raise TemplateError(line, f"{value.path} is not defined")
    return value


def _tokens(text: str, line: int) -> list[Token]:
    found: list[Token] = []
    at = 0
    text = text.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise TemplateError(line, f"cannot read {text[at:].strip()!r}")
        kind = str(match.lastgroup)
        word = match[kind]
        found.append(Token("word" if word in _WORDS else kind, word))
        at = match.end()
    return found


class _Parser:
    """Recursive descent; each level of precedence is a method."""

    def __init__(self, tokens: list[Token], line: int, filters: Filters) -> None:
        self._tokens = tokens
        self._at = 0
        self._line = line
        self._filters = filters

    def _peek(self) -> Token:
        return self._tokens[self._at] if self._at < len(self._tokens) else Token("end", "")

    def _take(self, *texts: str) -> bool:
        token = self._peek()
        if token.kind in ("sign", "word") and token.text in texts:
            self._at += 1
            return True
        return False

    def finish(self) -> None:
        if self._at < len(self._tokens):
            raise TemplateError(self._line, f"unexpected {self._peek().text!r}")

    def piped(self) -> Eval:
        value = self._either()
        while self._take("|"):
            value = self._filtered(value)
        return value

    def _filtered(self, value: Eval) -> Eval:
        name = self._peek().text
        function = self._filters.get(name)
        if function is None:
            raise TemplateError(self._line, f"unknown filter {name!r}")
        self._at += 1
        arguments: list[Eval] = []
        if self._take(":"):
            arguments.append(self._primary())
            while self._take(","):
                arguments.append(self._primary())
        line = self._line

        def apply(scope: Scope) -> object:
            given = value(scope)
            if name != "default":
                given = known(given, line)
            try:
                return function(given, *(known(a(scope), line) for a in arguments))
            except (TypeError, ValueError, ArithmeticError, LookupError) as error:
                raise TemplateError(line, f"filter {name}: {error}") from None

        return apply

    def _either(self) -> Eval:
        left = self._both()
        while self._take("or"):
            left = _or(left, self._both())
        return left

    def _both(self) -> Eval:
        left = self._negated()
        while self._take("and"):
            left = _and(left, self._negated())
        return left

    def _negated(self) -> Eval:
        if self._take("not"):
            inner = self._negated()
            return lambda scope: not inner(scope)
        return self._compared()

    def _compared(self) -> Eval:
        left = self._primary()
        sign = self._peek().text
        if not self._take("==", "!=", "<=", ">=", "<", ">", "in"):
            return left
        right = self._primary()
        line = self._line

        def compare(scope: Scope) -> object:
            a, b = known(left(scope), line), known(right(scope), line)
            try:
                return _COMPARE[sign](a, b)
            except TypeError:
                raise TemplateError(line, f"cannot compare {a!r} {sign} {b!r}") from None

        return compare

    def _primary(self) -> Eval:
        token = self._peek()
        self._at += 1
        if token == Token("sign", "("):
            inner = self.piped()
            if not self._take(")"):
                raise TemplateError(self._line, "missing )")
            return inner
        if token.kind == "name":
            return lambda scope: scope.get(token.text)
        value = _literal(token, self._line)
        return lambda scope: value


def _literal(token: Token, line: int) -> object:
    if token.kind == "number":
        return float(token.text) if "." in token.text else int(token.text)
    if token.kind == "text":
        return token.text[1:-1]
    if token.text in ("true", "false"):
        return token.text == "true"
    if token.text == "none":
        return None
    raise TemplateError(line, f"unexpected {token.text!r}" if token.text else "value expected")


def _or(left: Eval, right: Eval) -> Eval:
    return lambda scope: left(scope) or right(scope)


def _and(left: Eval, right: Eval) -> Eval:
    return lambda scope: left(scope) and right(scope)


_COMPARE: dict[str, Callable[..., object]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "in": lambda a, b: a in b,
}
