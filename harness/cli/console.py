"""Consoles: where lines go, and whether the place can show a live bar."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console


def console(*, err: bool = False, width: int | None = None) -> Console:
    """A console that never reads markup or emoji codes out of text.

    A pipe gets lines of any length: cutting them at 80 columns would lose what is searched for.
    """
    from rich.console import Console

    from harness.cli.failures import hush

    class Patient(Console):
        """A reader that leaves ends the output, not the program: a run goes on without one."""

        def on_broken_pipe(self) -> None:
            self.quiet = True
            hush(2 if err else 1)

    stream = sys.stderr if err else sys.stdout
    if width is None and not _is_terminal(err):
        width = 200
    return Patient(
        file=stream, markup=False, emoji=False, highlight=False, soft_wrap=False, width=width
    )


def can_animate(*, err: bool) -> bool:
    """A live bar needs a terminal that is not dumb, and nobody who asked for plain text."""
    return (
        _is_terminal(err)
        and os.environ.get("TERM", "") not in ("", "dumb", "unknown")
        and not os.environ.get("NO_COLOR")
    )


def folded(line: str) -> str:
    """``line`` for stdout: on a terminal broken between words, its rest indented."""
    columns = terminal_columns()
    if columns is None or len(line) <= columns:
        return line
    import textwrap

    indent = " " * (len(line) - len(line.lstrip()) + 4)
    return textwrap.fill(
        line,
        columns,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def terminal_columns() -> int | None:
    """Columns of the terminal on stdout; None where there is none, and lines may be long."""
    import shutil

    return shutil.get_terminal_size().columns if _is_terminal(err=False) else None


def can_show(text: str, *, err: bool) -> bool:
    """Whether the stream's encoding holds all of ``text``."""
    stream = sys.stderr if err else sys.stdout
    encoding = getattr(stream, "encoding", None) or "ascii"
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _is_terminal(err: bool) -> bool:
    stream = sys.stderr if err else sys.stdout
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # closed
        return False
