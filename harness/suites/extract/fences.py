"""Fenced blocks of a Markdown reply, as models write them rather than as the standard says."""

from __future__ import annotations

import re
from dataclasses import dataclass

# Blocks beyond this many are not looked at: no answer needs them, a flood of fences has them.
_MAX_BLOCKS = 200
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
    at = 0
    while at < len(lines) and len(found) < _MAX_BLOCKS:
        opened = _opening(lines[at])
        if opened is None:
            at += 1
            continue
        ticks, indent, tag, first = opened
        body = [first] if first is not None else []
        end, last, closed = _closing(lines, at + 1, ticks, tag)
        body += lines[at + 1 : end]
        if last is not None:
            body.append(last)
        found.append(Block(_undented(body, indent), tag, closed))
        at = end + 1
    return found


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


def _closing(lines: list[str], start: int, ticks: str, tag: str) -> tuple[int, str | None, bool]:
    """Index of the closing line, code before a fence on that line, and whether there is one.

    In a block of Markdown an inner fence with a tag opens a block of its own.
    """
    char, depth = ticks[0], 0
    nests = tag in {"markdown", "md"}
    glued: tuple[int, str] | None = None
    for i in range(start, len(lines)):
        line = lines[i]
        bare = line.strip()
        if bare.startswith(ticks):
            if set(bare) == {char}:
                if depth == 0:
                    return i, None, True
                depth -= 1
                continue
            if nests and _TAG.match(bare.strip(char).strip()):
                depth += 1
        elif glued is None and bare.endswith(ticks) and line.count(ticks) == 1:
            glued = (i, line.rstrip().rstrip(char))
    if glued is not None:
        return glued[0], glued[1], True
    return len(lines), None, False


def _undented(lines: list[str], indent: int) -> str:
    """Lines without the indent that the fence itself has."""
    if indent == 0:
        return "\n".join(lines)
    pad = " " * indent
    filled = [line for line in lines if line.strip()]
    if filled and all(line.startswith(pad) for line in filled):
        lines = [line[indent:] for line in lines]
    return "\n".join(lines)
