"""What every sandbox provider and every box offers to the rest of the harness."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal, Protocol

from pydantic import BaseModel, ConfigDict, field_validator

MiB = 1024 * 1024


class Readiness(StrEnum):
    """State of a provider as its probe found it."""

    READY = "ready"
    NOT_RUNNING = "not_running"
    NOT_INSTALLED = "not_installed"
    UNUSABLE = "unusable"
    IMAGE_MISSING = "image_missing"


@dataclass(frozen=True)
class ProbeReport:
    """One provider's state, with its own remedy when it is not ready.

    toolchain: what the box offers, e.g. {"python": "3.11.2", "node": "24.19.0"}; a language whose
    toolchain is missing is refused by name.
    """

    provider: str
    readiness: Readiness
    detail: str
    remedy: str | None = None
    version: str | None = None
    toolchain: dict[str, str] = field(default_factory=dict)

    @property
    def ready(self) -> bool:
        return self.readiness is Readiness.READY


class Limits(BaseModel):
    """Limits of a box. Sizes in bytes, times in seconds, cpus in cores. Part of the plan."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    memory: int = 2048 * MiB
    pids: int = 256
    cpus: float = 1.0
    work_bytes: int = 256 * MiB
    work_inodes: int = 20_000
    tmp_bytes: int = 128 * MiB
    tmp_inodes: int = 10_000
    shm_bytes: int = 64 * MiB
    shm_inodes: int = 2_000
    lifetime_s: float = 4 * 3600.0
    heartbeat_s: float = 90.0


class Attestation(BaseModel):
    """Which containment a session had, read inside the box (a claim with its evidence).

    ``network`` other than none and any ``breaches`` make it invalid: no result can rest on it.
    ``facts`` holds what was read: interfaces, mounts, cgroup values, seccomp, capabilities.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    provider: Literal["docker", "podman", "bubblewrap"]
    runtime_version: str
    image_digest: str
    tools_digest: str
    network: Literal["none"]
    filesystem: Literal["read_only_plus_tmpfs"]
    uid: int
    seccomp: Literal["filter"]
    no_new_privileges: Literal[True]
    limits: Limits
    toolchain: dict[str, str]
    facts: dict[str, Any]
    breaches: list[str] = []

    @field_validator("breaches")
    @classmethod
    def _no_breach(cls, value: list[str]) -> list[str]:
        if value:
            raise ValueError(f"containment breach: {'; '.join(value)[:500]}")
        return value


@dataclass(frozen=True)
class BoxSpec:
    """What a box is opened for. ``purpose`` and ``sample`` become labels. extra: packages of
    ``harness.sandbox.extras`` that it has besides. processor: all of it stays on one of the
    machine's, that of this number modulo how many it may use."""

    run_id: str
    sample: str
    purpose: Literal["episode", "grade", "control", "pool", "probe", "validate"]
    limits: Limits = Limits()
    language: str = "python"
    tool_protocol: str = "proctor-1"
    extra: str | None = None
    processor: int | None = None


@dataclass(frozen=True)
class ChildSpec:
    """A program run as an unprivileged child of the box's server.

    ``program`` names a module of ``tools.testing`` (``run_pytest``, ``run_node``, ...); it gets
    ``config`` as JSON on descriptor 3 and writes result lines (JSON) to descriptor 4, which ends
    at the server. Where ``argv`` is given instead, that command runs with the same descriptors.
    cwd is relative to the box's root folder of trees. wall_s is wall clock, cpu_s CPU seconds.
    Output beyond ``output_bytes`` is cut, 32 times as much stops the child.

    warm: ``program`` is forked from an interpreter that is already up (standard library only, no
    site-packages; 1-3 ms instead of 30). reset: afterwards the box is as new, trees included.
    partner: a second child that the first need not trust, started beside it (own uid or own
    namespaces, own cwd under /tmp, no results descriptor) and joined to it by a stream socket,
    which is descriptor 5 in both; it is killed when the first ends. Its wall_s is not used.
    """

    program: str | None = None
    argv: tuple[str, ...] = ()
    config: dict[str, Any] = field(default_factory=dict)
    cwd: str = "work"
    stdin: bytes = b""
    wall_s: float = 60.0
    cpu_s: float = 60.0
    output_bytes: int = 1 * MiB
    results_bytes: int = 16 * MiB
    warm: bool = False
    reset: bool = False
    partner: ChildSpec | None = None


