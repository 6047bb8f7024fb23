"""What an exception means for the sample it ended."""

from __future__ import annotations

import traceback

from harness.errors import EndpointError, ProctorError, SandboxLost
from harness.events.base import ErrorInfo
from harness.models.redact import redacted
from harness.outcome import StopReason


def fault_of(error: Exception) -> tuple[StopReason, ErrorInfo]:
    """The stop reason and the stored form; only a fault of our own keeps its traceback."""
    reason = StopReason.INTERNAL_ERROR
    if isinstance(error, SandboxLost):
        reason = StopReason.SANDBOX_LOST
    elif isinstance(error, EndpointError):
        reason = StopReason.REQUEST_FAILED
    trace = None
    if not isinstance(error, ProctorError):
        trace = redacted("".join(traceback.format_exception(error))[-8000:])
    remedy = error.remedy if isinstance(error, ProctorError) else None
    message = redacted(str(error))[:2000]
    info = ErrorInfo(kind=type(error).__name__, message=message, remedy=remedy, traceback=trace)
    return reason, info
