"""Real boxes for tests: which runtimes are there, and trees to put into them."""

from __future__ import annotations

import io
import os
import tarfile
from collections.abc import Mapping

import pytest

from harness.sandbox.protocol import BoxSpec, Limits, MiB, ProbeReport, Provider
from harness.sandbox.select import provider_named

SMALL = Limits(
    memory=320 * MiB,
    pids=64,
    cpus=1.0,
    work_bytes=32 * MiB,
    work_inodes=2_000,
    tmp_bytes=16 * MiB,
    tmp_inodes=1_000,
    shm_bytes=16 * MiB,
    shm_inodes=200,
)

_reports: dict[str, ProbeReport] = {}


def unavailable(name: str, reason: str) -> None:
    """Skip with a reason; fail instead when PROCTOR_REQUIRE names the runtime."""
    required = os.environ.get("PROCTOR_REQUIRE", "").replace(",", " ").split()
    if name in required or "all" in required:
        pytest.fail(f"{name} is required and is not ready: {reason}")
    pytest.skip(f"{name} is not ready: {reason}")


async def require(name: str) -> Provider:
    """A ready provider, or the test is skipped (or fails, see ``unavailable``)."""
    provider = provider_named(name)
    if name not in _reports:
        _reports[name] = await provider.probe(Limits())
    report = _reports[name]
    if not report.ready:
        await provider.close()
        unavailable(name, f"{report.readiness.value}: {report.detail}")
    return provider


def spec(limits: Limits = SMALL, *, run_id: str = "test", **more: str) -> BoxSpec:
    """A box for a test."""
    return BoxSpec(run_id=run_id, sample="sample", purpose="validate", limits=limits, **more)  # type: ignore[arg-type]


def tree(files: Mapping[str, str | bytes]) -> bytes:
    """An archive of plain files."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, content in files.items():
            data = content.encode() if isinstance(content, str) else content
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(data), 0o644
            archive.addfile(member, io.BytesIO(data))
    return packed.getvalue()


def contents(archive: bytes) -> dict[str, bytes]:
    """Plain files of an archive."""
    found = {}
    with tarfile.open(fileobj=io.BytesIO(archive)) as opened:
        for member in opened:
            if member.isreg():
                file = opened.extractfile(member)
                assert file is not None
                found[member.name] = file.read()
    return found
