"""Admission by running, in real boxes."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.sandbox.protocol import Provider
from harness.tasks.admission import Rejected
from harness.tasks.evidence import read_evidence
from harness.tasks.repository import load_tasks
from harness.tasks.task import RepoTask
from harness.tasks.validate import single_hunks, validate_core, validate_full
from tests.support.grading import LIMITS, node_subject, python_subject, write_repository


def the_task(root: Path) -> RepoTask:
    return load_tasks([root])["shop-discount"]


@pytest.mark.parametrize("language", ["python", "typescript"])
async def test_core_evidence_is_found_by_running(
    provider: Provider, tmp_path: Path, language: str
) -> None:
    write_repository(tmp_path, language)
    subject = python_subject() if language == "python" else node_subject()
    evidence = await validate_core(the_task(tmp_path), provider, limits=LIMITS)
    core = evidence.core
    assert set(core.fail_to_pass) == set(subject.fail_to_pass)
    assert set(core.pass_to_pass) == set(subject.pass_to_pass)
    assert set(core.gold.values()) == {"passed"} and core.gold_runs == 3
    assert {core.start[test] for test in core.fail_to_pass} == {"failed"}
    assert core.without_twin == () and core.providers == (provider.name,)
    task = the_task(tmp_path)
    assert task.evidence == evidence and core.subject == task.subject


async def test_full_evidence_counts_hunks_and_exploits(
    bubblewrap: Provider, tmp_path: Path
) -> None:
    write_repository(tmp_path)
    evidence = await validate_full(the_task(tmp_path), bubblewrap, limits=LIMITS)
    full = evidence.full
    assert full is not None and (full.hunks, full.hunks_noticed) == (1, 1)
    assert full.random_orders == 3 and "ok" not in full.exploits.values()
    assert {"early_exit", "forged_report", "conftest", "equal_to_everything"} <= set(full.exploits)
    assert read_evidence(the_task(tmp_path).root) == evidence


async def rejected(root: Path, provider: Provider) -> str:
    with pytest.raises(Rejected) as caught:
        await validate_core(the_task(root), provider, limits=LIMITS)
    assert read_evidence(the_task(root).root) is None
    return "; ".join(caught.value.reasons)


async def test_gold_that_fails_a_test_is_refused(bubblewrap: Provider, tmp_path: Path) -> None:
    folder = write_repository(tmp_path)
    tests = folder / "hidden" / "test_prices.py"
    tests.write_text(tests.read_text() + "\n\ndef test_wrong():\n    assert total([1]) == 2\n")
    said = await rejected(tmp_path, bubblewrap)
    assert "gold does not pass tests/test_prices.py::test_wrong: failed" in said


async def test_a_test_that_passes_when_falsified_is_refused(
    bubblewrap: Provider, tmp_path: Path
) -> None:
    folder = write_repository(tmp_path)
    tests = folder / "hidden" / "test_prices.py"
    tests.write_text(
        tests.read_text() + "\n\ndef test_empty():\n    for x in []:\n        assert x == 2\n"
    )
    said = await rejected(tmp_path, bubblewrap)
    assert "gold passes falsified tests: tests/test_prices.py::test_empty" in said


async def test_a_defect_that_no_test_notices_is_refused(
    bubblewrap: Provider, tmp_path: Path
) -> None:
    folder = write_repository(tmp_path)
    tests = folder / "hidden" / "test_prices.py"
    text = tests.read_text()
    start = text.index("def test_discount")
    tests.write_text(text[:start] + text[text.index("def test_negative") :])
    assert "no hidden test fails on the starting tree" in await rejected(tmp_path, bubblewrap)


async def test_gold_that_the_tools_cannot_reach_is_refused(
    bubblewrap: Provider, tmp_path: Path
) -> None:
    folder = write_repository(tmp_path)
    patch = folder / "tasks" / "shop-discount" / "start.patch"
    extra = "--- /dev/null\n+++ b/shop/extra.py\n@@ -0,0 +1,1 @@\n+X = 1\n"
    patch.write_text(patch.read_text() + extra)
    assert "gold deletes it" in await rejected(tmp_path, bubblewrap)


async def test_outcomes_that_change_between_runs_are_refused(
    bubblewrap: Provider, tmp_path: Path
) -> None:
    folder = write_repository(tmp_path)
    tests = folder / "hidden" / "test_prices.py"
    lines = "\n".join(
        f"def test_luck_{n}():\n    assert random.random() > 0.5\n" for n in range(12)
    )
    tests.write_text(f"import random\n{tests.read_text()}\n{lines}")
    assert "gold's outcome changes between runs" in await rejected(tmp_path, bubblewrap)


def test_single_hunks_apply_one_defect_each(tmp_path: Path) -> None:
    folder = write_repository(tmp_path)
    patch = folder / "tasks" / "shop-discount" / "start.patch"
    text = "--- a/shop/__init__.py\n+++ b/shop/__init__.py\n@@ -0,0 +1,1 @@\n+BROKEN = 1\n"
    patch.write_text(text + patch.read_text())
    task = the_task(tmp_path)
    first, second = single_hunks(task)
    differing = [
        [path for path in tree if tree[path] != task.gold.get(path)] for tree in (first, second)
    ]
    assert differing == [["shop/__init__.py"], ["shop/prices.py"]]
