"""A box as seen from the harness: the verbs of protocol.Box over a channel."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from pathlib import PurePosixPath
from typing import Any

from harness.errors import SandboxError, SandboxLost
from harness.sandbox.channel import Channel
from harness.sandbox.protocol import (
    Attestation,
    BoxSpec,
    CandidateReport,
    CandidateSpec,
    ChildReport,
    ChildSpec,
    FileDelta,
    ToolReply,
)
from tools.box import layout
from tools.wire import PAYLOAD_LIMIT

GRACE_S = 20.0  # of the outer clock over the inner one
TREE_S = 180.0
HELLO_S = 60.0
_DELTA_LIMIT = 32 * 1024 * 1024
_STOPS = ("wall", "cpu", "output", "memory", "disk")


class RemoteBox:
    """An open box. ``remove`` ends it and proves it; ``explain`` says why it ended."""

    def __init__(
        self,
        box_id: str,
        spec: BoxSpec,
        channel: Channel,
        *,
        remove: Callable[[], Awaitable[None]],
        explain: Callable[[], Awaitable[str]],
    ) -> None:
        self._id = box_id
        self.spec = spec
        self.channel = channel
        self._remove = remove
        self._explain = explain
        self._attestation: Attestation | None = None
        self._closed = False

    @property
    def box_id(self) -> str:
        """Name of the box at its provider."""
        return self._id

    @property
    def attestation(self) -> Attestation:
        """What the box was seen to be when it was opened."""
        assert self._attestation is not None  # set before the provider hands the box out
        return self._attestation

    def attest(self, attestation: Attestation) -> None:
        """Set once by the provider."""
        self._attestation = attestation

    async def hello(self, fields: dict[str, Any]) -> dict[str, Any]:
        """First frame; returns the box's facts. Raises SandboxError."""
        header, _ = await self._ask("hello", fields, timeout_s=HELLO_S)
        facts = header.get("facts")
        if not isinstance(facts, dict):
            raise SandboxError("the box told no facts about itself", where=self._id)
        self.channel.start_beats(self.spec.limits.heartbeat_s)
        return facts

    async def _ask(
        self,
        op: str,
        fields: dict[str, Any] | None = None,
        payload: bytes = b"",
        *,
        timeout_s: float,
        payload_limit: int = 0,
    ) -> tuple[dict[str, Any], bytes]:
        header, data = await self.channel.request(
            op, fields, payload, timeout_s=timeout_s, payload_limit=payload_limit
        )
        if header["ok"]:
            return header, data
        kind, message = _error(header)
        raise SandboxError(f"{op}: {message}", where=f"box {self._id[:12]} ({kind})")

    async def ping(self) -> None:
        """One round trip."""
        await self._ask("ping", timeout_s=GRACE_S)

    async def put_tree(self, folder: str, archive: bytes) -> None:
        """See protocol.Box."""
        fields = {"folder": _inside(folder)}
        await self._ask("put_tree", fields, archive, timeout_s=TREE_S)

    async def call_tool(self, name: str, arguments: object, *, timeout_s: float) -> ToolReply:
        """See protocol.Box."""
        started = time.monotonic()
        fields = {"name": name, "arguments": arguments, "timeout_s": timeout_s}
        header, data = await self.channel.request(
            "tool", fields, timeout_s=timeout_s + GRACE_S, payload_limit=_DELTA_LIMIT
        )
        elapsed = time.monotonic() - started
        if not header["ok"]:
            return _failed_tool(*_error(header), elapsed)
        try:
            return _tool_reply(header, data, elapsed)
        except (KeyError, TypeError, ValueError) as error:
            raise SandboxLost(f"a tool's answer is malformed: {error}") from None

    async def run(self, child: ChildSpec) -> ChildReport:
        """See protocol.Box."""
        fields = asdict(child)
        fields.pop("stdin")
        if child.partner is not None:
            fields["partner"].pop("stdin")
        limit = 2 * (child.output_bytes + 1024) + child.results_bytes
        if child.partner is not None:
            limit += child.partner.output_bytes
        header, data = await self._ask(
            "run",
            fields,
            child.stdin,
            timeout_s=child.wall_s + GRACE_S,
            payload_limit=min(limit, PAYLOAD_LIMIT),
        )
        try:
            return _report(header, data)
        except (KeyError, TypeError, ValueError) as error:
            raise SandboxLost(f"a child's report is malformed: {error}") from None

    async def candidate(self, spec: CandidateSpec) -> CandidateReport:
        """See protocol.Box."""
        fields = asdict(spec)
        job = json.dumps(fields.pop("job")).encode()
        header, data = await self._ask(
            "candidate",
            fields,
            job,
            timeout_s=spec.wall_s + GRACE_S,
            payload_limit=spec.output_bytes + 1024 + spec.results_bytes,
        )
        try:
            return candidate_report(header, data)
        except (KeyError, TypeError, ValueError) as error:
            raise SandboxLost(f"a candidate's report is malformed: {error}") from None

    async def reset(self) -> None:
        """See protocol.Box."""
        await self._ask("reset", timeout_s=TREE_S)

    async def snapshot(self, folder: str = "work") -> bytes:
        """See protocol.Box."""
        fields = {"folder": _inside(folder)}
        _, data = await self._ask("snapshot", fields, timeout_s=TREE_S, payload_limit=PAYLOAD_LIMIT)
        return data

    async def death(self) -> str:
        """See protocol.Box."""
        parts = [self.channel.lost or "it still answers", await self._explain()]
        if self.channel.stderr:
            parts.append(f"its server said: {self.channel.stderr[-500:]}")
        return "; ".join(part for part in parts if part)

    async def close(self) -> None:
        """See protocol.Box."""
        if self._closed:
            return
        self._closed = True
        try:
            await self.channel.close()
        finally:
            await self._remove()


