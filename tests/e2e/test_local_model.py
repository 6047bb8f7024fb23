"""The model that Proctor serves itself works on a task for a few turns and is graded."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.models import local
from harness.store.run_folder import RunFolder
from tests.support import boxes
from tests.support.proctor_process import Home, Proctor
from tests.support.tiny_tasks import write_tiny_tasks

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


async def test_the_local_model_gets_a_score(tmp_path: Path) -> None:
    if lacking := local.missing():
        boxes.unavailable("local", ", ".join(lacking))
    await (await boxes.require("bubblewrap")).close()
    home = Home(tmp_path, "bubblewrap")
    tasks = write_tiny_tasks(tmp_path / "tiny")
    process = Proctor.start(
        home, "run", "repos", "--data", str(tmp_path / "tiny"), "--task", tasks[0], "--batch",
        "--model", "local",
        "--max-turns", "2", "--max-tokens", "32", "--temperature", "0", "--seed", "1",
    )  # fmt: skip
    try:
        assert process.wait() == 0, process.said
        assert process.folder is not None
        (record,) = RunFolder.open(process.folder).records().values()
    finally:
        process.stop()
    assert record.verdict == "unresolved", "135 million parameters do not solve this"
    assert record.stop_reason in ("max_turns", "context_limit", "no_tool_calls", "finished")
    assert record.usage.completion and record.usage.prompt
    assert record.metrics["turns"] >= 1
    assert "tools text" in process.said
