"""Lists too large to cross between judge and candidate: compared by digest."""

from __future__ import annotations

import hashlib
import marshal
from typing import Any

from tools.testing.plain_values import Encoder, NotPlain, TooLarge

LONG = 10_000  # shorter lists are not looked at for being too large


class Large:
    """A list or tuple too large to cross: its digest stands for it, and equals the digest of an
    equal one. Who does not have the value cannot tell its digest."""

    def __init__(self, kind: str, length: int, digest: str) -> None:
        self.key = (kind, length, digest)

    @classmethod
    def of(cls, value: Any) -> Large:
        """Of a list or tuple of plain values. Raises NotPlain."""
        digest = hashlib.sha256()
        try:
            for part in value:
                # form 0 of marshal writes equal values alike; nothing is ever read from it
                digest.update(marshal.dumps(part, 0))
        except ValueError:
            raise NotPlain("a large value of other than plain parts") from None
        return cls(type(value).__name__, len(value), digest.hexdigest())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, list | tuple):
            other = Large.of(other)
        return isinstance(other, Large) and other.key == self.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        kind, length, digest = self.key
        return f"<{kind} of {length} parts, sha256 {digest[:12]}>"


def bounded(value: Any) -> Any:
    """The value, or what stands for it where it is too large to cross."""
    if type(value) not in (list, tuple) or len(value) < LONG:
        return value
    try:
        Encoder(lambda _value: None).encode(value)
    except TooLarge:
        _heap.due = True
        return Large.of(value)
    return value


class _Heap:
    """Gives freed memory back to the machine: the candidate needs as much for its own answer."""

    due = False

    def trim(self) -> None:
        """Once after a large value was made and dropped."""
        if self.due:
            import ctypes

            self.due = False
            trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc only
            if trim is not None:
                trim(0)


_heap = _Heap()
trim_heap = _heap.trim
