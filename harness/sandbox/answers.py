"""A box's answers as values: each field of the type it must have, or ValueError."""

from __future__ import annotations

import json
from typing import Any

from harness.sandbox.protocol import CandidateReport, ChildReport, FileDelta, ToolReply
from tools.caps import RESULT_CHARS
from tools.wire import shallow

_STOPS = ("wall", "cpu", "output", "memory", "disk")
# Tools clip their results; a longer one would only fill the transcript and the model's context.
_TEXT_CHARS = 2 * RESULT_CHARS
_PATH_CHARS = 8_000
_LARGEST = 2**63  # of any counter


def error_of(header: dict[str, Any]) -> tuple[str, str]:
    """Kind and message of a refusal."""
    error = header.get("error")
    if not isinstance(error, dict):
        return "unknown", "the box refused without a reason"
    return str(error.get("kind"))[:50], str(error.get("message"))[:4000]


def failed_tool(kind: str, message: str, elapsed: float) -> ToolReply:
    """The box answered, the tool did not. A time-out is the call's own fault, a death is ours."""
    return ToolReply(
        text=f"Error: {message}",
        is_error=True,
        path_refused=False,
        finished=False,
        internal=kind != "tool_timeout",
        delta=[],
        lint_findings=None,
        elapsed_s=elapsed,
    )


def tool_reply(header: dict[str, Any], data: bytes, elapsed: float) -> ToolReply:
    """A tool's answer. Raises KeyError, TypeError, ValueError."""
    delta, at = [], 0
    for item in _list(header["delta"]):
        content = None
        if item["size"] is not None:
            size = _count(item["size"])
            content = data[at : at + size]
            at += size
            if len(content) != size:
                raise ValueError("sizes of contents do not add up")
        delta.append(
            FileDelta(
                path=_text(item["path"], _PATH_CHARS),
                before=_optional_text(item["before"]),
                after=_optional_text(item["after"]),
                mode_before=_optional_count(item["mode_before"]),
                mode_after=_optional_count(item["mode_after"]),
                content=content,
            )
        )
    return ToolReply(
        text=_text(header["text"], _TEXT_CHARS),
        is_error=_flag(header["is_error"]),
        path_refused=_flag(header["path_refused"]),
        finished=_flag(header["finished"]),
        internal=_flag(header["internal"]),
        delta=delta,
        lint_findings=_optional_count(header["lint_findings"]),
        elapsed_s=elapsed,
    )


def child_report(header: dict[str, Any], data: bytes) -> ChildReport:
    """A child's report. Raises KeyError, TypeError, ValueError."""
    parts, at = {}, 0
    for name in ("stdout", "stderr", "results"):
        size = _count(header["sizes"][name])
        parts[name] = data[at : at + size]
        at += size
        if len(parts[name]) != size:
            raise ValueError("sizes of outputs do not add up")
    results, whole = _lines(parts["results"])
    return ChildReport(
        exit_code=_optional_code(header["exit_code"]),
        signal=_optional_code(header["signal"]),
        stdout=parts["stdout"].decode("utf-8", "replace"),
        stderr=parts["stderr"].decode("utf-8", "replace"),
        results=results,
        results_truncated=_flag(header["results_truncated"]) or not whole,
        **_measured(header),
        partner_exit=_optional_code(header.get("partner_exit")),
    )


def candidate_report(header: dict[str, Any], data: bytes) -> CandidateReport:
    """The report of a split judge's job. Raises KeyError, TypeError, ValueError."""
    printed = _count(header["sizes"]["stdout"])
    if printed + _count(header["sizes"]["results"]) != len(data):
        raise ValueError("sizes of outputs do not add up")
    results, whole = _lines(data[printed:])
    return CandidateReport(
        candidate_exit=_code(header["candidate_exit"]),
        judge_ended=_flag(header["judge_ended"]),
        stdout=data[:printed].decode("utf-8", "replace"),
        results=results,
        results_truncated=_flag(header["results_truncated"]) or not whole,
        **_measured(header),
    )


def _measured(header: dict[str, Any]) -> dict[str, Any]:
    """What every report says of a child's run."""
    return {
        "stopped": _stop(header["stopped"]),
        "oom_kills": _count(header["oom_kills"]),
        "pids_refused": _count(header["pids_refused"]),
        "disk_full": _flag(header["disk_full"]),
        "leftovers": _count(header["leftovers"]),
        "wall_s": _seconds(header["wall_s"]),
        "cpu_s": _seconds(header["cpu_s"]),
        "peak_memory": _optional_count(header["peak_memory"]),
    }


def _lines(data: bytes) -> tuple[list[dict[str, Any]], bool]:
    """Result lines that are shallow JSON objects, and whether all of them were."""
    results, whole = [], True
    for line in data.split(b"\n")[:-1]:
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict) and shallow(line, value):
            results.append(value)
        else:
            whole = False
    return results, whole


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError("a list that is none")
    return value


def _text(value: Any, longest: int) -> str:
    if not isinstance(value, str) or len(value) > longest:
        raise ValueError("a text that is none, or longer than any can be")
    return value


def _optional_text(value: Any) -> str | None:
    return None if value is None else _text(value, _PATH_CHARS)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError("a flag that is neither true nor false")
    return value


def _count(value: Any) -> int:
    number = _code(value)
    if number < 0:
        raise ValueError("a count below zero")
    return number


def _code(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= _LARGEST:
        raise ValueError("a number that is none, or larger than any can be")
    return value


def _optional_count(value: Any) -> int | None:
    return None if value is None else _count(value)


def _optional_code(value: Any) -> int | None:
    return None if value is None else _code(value)


def _seconds(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < _LARGEST:
        raise ValueError("a time that is no number")
    return float(value)


def _stop(value: Any) -> Any:
    if value is not None and value not in _STOPS:
        raise ValueError("unknown reason to stop")
    return value