def _inside(folder: str) -> str:
    path = PurePosixPath(folder)
    if path.is_absolute() or ".." in path.parts or not path.parts:
        raise ValueError(f"a box's folder is relative and stays inside: {folder!r}")
    return f"{layout.TREES}/{path}"


def _error(header: dict[str, Any]) -> tuple[str, str]:
    error = header.get("error")
    if not isinstance(error, dict):
        return "unknown", "the box refused without a reason"
    return str(error.get("kind"))[:50], str(error.get("message"))[:4000]


def _failed_tool(kind: str, message: str, elapsed: float) -> ToolReply:
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


def _optional_int(value: Any) -> int | None:
    return None if value is None else int(value)


def _seconds(value: Any) -> float:
    seconds = float(value)
    if not math.isfinite(seconds):
        raise ValueError("a time that is no number")
    return seconds


def _optional_str(value: Any) -> str | None:
    return None if value is None else str(value)


def _tool_reply(header: dict[str, Any], data: bytes, elapsed: float) -> ToolReply:
    delta, at = [], 0
    for item in header["delta"]:
        content = None
        if item["size"] is not None:
            size = int(item["size"])
            content = data[at : at + size]
            at += size
            if size < 0 or len(content) != size:
                raise ValueError("sizes of contents do not add up")
        delta.append(
            FileDelta(
                path=str(item["path"]),
                before=_optional_str(item["before"]),
                after=_optional_str(item["after"]),
                mode_before=_optional_int(item["mode_before"]),
                mode_after=_optional_int(item["mode_after"]),
                content=content,
            )
        )
    return ToolReply(
        text=str(header["text"]),
        is_error=bool(header["is_error"]),
        path_refused=bool(header["path_refused"]),
        finished=bool(header["finished"]),
        internal=bool(header["internal"]),
        delta=delta,
        lint_findings=_optional_int(header["lint_findings"]),
        elapsed_s=elapsed,
    )


def _report(header: dict[str, Any], data: bytes) -> ChildReport:
    parts, at = {}, 0
    for name in ("stdout", "stderr", "results"):
        size = int(header["sizes"][name])
        parts[name] = data[at : at + size]
        at += size
        if size < 0 or len(parts[name]) != size:
            raise ValueError("sizes of outputs do not add up")
    stopped = header["stopped"]
    if stopped is not None and stopped not in _STOPS:
        raise ValueError("unknown reason to stop")
    results, whole = _lines(parts["results"])
    return ChildReport(
        exit_code=_optional_int(header["exit_code"]),
        signal=_optional_int(header["signal"]),
        stopped=stopped,
        oom_kills=int(header["oom_kills"]),
        pids_refused=int(header["pids_refused"]),
        disk_full=bool(header["disk_full"]),
        stdout=parts["stdout"].decode("utf-8", "replace"),
        stderr=parts["stderr"].decode("utf-8", "replace"),
        results=results,
        results_truncated=bool(header["results_truncated"]) or not whole,
        leftovers=int(header["leftovers"]),
        wall_s=_seconds(header["wall_s"]),
        cpu_s=_seconds(header["cpu_s"]),
        peak_memory=_optional_int(header["peak_memory"]),
        partner_exit=_optional_int(header.get("partner_exit")),
    )


def candidate_report(header: dict[str, Any], data: bytes) -> CandidateReport:
    """The report of a split judge's job. Raises KeyError, TypeError, ValueError."""
    printed = int(header["sizes"]["stdout"])
    if printed < 0 or printed + int(header["sizes"]["results"]) != len(data):
        raise ValueError("sizes of outputs do not add up")
    stopped = header["stopped"]
    if stopped is not None and stopped not in _STOPS:
        raise ValueError("unknown reason to stop")
    results, whole = _lines(data[printed:])
    return CandidateReport(
        stopped=stopped,
        candidate_exit=int(header["candidate_exit"]),
        judge_ended=bool(header["judge_ended"]),
        oom_kills=int(header["oom_kills"]),
        pids_refused=int(header["pids_refused"]),
        disk_full=bool(header["disk_full"]),
        stdout=data[:printed].decode("utf-8", "replace"),
        results=results,
        results_truncated=bool(header["results_truncated"]) or not whole,
        leftovers=int(header["leftovers"]),
        wall_s=float(header["wall_s"]),
        cpu_s=float(header["cpu_s"]),
        peak_memory=_optional_int(header["peak_memory"]),
    )


def _lines(data: bytes) -> tuple[list[dict[str, Any]], bool]:
    """Result lines that are JSON objects, and whether all of them were."""
    results, whole = [], True
    for line in data.split(b"\n")[:-1]:
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict):
            results.append(value)
        else:
            whole = False
    return results, whole
