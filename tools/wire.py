"""Frames between the harness and a box: one JSON line, then as many raw bytes as it announces.

Header: a JSON object on one line of at most HEADER_LIMIT bytes. Its key ``payload`` (optional)
is the number of raw bytes that follow the newline, at most PAYLOAD_LIMIT. Requests carry ``id``
(int) and ``op`` (str); answers repeat the ``id`` and carry ``ok`` (bool) and, when false,
``error`` = {"kind": str, "message": str}. Both sides treat the other's frames as hostile: sizes
are checked before anything is allocated.
"""

from __future__ import annotations

import json
from typing import Any

HEADER_LIMIT = 8 * 1024 * 1024  # a written file of 1 MiB is up to 6 MiB once escaped
PAYLOAD_LIMIT = 96 * 1024 * 1024  # a tree of 64 MiB in an archive, with room for its headers
DEEPEST = 64  # levels of what comes out of a box; ours have at most ten


class WireError(ValueError):
    """A frame that breaks the rules above."""


def encode(header: dict[str, Any], payload: bytes = b"") -> bytes:
    """One frame as bytes. Raises WireError when it would break the limits."""
    if payload:
        header = {**header, "payload": len(payload)}
    line = json.dumps(header, separators=(",", ":"), ensure_ascii=True).encode("ascii") + b"\n"
    if len(line) > HEADER_LIMIT or len(payload) > PAYLOAD_LIMIT:
        raise WireError(f"frame too large: header {len(line)} bytes, payload {len(payload)} bytes")
    return line + payload


def decode_header(line: bytes) -> tuple[dict[str, Any], int]:
    """The header object and the number of payload bytes that follow. Raises WireError."""
    if len(line) > HEADER_LIMIT or not line.endswith(b"\n"):
        raise WireError("header line too long or torn")
    try:
        header = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise WireError(f"header is not JSON: {str(error)[:200]}") from None
    if not isinstance(header, dict):
        raise WireError("header is not a JSON object")
    size = header.pop("payload", 0)
    if isinstance(size, bool) or not isinstance(size, int) or not 0 <= size <= PAYLOAD_LIMIT:
        raise WireError("payload size is not a number within the limit")
    return header, size


def shallow(line: bytes, value: object) -> bool:
    """Whether the JSON ``value`` of ``line`` has at most DEEPEST levels. Deeper ones can be parsed,
    and then break whoever prints or copies them."""
    if line.count(b"[") + line.count(b"{") <= DEEPEST:
        return True
    level = [value]
    for _ in range(DEEPEST):
        inner: list[object] = []
        for item in level:
            if isinstance(item, dict):
                inner.extend(item.values())
            elif isinstance(item, list):
                inner.extend(item)
        if not inner:
            return True
        level = inner
    return False
