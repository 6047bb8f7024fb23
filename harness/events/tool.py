"""Events of tool calls."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from harness.events.base import Event


class TreeChange(BaseModel):
    """A file that a call changed; digests (sha256 hex) name blobs in the run folder, None = absent.
    Modes are permission bits."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    path: str
    before: str | None
    after: str | None
    mode_before: int | None = None
    mode_after: int | None = None


class ToolResult(Event):
    """A call and its result; calls that were not carried out have one too (``executed`` False)."""

    type: Literal["tool_result"] = "tool_result"
    turn: int
    call_id: str
    name: str
    arguments: dict[str, Any] | None
    text: str
    is_error: bool = False
    executed: bool = True
    path_refused: bool = False
    lint_findings: int | None = None
    delta: list[TreeChange] = []
    elapsed_s: float = 0.0
