"""Python's streams for warm children, made once in the spawner: making them costs each child more
than all of its system calls."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from typing import TextIO

Streams = tuple[TextIO, TextIO, TextIO]

_made: dict[tuple[int, ...], Streams] = {}


def prepared(fds: Sequence[int], numbers: Sequence[int]) -> Streams:
    """Streams on 0, 1 and 2 for a child that gets ``fds`` under ``numbers``, the rest being the
    null device. Nothing was ever read or written through them. Raises OSError."""
    places = dict(zip(numbers, fds, strict=True))
    kinds = tuple(
        stat.S_IFMT(os.fstat(places[number]).st_mode) if number in places else 0
        for number in range(3)
    )
    if kinds not in _made:
        _made[kinds] = _make(places)
    return _made[kinds]


def _make(places: dict[int, int]) -> Streams:
    """On the numbers themselves: a stream remembers what its descriptor can do (seek, say)."""
    kept = [os.dup(number) for number in range(3)]
    null = os.open("/dev/null", os.O_RDWR)
    try:
        for number in range(3):
            os.dup2(places.get(number, null), number)
        return (
            open(0, encoding="utf-8", errors="surrogateescape", closefd=False),
            open(1, "w", encoding="utf-8", errors="surrogateescape", closefd=False),
            open(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False),
        )
    finally:
        for number, fd in enumerate(kept):
            os.dup2(fd, number)
            os.close(fd)
        os.close(null)
