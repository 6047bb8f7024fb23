"""The main job on the shipped repositories: the reference solves every task, doing nothing none.

A share of the tasks that changes daily, a larger one in one containment and a smaller one in the
other: admission proves of all that gold, played by the tools, is resolved and the starting tree is
not. PROCTOR_SOAK takes all in both.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from harness.store.run_folder import RunFolder
from harness.tasks.repository import default_roots, load_tasks
from tests.support import boxes
from tests.support.proctor_process import Home, Proctor
from tests.support.rotation import SEED, containments, share

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]
SHARES = {"many": 4, "few": 2}


@pytest.mark.parametrize("turn", SHARES)
async def test_oracle_resolves_every_task_and_noop_none(turn: str, tmp_path: Path) -> None:
    sandbox = containments("corpus")[turn == "few"]
    await (await boxes.require(sandbox)).close()
    tasks = load_tasks(default_roots())
    assert len(tasks) >= 96
    names = share(sorted(tasks), SHARES[turn], f"corpus {turn}")
    home = Home(tmp_path, sandbox)
    only = [word for name in names for word in ("--task", name)]
    patience = 240.0 + 20.0 * len(names)
    for model, verdict in (("oracle", "resolved"), ("noop", "unresolved")):
        process = Proctor.start(home, "run", "repos", "--model", model, "--batch", *only)
        try:
            assert process.wait(patience) == 0, f"PROCTOR_SEED={SEED}\n{process.said}"
            assert process.folder is not None
            folder = RunFolder.open(process.folder)
        finally:
            process.stop()
        records = folder.records()
        assert sorted(r.task_id for r in records.values()) == names
        assert Counter(str(r.verdict) for r in records.values()) == {verdict: len(names)}
        for record in records.values():
            evidence = tasks[record.task_id].evidence
            assert evidence is not None
            deciding, kept = len(evidence.core.fail_to_pass), len(evidence.core.pass_to_pass)
            assert deciding > 0 and deciding + kept >= 60, record.task_id
            assert record.flags == [], (record.task_id, record.flags)
            assert record.attestation is not None and record.attestation.provider == sandbox
            passed = deciding if model == "oracle" else 0
            assert record.fail_to_pass == (passed, deciding), record.task_id
            assert record.pass_to_pass == (kept, kept), record.task_id
        assert f"{len(names)} of {len(names)}" in process.said
        assert process.boxes(sandbox) == []
