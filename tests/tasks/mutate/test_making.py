"""The whole way from a repository to fresh tasks, in bubblewrap."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from harness.errors import ConfigError, UsageError
from harness.sandbox.protocol import Provider
from harness.sandbox.shared import shared_boxes
from harness.tasks.evidence import is_fresh
from harness.tasks.mutate.making import Tally, Wanted, make_tasks
from harness.tasks.mutate.outcome import OutcomeCache
from harness.tasks.mutate.repo import load_ground
from harness.tasks.patch import parse_patch
from harness.tasks.repository import load_tasks
from tests.support.grading import LIMITS
from tests.tasks.mutate.tiny import write_till


async def make(
    provider: Provider,
    source: Path,
    root: Path,
    count: int,
    *,
    jobs: int = 2,
    level: int | None = None,
) -> Tally:
    known = OutcomeCache(source.parent / "tried.jsonl")
    async with shared_boxes(provider, jobs) as boxes:
        wanted = Wanted(7, count, root, level)
        return await make_tasks(load_ground(source), wanted, boxes, known, limits=LIMITS)


def files(root: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()
    }


async def test_fresh_tasks_are_ordinary_ones_and_the_same_each_time(
    bubblewrap: Provider, tmp_path: Path
) -> None:
    source = write_till(tmp_path)
    tally = await make(bubblewrap, source, tmp_path / "a", 3)
    tasks = load_tasks([tmp_path / "a"])
    assert {task.id: task.digest for task in tasks.values()} == tally.tasks
    assert len(tasks) == 3 and all(is_fresh(task) for task in tasks.values())
    assert tally.tried == tally.kept + sum(tally.against.values()) <= tally.places
    for task in tasks.values():
        assert task.evidence is not None and task.id.startswith("till-fresh-7-")
        assert 1 <= len(task.evidence.core.fail_to_pass) <= 8 * task.spec.defects
        assert task.spec.category == "logic" and len(task.defect_groups) == task.spec.defects
        patch = (task.root / "start.patch").read_text()
        for changed in parse_patch(patch, "start.patch"):
            assert changed.path not in task.spec.instruction
        assert "test_" not in task.spec.instruction

    # Made again where it lies, it stays.
    evidence = next(iter(tasks.values())).root / "evidence.json"
    before = evidence.stat().st_mtime_ns
    assert (await make(bubblewrap, source, tmp_path / "a", 3)).tasks == tally.tasks
    assert evidence.stat().st_mtime_ns == before

    # The tries are known, then not; the boxes are others; fewer are asked for: all is equal.
    shutil.copy(tmp_path / "a" / "till" / "evidence.json", source)
    await make(bubblewrap, source, tmp_path / "b", 1, jobs=1)
    (source.parent / "tried.jsonl").unlink()
    await make(bubblewrap, source, tmp_path / "c", 1, jobs=3)
    assert files(tmp_path / "b") == files(tmp_path / "c")
    assert files(tmp_path / "b").items() <= files(tmp_path / "a").items()


async def test_fewer_than_asked_for_are_made_when_there_are_no_more(
    bubblewrap: Provider, tmp_path: Path
) -> None:
    source = write_till(tmp_path)
    for name in ("hidden/test_book.py", "hidden/test_money.py", "gold/till/book.py"):
        (source / name).unlink()
    (source / "hidden" / "test_one.py").write_text(
        "from till.money import bonus\n\n\ndef test_none():\n    assert bonus(5) == 0\n\n\n"
        "def test_ten():\n    assert bonus(100) == 10\n"
    )
    tally = await make(bubblewrap, source, tmp_path / "a", 50, level=1)
    assert 0 < len(tally.tasks) < 50 and tally.tried == tally.places
    assert set(tally.difficulties) == {1} and "no test notices" in tally.against


async def test_gold_that_fails_is_told_before_anything_is_planted(
    bubblewrap: Provider, tmp_path: Path
) -> None:
    source = write_till(tmp_path)
    money = source / "gold" / "till" / "money.py"
    money.write_text(money.read_text().replace("cents < 100", "cents < 120"))
    with pytest.raises(ConfigError, match="test_at_the_limit"):
        await make(bubblewrap, source, tmp_path / "a", 1)


async def test_another_repository_is_not_overwritten(bubblewrap: Provider, tmp_path: Path) -> None:
    source = write_till(tmp_path / "mine")
    other = write_till(tmp_path / "out")
    (other / "gold" / "README.md").write_text("another\n")
    with pytest.raises(UsageError, match="another repository is there already"):
        await make(bubblewrap, source, tmp_path / "out", 1)
    assert (other / "gold" / "README.md").read_text() == "another\n"
