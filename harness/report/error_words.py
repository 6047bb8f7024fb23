"""Why samples have no score, in words."""

from __future__ import annotations

from harness.outcome import END_POLICY, GRADE_POLICY, GradeStatus, StopReason

_FAULTS = {
    "EndpointError": "the model server failed",
    "SandboxLost": "the sandbox was lost",
    "SandboxError": "the sandbox failed",
    "InfrastructureError": "a fault of the machine or of this program",
    "UsageError": "cannot be run as asked",
    "ConfigError": "cannot be run as asked",
}


def error_words(kind: str) -> str:
    """The words for a kind of error: the name of an exception, a stop reason or grade status."""
    if kind in {reason.value for reason in StopReason}:
        return END_POLICY[StopReason(kind)].label
    if kind in {status.value for status in GradeStatus}:
        return GRADE_POLICY[GradeStatus(kind)].label
    return _FAULTS.get(kind, f"internal error ({kind})")
