"""What the shipped repositories are as a whole; that each task is sound is proved elsewhere."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from harness.tasks.evidence import is_full
from harness.tasks.repository import default_roots, load_tasks
from harness.tasks.task import RepoTask

TASKS = load_tasks(default_roots())
REPOSITORIES = {task.repository.spec.name: task.repository for task in TASKS.values()}


def of(repository: str) -> list[RepoTask]:
    return [task for task in TASKS.values() if task.repository.spec.name == repository]


def files_changed(task: RepoTask) -> int:
    return sum(task.start.get(path) != task.gold.get(path) for path in task.start | task.gold)


def test_eight_repositories_with_twelve_tasks_each() -> None:
    languages = Counter(r.spec.language for r in REPOSITORIES.values())
    assert languages == {"python": 5, "typescript": 3}
    assert {name: len(of(name)) for name in REPOSITORIES} == dict.fromkeys(REPOSITORIES, 12)


def test_tasks_are_spread() -> None:
    tasks = list(TASKS.values())
    categories = Counter(task.spec.category for task in tasks)
    assert set(categories) == {"syntax", "type", "logic", "feature"}
    assert categories["feature"] >= 8
    assert {task.spec.difficulty for task in tasks} == {1, 2, 3, 4, 5}
    assert sum(task.spec.defects > 1 for task in tasks) >= len(tasks) / 3
    assert all(task.spec.defects <= 4 for task in tasks)
    assert sum(files_changed(task) > 1 for task in tasks) >= len(tasks) / 4
    assert len({task.spec.instruction for task in tasks}) == len(tasks)


@pytest.mark.parametrize("name", REPOSITORIES)
def test_a_repository_has_hidden_tests_and_visible_ones_of_its_own(name: str) -> None:
    repository = REPOSITORIES[name]
    assert repository.evidence is not None
    assert len(repository.evidence.tests) >= 80
    assert repository.evidence.without_twin == () and repository.evidence.lint_findings == 0
    assert repository.evidence.random_orders >= 5
    visible = [path for path in repository.gold if path.startswith("tests/")]
    assert visible and "README.md" in repository.gold
    assert not set(visible) & set(repository.hidden)
    texts = {repository.gold[path].content for path in visible}
    assert not texts & {file.content for file in repository.hidden.values()}


@pytest.mark.parametrize("task_id", TASKS)
def test_a_task_has_full_evidence_and_its_report_names_no_place(task_id: str) -> None:
    task = TASKS[task_id]
    assert is_full(task)
    said = task.spec.instruction
    changed = {p for p in task.start | task.gold if task.start.get(p) != task.gold.get(p)}
    files = {path.rsplit("/", 1)[-1] for path in changed}
    assert not [name for name in files if re.search(rf"(?<![\w.]){re.escape(name)}\b", said)]
    assert "acceptance/" not in said and ".patch" not in said
