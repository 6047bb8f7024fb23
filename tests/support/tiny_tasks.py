"""Three tasks whose runs take seconds, with evidence, for tests that are about something else."""

from __future__ import annotations

from pathlib import Path

from harness.tasks.repository import load_tasks
from tests.cli.tiny_repo import THREE, write_tiny_repo
from tests.support.evidence import give_evidence

TESTS = [f"tests/test_core.py::test_{name}" for name in ("total_of_two", "total_of_one")]
TESTS += [f"tests/test_core.py::test_label_of_{name}" for name in ("one", "three")]
BROKEN_TESTS = dict(zip(THREE, (TESTS[:2], TESTS[2:3], TESTS[3:]), strict=True))


def write_tiny_tasks(root: Path) -> tuple[str, ...]:
    """Write them below ``root``; returns their ids."""
    write_tiny_repo(root, three=True)
    for task in load_tasks([root]).values():
        broken = BROKEN_TESTS[task.id]
        give_evidence(task, broken, set(TESTS) - set(broken))
    return THREE
