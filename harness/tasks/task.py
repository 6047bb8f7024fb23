"""The shapes of ``repo.toml``, ``task.toml`` and ``evidence.json``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from harness.errors import ConfigError

Language = Literal["python", "typescript"]
Category = Literal["syntax", "type", "logic", "feature"]


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class TestSettings(_Strict):
    """How hidden tests run. folder: where ``hidden/`` is laid, relative to the tree's root;
    timeout_s: wall clock of one run of all of them."""

    __test__ = False

    style: Literal["pytest", "unittest", "node"]
    folder: str = "tests"
    timeout_s: float = Field(default=90.0, gt=0, le=3600)


class PathSettings(_Strict):
    """Globs (``**`` crosses folders) whose changes by the agent are not graded."""

    protected: tuple[str, ...] = ()


class PythonSettings(_Strict):
    """Folders appended to sys.path, relative to the tree's root."""

    path: tuple[str, ...] = (".",)


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


class TaskSpec(_Strict):
    """``task.toml``."""

    schema_version: Literal[1]
    id: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,99}$")
    category: Category
    difficulty: int = Field(ge=1, le=5)
    defects: int = Field(default=1, ge=1)
    instruction: str = Field(min_length=20)


Outcome = Literal["passed", "failed", "error", "skipped", "missing"]


class CoreEvidence(_Strict):
    """What admission proved by running: both outcome maps, gold three times and against its
    twins, noop 0, gold playable by the tools. ``subject`` is the digest of all it was proved for
    (gold, hidden, patch, spec, repo.toml); evidence for another subject is stale."""

    subject: str
    start: dict[str, Outcome]
    gold: dict[str, Outcome]
    gold_runs: int
    fail_to_pass: tuple[str, ...]
    pass_to_pass: tuple[str, ...]
    without_twin: tuple[str, ...]
    noop_resolved: Literal[False]
    gold_resolved: Literal[True]
    gold_played: Literal[True]
    providers: tuple[str, ...]


class FullEvidence(_Strict):
    """The slower proofs, by digest: each hunk reverted alone is noticed, exploits score 0,
    tests hold in random order."""

    subject: str
    hunks: int
    hunks_noticed: int
    exploits: dict[str, str]
    random_orders: int


class Evidence(_Strict):
    """``evidence.json``."""

    schema_version: Literal[1]
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
    """A repository as loaded: spec and where it lies."""

    spec: RepositorySpec
    root: Path


@dataclass(frozen=True)
class RepoTask:
    """A task ready to run: starting tree, gold tree and hidden tests (path in the tree -> file).

    digest: SHA-256 over all of it and the evidence. evidence_problem: why evidence that is there
    cannot be read.
    """

    spec: TaskSpec
    repository: Repository
    root: Path
    start: Tree
    gold: Tree
    hidden: Tree
    evidence: Evidence | None
    subject: str
    digest: str
    evidence_problem: ConfigError | None = None

    @property
    def id(self) -> str:
        return self.spec.id

    def describe(self) -> dict[str, Any]:
        """What a transcript says of the task (no gold, no tests)."""
        return {
            "repository": self.repository.spec.name,
            "language": self.repository.spec.language,
            "category": self.spec.category,
            "difficulty": self.spec.difficulty,
            "defects": self.spec.defects,
        }
