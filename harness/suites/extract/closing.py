"""Where a fenced block ends: a fence inside a docstring is text, whatever its indent.

CommonMark lets a closing fence stand at most three columns deeper than its opening one; models
put theirs deeper, and write fences of examples into docstrings. The first fence that is neither
deep nor in a string ends the block; before that, one up to which the code parses does.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from harness.suites.extract.pytext import Budget, parse

_DEEPEST = 3  # CommonMark 0.31, 4.5
_MOST = 40  # fences that are weighed as the end of one block
_MOST_TRIES = 8  # of them by parsing
_TRIPLE = re.compile(r"\"\"\"|'''")
_MARKDOWN = {"markdown", "md"}
_PROSE = {"text", "txt", "plaintext", "output", "json", "yaml", "bash", "sh", "shell", "console"}


@dataclass(frozen=True)
class Fence:
    """An opening fence; first: code that stands beside it."""

    ticks: str
    indent: int
    tag: str
    first: str | None = None


@dataclass(frozen=True)
class Closing:
    """at: index of the line that ends the block (all lines, where none does). glued: code before
    a fence on that line."""

    at: int
    closed: bool = True
    glued: str | None = None


@dataclass(frozen=True)
class _End:
    at: int
    deep: bool
    in_string: bool

    @property
    def plain(self) -> bool:
        return not self.deep and not self.in_string


def find_closing(lines: Sequence[str], fence: Fence, budget: Budget) -> Closing:
    """The end of a block whose opening fence stands before ``lines``."""
    ends, glued, all_seen = _ends(lines, fence)
    if ends and ends[0].plain:
        return Closing(ends[0].at)
    if ends and fence.tag not in _MARKDOWN | _PROSE:
        stops = [end.at for end in ends] + ([len(lines)] if all_seen else [])
        for stop in stops[:_MOST_TRIES]:
            code = "\n".join([*([] if fence.first is None else [fence.first]), *lines[:stop]])
            if code.strip() and parse(textwrap.dedent(code), budget) is not None:
                return Closing(stop, stop < len(lines))
    chosen = next((end for end in ends if not end.deep), None) or next(
        (end for end in ends if not end.in_string), None
    )
    if chosen is not None:
        return Closing(chosen.at)
    return glued or Closing(len(lines), closed=False)


def _ends(lines: Sequence[str], fence: Fence) -> tuple[list[_End], Closing | None, bool]:
    """Fences that may end the block, up to the first that surely does or the next block; a fence
    behind code; whether all lines were looked at.

    In a block of Markdown an inner fence with a tag opens a block of its own.
    """
    found: list[_End] = []
    glued: Closing | None = None
    inner: list[int] = []
    quote: str | None = None
    for i, line in enumerate(lines):
        bare = line.strip()
        if bare.startswith(fence.ticks):
            deep = _indent(line) > (inner[-1] if inner else fence.indent) + _DEEPEST
            if set(bare) == {fence.ticks[0]}:
                if not inner:
                    found.append(_End(i, deep, quote is not None))
                    if found[-1].plain or len(found) == _MOST:
                        return found, glued, False
                elif not deep:
                    inner.pop()
            elif fence.ticks[0] in bare.lstrip(fence.ticks[0]):
                continue  # a span of code within a line
            elif fence.tag in _MARKDOWN:
                inner.append(_indent(line))
            elif found and not deep:
                return found, glued, False
        elif glued is None and bare.endswith(fence.ticks) and line.count(fence.ticks) == 1:
            glued = Closing(i, glued=line.rstrip().rstrip(fence.ticks[0]))
        if fence.tag not in _MARKDOWN and ('"""' in line or "'''" in line):
            for mark in _TRIPLE.findall(line):
                quote = mark if quote is None else None if mark == quote else quote
    return found, glued, True


def _indent(line: str) -> int:
    text = line.expandtabs()
    return len(text) - len(text.lstrip())
