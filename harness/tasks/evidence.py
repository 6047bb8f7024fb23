"""Evidence as files, and whether it still speaks of what lies there.

``repos/<name>/evidence.json`` holds what is proved of gold and the hidden tests, once for all.
``tasks/<id>/evidence.json`` holds what is a task's own: the tests that its starting tree does not
pass (gold passes all of the repository's), and the digest of the repository's evidence.
"""

from __future__ import annotations

import os
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from harness.errors import ConfigError
from harness.sandbox.protocol import repos_dir
from harness.tasks.task import (
    CoreEvidence,
    Evidence,
    FullEvidence,
    Outcome,
    Repository,
    RepositoryEvidence,
    RepoTask,
)
from harness.toml_file import read_regular

FILE = "evidence.json"
ALL = "*"  # in the place of all tests, where every one has the same outcome
_M = TypeVar("_M", bound=BaseModel)


class TaskFile(BaseModel):
    """``evidence.json`` of a task. not_passed: outcome on the starting tree -> tests, sorted."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_version: Literal[2]
    subject: str
    repository: str
    not_passed: dict[Outcome, tuple[str, ...]]
    lint_findings: int
    providers: tuple[str, ...]
    full: FullEvidence | None = None

    def evidence(self, of: RepositoryEvidence) -> Evidence:
        """The whole of it, with what the repository's evidence says."""
        start: dict[str, Outcome] = dict.fromkeys(sorted(of.tests), "passed")
        for outcome, tests in self.not_passed.items():
            start.update(dict.fromkeys(of.tests if tests == (ALL,) else tests, outcome))
        core = CoreEvidence(
            subject=self.subject,
            repository=self.repository,
            start=start,
            lint_findings=self.lint_findings,
            without_twin=of.without_twin,
            providers=self.providers,
        )
        return Evidence(core=core, full=self.full)


def read_evidence(folder: Path) -> TaskFile | None:
    """A task's own evidence, None where there is none. Raises ConfigError."""
    return _read(folder / FILE, TaskFile, command(folder))


def read_repository_evidence(folder: Path) -> RepositoryEvidence | None:
    """A repository's evidence, None where there is none. Raises ConfigError."""
    return _read(folder / FILE, RepositoryEvidence, repository_command(folder))


def with_repository(task: RepoTask, evidence: RepositoryEvidence) -> RepoTask:
    """``task`` with new evidence of its repository, and its own as it reads in that light."""
    repository = replace(task.repository, evidence=evidence, evidence_problem=None)
    try:
        own = read_evidence(task.root)
    except ConfigError:  # of no use; validation makes it again
        own = None
    return replace(
        task, repository=repository, evidence=None if own is None else own.evidence(evidence)
    )


def write_evidence(folder: Path, evidence: Evidence) -> None:
    """Write a task's ``evidence.json`` by an atomic rename."""
    core = evidence.core
    groups: dict[Outcome, tuple[str, ...]] = {}
    for test in sorted(core.fail_to_pass):
        outcome = core.start[test]
        groups[outcome] = (*groups.get(outcome, ()), test)
    if len(groups) == 1 and len(core.fail_to_pass) == len(core.start):
        groups = dict.fromkeys(groups, (ALL,))
    file = TaskFile(
        schema_version=2,
        subject=core.subject,
        repository=core.repository,
        not_passed=dict(sorted(groups.items())),
        lint_findings=core.lint_findings,
        providers=core.providers,
        full=evidence.full,
    )
    _write(folder / FILE, file)


def write_repository_evidence(folder: Path, evidence: RepositoryEvidence) -> None:
    """Write a repository's ``evidence.json`` by an atomic rename."""
    _write(folder / FILE, evidence)


def command(folder: Path) -> str:
    """The command that makes the evidence of the task in ``folder``, from wherever it is typed."""
    return f"proctor task validate {folder.name}{_data(folder.resolve().parents[1])}"


def repository_command(folder: Path) -> str:
    """The command that makes the evidence of the repository in ``folder`` and of its tasks."""
    folder = folder.resolve()
    return f"proctor task validate --all{_data(folder)}"


def is_fresh(task: RepoTask) -> bool:
    """Whether core evidence was made for exactly this task and this repository."""
    evidence, of = task.evidence, task.repository.evidence
    return (
        evidence is not None
        and of is not None
        and repository_is_fresh(task.repository)
        and evidence.core.subject == task.subject
        and evidence.core.repository == of.digest
    )


def repository_is_fresh(repository: Repository) -> bool:
    """Whether the repository's evidence was made for exactly its gold, tests and repo.toml."""
    evidence = repository.evidence
    return evidence is not None and evidence.subject == repository.subject


def is_full(task: RepoTask) -> bool:
    """Whether full evidence is there, too, and was made for exactly this task."""
    evidence, of = task.evidence, task.repository.evidence
    if evidence is None or of is None or not is_fresh(task) or not of.random_orders:
        return False
    return evidence.full is not None and evidence.full.subject == task.subject


def require_fresh(task: RepoTask) -> Evidence:
    """The task's evidence. Raises ConfigError with the command to run when missing or stale."""
    if task.evidence is not None and is_fresh(task):
        return task.evidence
    if task.evidence_problem is not None:
        raise task.evidence_problem
    where = task.root
    if task.repository.evidence is None:
        state, where = "no evidence for its repository", task.repository.root
    elif not repository_is_fresh(task.repository):
        state, where = "evidence for an older version of its repository", task.repository.root
    elif task.evidence is None:
        state = "no evidence"
    else:
        state = "evidence for an older version of it"
    raise ConfigError(
        f"task {task.id} has {state}",
        where=str(where),
        remedy=f"run: {command(task.root)}",
    )


def _read(path: Path, model: type[_M], remedy: str) -> _M | None:
    try:
        if not os.path.lexists(path):
            return None
        return model.model_validate_json(read_regular(path))
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"]) or "file"
        raise ConfigError(
            f"{field}: {first['msg']}", where=str(path), remedy=f"make it again: {remedy}"
        ) from None


def _write(path: Path, content: BaseModel) -> None:
    temporary = path.with_suffix(".json.new")
    temporary.write_text(content.model_dump_json(indent=1) + "\n", encoding="utf-8")
    os.replace(temporary, path)  # noqa: PTH105


def _data(repository: Path) -> str:
    shipped = repository.parent == repos_dir().resolve()
    return "" if shipped else f" --data {shlex.quote(str(repository))}"
