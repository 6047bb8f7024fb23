"""Path globs of ``protected`` lists: ``*`` stays in a folder, ``**`` crosses folders."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache


def matches(path: str, globs: Iterable[str]) -> bool:
    """Whether ``path`` or a folder above it matches one of ``globs``.

    ``tests/**`` matches ``tests`` itself, too, so that a file or link cannot take its place.
    """
    path = path.rstrip("/")
    return any(_pattern(glob).fullmatch(path) for glob in globs)


@lru_cache(maxsize=1024)
def _pattern(glob: str) -> re.Pattern[str]:
    regex = ""
    rest = glob.strip("/")
    while rest:
        if rest == "**":
            regex, rest = regex + ".*", ""
        elif rest.startswith("**/"):
            regex, rest = regex + "(?:.*/)?", rest[3:]
        elif rest == "/**":
            regex, rest = regex + "(?:/.*)?", ""
        elif rest.startswith("/**/"):
            regex, rest = regex + "/(?:.*/)?", rest[4:]
        elif rest[0] == "*":
            regex, rest = regex + "[^/]*", rest[1:]
        elif rest[0] == "?":
            regex, rest = regex + "[^/]", rest[1:]
        else:
            regex, rest = regex + re.escape(rest[0]), rest[1:]
    return re.compile(f"{regex}(?:/.*)?", re.DOTALL)
