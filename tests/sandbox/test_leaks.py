"""However its runner dies, no box outlives it; what is not ours is left alone."""

from __future__ import annotations

import asyncio
import gc
import os
import secrets
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import psutil
import pytest

from harness.errors import SandboxError
from harness.sandbox import bootstrap, docker_box, owner
from harness.sandbox.protocol import ChildSpec, Provider
from tests.support.boxes import SMALL, spec

ROOT = Path(__file__).resolve().parents[2]
GONE_S = 30.0


async def eventually(holds: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + GONE_S
    while not await asyncio.to_thread(holds):
        assert time.monotonic() < deadline, f"not within {GONE_S:g} s: {what}"
        await asyncio.sleep(0.05)


def boxes_of(provider: Provider, run_id: str) -> list[str]:
    if provider.name == "bubblewrap":
        found = []
        for process in psutil.process_iter(["pid", "cmdline"]):
            if any(f";{run_id};" in text for text in process.info["cmdline"] or []):
                found.append(str(process.info["pid"]))
        return found
    filters = {"label": f"{owner.LABEL_RUN}={run_id}"}
    client = provider._client  # type: ignore[attr-defined]
    return [item["Id"] for item in client.containers(all=True, filters=filters)]


class Runner:
    def __init__(self, provider: Provider, process: asyncio.subprocess.Process, run: str) -> None:
        self.provider = provider
        self.process = process
        self.run = run

    def boxes(self) -> list[str]:
        return boxes_of(self.provider, self.run)


async def start(provider: Provider, what: str) -> Runner:
    run = f"leak-{secrets.token_hex(4)}"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-m", "tests.support.box_runner", provider.name, what, run,
        stdout=asyncio.subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(ROOT)}, cwd=ROOT,
    )  # fmt: skip
    assert process.stdout is not None
    line = await asyncio.wait_for(process.stdout.readline(), 60)
    assert line == b"ready\n"
    return Runner(provider, process, run)


@pytest.fixture
async def runner(provider: Provider, request: pytest.FixtureRequest) -> AsyncIterator[Runner]:
    started = await start(provider, request.param)
    yield started
    if started.process.returncode is None:
        started.process.kill()
        await started.process.wait()


@pytest.mark.parametrize("runner", ["idle", "child"], indirect=True)
async def test_killed_runner_leaves_no_box(runner: Runner) -> None:
    assert runner.boxes()
    runner.process.send_signal(signal.SIGKILL)
    await eventually(lambda: not runner.boxes(), "boxes gone")


async def test_death_between_create_and_start_leaves_no_container(docker: Provider) -> None:
    runner = await start(docker, "created")
    assert len(runner.boxes()) == 1
    runner.process.kill()
    await runner.process.wait()
    await eventually(lambda: not runner.boxes(), "container gone")


@pytest.mark.parametrize("runner", ["beats"], indirect=True)
async def test_stopped_runner_loses_its_boxes_after_the_heartbeat(runner: Runner) -> None:
    await asyncio.sleep(4.0)  # longer than the heartbeat: a runner that lives keeps its box
    assert runner.boxes()
    runner.process.send_signal(signal.SIGSTOP)
    if runner.provider.name != "bubblewrap":
        await eventually(lambda: not runner.boxes(), "container gone")
        return

    def alive() -> list[str]:  # the outermost process is its stopped parent's to collect
        return [p for p in runner.boxes() if psutil.Process(int(p)).status() != "zombie"]

    await eventually(lambda: not alive(), "processes ended")


async def test_a_box_whose_runner_stands_still_before_hello_ends() -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", bootstrap.source(hello_s=1),
        stdin=asyncio.subprocess.PIPE,  # stays open, as a stopped runner's does, and brings nothing
    )  # fmt: skip
    try:
        assert await asyncio.wait_for(process.wait(), GONE_S) == 4
    finally:
        if process.returncode is None:
            process.kill()


async def test_lifetime_ends_a_box_that_is_in_use(provider: Provider) -> None:
    run = f"leak-{secrets.token_hex(4)}"
    limits = SMALL.model_copy(update={"lifetime_s": 1.0})
    box = await provider.open(spec(limits, run_id=run))
    try:
        with pytest.raises(Exception, match="lost"):
            await box.run(ChildSpec(argv=("sleep", "60")))
        await eventually(lambda: not boxes_of(provider, run), "box gone")
    finally:
        await box.close()


