"""Standard output and error of the process: one that cannot be written ends no run, the exit code
tells of it.

From the first failure on (a full disk, a terminal that is gone) what is written goes nowhere. A
closed pipe is no failure of output that a program reads only the beginning of; it is told to the
caller as ever.
"""

from __future__ import annotations

import codecs
import io
import json
import os
import select
import sys
from contextlib import suppress
from typing import Any

from harness.errors import ExitCode


class Outlet(io.RawIOBase):
    """A descriptor that keeps its first error and swallows what comes after it."""

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self._descriptor = descriptor
        self.failure: OSError | None = None

    def fileno(self) -> int:
        return self._descriptor

    def isatty(self) -> bool:
        return os.isatty(self._descriptor)

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        while self.failure is None:
            try:
                return os.write(self._descriptor, data)
            except BrokenPipeError:
                raise
            except BlockingIOError:  # another program on this terminal made it so
                select.select([], [self._descriptor], [])
            except OSError as error:
                self.failure = error
        return memoryview(data).nbytes


_ESCAPED = "proctor.escaped"


def _escaped(error: UnicodeError) -> tuple[str, int]:
    """Escapes as JSON has them: a document stays one in a locale that lacks its characters."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end]
    return json.dumps(text)[1:-1], error.end


codecs.register_error(_ESCAPED, _escaped)

_stdout: Outlet | None = None


def settle_streams() -> None:
    """Put outlets under sys.stdout and sys.stderr, where these are the process's own; a stream
    that is closed leads nowhere. A character that cannot be shown becomes its escape."""
    global _stdout
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115 (closed by the caller)
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    if _is_own(sys.stdout, 1):
        _stdout = Outlet(1)
        sys.stdout = _over(_stdout, sys.stdout)
    if _is_own(sys.stderr, 2):
        sys.stderr = _over(Outlet(2), sys.stderr)
    for stream in (sys.stdout, sys.stderr):
        reconfigure: Any = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors=_ESCAPED)


def code_after(code: int) -> int:
    """The exit code once all is written: 1 in place of 0 where stdout could not be, with a line
    that says so. Raises BrokenPipeError."""
    sys.stdout.flush()
    failure = _stdout.failure if _stdout is not None else None
    if failure is None:
        return code
    with suppress(OSError):
        print(f"error: cannot write to standard output: {failure.strerror}", file=sys.stderr)
        sys.stderr.flush()
    return code or int(ExitCode.INCOMPLETE)


def _is_own(stream: Any, descriptor: int) -> bool:
    try:
        own: Any = sys.__stdout__ if descriptor == 1 else sys.__stderr__
        return stream is own and stream.fileno() == descriptor
    except (OSError, ValueError):  # no descriptor behind it
        return False


def _over(outlet: Outlet, stream: Any) -> io.TextIOWrapper:
    stream.flush()
    at_once = stream.write_through or stream.line_buffering
    return io.TextIOWrapper(
        io.BufferedWriter(outlet), encoding=stream.encoding, line_buffering=at_once
    )
