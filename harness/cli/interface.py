"""The one way from the command line to the interface, taken on a terminal only.

The package ``tui`` is imported here and nowhere else, when it is asked for.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


def wanted() -> bool:
    """Whether a person sits there: both ends are a terminal that can move its cursor."""
    return why_not() is None


def why_not() -> str | None:
    """What is lacking for the interface, None when nothing is."""
    for stream, name in ((sys.stdin, "standard input"), (sys.stdout, "standard output")):
        try:
            if stream.isatty():
                continue
        except (AttributeError, ValueError):  # closed, or not there at all
            pass
        return f"{name} is no terminal"
    term = os.environ.get("TERM", "")
    if term in ("", "dumb", "unknown"):
        return f"the terminal cannot move its cursor (TERM is {term or 'not set'})"
    return None


def show(what: str, *arguments: Any) -> int:
    """Call ``what`` of ``tui.entry``; returns its exit code, raises what it raises."""
    with _announced():
        return int(getattr(importlib.import_module("tui.entry"), what)(*arguments))


async def show_here(what: str, *arguments: Any) -> int:
    """The same for a coroutine of ``tui.entry``, in the loop that runs."""
    with _announced():
        return int(await getattr(importlib.import_module("tui.entry"), what)(*arguments))


@contextmanager
def _announced() -> Iterator[None]:
    """A line at once: what comes takes a moment to load, on a busy machine seconds. It is gone
    when the interface is left, for the cursor comes back to its beginning."""
    if why_not() is not None:  # a page in a browser, or its server
        yield
        return
    print("Proctor is starting ...", end="\r", flush=True)
    try:
        yield
    finally:
        print("\x1b[K", end="", flush=True)
