"""Choosing a sandbox: the order, and a refusal that names every candidate and its remedy."""

from __future__ import annotations

import asyncio
import contextlib
import os
from pathlib import Path

import psutil
import pytest

from harness.errors import ContainmentError, UsageError
from harness.sandbox import select
from harness.sandbox.protocol import Limits, ProbeReport, Provider, Readiness
from tests.support.boxes import SMALL


@pytest.fixture
def bare_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No daemon answers, no toolchain is installed."""
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/docker.sock")
    monkeypatch.setenv("CONTAINER_HOST", f"unix://{tmp_path}/podman.sock")
    monkeypatch.setenv("PROCTOR_CACHE", str(tmp_path / "cache"))


@pytest.mark.usefixtures("bare_machine")
async def test_refusal_names_every_candidate_and_a_remedy() -> None:
    with pytest.raises(ContainmentError) as caught:
        await select.choose("auto", {"python"})
    text = str(caught.value)
    for name in select.ORDER:
        assert f"{name} is not" in text or f"{name} is image missing" in text, text
    assert "proctor doctor" in text
    assert "Traceback" not in text


@pytest.mark.usefixtures("bare_machine")
async def test_states_without_daemon_or_toolchain() -> None:
    for provider in select.providers():
        report = await provider.probe(Limits())
        await provider.close()
        assert not report.ready
        assert report.remedy, provider.name
        assert report.readiness in (
            Readiness.NOT_RUNNING, Readiness.NOT_INSTALLED, Readiness.IMAGE_MISSING,
        )  # fmt: skip


async def test_a_socket_that_nobody_serves_is_not_running(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import socket

    path = tmp_path / "d.sock"
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    monkeypatch.setenv("DOCKER_HOST", f"unix://{path}")
    provider = select.provider_named("docker")
    report = await provider.probe(SMALL)
    await provider.close()
    assert report.readiness is Readiness.NOT_RUNNING and report.remedy


@pytest.mark.parametrize("last", [b"/images/json", b"/containers/create", b"proctor.extra"])
async def test_a_daemon_that_goes_away_while_it_is_probed_is_reported(
    docker: Provider, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, last: bytes
) -> None:
    """The machine's daemon, behind a socket that closes for good at the request named."""
    real = os.environ.get("DOCKER_HOST", "unix:///var/run/docker.sock").removeprefix("unix://")
    path = tmp_path / "d.sock"
    asked: list[bytes] = []

    async def forward(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        while data := await source.read(1 << 16):
            asked.append(data)
            if last in data:
                path.unlink(missing_ok=True)
                break
            sink.write(data)
            await sink.drain()
        sink.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_unix_connection(real)
        with contextlib.suppress(OSError):
            await asyncio.gather(forward(reader, back), forward(there, writer))

    async with await asyncio.start_unix_server(serve, path):
        monkeypatch.setenv("DOCKER_HOST", f"unix://{path}")
        provider = select.provider_named("docker")
        report = await provider.probe(SMALL)
        await provider.close()
    for child in psutil.Process().children():  # its reaper would look for the daemon for minutes
        if str(path) in " ".join(child.cmdline()):
            child.kill()
            child.wait()
    assert any(last in data for data in asked)
    assert report.readiness in (Readiness.NOT_RUNNING, Readiness.UNUSABLE) and report.remedy


async def test_an_image_of_another_recipe_is_missing(
    docker: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    from harness.sandbox import toolchain

    monkeypatch.setattr(toolchain, "recipe_digest", lambda: "0" * 64)
    report = await select.provider_named("docker").probe(SMALL)
    assert report.readiness is Readiness.IMAGE_MISSING
    assert report.remedy == "proctor setup docker"


async def test_ready_provider_is_chosen_and_reports_its_toolchain(provider: Provider) -> None:
    report = await provider.probe(SMALL)
    assert report.ready and report.version
    assert select.missing(report, {"python", "typescript"}) == []
    chosen = await select.choose(provider.name, {"python"})
    await chosen.close()
    assert chosen.name == provider.name


async def test_language_without_toolchain_is_refused_by_name(provider: Provider) -> None:
    with pytest.raises(ContainmentError, match="no toolchain for cobol"):
        await select.choose(provider.name, {"python", "cobol"})


def test_toolchain_decides_languages() -> None:
    report = ProbeReport("docker", Readiness.READY, "", toolchain={"python": "3", "pytest": "9"})
    assert select.missing(report, {"typescript", "python"}) == ["typescript"]


def test_unknown_name_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="chroot"):
        select.provider_named("chroot")


async def test_a_daemon_elsewhere_is_never_replaced_by_the_one_here(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DOCKER_HOST", "tcp://127.0.0.1:9")
    provider = select.provider_named("docker")
    report = await provider.probe(Limits())
    await provider.close()
    assert not report.ready
    assert "DOCKER_HOST=tcp://127.0.0.1:9" in report.detail
    assert "unset DOCKER_HOST" in (report.remedy or "")
