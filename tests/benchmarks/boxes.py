"""Boxes: a tool call, opening one, starting a child; beside mini-swe-agent and ``docker run``."""

from __future__ import annotations

import asyncio
import subprocess
import time
from collections.abc import Awaitable, Callable

from harness.sandbox.protocol import Box, BoxSpec, ChildSpec, Provider
from harness.sandbox.select import provider_named
from tests.benchmarks.figures import Figure, median, quantile
from tests.benchmarks.peers import measure
from tests.support.boxes import tree

FILES = {"app.py": "def add(a, b):\n    return a + b\n" * 10}
_CALLS, _OPENINGS, _CHILDREN = 500, 7, 60

# As a model's command there reads a file; the environment is the one that mini-swe-agent runs in.
MINI = """
import json, sys, time
from minisweagent.environments.docker import DockerEnvironment
environment = DockerEnvironment(image=sys.argv[1], cwd="/")
def run():
    try:
        return environment.execute({"command": "cat /etc/hostname"})
    except (TypeError, AttributeError):
        return environment.execute("cat /etc/hostname")
run()
seconds = []
for _ in range(30):
    started = time.perf_counter()
    run()
    seconds.append(time.perf_counter() - started)
environment.cleanup()
print(json.dumps(sorted(seconds)))
"""


def figures() -> list[Figure]:
    return asyncio.run(_docker()) + asyncio.run(_bubblewrap())


async def _ready(name: str) -> Provider | None:
    provider = provider_named(name)
    if (await provider.probe(BoxSpec("", "", "probe").limits)).ready:
        return provider
    await provider.close()
    return None


async def _times(work: Callable[[], Awaitable[object]], number: int) -> list[float]:
    seconds = []
    for turn in range(number + number // 10 + 1):
        started = time.perf_counter()
        await work()
        if turn > number // 10:
            seconds.append(time.perf_counter() - started)
    return seconds


async def _opening(provider: Provider) -> list[float]:
    seconds = []
    for turn in range(_OPENINGS + 1):
        started = time.perf_counter()
        box = await provider.open(BoxSpec("benchmark", "open", "probe"))
        if turn:
            seconds.append(time.perf_counter() - started)
        await box.close()
    return seconds


async def _in_box(box: Box) -> tuple[list[float], list[float], list[float]]:
    """Seconds of tool calls, of cold children and of warm ones."""
    await box.put_tree("work", tree(FILES))
    read = lambda: box.call_tool("read_file", {"path": "app.py"}, timeout_s=10)  # noqa: E731
    calls = await _times(read, _CALLS)
    cold = await _times(lambda: box.run(ChildSpec(argv=("true",))), _CHILDREN)
    warm = await _times(lambda: box.run(ChildSpec(program="run_alive", warm=True)), _CHILDREN)
    return calls, cold, warm


async def _measured(provider: Provider) -> tuple[list[float], ...]:
    openings = await _opening(provider)
    box = await provider.open(BoxSpec("benchmark", "calls", "probe"))
    try:
        return openings, *(await _in_box(box))
    finally:
        await box.close()
        await provider.close()


async def _docker() -> list[Figure]:
    provider = await _ready("docker")
    if provider is None:
        return []
    box = await provider.open(BoxSpec("benchmark", "image", "probe"))
    image = box.attestation.image_digest
    await box.close()
    bare = [_bare_run(image) for _ in range(_OPENINGS)]
    openings, calls, cold, warm = await _measured(provider)
    mini = measure(MINI, image)
    ours = median(calls) * 1e3
    ratio = median(openings) / median(bare)
    peers = [None, None] if mini is None else [median(mini) * 1e3, quantile(mini, 0.99) * 1e3]
    return [
        Figure("tool call in Docker, p50", ours, "ms", peers[0], "mini", "0.3 ms", ours <= 0.3),
        Figure("tool call in Docker, p99", quantile(calls, 0.99) * 1e3, "ms", peers[1], "mini"),
        Figure(
            "box open to first reply, Docker", median(openings), "s", median(bare),
            "docker run --rm IMAGE true", "1.2 times", ratio <= 1.2,
        ),
        Figure("child start to end, Docker", median(cold) * 1e3, "ms"),
        Figure("warm child, Docker", median(warm) * 1e3, "ms", None, "", "3 ms",
               median(warm) <= 0.003),
    ]  # fmt: skip


def _bare_run(image: str) -> float:
    started = time.perf_counter()
    command = ["docker", "run", "--rm", "--network", "none", image, "true"]
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - started


async def _bubblewrap() -> list[Figure]:
    provider = await _ready("bubblewrap")
    if provider is None:
        return []
    openings, calls, cold, warm = await _measured(provider)
    opening = median(openings)
    return [
        Figure("tool call in bubblewrap, p50", median(calls) * 1e3, "ms"),
        Figure("tool call in bubblewrap, p99", quantile(calls, 0.99) * 1e3, "ms"),
        Figure("box open, bubblewrap", opening, "s", None, "", "0.05 s", opening <= 0.05),
        Figure("child start to end, bubblewrap", median(cold) * 1e3, "ms"),
        Figure("warm child, bubblewrap", median(warm) * 1e3, "ms", None, "", "3 ms",
               median(warm) <= 0.003),
    ]  # fmt: skip
