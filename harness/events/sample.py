"""Events that open and close an attempt at a sample."""

from __future__ import annotations

from typing import Any, Literal

from harness.events.base import ErrorInfo, Event
from harness.outcome import StopReason, Verdict


class AttemptStarted(Event):
    """First event of a transcript. tree: path -> {"digest", "mode", "size"} of the starting tree
    (agentic suites); the blobs lie in the run folder."""

    type: Literal["attempt_started"] = "attempt_started"
    version: int
    run_id: str
    sample: str
    suite: str
    task_id: str
    epoch: int
    attempt: int
    model: str
    tool_protocol: str | None = None
    endpoint: str | None = None
    tree: dict[str, dict[str, Any]] = {}
    task: dict[str, Any] = {}


class LimitReached(Event):
    """A limit ended the episode; scope and unit are in its name (``max_turns``,
    ``sample_token_limit``, ...)."""

    type: Literal["limit"] = "limit"
    name: str
    limit: float
    value: float


class EpisodeFinished(Event):
    """The episode is over. metrics: turns, tool_calls, tool_errors, path_refusals, edits, nudges,
    malformed_calls, truncated_turns, lint_calls, peak_context, per_tool; prompt_too_long where
    already the first request was."""

    type: Literal["episode_finished"] = "episode_finished"
    stop_reason: StopReason
    detail: str = ""
    metrics: dict[str, Any] = {}


class Fault(Event):
    """An infrastructure or internal error met on the way."""

    type: Literal["fault"] = "fault"
    error: ErrorInfo
    fatal: bool = True


class AttemptFinished(Event):
    """Last event of a transcript."""

    type: Literal["attempt_finished"] = "attempt_finished"
    verdict: Verdict
    stop_reason: StopReason
