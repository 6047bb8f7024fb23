"""What is proved of the shipped tasks still holds: core of two repositories, full of two tasks.

That all tasks have evidence for exactly what they are is tested in ``tests/tasks/test_shipped.py``:
a changed one is stale. The choice changes daily, PROCTOR_SEED repeats one; ``make admit`` proves
everything anew.
"""

from __future__ import annotations

import pytest

from harness.cli.validation import validate_tasks
from harness.tasks.repository import default_roots, load_tasks
from tests.support import boxes
from tests.support.rotation import SEED, containments, share

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]
TASKS = list(load_tasks(default_roots()).values())
NAMES = sorted({task.repository.spec.name for task in TASKS})
CORE = 2  # repositories a run of the tests
FULL = 2  # tasks


@pytest.mark.parametrize("level", ["core", "full"])
async def test_shipped_tasks_are_sound(level: str) -> None:
    sandbox = containments("admission")[level == "full"]
    await (await boxes.require(sandbox)).close()
    names = share(NAMES, CORE, "core")
    chosen = [task for task in TASKS if task.repository.spec.name in names]
    if level == "full":
        chosen = share(TASKS, FULL, "admission")
    rows = await validate_tasks(
        chosen, sandbox=sandbox, full=level == "full", say=print, mode="fresh", write=False
    )
    wrong = [f"{row['task']}: {row['problem']}" for row in rows if not row["valid"]]
    assert not wrong, f"PROCTOR_SEED={SEED} in {sandbox}\n" + "\n".join(wrong)
    assert [row["task"] for row in rows] == [task.id for task in chosen]
