"""What a judge of single-shot code is given, and what it says: the seam between suites and pool.

A job's parts are kept apart so that a judge can run trusted and untrusted text in two processes:

    candidate side (untrusted)   prelude + candidate + candidate_setup, as one module
    checks side (trusted)        names bound, then setup, then each of ``checks`` in turn

``names`` are what the checks take from the candidate's module; the entry point is also bound to
``candidate``. Definitions of setup go before the candidate's of the same name. Trusted text comes
from the data set or from this project, never from a model.

``harness.suites.pool.open_pool(context)`` makes the judge that a run's samples share.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Protocol

from harness.outcome import GradeStatus
from harness.sandbox.protocol import Attestation, MiB

JobKind = Literal["humaneval", "mbpp", "evalplus", "classeval"]


@dataclass(frozen=True)
class ExecLimits:
    """Limits of one candidate. Times in seconds, sizes in bytes; wall is generous on purpose:
    a machine under load must not turn a right answer into a timeout."""

    cpu_s: float = 10.0
    wall_s: float = 40.0
    memory: int = 1024 * MiB
    output_bytes: int = 1 * MiB


@dataclass(frozen=True)
class CodeJob:
    """One candidate to be judged.

    candidate: what was taken from the reply, a module or (after ``prelude``) a function's body.
    candidate_setup: trusted text that needs the candidate's own classes, so it runs on its side.
    checks: statements, each one check; ``groups`` names consecutive runs of them with their
    lengths (``(("base", 3), ("plus", 105))``). classeval: ``checks`` are names of test classes of
    ``setup``, which is judged with twins beside the candidate. seed: set before each check.
    """

    kind: JobKind
    suite: str
    task_id: str
    sample: str
    candidate: str
    prelude: str = ""
    candidate_setup: str = ""
    setup: str = ""
    checks: tuple[str, ...] = ()
    groups: tuple[tuple[str, int], ...] = ()
    entry_point: str | None = None
    names: tuple[str, ...] = ()
    seed: int = 0
    limits: ExecLimits = ExecLimits()

    @property
    def module(self) -> str:
        """The candidate's module as it is run."""
        return self.prelude + self.candidate + self.candidate_setup

    @property
    def script(self) -> str:
        """All of it as one plain script: what a person would run to see for himself."""
        if self.kind == "classeval":
            return (
                f"{self.module}\n\n{self.setup}\n\nif __name__ == '__main__':\n    unittest.main()"
            )
        bound = f"candidate = {self.entry_point}\n" if self.entry_point else ""
        if self.kind == "evalplus":
            bound += "bounded = lambda value: value  # the judge's: values too large to cross\n"
        return "\n".join((self.module, bound, self.setup, *self.checks, ""))


@dataclass(frozen=True)
class CheckFailure:
    """The first check that failed: its text, and the values where they could be had (bounded)."""

    check: str
    got: str | None = None
    expected: str | None = None
    error: str | None = None


@dataclass(frozen=True)
class CheckOutcome:
    """One named check (a test class of classeval); outcome and twin as in ``TestOutcome``."""

    id: str
    outcome: Literal["passed", "failed", "error", "skipped", "missing"]
    twin: Literal["passed", "failed", "error", "skipped", "missing", "none"] = "none"
    message: str = ""
    seconds: float = 0.0


@dataclass(frozen=True)
class CodeVerdict:
    """What a judge found. groups: passed and total by the job's group names. flags are for a
    person to look at. seconds: the judging's own, wall and CPU."""

    grade_status: GradeStatus
    attestation: Attestation
    detail: str = ""
    failure: CheckFailure | None = None
    checks_passed: int | None = None
    checks_total: int | None = None
    groups: dict[str, tuple[int, int]] = field(default_factory=dict)
    outcomes: tuple[CheckOutcome, ...] = ()
    flags: tuple[str, ...] = ()
    wall_s: float = 0.0
    cpu_s: float = 0.0


class Judge(Protocol):
    """Judges candidates in a containment. Raises SandboxError for faults that are not theirs."""

    async def judge(self, job: CodeJob) -> CodeVerdict: ...

    async def attestation(self) -> Attestation:
        """The containment that answers are judged in, also for one that needs no running."""

    async def close(self) -> None: ...
