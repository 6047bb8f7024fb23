"""Glob patterns as regular expressions, with ** over folders and {a,b} alternatives."""

from __future__ import annotations

import re

from tools.outcome import ToolError

_MAX_CHARS = 200
_MAX_STARS = 10  # each star multiplies the time a failing match can take


def compile_glob(glob: str) -> re.Pattern[str]:
    """A pattern for `fullmatch` on a path; without a slash it is tried on any folder's names.

    Raises ToolError for one that is too long or has an open bracket or brace.
    """
    if len(glob) > _MAX_CHARS or glob.count("*") > _MAX_STARS:
        raise ToolError(
            f"the glob is too long; at most {_MAX_CHARS} characters, {_MAX_STARS} stars"
        )
    anchored = glob.removeprefix("./").removeprefix("/")
    pattern = _translate(anchored)
    return re.compile(pattern if "/" in anchored else f"(?:.*/)?{pattern}", re.DOTALL)


def _translate(glob: str) -> str:
    parts: list[str] = []
    depth = 0
    at = 0
    while at < len(glob):
        char = glob[at]
        if glob.startswith("**/", at):
            parts.append("(?:.*/)?")
            at += 3
            continue
        if glob.startswith("**", at):
            parts.append(".*")
            at += 2
            continue
        if char == "*":
            parts.append("[^/]*")
        elif char == "?":
            parts.append("[^/]")
        elif char == "[":
            close = glob.find("]", at + 2)
            if close < 0:
                raise ToolError("the glob has a '[' without its ']'")
            parts.append(_one_of(glob[at + 1 : close]))
            at = close
        elif char == "{":
            depth += 1
            parts.append("(?:")
        elif char == "}" and depth:
            depth -= 1
            parts.append(")")
        elif char == "," and depth:
            parts.append("|")
        else:
            parts.append(re.escape(char))
        at += 1
    if depth:
        raise ToolError("the glob has a '{' without its '}'")
    return "".join(parts)


def _one_of(inside: str) -> str:
    negated = inside[0] in "!^"
    chars = inside[1:] if negated else inside
    ranges: list[str] = []
    at = 0
    while at < len(chars):
        if at + 2 < len(chars) and chars[at + 1] == "-" and chars[at] <= chars[at + 2]:
            ranges.append(f"{re.escape(chars[at])}-{re.escape(chars[at + 2])}")
            at += 3
        else:
            ranges.append(re.escape(chars[at]))
            at += 1
    return f"(?!/)[{'^' if negated else ''}{''.join(ranges)}]"
