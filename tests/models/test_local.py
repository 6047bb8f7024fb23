"""The local model: really served, really asked, and gone with the process that started it."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from harness.errors import UsageError
from harness.models import local
from harness.models.registry import ModelRequest, build_model, plan_model
from harness.plan import EpisodeLimits, Launch, Sampling
from tests.models.turns import PROMPT, one_turn

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def local_model() -> None:
    if lacking := local.missing():
        reason = f"the local model is not set up: {', '.join(lacking)}"
        if "local" in os.environ.get("PROCTOR_REQUIRE", "").split(","):
            pytest.fail(reason)
        pytest.skip(reason)


@pytest.mark.usefixtures("local_model")
async def test_it_is_planned_and_answers() -> None:
    sampling = Sampling(temperature=0.0, max_tokens=8, seed=1)
    plan, (endpoint,) = await plan_model(
        ModelRequest(name="local", sampling=sampling, tool_protocol="auto")
    )
    assert (plan.kind, plan.tool_protocol, endpoint.slots) == ("local", "text", local.SLOTS)
    assert plan.identity.context == local.CONTEXT and plan.identity.ftype == "Q4_1"
    model = build_model(plan, Launch(endpoints=(endpoint,)), EpisodeLimits())
    try:
        (one, _), (two, _) = await asyncio.gather(
            one_turn(model, tools=[], key="a"), one_turn(model, tools=[], key="b")
        )
    finally:
        await model.close()
    assert one.usage.completion and one.usage.completion <= 8 and two.usage.prompt
    assert "timings" in one.server


@pytest.mark.usefixtures("local_model")
async def test_the_real_server_says_overflow_and_full_as_expected() -> None:
    from harness.models.protocol import Message, ModelError

    plan, launches = await plan_model(ModelRequest(name="local", tools=False))
    model = build_model(plan, Launch(endpoints=tuple(launches)), EpisodeLimits())
    try:
        long = [*PROMPT, Message(role="user", content="word " * 9000)]
        with pytest.raises(ModelError) as caught:
            await one_turn(model, tools=[], messages=long)
        assert caught.value.reason == "context_limit"
    finally:
        await model.close()


@pytest.mark.usefixtures("local_model")
def test_the_server_dies_with_its_starter() -> None:
    code = (
        "import asyncio, time\n"
        "from harness.models.local import LocalServer\n"
        "async def main():\n"
        "    server = await LocalServer.start()\n"
        "    print(server._process.pid, flush=True)\n"
        "    await asyncio.sleep(60)\n"
        "asyncio.run(main())\n"
    )
    starter = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    assert starter.stdout is not None
    child = psutil.Process(int(starter.stdout.readline()))
    starter.send_signal(signal.SIGKILL)
    starter.wait()
    deadline = time.monotonic() + 20
    while child.is_running() and child.status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < deadline, "the server outlived the process that started it"
        time.sleep(0.05)


async def test_without_setup_the_remedy_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(UsageError, match="proctor setup local"):
        await plan_model(ModelRequest(name="local"))
