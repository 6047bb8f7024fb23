"""The cap on boxes holds, and never blocks a sample that already has one."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from harness.errors import SandboxError
from harness.execution.boxes import BoxCap
from harness.sandbox.protocol import BoxSpec, Provider


class CountingBox:
    """Stands for a box: only the number open at once matters here, not what runs inside."""

    def __init__(self, owner: CountingProvider) -> None:
        self.owner = owner
        self.box_id = "box"

    async def close(self) -> None:
        self.owner.open_now -= 1


class CountingProvider:
    name = "docker"

    def __init__(self) -> None:
        self.open_now = self.most = 0
        self.fail = False

    async def open(self, spec: BoxSpec) -> CountingBox:
        if self.fail:
            raise SandboxError("no room")
        self.open_now += 1
        self.most = max(self.most, self.open_now)
        return CountingBox(self)


def spec(purpose: Any = "episode") -> BoxSpec:
    return BoxSpec(run_id="r", sample="s", purpose=purpose)


async def test_no_more_samples_than_the_cap_have_boxes() -> None:
    inner, cap = CountingProvider(), BoxCap(2)

    async def sample() -> None:
        provider = cap.provider(cast(Provider, inner))
        box = await provider.open(spec())
        assert box.box_id == "box"
        await asyncio.sleep(0.01)
        await box.close()

    await asyncio.gather(*(sample() for _ in range(10)))
    assert inner.most == 2
    assert inner.open_now == 0


async def test_a_sample_with_a_box_opens_a_second_at_once_even_at_the_cap() -> None:
    inner, cap = CountingProvider(), BoxCap(1)
    provider = cap.provider(cast(Provider, inner))
    first = await provider.open(spec())
    second = await asyncio.wait_for(provider.open(spec("control")), 5)
    other = cap.provider(cast(Provider, inner))
    waiting = asyncio.create_task(other.open(spec()))
    await first.close()
    await asyncio.sleep(0.02)
    assert not waiting.done()
    await second.close()
    await second.close()
    await asyncio.wait_for(waiting, 5)


async def test_a_box_that_cannot_be_opened_gives_its_place_back() -> None:
    inner, cap = CountingProvider(), BoxCap(1)
    inner.fail = True
    with pytest.raises(SandboxError):
        await cap.provider(cast(Provider, inner)).open(spec())
    inner.fail = False
    await asyncio.wait_for(cap.provider(cast(Provider, inner)).open(spec()), 5)


async def test_boxes_of_a_pool_are_the_pools_affair() -> None:
    inner, cap = CountingProvider(), BoxCap(1)
    provider = cap.provider(cast(Provider, inner))
    for _ in range(3):
        await asyncio.wait_for(provider.open(spec("pool")), 5)
    await asyncio.wait_for(cap.provider(cast(Provider, inner)).open(spec()), 5)
