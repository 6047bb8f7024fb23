"""Exceptions as they are stored: what they mean for a sample, redacted and bounded."""

from __future__ import annotations

import traceback

from harness.errors import EndpointError, ProctorError, SandboxError
from harness.events.base import ErrorInfo
from harness.models.redact import redacted
from harness.outcome import StopReason

_LONGEST_MESSAGE = 2000
_LONGEST_TRACEBACK = 8000


def stop_reason_of(error: BaseException) -> StopReason:
    """The way a sample ends that raised ``error``."""
    if isinstance(error, EndpointError):
        return StopReason.REQUEST_FAILED
    if isinstance(error, SandboxError):
        return StopReason.SANDBOX_LOST
    return StopReason.INTERNAL_ERROR


def error_info(error: BaseException) -> ErrorInfo:
    """``error`` for an event; only a fault of our own keeps its traceback."""
    known = isinstance(error, ProctorError)
    trace = None
    if not known:
        text = "".join(traceback.format_exception(error))
        trace = redacted(text)[-_LONGEST_TRACEBACK:]
    return ErrorInfo(
        kind=type(error).__name__,
        message=redacted(str(error))[:_LONGEST_MESSAGE],
        remedy=error.remedy if isinstance(error, ProctorError) else None,
        traceback=trace,
    )
