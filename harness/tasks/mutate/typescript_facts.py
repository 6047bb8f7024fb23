"""Facts of a failing test of node's runner: its program text up to what it asserts."""

from __future__ import annotations

import re

from harness.tasks.mutate.facts import Fact
from harness.tasks.task import Tree

_ASSERT = re.compile(
    r"assert(?:\.strict)?\.(equal|strictEqual|deepEqual|deepStrictEqual|throws|ok)\(", re.DOTALL
)
_THROWN = re.compile(r"^\s*(?:\[?)([A-Z]\w*Error)(?: \[\w+\])?: (.+?)\]?$", re.MULTILINE)


def typescript_fact(hidden: Tree, test: str, message: str) -> Fact | None:
    """The fact behind a failing test; None where the test cannot be found in its file."""
    path, *names = test.split(" > ")
    if path not in hidden or not names:
        return None
    text = hidden[path].content.decode("utf-8", "replace")
    body = _body(text, names)
    if body is None:
        return None
    found = _ASSERT.search(body)
    error = _error(message)
    words = names[-1]
    if found is None:
        return Fact(words, _program(text, body), "", error=error)
    arguments = _arguments(body[found.end() :])
    setup = _program(text, body[: found.start()])
    if found.group(1) == "throws":
        call = re.sub(r"^\s*\(\)\s*=>\s*", "", arguments[0])
        refused = arguments[1] if len(arguments) > 1 else "an error"
        return Fact(words, setup, call, refused=refused, error=error)
    expected = arguments[1] if len(arguments) > 1 else "true"
    return Fact(words, setup, arguments[0], expected, _seen(message), error=error)


def _program(text: str, body: str) -> str:
    """``body`` with the imports and constants of its file that it uses."""
    lines = _dedented(body)
    used = lines
    head: list[str] = []
    top = re.split(r"^(?:describe|test|it)\(", text, maxsplit=1, flags=re.MULTILINE)[0]
    parts = [part for part in re.split(r"\n(?=\S)", top) if part.strip()]
    for part in reversed(parts):
        if re.match(r"\s*(//|/\*)", part) or re.search(r"from ['\"]node:", part):
            continue
        names = re.findall(r"[A-Za-z_$][\w$]*", part.split("=")[0].split(" from ")[0])
        if any(re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", used) for name in names[1:]):
            head.insert(0, part.strip("\n"))
            used += part
    return "\n".join([*head, lines]).strip("\n")


def _body(text: str, names: list[str]) -> str | None:
    """What stands between the braces of a test."""
    position = 0
    for name in names:
        quoted = "|".join(re.escape(f"{mark}{name}{mark}") for mark in ("'", '"', "`"))
        match = re.compile(rf"(?:describe|test|it|suite)\((?:{quoted})").search(text, position)
        if match is None:
            return None
        position = match.end()
    begin = text.find("{", text.find("=>", position))
    if begin < 0:
        return None
    depth = 0
    for place in range(begin, len(text)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if depth == 0:
            return text[begin + 1 : place].strip("\n")
    return None


def _arguments(text: str) -> list[str]:
    """The arguments of a call whose opening parenthesis was just read."""
    found, depth, quote, start = [], 0, "", 0
    for place, char in enumerate(text):
        if quote:
            if char == quote and text[place - 1] != "\\":
                quote = ""
        elif char in "'\"`":
            quote = char
        elif char in "([{":
            depth += 1
        elif char in ")]}" and depth == 0:
            found.append(text[start:place].strip())
            break
        elif char in ")]}":
            depth -= 1
        elif char == "," and depth == 0:
            found.append(text[start:place].strip())
            start = place + 1
    return [part for part in found if part] or [""]


def _seen(message: str) -> str:
    """The value that came, where node tells it in one line."""
    match = re.search(r"^\s*(.+?) !== (.+?)\s*$", message, re.MULTILINE)
    return match.group(1).strip() if match else ""


def _error(message: str) -> str:
    match = _THROWN.search(message)
    if match is None or match.group(1) == "AssertionError":
        return ""
    return f"{match.group(1)}: {match.group(2)}"


def _dedented(text: str) -> str:
    lines = text.split("\n")
    pad = min((len(x) - len(x.lstrip()) for x in lines if x.strip()), default=0)
    return "\n".join(line[pad:] for line in lines).strip("\n")
