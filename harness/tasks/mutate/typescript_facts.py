"""Facts of a failing test of node's runner: its program text up to what it asserts."""

from __future__ import annotations

import re

from harness.tasks.mutate.facts import Fact
from harness.tasks.task import Tree

_ASSERT = re.compile(
    r"assert(?:\.strict)?\.(equal|strictEqual|deepEqual|deepStrictEqual|throws|ok)\(", re.DOTALL
)
_FIRST_TEST = re.compile(r"^(?:describe|test|it|suite)\(", re.MULTILINE)
_DECLARATION = re.compile(
    r"^(?=(?:import|export|const|let|var|function|async function|class|type|interface)\b)",
    re.MULTILINE,
)
_DECLARED = re.compile(
    r"(?:export\s+)?(?:async\s+)?(?:const|let|var|function\*?|class|type|interface)\s+"
    r"([A-Za-z_$][\w$]*|\{[^}]*\}|\[[^\]]*\])"
)
_LONGEST = 400  # characters of a value that is told
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
        return Fact(words, _program(text, body, len(body), ""), "", error=error)
    arguments = _arguments(body[found.end() :])
    setup = _program(text, body, found.start(), arguments[0])
    if found.group(1) == "throws":
        call = re.sub(r"^\s*\(\)\s*=>\s*", "", arguments[0])
        refused = arguments[1] if len(arguments) > 1 else "an error"
        return Fact(words, setup, call, refused=refused, error=error)
    expected = arguments[1] if len(arguments) > 1 else "true"
    return Fact(words, setup, arguments[0], expected, _seen(message), error=error)


def _program(text: str, body: str, end: int, call: str) -> str:
    """``body`` up to ``end`` with the constants and helpers of its file and its group of tests that
    it or ``call`` uses. Imports are left out: who uses a package knows where its functions are."""
    lines = _dedented(body[:end])
    used = f"{lines}\n{call}"
    head: list[str] = []
    parts = _DECLARATION.split(_FIRST_TEST.split(text, maxsplit=1)[0])
    for part in reversed([*parts, *_of_its_group(text, body)]):
        declared = _DECLARED.match(part)
        names = re.findall(r"[A-Za-z_$][\w$]*", declared.group(1)) if declared else []
        if any(_uses(used, name) for name in names):
            plain = re.sub(r"(\n\s*(//.*)?)+$", "", part.rstrip())
            head.insert(0, plain.removeprefix("export "))
            used += plain
    return "\n".join(part for part in (*head, lines) if part.strip()).strip("\n")


def _uses(text: str, name: str) -> bool:
    """Whether a name stands by itself in ``text``, also spread (``...name``), not as a property."""
    return re.search(rf"(?:(?<![\w$.])|(?<=\.\.\.)){re.escape(name)}(?![\w$])", text) is not None


def _of_its_group(text: str, body: str) -> list[str]:
    """Declarations of the innermost ``describe`` before a test, one level in."""
    before = text[: max(0, text.find(body))]
    begins = [match.end() for match in re.finditer(r"^describe\(.*$", before, re.MULTILINE)]
    if not begins:
        return []
    group = _dedented(before[begins[-1] :])
    parts = re.split(rf"{_DECLARATION.pattern}|^(?=(?:test|it)\()", group, flags=re.MULTILINE)
    return [part for part in parts if _DECLARED.match(part)]


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
    """The value that came, where node tells all of it."""
    if (match := re.search(r"^\s*(.+?) !== (.+?)\s*$", message, re.MULTILINE)) is not None:
        return match.group(1).strip()
    _, mark, rest = message.partition("+ actual - expected\n")
    if not mark:
        return ""
    shown = re.split(r"\n\s+at ", rest, maxsplit=1)[0].strip("\n").split("\n")
    if any(line.strip().startswith(("...", "\u2026")) for line in shown):
        return ""  # some of it is left out
    kept = [line[2:] for line in shown if line[:2] in ("+ ", "  ") and line.strip(" ^")]
    value = "\n".join(kept)
    if not re.search(r"^['\"`]", value):
        value = re.sub(r", ([\]}])", r" \1", " ".join(line.strip() for line in kept))
    elif len(kept) > 1:
        value = re.sub(r"['\"`] \+\n\s*['\"`]", "", value)
    return value if len(value) <= _LONGEST else ""


def _error(message: str) -> str:
    other = re.search(r'expected to be an instance of "\w+"\. Received "(\w+)"', message)
    if other is not None:
        said = re.search(r"Error message:\n\n(.+)", message)
        return f"{other.group(1)}: {said.group(1).strip()}" if said else other.group(1)
    match = _THROWN.search(message)
    if match is None or match.group(1) == "AssertionError":
        return ""
    return f"{match.group(1)}: {match.group(2)}"


def _dedented(text: str) -> str:
    lines = text.split("\n")
    pad = min((len(x) - len(x.lstrip()) for x in lines if x.strip()), default=0)
    return "\n".join(line[pad:] for line in lines).strip("\n")
