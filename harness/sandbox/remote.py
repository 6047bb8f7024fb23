"""A box as seen from the harness: the verbs of protocol.Box over a channel."""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict, replace
from pathlib import PurePosixPath
from typing import Any

from harness.errors import SandboxError, SandboxLost
from harness.sandbox.answers import (
    candidate_report,
    child_report,
    error_of,
    failed_tool,
    tool_reply,
)
from harness.sandbox.channel import Channel
from harness.sandbox.protocol import (
    Attestation,
    BoxSpec,
    CandidateReport,
    CandidateSpec,
    ChildReport,
    ChildSpec,
    ToolReply,
)
from tools.box import layout
from tools.wire import PAYLOAD_LIMIT

GRACE_S = 20.0  # of the outer clock over the inner one
TREE_S = 180.0
HELLO_S = 60.0
_DELTA_LIMIT = 32 * 1024 * 1024
_MALFORMED = (KeyError, TypeError, ValueError)


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
        kind, message = error_of(header)
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
            return failed_tool(*error_of(header), elapsed)
        try:
            return tool_reply(header, data, elapsed)
        except _MALFORMED as error:
            raise SandboxLost(f"a tool's answer is malformed: {str(error)[:200]}") from None

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
            return child_report(header, data)
        except _MALFORMED as error:
            raise SandboxLost(f"a child's report is malformed: {str(error)[:200]}") from None

    async def candidate(self, spec: CandidateSpec) -> CandidateReport:
        """See protocol.Box."""
        fields = asdict(replace(spec, job={}))  # not a deep copy of the job
        fields.pop("job")
        job = json.dumps(spec.job).encode()
        header, data = await self._ask(
            "candidate",
            fields,
            job,
            timeout_s=spec.wall_s + GRACE_S,
            payload_limit=spec.output_bytes + 1024 + spec.results_bytes,
        )
        try:
            return candidate_report(header, data)
        except _MALFORMED as error:
            raise SandboxLost(f"a candidate's report is malformed: {str(error)[:200]}") from None

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
