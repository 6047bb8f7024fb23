"""The shapes of ``repo.toml`` and ``task.toml``, and what is proved of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator
from pydantic_core import PydanticCustomError

from harness.errors import ConfigError
from harness.ids import canonical_json, sha256_hex

Language = Literal["python", "typescript"]
Category = Literal["syntax", "type", "logic", "feature"]
SHORTEST_INSTRUCTION = 20  # characters


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class TestSettings(_Strict):
    """How hidden tests run. folder: where ``hidden/`` is laid, relative to the tree's root;
    timeout_s: wall clock of one run of all of them; left_out: ids of tests that do not count,
    whatever their outcome (they fail on gold in a box, flake, or check nothing)."""

    __test__ = False

    style: Literal["pytest", "unittest", "node"]
    folder: str = "tests"
    timeout_s: float = Field(default=90.0, gt=0, le=3600)
    left_out: tuple[str, ...] = ()


class PathSettings(_Strict):
    """Globs (``**`` crosses folders) whose changes by the agent are not graded."""

    protected: tuple[str, ...] = ()


class PythonSettings(_Strict):
    """Folders appended to sys.path, relative to the tree's root."""

    path: tuple[str, ...] = (".",)


class LintSettings(_Strict):
    """gold: ``clean``, the linter finds nothing in gold; ``any``, it finds what it finds (a
    project that was not written for it), and starting trees are compared with that."""

    gold: Literal["clean", "any"] = "clean"


class RepositorySpec(_Strict):
    """``repo.toml``."""

    schema_version: Literal[1]
    name: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,63}$")
    language: Language
    summary: str
    licence: str
    tests: TestSettings
    paths: PathSettings = PathSettings()
    python: PythonSettings = PythonSettings()
    lint: LintSettings = LintSettings()


class TaskSpec(_Strict):
    """``task.toml``. defect_hunks: for each defect the hunks of start.patch that make it, from 1
    over the whole patch; see ``harness.tasks.defects`` for when it may be left out."""

    schema_version: Literal[1]
    id: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,99}$")
    category: Category
    difficulty: int = Field(ge=1, le=5)
    defects: int = Field(default=1, ge=1)
    defect_hunks: tuple[tuple[int, ...], ...] = ()
    instruction: str

    @field_validator("instruction")
    @classmethod
    def _says_something(cls, value: str) -> str:
        length = len(value.strip())
        if length < SHORTEST_INSTRUCTION:
            text = "is too short for a report" if length else "is empty"
            raise PydanticCustomError("instruction", f"{text}: tell what happens and what should")
        return value


Outcome = Literal["passed", "failed", "error", "skipped", "missing"]


class RepositoryEvidence(_Strict):
    """``evidence.json`` of a repository: what gold and the hidden tests prove by themselves, once
    for all of its tasks. ``subject`` is the digest of gold, hidden tests and repo.toml.

    tests: all hidden tests; gold passed each of them in ``gold_runs`` runs, and none of those that
    have a twin in ``falsified_runs`` runs. lint_findings: of gold. random_orders: runs of gold in
    another order with the same outcome, 0 where that (slower) proof was not asked for.
    """

    schema_version: Literal[2]
    subject: str
    tests: tuple[str, ...]
    without_twin: tuple[str, ...]
    gold_runs: int
    falsified_runs: int
    lint_findings: int
    random_orders: int
    providers: tuple[str, ...]

    @property
    def digest(self) -> str:
        """Digest of what tasks rest on: not of how often and where it was proved."""
        kept = {"subject", "tests", "without_twin", "lint_findings"}
        return sha256_hex(canonical_json(self.model_dump(mode="json", include=kept)))


class CoreEvidence(_Strict):
    """What admission proved by running: both outcome maps, noop 0, gold playable by the tools and
    resolved, and, by the repository's evidence, gold three times and against its twins.

    subject: digest of all it was proved for (gold, hidden, patch, spec, repo.toml); evidence for
    another subject is stale. repository: digest of the repository's evidence that it rests on.
    start: outcome of every hidden test on the starting tree; gold passes them all. lint_findings:
    of the starting tree.
    """

    subject: str
    repository: str
    start: dict[str, Outcome]
    lint_findings: int
    without_twin: tuple[str, ...]
    providers: tuple[str, ...]

    @property
    def fail_to_pass(self) -> tuple[str, ...]:
        """Hidden tests that gold passes and the starting tree does not, sorted."""
        return tuple(test for test, outcome in self.start.items() if outcome != "passed")

    @property
    def pass_to_pass(self) -> tuple[str, ...]:
        """Hidden tests that both pass, sorted."""
        return tuple(test for test, outcome in self.start.items() if outcome == "passed")


class FullEvidence(_Strict):
    """The slower proofs, by digest: each hunk alone is noticed by a hidden test, the defects share
    fail_to_pass out among them (``shares``: tests of each; empty where hunks are not divided among
    defects), and exploits score 0 (channel -> how it was graded)."""

    subject: str
    shares: tuple[int, ...]
    exploits: dict[str, str]


class Evidence(_Strict):
    """All that is proved of a task; ``harness.tasks.evidence`` says where it is kept."""

    core: CoreEvidence
    full: FullEvidence | None = None


@dataclass(frozen=True)
class TreeFile:
    """A file of a tree: content, permission bits, or a link's target."""

    content: bytes
    mode: int = 0o644
    link: str | None = None


Tree = dict[str, TreeFile]


@dataclass(frozen=True)
class Repository:
    """A repository as loaded: spec, where it lies, gold tree and hidden tests (path in the tree ->
    file), and its evidence. subject: SHA-256 over spec, gold and hidden tests. evidence_problem:
    why evidence that is there cannot be read."""

    spec: RepositorySpec
    root: Path
    gold: Tree
    hidden: Tree
    subject: str
    evidence: RepositoryEvidence | None = None
    evidence_problem: ConfigError | None = None


@dataclass(frozen=True)
class RepoTask:
    """A task ready to run: its starting tree, and gold and hidden tests of its repository.

    digest: SHA-256 over all of it and the evidence. defect_groups: hunks of the patch (from 0)
    that make each defect, () where they are not divided. evidence_problem: why evidence that is
    there cannot be read.
    """

    spec: TaskSpec
    repository: Repository
    root: Path
    start: Tree
    evidence: Evidence | None
    subject: str
    digest: str
    defect_groups: tuple[frozenset[int], ...] = ()
    evidence_problem: ConfigError | None = None

    @property
    def id(self) -> str:
        return self.spec.id

    @property
    def gold(self) -> Tree:
        return self.repository.gold

    @property
    def hidden(self) -> Tree:
        return self.repository.hidden

    def describe(self) -> dict[str, Any]:
        """What a transcript says of the task (no gold, no tests)."""
        return {
            "repository": self.repository.spec.name,
            "language": self.repository.spec.language,
            "category": self.spec.category,
            "difficulty": self.spec.difficulty,
            "defects": self.spec.defects,
        }
