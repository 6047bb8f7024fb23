"""From how a test run ended to a grade_status."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

from harness.outcome import GradeStatus
from harness.sandbox.protocol import ChildReport


@dataclass(frozen=True)
class TestLine:
    """One result line of a test."""

    __test__ = False

    id: str
    outcome: str
    message: str = ""
    seconds: float = 0.0


@dataclass(frozen=True)
class RunResult:
    """One run of the hidden tests, read from its result lines (which may be forged).

    tests: worst outcome per id; repeated: ids reported more than once; problem: what ended the
    run or kept files from it, None when it ran to its end.
    """

    tests: dict[str, TestLine]
    repeated: tuple[str, ...]
    problem: GradeStatus | None
    detail: str
    machinery: tuple[str, ...]
    report: ChildReport
    files_with_errors: tuple[str, ...] = field(default=())


_ERRORS = {"memory": GradeStatus.OUT_OF_MEMORY, "syntax": GradeStatus.SYNTAX_ERROR}
# How bad an outcome is when an id was reported more than once: the worst one counts.
_RANK = {"passed": 0, "skipped": 1, "error": 2, "failed": 3}


def read_run(report: ChildReport) -> RunResult:
    """The results of a test run and what ended it."""
    tests: dict[str, TestLine] = {}
    repeated: list[str] = []
    errors: list[dict[str, Any]] = []
    kinds: set[str] = set()
    machinery: tuple[str, ...] = ()
    for line in report.results:
        kind = line.get("type")
        kinds.add(str(kind))
        if kind == "test":
            test = _test_line(line)
            if test.id in tests:
                repeated.append(test.id)
            known = tests.get(test.id)
            if known is None or _RANK[test.outcome] > _RANK[known.outcome]:
                tests[test.id] = test
        elif kind == "error":
            errors.append(line)
        elif kind == "end" and isinstance(line.get("machinery"), list):
            machinery = tuple(str(name)[:200] for name in line["machinery"][:20])
    problem, detail = ending(report, begun="begin" in kinds, ended="end" in kinds)
    if problem is None and errors:
        kinds = {str(error.get("kind")) for error in errors}
        problem = next((s for k, s in _ERRORS.items() if k in kinds), GradeStatus.COLLECTION_ERROR)
        detail = str(errors[0].get("message", ""))[:2000]
    paths = tuple(str(error.get("path", ""))[:300] for error in errors)
    result = RunResult(tests, tuple(repeated), problem, detail, machinery, report, paths)
    if problem is GradeStatus.COLLECTION_ERROR and (limit := strained(result)) is not None:
        return replace(result, problem=limit)
    return result


def renamed(run: RunResult, names: dict[str, str]) -> RunResult:
    """``run`` with the tests' own ids in the place of those of a printed form."""
    if not names:
        return run
    tests = {names.get(i, i): replace(t, id=names.get(i, i)) for i, t in run.tests.items()}
    return replace(run, tests=tests, repeated=tuple(names.get(i, i) for i in run.repeated))


def counted(run: RunResult, left_out: tuple[str, ...]) -> RunResult:
    """``run`` without the tests that do not count."""
    if not left_out:
        return run
    dropped = set(left_out)
    tests = {test: line for test, line in run.tests.items() if test not in dropped}
    return replace(run, tests=tests, repeated=tuple(i for i in run.repeated if i not in dropped))


def ending(report: ChildReport, *, begun: bool, ended: bool) -> tuple[GradeStatus | None, str]:
    """What ended a run before its time, and in words; None for one that came to its end."""
    if report.results_truncated:
        return GradeStatus.OUTPUT_FLOOD, "more results were written than tests can make"
    if ended:
        return None, ""
    if report.stopped in ("wall", "cpu"):
        kind = "wall clock" if report.stopped == "wall" else "CPU"
        return GradeStatus.TIMEOUT, f"stopped at its {kind} limit after {report.wall_s:.1f} s"
    if report.stopped == "memory" or report.oom_kills:
        return GradeStatus.OUT_OF_MEMORY, "a process was killed for want of memory"
    if report.stopped == "output":
        return GradeStatus.OUTPUT_FLOOD, "more was printed than the limit allows"
    if not begun:
        text = (report.stderr or report.stdout)[-2000:]
        return GradeStatus.RUNNER_ERROR, f"the test runner did not start: {text}"
    if report.pids_refused:
        return GradeStatus.PIDS_EXHAUSTED, "no further process could be started"
    if report.disk_full:
        return GradeStatus.DISK_FULL, "the box's disk was full"
    if report.signal is not None:
        return GradeStatus.CRASHED, f"ended by signal {report.signal}"
    return GradeStatus.EXITED_EARLY, f"exit code {report.exit_code} before the tests were done"


def strained(run: RunResult) -> GradeStatus | None:
    """A limit that was met in a run which still came to its end: it explains failed tests."""
    report = run.report
    # Where memory is limited without a cgroup, a refusal is an error inside the tests.
    ends = [test.message[-300:] for test in run.tests.values()] + [run.detail[-300:]]
    if report.oom_kills or any("MemoryError" in end for end in ends):
        return GradeStatus.OUT_OF_MEMORY
    if report.pids_refused:
        return GradeStatus.PIDS_EXHAUSTED
    # What filled the disk may be gone with its process by the time the disk is looked at.
    full = report.disk_full or any("No space left on device" in end for end in ends)
    return GradeStatus.DISK_FULL if full else None


def _test_line(line: dict[str, Any]) -> TestLine:
    outcome = line.get("outcome")
    seconds = line.get("seconds")
    return TestLine(
        id=str(line.get("id"))[:1000],
        outcome=outcome if isinstance(outcome, str) and outcome in _RANK else "error",
        message=str(line.get("message") or "")[:4000],
        seconds=_seconds(seconds),
    )


def _seconds(value: Any) -> float:
    """Seconds as a result line tells them, 0 for what cannot be."""
    try:
        number = float(value) if isinstance(value, int | float) else 0.0
    except OverflowError:
        return 0.0
    return number if math.isfinite(number) else 0.0
