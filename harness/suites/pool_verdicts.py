"""From how a job of the split judge ended to a verdict."""

from __future__ import annotations

import signal
from typing import Any

from harness.outcome import GradeStatus
from harness.sandbox.protocol import Attestation, CandidateReport, MiB
from harness.suites.judging import CheckFailure, CodeJob, CodeVerdict

_WHOLE = "all"  # the group of a job that names none
# CPU time is looked at every 20 ms, and a kill needs its time: so near the limit it was that.
_CPU_SHARE = 0.95
FLOOD = 512 * MiB  # of printed text, which is else only cut
_NO_PROCESS = "BlockingIOError:"  # EAGAIN of fork
_STOPS = {
    "wall": (GradeStatus.TIMEOUT, "stopped at its wall clock limit of {wall:g} s"),
    "cpu": (GradeStatus.TIMEOUT, "stopped at its CPU limit of {cpu:g} s"),
    "memory": (GradeStatus.OUT_OF_MEMORY, "stopped at its memory limit"),
    "output": (GradeStatus.OUTPUT_FLOOD, "printed more than the {flood} MiB that are let pass"),
    "disk": (GradeStatus.DISK_FULL, "filled its disk"),
}


def groups_of(job: CodeJob) -> list[tuple[str, int]]:
    """The job's groups; one of all checks where it names none."""
    return list(job.groups) or [(_WHOLE, len(job.checks))]


def judge_fields(job: CodeJob) -> dict[str, Any]:
    """The job as ``tools.testing.run_judge`` takes it."""
    return {
        "source": job.module,
        "setup": job.setup,
        "checks": list(job.checks),
        "groups": groups_of(job),
        "entry_point": job.entry_point,
        "names": list(job.names),
        "seed": job.seed,
        "memory": job.limits.memory,
    }


def verdict_of_report(
    job: CodeJob, report: CandidateReport, attestation: Attestation
) -> CodeVerdict | None:
    """What the report says of the candidate; None where the judge died and nothing says why."""
    failed = next((line for line in report.results if line.get("type") == "failed"), None)
    last = report.results[-1] if report.results and not report.judge_ended else {}
    counts = _counts(job, report)
    passed, total = sum(n for n, _ in counts.values()), len(job.checks)
    ending = _ending(job, report, last, failed, passed == total)
    if ending is None:
        return None
    status, detail = ending
    return CodeVerdict(
        grade_status=status,
        attestation=attestation,
        detail=detail,
        failure=_failure(job, report, last, failed, status),
        checks_passed=passed,
        checks_total=total,
        groups={name: value for name, value in counts.items() if job.groups},
        flags=("left_processes",) if report.leftovers else (),
        wall_s=report.wall_s,
        cpu_s=report.cpu_s,
    )


def _counts(job: CodeJob, report: CandidateReport) -> dict[str, tuple[int, int]]:
    told: dict[str, Any] = {}
    for line in report.results:
        if isinstance(line.get("passed"), dict):
            told = line["passed"]
    return {name: (_passed(told.get(name), total), total) for name, total in groups_of(job)}


def _passed(told: Any, total: int) -> int:
    """A count of passed checks as a judge tells it; no more than there are."""
    return max(0, min(told, total)) if isinstance(told, int) else 0


def _ending(
    job: CodeJob,
    report: CandidateReport,
    last: dict[str, Any],
    failed: dict[str, Any] | None,
    complete: bool,
) -> tuple[GradeStatus, str] | None:
    kind = last.get("type")
    if kind == "end" and complete:
        return GradeStatus.OK, ""
    if kind == "syntax":
        return GradeStatus.SYNTAX_ERROR, str(last.get("text"))
    if kind == "left":
        return GradeStatus.EXITED_EARLY, f"left by SystemExit: {last.get('text')}"
    if kind == "forged":
        return GradeStatus.TAMPERED, f"spoke out of turn to its judge: {last.get('text')}"
    if kind in ("end", "failed_load"):
        told = failed or last
        strain = _strain(report, f"{told.get('kind')}: {told.get('error') or told.get('text')}")
        return strain or (GradeStatus.WRONG_ANSWER, str(last.get("text") or ""))
    return _gone(job, report)


def _strain(report: CandidateReport, error: str) -> tuple[GradeStatus, str] | None:
    """A limit that was met and explains a failed check."""
    if report.oom_kills or error.startswith("MemoryError:"):
        return GradeStatus.OUT_OF_MEMORY, "there was no more memory for it"
    # bubblewrap has no counter of refused processes: what Python says of one tells
    if report.pids_refused or error.startswith(_NO_PROCESS) or "start new thread" in error:
        return GradeStatus.PIDS_EXHAUSTED, "no further process could be started"
    if report.disk_full:
        return GradeStatus.DISK_FULL, "its disk was full"
    return None


def _gone(job: CodeJob, report: CandidateReport) -> tuple[GradeStatus, str] | None:
    """The candidate's process, or the judge's, ended before the checks were done."""
    if report.stopped is not None:
        status, detail = _STOPS[report.stopped]
        limits = job.limits
        detail = detail.format(wall=limits.wall_s, cpu=limits.cpu_s, flood=FLOOD // MiB)
        return status, f"{detail} ({report.cpu_s:.1f} s CPU, {report.wall_s:.1f} s wall clock)"
    strain = _strain(report, "")
    if strain is not None and strain[0] is GradeStatus.OUT_OF_MEMORY:
        return strain
    if report.judge_ended:
        return None
    code = report.candidate_exit
    spent = report.cpu_s >= _CPU_SHARE * job.limits.cpu_s
    if code == -signal.SIGXCPU or (code == -signal.SIGKILL and spent):
        return GradeStatus.TIMEOUT, f"stopped at its CPU limit ({report.cpu_s:.1f} s)"
    if strain is not None:
        return strain
    if code < 0:
        return GradeStatus.CRASHED, f"ended by signal {-code}"
    return GradeStatus.EXITED_EARLY, f"its process left with exit code {code}"


def _failure(
    job: CodeJob,
    report: CandidateReport,
    last: dict[str, Any],
    failed: dict[str, Any] | None,
    status: GradeStatus,
) -> CheckFailure | None:
    if failed is not None:
        return CheckFailure(
            check=str(failed.get("check")),
            got=_text(failed.get("got")),
            expected=_text(failed.get("expected")),
            error=_text(failed.get("error")),
        )
    if last.get("type") == "failed_load":
        return CheckFailure(check="the answer as a module", error=str(last.get("text")))
    if status in (GradeStatus.OK, GradeStatus.SYNTAX_ERROR):
        return None
    at = next((line["check"] for line in reversed(report.results) if "check" in line), 0)
    if isinstance(at, int) and 0 <= at < len(job.checks):
        return CheckFailure(check=job.checks[at][:2_000])
    return None


def _text(value: Any) -> str | None:
    return None if value is None else str(value)
