"""A box for tests of the loop: the real tools on a temporary folder, in this process.

It contains nothing, so only tests use it, with scripts that are our own.
"""

from __future__ import annotations

import asyncio
import io
import tarfile
from pathlib import Path

from harness.errors import SandboxLost
from harness.sandbox.protocol import Attestation, ChildReport, ChildSpec, FileDelta, ToolReply
from tools.dispatch import ToolHost


class LocalBox:
    """``Box`` without containment. ``lose_after``: the box is gone after so many calls."""

    def __init__(
        self, root: Path, *, protocol: str = "proctor-1", lose_after: int | None = None
    ) -> None:
        self.root = root
        self.calls = 0
        self.pause_s = 0.0
        self._lose_after = lose_after
        self._host = ToolHost(str(root), protocol, lint_command=None)
        self._closed = False

    @classmethod
    def with_files(cls, root: Path, files: dict[str, str], **options: object) -> LocalBox:
        """A box on ``files`` (path -> text) below ``root``."""
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        return cls(root, **options)  # type: ignore[arg-type]

    @property
    def attestation(self) -> Attestation:
        raise SandboxLost("a local box attests nothing")

    @property
    def box_id(self) -> str:
        return "local"

    async def put_tree(self, folder: str, archive: bytes) -> None:
        with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
            tar.extractall(self.root, filter="data")

    async def call_tool(self, name: str, arguments: object, *, timeout_s: float) -> ToolReply:
        if self._closed or (self._lose_after is not None and self.calls >= self._lose_after):
            raise SandboxLost("the box no longer answers")
        self.calls += 1
        await asyncio.sleep(self.pause_s)
        outcome = self._host.call(name, arguments)
        return ToolReply(
            text=outcome.text,
            is_error=outcome.is_error,
            path_refused=outcome.path_refused,
            finished=outcome.finished,
            internal=outcome.internal,
            delta=[
                FileDelta(c.path, c.before, c.after, c.mode_before, c.mode_after, c.content)
                for c in outcome.delta
            ],
            lint_findings=outcome.lint_findings,
            elapsed_s=0.0,
        )

    async def run(self, child: ChildSpec) -> ChildReport:
        raise SandboxLost("a local box runs no programs")

    async def snapshot(self, folder: str = "work") -> bytes:
        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode="w") as tar:
            tar.add(self.root, arcname=".")
        return buffer.getvalue()

    async def death(self) -> str:
        return "closed"

    async def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._host.close()
