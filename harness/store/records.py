"""Lines of ``samples.jsonl`` and the derived summary."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, model_validator

from harness.events.base import ErrorInfo, TranscriptRef, Usage
from harness.outcome import GradeStatus, StopReason, Verdict, is_final
from harness.sandbox.protocol import Attestation

__all__ = ["SampleRecord", "TranscriptRef"]


class SampleRecord(BaseModel):
    """One final sample. A suite that executes code cannot have one without an attestation.

    session names ``sessions/<n>.json``, whose attestation it had; seconds by phase in ``timings``;
    ``digests``: tree, prompt, transcript.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", ser_json_inf_nan="strings")

    sample: str
    suite: str
    task_id: str
    epoch: int
    attempt: int
    session: int
    plan: str
    executes_code: bool
    attestation: Attestation | None
    verdict: Verdict
    stop_reason: StopReason
    grade_status: GradeStatus | None
    partial: float | None = None
    fail_to_pass: tuple[int, int] | None = None
    pass_to_pass: tuple[int, int] | None = None
    flags: list[str] = []
    category: str | None = None
    subject: str | None = None
    difficulty: int | None = None
    metrics: dict[str, Any] = {}
    usage: Usage = Usage()
    timings: dict[str, float] = {}
    digests: dict[str, str] = {}
    transcript: TranscriptRef | None = None
    endpoint: str | None = None
    finished_at: datetime | None = None
    error: ErrorInfo | None = None

    @model_validator(mode="after")
    def _contained(self) -> SampleRecord:
        if self.executes_code and is_final(self.verdict) and self.attestation is None:
            raise ValueError("a suite that executes code has no result without an attestation")
        return self