@dataclass(frozen=True)
class ChildReport:
    """How a child ended, by counters read in the box before and after it.

    Exactly one of exit_code and signal is set unless the child was stopped for ``stopped``.
    stdout, stderr: the first and last parts, decoded with replacement. results: lines written to
    the private descriptor, complete ones only. leftovers: processes killed after it ended.
    partner_exit: the partner's exit code, negative for a signal (-9 also when it was ended with
    the child), None without one.
    """

    exit_code: int | None
    signal: int | None
    stopped: Literal["wall", "cpu", "output", "memory", "disk"] | None
    oom_kills: int
    pids_refused: int
    disk_full: bool
    stdout: str
    stderr: str
    results: list[dict[str, Any]]
    results_truncated: bool
    leftovers: int
    wall_s: float
    cpu_s: float
    peak_memory: int | None
    partner_exit: int | None = None


@dataclass(frozen=True)
class CandidateSpec:
    """A job of the split judge (``tools.testing.run_judge`` says what it holds): trusted checks in
    one process, the candidate in another. Limits as in ChildSpec; flood_bytes of printed text stop
    the candidate."""

    job: dict[str, Any]
    wall_s: float = 40.0
    cpu_s: float = 10.0
    output_bytes: int = 64 * 1024
    flood_bytes: int = 512 * MiB
    results_bytes: int = 4 * MiB


@dataclass(frozen=True)
class CandidateReport:
    """How a job of the split judge ended; names as in ChildReport.

    results: the judge's lines, the last of which says how it ended. judge_ended: it was stopped,
    or died, before it had said that. candidate_exit: the candidate's exit code (0 where it ended
    by itself after the judge was done), negative for a signal.
    """

    stopped: Literal["wall", "cpu", "output", "memory", "disk"] | None
    candidate_exit: int
    judge_ended: bool
    oom_kills: int
    pids_refused: int
    disk_full: bool
    stdout: str
    results: list[dict[str, Any]]
    results_truncated: bool
    leftovers: int
    wall_s: float
    cpu_s: float
    peak_memory: int | None


@dataclass(frozen=True)
class FileDelta:
    """A file that a tool call changed: digests (sha256 hex) before and after, None = absent."""

    path: str
    before: str | None
    after: str | None
    mode_before: int | None
    mode_after: int | None
    content: bytes | None


@dataclass(frozen=True)
class ToolReply:
    """A tool's answer. ``internal``: the fault is ours, not the model's."""

    text: str
    is_error: bool
    path_refused: bool
    finished: bool
    internal: bool
    delta: list[FileDelta]
    lint_findings: int | None
    elapsed_s: float


class Box(Protocol):
    """An open box. Every method raises SandboxLost once the box no longer answers."""

    @property
    def attestation(self) -> Attestation: ...

    @property
    def box_id(self) -> str: ...

    async def put_tree(self, folder: str, archive: bytes) -> None:
        """Unpack an uncompressed tar at ``folder`` (relative, e.g. ``work``), owned by children."""

    async def call_tool(self, name: str, arguments: object, *, timeout_s: float) -> ToolReply:
        """Run one tool on the tree ``work``."""

    async def run(self, child: ChildSpec) -> ChildReport:
        """Run a child to its end; everything it leaves behind is killed and swept."""

    async def candidate(self, spec: CandidateSpec) -> CandidateReport:
        """Judge one candidate; the box is as new afterwards, but for its judge."""

    async def reset(self) -> None:
        """Kill every child and empty everything that is writable: the box is as new."""

    async def snapshot(self, folder: str = "work") -> bytes:
        """Kill every child, refuse further calls, and return the tree as an uncompressed tar."""

    async def death(self) -> str:
        """What is known of why the box ended (exit code, signals, counters), for a message."""

    async def close(self) -> None:
        """End the box and prove that it is gone; safe to call twice."""


class Provider(Protocol):
    """A kind of containment."""

    name: Literal["docker", "podman", "bubblewrap"]

    async def probe(self, limits: Limits) -> ProbeReport:
        """State of this provider, found with the image, mounts and limits that a run uses."""

    async def open(self, spec: BoxSpec) -> Box:
        """Open a box. Raises SandboxError."""

    async def setup(self, progress: Any) -> None:
        """Build what is missing (image, toolchain). Raises ProctorError with a remedy."""

    async def setup_extra(self, name: str, progress: Any) -> None:
        """Build a set of ``harness.sandbox.extras``, and what it rests on."""

    async def clean(self, *, run_id: str | None = None) -> list[str]:
        """Remove boxes that are ours and ownerless (or of ``run_id``); returns what was removed."""

    async def close(self) -> None:
        """Release clients and the reaper."""


@dataclass(frozen=True)
class ToolchainPaths:
    """Where the toolchain lies inside a box."""

    python: str
    node: str | None
    typescript: str | None
    cache: str = "/tmp/proctor-cache"


def repos_dir() -> Path:
    """Folder of the shipped repositories: in a checkout beside ``harness``, else package data."""
    here = Path(__file__).resolve().parents[1]
    checkout = here.parent / "repos"
    return checkout if checkout.is_dir() else here / "_data" / "repos"
