"""Boxes used again and again: when a box is handed on, and when it is not."""

from __future__ import annotations

import asyncio

import pytest

from harness.errors import SandboxError, SandboxLost
from harness.sandbox.protocol import ChildSpec, Provider
from harness.sandbox.shared import SharedBoxes, shared_boxes
from tests.support import boxes


async def test_a_closed_box_is_handed_on_empty(provider: Provider) -> None:
    async with shared_boxes(provider, 1) as shared:
        first = await shared.open(boxes.spec())
        await first.put_tree("work", boxes.tree({"a.txt": "a"}))
        leave = ChildSpec(argv=("/bin/sh", "-c", "echo left > /tmp/left; sleep 60 & exit 0"))
        await first.run(leave)
        await first.close()
        second = await shared.open(boxes.spec(run_id="another"))
        assert second.box_id == first.box_id
        await second.put_tree("work", boxes.tree({"b.txt": "b"}))
        report = await second.run(ChildSpec(argv=("/bin/sh", "-c", "ls . /tmp/left")))
        assert "a.txt" not in report.stdout and "b.txt" in report.stdout
        assert "left" not in report.stdout
        await second.close()
    assert await provider.clean(run_id="shared") == []


async def test_sealed_broken_and_other_boxes_are_not_handed_on(bubblewrap: Provider) -> None:
    async with shared_boxes(bubblewrap, 2) as shared:
        sealed = await shared.open(boxes.spec())
        await sealed.put_tree("work", boxes.tree({"a.txt": "a"}))
        await sealed.snapshot()
        await sealed.close()
        broken = await shared.open(boxes.spec())
        assert broken.box_id != sealed.box_id
        with pytest.raises(SandboxError):
            await broken.put_tree("work", b"no archive")
        await broken.close()
        whole = await shared.open(boxes.spec())
        assert whole.box_id not in (sealed.box_id, broken.box_id)
        await whole.close()
        other = await shared.open(boxes.spec(language="typescript"))
        assert other.box_id != whole.box_id
        await other.close()


async def test_no_more_boxes_are_at_work_than_jobs(bubblewrap: Provider) -> None:
    async with shared_boxes(bubblewrap, 2) as shared:
        taken = [await shared.open(boxes.spec()) for _ in range(2)]
        third = asyncio.ensure_future(shared.open(boxes.spec()))
        control = await shared.inner.open(boxes.spec())
        await control.close()
        assert not third.done()
        await taken[0].close()
        box = await third
        assert box.box_id == taken[0].box_id
        await box.close()
        await taken[1].close()


async def test_a_kept_box_stays_as_it_was_left_until_something_fails(bubblewrap: Provider) -> None:
    async with shared_boxes(bubblewrap, 1) as shared:
        async with shared.kept(boxes.spec()) as kept:
            first = kept.box.box_id
            await kept.box.put_tree("work", boxes.tree({"a.txt": "a"}))
            kept.holds = frozenset({"a.txt"})
        async with shared.kept(boxes.spec()) as kept:
            assert kept.box.box_id == first and kept.holds == {"a.txt"}
        with pytest.raises(SandboxLost):
            async with shared.kept(boxes.spec()):
                raise SandboxLost("for a test")
        async with shared.kept(boxes.spec()) as kept:
            assert kept.box.box_id != first and kept.holds == frozenset()


async def test_shared_boxes_are_shared_once(bubblewrap: Provider) -> None:
    async with shared_boxes(bubblewrap, 3) as outer:
        async with shared_boxes(outer) as inner:
            assert inner is outer and isinstance(inner, SharedBoxes) and inner.jobs == 3
        box = await outer.open(boxes.spec())  # the inner end closed nothing
        await box.close()
    with pytest.raises(SandboxError, match="closed"):
        await outer.open(boxes.spec())
