"""Evidence as validation would have written it, for tests that are about something else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from harness.tasks.evidence import write_evidence, write_repository_evidence
from harness.tasks.task import CoreEvidence, Evidence, Outcome, RepositoryEvidence, RepoTask


def give_evidence(
    task: RepoTask, fail_to_pass: Iterable[str], pass_to_pass: Iterable[str]
) -> tuple[RepositoryEvidence, Evidence]:
    """Fresh core evidence in the folders of a task and of its repository."""
    start: dict[str, Outcome] = dict.fromkeys(fail_to_pass, "failed")
    start.update(dict.fromkeys(pass_to_pass, "passed"))
    of = RepositoryEvidence(
        schema_version=2,
        subject=task.repository.subject,
        tests=tuple(sorted(start)),
        without_twin=(),
        gold_runs=3,
        falsified_runs=3,
        lint_findings=0,
        random_orders=0,
        providers=("docker",),
    )
    core = CoreEvidence(
        subject=task.subject,
        repository=of.digest,
        start=dict(sorted(start.items())),
        lint_findings=0,
        without_twin=(),
        providers=("docker",),
    )
    write_repository_evidence(task.repository.root, of)
    write_evidence(task.root, Evidence(core=core))
    return of, Evidence(core=core)


def without_evidence(task: RepoTask) -> RepoTask:
    """``task`` as if nothing were proved of it."""
    return replace(task, evidence=None, repository=replace(task.repository, evidence=None))
