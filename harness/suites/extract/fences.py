"""Fenced blocks of a Markdown reply, as models write them rather than as the standard says."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass

from harness.suites.extract.closing import Fence, find_closing
from harness.suites.extract.pytext import Budget

# Blocks beyond this many are not looked at: no answer needs them, a flood of fences has them.
_MAX_BLOCKS = 200
# Characters that are parsed to tell a block's end from a fence inside a docstring.
_MOST_PARSED = 400_000
_OPEN = re.compile(
    r"^(?P<indent>[ \t]*(?:[-*+>][ \t]+)?)(?P<ticks>`{3,}|~{3,})[ \t]*(?P<info>[^`\n]*)$"
)
# A fence opened behind prose ("Here it is: ```python") counts only with a language tag or none.
_OPEN_LATE = re.compile(
    r"^(?P<prose>[^`\n]{1,300}?)(?P<ticks>`{3,})(?P<info>[A-Za-z0-9+#]*)[ \t]*$"
)
_TAG = re.compile(
    r"\{?\.?(?P<tag>[A-Za-z][\w+#.-]*)\}?(?:[ \t]+[^ \t=]+=.*|[ \t]*\{.*\}|:[^\n]*)?[ \t]*\Z"
)
_KEYWORDS = {"def", "import", "from", "class", "return", "for", "if", "while", "async", "print"}
_PYTHON = {"", "python", "py", "python3", "py3", "python2", "ipython", "pycon", "sage", "code"}
_OTHER = {"bash", "sh", "shell", "console", "text", "txt", "plaintext", "output", "json", "yaml",
          "markdown", "md", "diff", "sql", "html", "xml", "tool_call", "javascript", "js", "java",
          "c", "cpp", "go", "rust"}  # fmt: skip


@dataclass(frozen=True)
class Block:
    """One block. tag: the language in lower case, "" for none. closed: whether its fence is."""

    code: str
    tag: str
    closed: bool

    @property
    def maybe_python(self) -> bool:
        return self.tag in _PYTHON or self.tag not in _OTHER


def blocks(text: str) -> list[Block]:
    """All blocks in order; an inner fence of fewer ticks is text of the outer block."""
    found: list[Block] = []
    lines = text.split("\n")
    budget = Budget(min(_MOST_PARSED, 4 * len(text)))
    at = 0
    while at < len(lines) and len(found) < _MAX_BLOCKS:
        opened = _opening(lines[at])
        if opened is None:
            at += 1
            continue
        ticks, indent, tag, first = opened
        rest = lines[at + 1 :] if not lines[at].lstrip().startswith(">") else _quoted(lines, at + 1)
        closing = find_closing(rest, Fence(ticks, indent, tag, first), budget)
        body = [*([] if first is None else [first]), *rest[: closing.at]]
        if closing.glued is not None:
            body.append(closing.glued)
        found.append(Block(_undented(body, indent), tag, closing.closed))
        at += closing.at + 2
    return found


def _quoted(lines: list[str], start: int) -> list[str]:
    """Lines of a quotation that goes on at ``start``, without its marks."""
    quoted = itertools.takewhile(lambda line: line.lstrip().startswith(">"), lines[start:])
    return ["  " + line.lstrip()[1:].removeprefix(" ") for line in quoted]


def has_fence(text: str) -> bool:
    return "```" in text or "~~~" in text


def _opening(line: str) -> tuple[str, int, str, str | None] | None:
    """Ticks, indent, tag and the first line of code where it stands beside the fence."""
    match = _OPEN.match(line) if len(line) < 2_000 else None
    if match is None:
        late = _OPEN_LATE.match(line) if len(line) < 500 and "```" in line else None
        # in a line of prose two fences are an inline code span
        if late is None or "```" in late["prose"]:
            return None
        return late["ticks"], 0, late["info"].lower(), None
    info = match["info"].strip()
    indent = len(match["indent"].expandtabs())
    tag = _TAG.match(info)
    if not info:
        return match["ticks"], indent, "", None
    if tag is None or (tag["tag"] in _KEYWORDS and " " in info):
        # "```def f(x):" has no tag: what follows is code (lm-evaluation-harness#3769)
        return match["ticks"], indent, "", info
    return match["ticks"], indent, tag["tag"].lower(), None


def _undented(lines: list[str], indent: int) -> str:
    """Lines without the indent that the fence itself has."""
    if indent == 0:
        return "\n".join(lines)
    pad = " " * indent
    filled = [line for line in lines if line.strip()]
    if filled and all(line.startswith(pad) for line in filled):
        lines = [line[indent:] for line in lines]
    return "\n".join(lines)
