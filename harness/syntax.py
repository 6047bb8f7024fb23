"""Python source to syntax trees, safe in threads."""

from __future__ import annotations

import ast
import threading

# CPython 3.11 and 3.12 count the depth of a tree under construction per interpreter, not per
# thread: when the collector lets another thread parse in between, one of both gets a SystemError.
_one_at_a_time = threading.Lock()
_TRIES = 5  # other code of the process (a traceback being printed) parses outside of the lock


def parse(source: str | bytes) -> ast.Module:
    """``ast.parse``; raises what it raises (SyntaxError, ValueError, RecursionError, ...)."""
    with _one_at_a_time:
        for _ in range(_TRIES - 1):
            try:
                return ast.parse(source)
            except SystemError:
                continue
        return ast.parse(source)