async def test_closing_proves_that_the_box_is_gone(provider: Provider) -> None:
    run = f"leak-{secrets.token_hex(4)}"
    box = await provider.open(spec(run_id=run))
    assert boxes_of(provider, run)
    await box.close()
    assert not boxes_of(provider, run)


async def test_cancelled_opening_leaves_nothing(provider: Provider) -> None:
    run = f"leak-{secrets.token_hex(4)}"
    for delay in (0.0, 0.02, 0.05, 0.1, 0.2):
        opening = asyncio.create_task(provider.open(spec(run_id=run)))
        await asyncio.sleep(delay)
        opening.cancel()
        try:
            box = await opening
        except asyncio.CancelledError:
            continue
        await box.close()
    await eventually(lambda: not boxes_of(provider, run), "boxes gone")


async def test_a_removal_that_fails_behind_a_cancellation_prints_no_traceback(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def removal() -> None:
        await asyncio.sleep(0.05)
        raise SandboxError("the daemon went away")

    task = asyncio.create_task(docker_box.whole(removal()))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    del task
    gc.collect()
    await asyncio.sleep(0)
    assert "never retrieved" not in caplog.text


async def test_box_killed_from_outside_is_lost_and_says_so(docker: Provider) -> None:
    run = f"leak-{secrets.token_hex(4)}"
    box = await docker.open(spec(run_id=run))
    running = asyncio.create_task(box.run(ChildSpec(argv=("sleep", "60"))))
    await asyncio.sleep(0.2)
    client = docker._client  # type: ignore[attr-defined]
    await asyncio.to_thread(client.kill, boxes_of(docker, run)[0])
    with pytest.raises(Exception, match="lost"):
        await running
    assert "stream ended" in await box.death()
    await box.close()


async def test_sigterm_is_answered(docker: Provider) -> None:
    run = f"leak-{secrets.token_hex(4)}"
    box = await docker.open(spec(run_id=run))
    client = docker._client  # type: ignore[attr-defined]
    ident = boxes_of(docker, run)[0]
    waiting = asyncio.create_task(asyncio.to_thread(client.wait, ident))
    await asyncio.sleep(0.2)
    await asyncio.to_thread(client.stop, ident, timeout=60)
    assert (await waiting)["StatusCode"] == 0  # 137: it had to be killed
    await box.close()


async def test_clean_removes_the_ownerless_and_nothing_else(docker: Provider) -> None:
    client = docker._client  # type: ignore[attr-defined]
    await docker.probe(SMALL)
    image = docker._image.digest  # type: ignore[attr-defined]
    run = f"leak-{secrets.token_hex(4)}"
    gone = owner.Owner(owner.this_host(), 2**22 + 1, "1.00")
    elsewhere = owner.Owner("another-host", 2**22 + 1, "1.00")

    def create(labels: dict[str, str]) -> str:
        return str(client.create_container(image, ["true"], labels=labels)["Id"])

    ours = {owner.LABEL_RUN: run}
    kept = {
        "foreign": create({}),
        "another host's": create({**ours, owner.LABEL_OWNER: str(elsewhere)}),
        "a live owner's": create({**ours, owner.LABEL_OWNER: str(owner.me())}),
        "unreadable": create({**ours, owner.LABEL_OWNER: "nonsense"}),
    }
    dead = create({**ours, owner.LABEL_OWNER: str(gone)})
    try:
        removed = await docker.clean()
        assert len(removed) >= 1
        left = [item["Id"] for item in client.containers(all=True)]
        assert dead not in left
        assert set(kept.values()) <= set(left)
        await docker.clean(run_id=run)
        left = [item["Id"] for item in client.containers(all=True)]
        assert kept.pop("a live owner's") not in left
        assert set(kept.values()) <= set(left)
    finally:
        for ident in kept.values():
            client.remove_container(ident, force=True)


async def test_clean_of_bubblewrap_spares_the_boxes_of_the_living(bubblewrap: Provider) -> None:
    run = f"leak-{secrets.token_hex(4)}"
    box = await bubblewrap.open(spec(run_id=run))
    try:
        await bubblewrap.clean()
        assert (await box.run(ChildSpec(argv=("true",)))).exit_code == 0
        assert box.box_id in await bubblewrap.clean(run_id=run)
        assert not boxes_of(bubblewrap, run)
    finally:
        await box.close()
