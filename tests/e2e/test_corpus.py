"""The main job on the shipped repositories: the reference solves every task, doing nothing none."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from harness.store.run_folder import RunFolder
from harness.tasks.repository import default_roots, load_tasks
from tests.support import boxes
from tests.support.proctor_process import Home, Proctor

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1500)]


@pytest.mark.parametrize("sandbox", ["docker", "bubblewrap"])
async def test_oracle_resolves_every_task_and_noop_none(sandbox: str, tmp_path: Path) -> None:
    await (await boxes.require(sandbox)).close()
    tasks = load_tasks(default_roots())
    assert len(tasks) >= 12
    home = Home(tmp_path, sandbox)
    for model, verdict in (("oracle", "resolved"), ("noop", "unresolved")):
        process = Proctor.start(home, "run", "repos", "--model", model, "--batch")
        try:
            assert process.wait() == 0, process.said
            assert process.folder is not None
            folder = RunFolder.open(process.folder)
        finally:
            process.stop()
        records = folder.records()
        assert sorted(r.task_id for r in records.values()) == sorted(tasks)
        assert Counter(str(r.verdict) for r in records.values()) == {verdict: len(tasks)}
        for record in records.values():
            task = tasks[record.task_id]
            assert task.evidence is not None
            assert record.fail_to_pass is not None and record.pass_to_pass is not None
            deciding, kept = record.fail_to_pass[1], record.pass_to_pass[1]
            assert deciding > 0 and deciding + kept >= 60, record.task_id
            assert record.flags == [], (record.task_id, record.flags)
            assert record.attestation is not None and record.attestation.provider == sandbox
            passed = deciding if model == "oracle" else 0
            assert record.fail_to_pass == (passed, deciding), record.task_id
            assert record.pass_to_pass == (kept, kept), record.task_id
        assert f"{len(tasks)} of {len(tasks)}" in process.said
        assert process.boxes(sandbox) == []
