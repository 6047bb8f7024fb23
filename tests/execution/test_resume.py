"""Going on: the same plan, or one with more of the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.errors import ConflictError
from harness.execution.resume import extend, resume
from harness.plan import Launch
from harness.store import layout
from harness.store.run_folder import RunFolder
from tests.support.counting_suite import carry_out, make_folder, make_plan


async def test_resume_refuses_another_plan_and_names_the_field(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, make_plan(3))
    other = make_plan(3).model_copy(
        update={"model": folder.plan.model.model_copy(update={"name": "another"})}
    )
    with pytest.raises(ConflictError, match=r"model\.name: echo -> another"):
        resume(folder, Launch(), other)
    assert folder.sessions.numbers() == [1]


async def test_resume_takes_another_launch(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, make_plan(3), concurrency=1)
    await carry_out(folder)
    resume(folder, Launch(concurrency=7), make_plan(3))
    assert RunFolder.open(folder.path).launch.concurrency == 7
    assert (await carry_out(RunFolder.open(folder.path))).session == 2
    assert folder.sessions.numbers() == [1, 2]


async def test_extend_adds_tasks_and_epochs_and_keeps_results(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, make_plan(4))
    await carry_out(folder)
    before = (folder.path / layout.SAMPLES).read_bytes()
    old = folder.plan_digest
    extend(folder, Launch(), make_plan(6, epochs=2))
    again = RunFolder.open(folder.path)
    assert again.plan.epochs == 2
    summary = await carry_out(again)
    assert (summary.planned, summary.scored) == (12, 12)
    after = (folder.path / layout.SAMPLES).read_bytes()
    assert after.startswith(before) and after.count(b"\n") == 12
    assert (folder.path / layout.SESSIONS / f"plan-{old[:16]}.json").exists()


@pytest.mark.parametrize("plan", [make_plan(2), make_plan(8, steps=2)])
def test_extend_refuses_fewer_tasks_and_other_options(tmp_path: Path, plan: object) -> None:
    folder = make_folder(tmp_path, make_plan(4))
    with pytest.raises(ConflictError, match="only adds tasks"):
        extend(folder, Launch(), plan)  # type: ignore[arg-type]


async def test_extend_takes_a_larger_cost_limit_and_no_smaller_one(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, make_plan(6, run_cost=0.0021), concurrency=1)
    assert (await carry_out(folder)).scored == 2
    with pytest.raises(ConflictError, match=r"limits\.run_cost: 0\.0021 -> 0\.001"):
        extend(folder, Launch(), make_plan(6, run_cost=0.001))
    extend(folder, Launch(), make_plan(6, run_cost=1.0))
    assert (await carry_out(RunFolder.open(folder.path))).scored == 6


def test_extend_refuses_a_run_at_work(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, make_plan(4))
    with folder.lock(), pytest.raises(ConflictError, match="is working on"):
        extend(RunFolder.open(folder.path), Launch(), make_plan(5))


def test_a_kill_in_the_middle_of_extending_leaves_the_old_plan_in_force(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, make_plan(4))
    sealed = (folder.path / layout.PLAN).read_bytes()
    extend(folder, Launch(concurrency=9), make_plan(5))
    (folder.path / layout.PLAN).write_bytes(sealed)  # as if the rename had not come
    again = RunFolder.open(folder.path)
    assert len(again.plan.suites[0].tasks) == 4
    assert again.launch.concurrency != 9
