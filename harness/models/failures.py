"""Requests that failed: what is known of one, in one shape for every way to fail."""

from __future__ import annotations

import email.utils
import json
import math
import os
import ssl
import time
from collections.abc import Mapping
from typing import Any

from harness.events.base import ErrorInfo
from harness.models.errors_table import Meaning, meaning_of
from harness.models.redact import redacted

# what another try may mend: timeouts, conflicts, early data, rate limits, and any 5xx but 501
_RETRIED_4XX = frozenset({408, 409, 425, 429})
MESSAGE_CHARS = 600


class Failure(Exception):
    """One failed sending.

    kind: http, connection, timeout, dropped, stream_error, not_json, malformed, html, empty_reply.
    status is None where no status came. retry_after_s as the server asked. ``meaning`` from the
    table. ``ending``: why it was the last one, where retries are at their end.
    """

    def __init__(
        self,
        kind: str,
        message: str,
        *,
        status: int | None = None,
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = redacted(message)[:MESSAGE_CHARS]
        self.status = status
        self.retry_after_s = retry_after_s
        self.ending = ""
        told = kind in ("http", "stream_error")
        self.meaning: Meaning | None = meaning_of(status, message) if told else None

    @property
    def retryable(self) -> bool:
        """Whether the same request may go through later, by its status alone."""
        if self.kind == "html":
            return False
        if self.status is None:
            return True
        return self.status in _RETRIED_4XX or (self.status >= 500 and self.status != 501)

    @property
    def endpoint_wide(self) -> bool:
        """Whether other samples' requests would fail alike, so that all should hold back."""
        return self.status in (408, 425, 429, 502, 503, 504, 529) or self.kind == "connection"

    def info(self) -> ErrorInfo:
        kind = f"http_{self.status}" if self.status is not None else self.kind
        return ErrorInfo(kind=kind, message=self.message)


def http_failure(status: int, headers: Mapping[str, str], body: bytes) -> Failure:
    """The failure that an answer with an error status means."""
    text = body.decode("utf-8", "replace")
    if looks_like_html(headers, text) and status < 500:
        return Failure("html", f"HTTP {status} with a web page", status=status)
    return Failure(
        "http",
        f"HTTP {status}: {error_text(_parsed(text), text)}",
        status=status,
        retry_after_s=retry_after(headers),
    )


def looks_like_html(headers: Mapping[str, str], text: str) -> bool:
    """Whether an answer is a web page: then the address is that of something else."""
    kind = headers.get("content-type", "").lower()
    return "html" in kind or text.lstrip()[:15].lower().startswith(("<!doctype", "<html"))


def error_text(body: Any, raw: str = "") -> str:
    """Code, type and message of an error answer in one line; servers differ in where they are."""
    error = body.get("error", body) if isinstance(body, dict) else body
    if isinstance(error, dict):
        parts = [error.get(key) for key in ("type", "code", "message", "detail", "msg")]
        line = " ".join(" ".join(str(part).split()) for part in parts if part not in (None, ""))
        if line:
            return line
    if isinstance(error, str) and error:
        return " ".join(error.split())
    return " ".join(raw.split()) or "no message"


def error_status(body: Any) -> int | None:
    """The status that an error inside a stream tells, as ``code`` or ``status``."""
    error = body.get("error", body) if isinstance(body, dict) else None
    if isinstance(error, dict):
        for key in ("code", "status", "status_code"):
            value = error.get(key)
            if isinstance(value, str) and len(value) == 3 and value.isdecimal():
                value = int(value)
            if isinstance(value, int) and not isinstance(value, bool) and 400 <= value <= 599:
                return value
    return None


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds a server asks to wait: ``retry-after-ms``, or ``retry-after`` in seconds or as a
    date. None where it says nothing usable."""
    for name, unit in (("retry-after-ms", 1000), ("retry-after", 1)):
        try:
            seconds = float(headers[name]) / unit
        except (KeyError, ValueError):
            continue
        return max(0.0, seconds) if math.isfinite(seconds) else None
    try:
        when = email.utils.parsedate_tz(headers.get("retry-after", ""))
        return None if when is None else max(0.0, email.utils.mktime_tz(when) - time.time())
    except (ValueError, OverflowError, IndexError):  # a date that no calendar has
        return None


def cause_text(error: BaseException) -> str:
    """Why a connection failed, in words: the innermost cause that says something."""
    chain: list[BaseException] = []
    current: BaseException | None = error
    while current is not None and current not in chain:
        chain.append(current)
        current = current.__cause__ or current.__context__
    for link in chain:
        if isinstance(link, ssl.SSLError) and getattr(link, "reason", None):
            return f"TLS: {link.reason}"
    for link in reversed(chain):
        if isinstance(link, OSError) and link.errno is not None and link.errno > 0:
            return os.strerror(link.errno).lower()  # asyncio puts words of its own into strerror
        if isinstance(link, OSError) and link.strerror:
            return link.strerror.lower()
    for link in reversed(chain):
        if str(link).strip():
            return str(link).strip()
    return type(error).__name__


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
