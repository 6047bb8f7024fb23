"""Keeps keys out of everything that is stored or shown."""

from __future__ import annotations

import re

_MASK = "[redacted]"
_SHORTEST = 6  # shorter "keys" are words of their own, such as "none"
_known: set[str] = set()
_PATTERNS = (
    re.compile(r"(?i)(\bauthorization\b[\"']?\s*[:=]\s*[\"']?(?:bearer|basic)\s+)[^\s\"',]+"),
    re.compile(r"(?i)(\bbearer\s+)[A-Za-z0-9._~+/=-]{8,}"),
    re.compile(r"(?i)((?:api[-_]?key|access[-_]?token)[\"']?\s*[:=]\s*[\"']?)[^\s\"',&]{6,}"),
    re.compile(r"(\b[a-z][a-z0-9+.-]*://)[^/\s:@]+:[^/\s@]+(?=@)"),
    re.compile(r"()\bsk-[A-Za-z0-9_-]{8,}"),
)


def remember(secret: str) -> None:
    """A value that must never be shown from now on."""
    if len(secret) >= _SHORTEST:
        _known.add(secret)


def redacted(text: str) -> str:
    """``text`` without known keys, and without what looks like one."""
    for secret in _known:
        text = text.replace(secret, _MASK)
    for pattern in _PATTERNS:
        text = pattern.sub(rf"\1{_MASK}", text)
    return text
