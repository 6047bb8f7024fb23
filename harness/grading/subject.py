"""What grading knows of a task: two trees, how its tests run, and which ids decide."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from harness.sandbox.protocol import ChildSpec
from harness.tasks.evidence import require_fresh
from harness.tasks.task import Language, RepoTask, TestSettings, Tree

# Seconds beside the tests' own limit for interpreter start and collection.
START_S = 10.0


@dataclass(frozen=True)
class Subject:
    """A task as grading sees it. hidden: path in the tree -> file; protected: globs; gold is
    used for the hierarchy of exceptions only; instruction: false values are compared with it."""

    id: str
    language: Language
    tests: TestSettings
    start: Tree
    hidden: Tree
    gold: Tree = field(default_factory=dict)
    path: tuple[str, ...] = (".",)
    protected: tuple[str, ...] = ()
    fail_to_pass: tuple[str, ...] = ()
    pass_to_pass: tuple[str, ...] = ()
    instruction: str = ""

    def child(
        self, *, order: int | None = None, brief: bool = False, plain: bool = False
    ) -> ChildSpec:
        """The program that runs the hidden tests laid in the tree. brief, plain: in pytest, which
        takes long over failures, they are told in a line, and asserts tell no values."""
        program = "run_node" if self.language == "typescript" else "run_pytest"
        config: dict[str, Any] = {"folder": self.tests.folder, "path": list(self.path)}
        config.update(order=order, brief=brief, plain=plain)
        limit = self.tests.timeout_s + START_S
        return ChildSpec(program=program, config=config, wall_s=limit, cpu_s=limit)


def unjudged(task: RepoTask) -> Subject:
    """``task`` without the ids that decide: for admission, which finds them by running."""
    spec = task.repository.spec
    return Subject(
        id=task.id,
        language=spec.language,
        tests=spec.tests,
        start=task.start,
        hidden=task.hidden,
        gold=task.gold,
        path=spec.python.path,
        protected=spec.paths.protected,
        instruction=task.spec.instruction,
    )


def subject_of(task: RepoTask) -> Subject:
    """``task`` with the ids of its evidence. Raises ConfigError when that is missing or stale."""
    from dataclasses import replace

    core = require_fresh(task).core
    return replace(unjudged(task), fail_to_pass=core.fail_to_pass, pass_to_pass=core.pass_to_pass)
