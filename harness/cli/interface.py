"""The one way from the command line to the interface, taken on a terminal only.

The package ``tui`` is imported here and nowhere else, when it is asked for.
"""

from __future__ import annotations

import importlib
import os
import sys
from typing import Any


def wanted() -> bool:
    """Whether a person sits there: both ends are a terminal that can move its cursor."""
    try:
        both = sys.stdin.isatty() and sys.stdout.isatty()
    except (AttributeError, ValueError):  # closed, or not there at all
        return False
    return both and os.environ.get("TERM", "") not in ("", "dumb", "unknown")


def show(what: str, *arguments: Any) -> int:
    """Call ``what`` of ``tui.entry``; returns its exit code, raises what it raises."""
    return int(getattr(importlib.import_module("tui.entry"), what)(*arguments))


async def show_here(what: str, *arguments: Any) -> int:
    """The same for a coroutine of ``tui.entry``, in the loop that runs."""
    return int(await getattr(importlib.import_module("tui.entry"), what)(*arguments))
