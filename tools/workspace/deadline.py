"""Work that may never end, done in a forked child that is killed in time."""

from __future__ import annotations

import json
import os
import select
import signal
import time
import warnings
from collections.abc import Callable
from typing import Any, Final

from tools.outcome import InternalToolError

_MAX_ANSWER: Final = 1 << 20  # bytes


class DeadlineExceededError(Exception):
    """The child was killed because its time was over."""


def in_child(work: Callable[[], dict[str, Any]], *, seconds: float) -> dict[str, Any]:
    """What `work` returns (a JSON object), computed in a child of this process.

    A signal handler would not do: it runs only in the main thread. Raises DeadlineExceededError,
    or InternalToolError when the child dies.
    """
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        # the child runs only `work` and never touches what another thread may hold
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        _child(work, writing)
    os.close(writing)
    try:
        answer = _collect(reading, time.monotonic() + seconds)
    finally:
        os.close(reading)
        _end(child)
    try:
        result: dict[str, Any] = json.loads(answer)
    except ValueError:
        raise InternalToolError("the search process died") from None
    return result


def _child(work: Callable[[], dict[str, Any]], writing: int) -> None:
    status = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        answer = json.dumps(work()).encode()
        while answer:
            answer = answer[os.write(writing, answer) :]
        status = 0
    finally:
        os._exit(status)  # never run the parent's cleanup


def _collect(reading: int, deadline: float) -> bytes:
    pieces: list[bytes] = []
    size = 0
    while size <= _MAX_ANSWER:
        poll = select.poll()
        poll.register(reading, select.POLLIN)
        if not poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
            raise DeadlineExceededError
        piece = os.read(reading, 1 << 16)
        if not piece:
            return b"".join(pieces)
        pieces.append(piece)
        size += len(piece)
    return b""


def _end(child: int) -> None:
    try:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    except (ProcessLookupError, ChildProcessError):
        pass  # somebody who reaps all children was quicker
