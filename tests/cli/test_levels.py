"""Proofs side by side: their order, their words, and what an error ends."""

from __future__ import annotations

import asyncio

import pytest

from harness.cli import levels
from harness.cli.levels import Say, duration, prove_level
from harness.errors import ConfigError, SandboxError


async def test_items_keep_their_order_and_problems_are_theirs() -> None:
    said: list[str] = []

    async def prove(item: int, step: Say) -> int:
        step("adding")
        await asyncio.sleep(0.01 * (4 - item))
        if item == 2:
            raise ConfigError("two is odd")
        return item * 10

    ends = await prove_level("core", [1, 2, 3], str, prove, width=3, say=said.append)
    assert [end.item for end in ends] == [1, 2, 3]
    assert [end.result for end in ends] == [10, None, 30]
    assert [end.problem for end in ends] == [None, "two is odd", None]
    assert [line.split(":")[0] for line in said] == ["core 1/3  3", "core 2/3  2", "core 3/3  1"]
    assert "FAILED" in said[1] and "left" in said[0] and "left" not in said[2]


async def test_what_is_at_work_is_said_when_all_is_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "QUIET_S", 0.01)
    said: list[str] = []
    heard = asyncio.Event()

    def say(text: str) -> None:
        said.append(text)
        heard.set()

    async def prove(item: str, step: Say) -> None:
        step("exploits")
        await heard.wait()

    await prove_level("full", ["shop"], str, prove, width=1, say=say)
    assert said[0] == "full 0/1  at work: shop: exploits"


async def test_a_lost_box_ends_the_others_before_it_is_told() -> None:
    ended = []

    async def prove(item: int, step: Say) -> None:
        if item == 1:
            raise SandboxError("no box")
        try:
            await asyncio.sleep(3600)
        finally:
            ended.append(item)

    with pytest.raises(SandboxError, match="no box"):
        await prove_level("core", [0, 1], str, prove, width=2, say=lambda text: None)
    assert ended == [0]


def test_durations_are_as_exact_as_a_guess() -> None:
    assert [duration(s) for s in (4.4, 89, 91, 600)] == ["4 s", "89 s", "2 min", "10 min"]
