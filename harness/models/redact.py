"""Keeps keys out of everything that is stored or shown."""

from __future__ import annotations

import re
from typing import Any

_MASK = "[redacted]"
_SHORTEST = 6  # shorter "keys" are words of their own, such as "none"
_known: set[str] = set()
_KEY_NAME = re.compile(
    r"(?i)(x-)?api[-_]?key|(proxy-)?authorization|password|(client[-_]?)?secret|access[-_]?token"
)
_PATTERNS = (
    re.compile(r"(?i)(\bauthorization\b[\"']?\s*[:=]\s*[\"']?(?:bearer|basic)\s+)[^\s\"',]+"),
    re.compile(r"(?i)(\bbearer\s+)[A-Za-z0-9._~+/=-]{8,}"),
    re.compile(r"(?i)((?:api[-_]?key|access[-_]?token)[\"']?\s*[:=]\s*[\"']?)[^\s\"',&]{6,}"),
    re.compile(r"(\b[a-z][a-z0-9+.-]*://)[^/\s:@]+:[^/\s@]+(?=@)"),
    # an address without its scheme
    re.compile(r"(\b[\w.+-]+:)[^\s/@:]{3,}(?=@[\w\[])"),
    re.compile(r"()\bsk-[A-Za-z0-9_-]{8,}"),
)


def key_names(value: Any) -> list[str]:
    """Names, anywhere in a JSON value, under which keys are given."""
    if isinstance(value, dict):
        own = [name for name in value if _KEY_NAME.fullmatch(name)]
        return own + [name for item in value.values() for name in key_names(item)]
    if isinstance(value, list):
        return [name for item in value for name in key_names(item)]
    return []


def remember(secret: str) -> None:
    """A value that must never be shown from now on."""
    if len(secret) >= _SHORTEST:
        _known.add(secret)


def without_keys(text: str) -> str:
    """``text`` without known keys; a model's words are not searched for what looks like one."""
    for secret in _known:
        text = text.replace(secret, _MASK)
    return text


def redacted(text: str) -> str:
    """``text`` without known keys, and without what looks like one."""
    text = without_keys(text)
    for pattern in _PATTERNS:
        text = pattern.sub(rf"\1{_MASK}", text)
    return text


class StreamGuard:
    """Keeps known keys out of text that comes in pieces: the end of a piece that may be the
    beginning of a key waits for the next one. ``kind`` tells streams apart."""

    def __init__(self) -> None:
        self._held: dict[str, str] = {}

    def pass_on(self, kind: str, text: str) -> str:
        """What of the stream may be shown by now."""
        if not _known:
            return text
        text = without_keys(self._held.pop(kind, "") + text)
        longest = max(len(secret) for secret in _known) - 1
        for size in range(min(longest, len(text)), 0, -1):
            if any(secret.startswith(text[-size:]) for secret in _known):
                self._held[kind] = text[-size:]
                return text[:-size]
        return text

    def rest(self) -> dict[str, str]:
        """What is still held back, at the end of the streams."""
        held, self._held = self._held, {}
        return held
