"""What is proved of the shipped tasks still holds: core of all of them anew, full of a share.

The share and the containment change daily, PROCTOR_SEED repeats a choice; ``make admit`` proves
everything.
"""

from __future__ import annotations

import pytest

from harness.cli.validation import validate_tasks
from harness.tasks.repository import default_roots, load_tasks
from tests.support import boxes
from tests.support.rotation import SEED, containments, share

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]
TASKS = list(load_tasks(default_roots()).values())
FULL = 1  # tasks a run of the tests


@pytest.mark.parametrize("level", ["core", "full"])
async def test_shipped_tasks_are_sound(level: str) -> None:
    sandbox = containments("admission")[level == "full"]
    await (await boxes.require(sandbox)).close()
    chosen = TASKS if level == "core" else share(TASKS, FULL, "admission")
    rows = await validate_tasks(
        chosen, sandbox=sandbox, full=level == "full", say=print, mode="fresh", write=False
    )
    wrong = [f"{row['task']}: {row['problem']}" for row in rows if not row["valid"]]
    assert not wrong, f"PROCTOR_SEED={SEED} in {sandbox}\n" + "\n".join(wrong)
    assert [row["task"] for row in rows] == [task.id for task in chosen]
