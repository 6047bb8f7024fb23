"""From results and counters of two runs to a grade."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from harness.grading.judge import Judgement, judge
from harness.grading.subject import Subject
from harness.grading.verdict import read_run
from harness.outcome import GradeStatus
from harness.sandbox.protocol import ChildReport
from tests.support.grading import python_subject

CLEAN = ChildReport(
    exit_code=0,
    signal=None,
    stopped=None,
    oom_kills=0,
    pids_refused=0,
    disk_full=False,
    stdout="",
    stderr="",
    results=[],
    results_truncated=False,
    leftovers=0,
    wall_s=1.0,
    cpu_s=1.0,
    peak_memory=None,
)
BEGIN: dict[str, Any] = {"type": "begin"}
END: dict[str, Any] = {"type": "end", "exit": 0}


def task() -> Subject:
    return replace(python_subject(), fail_to_pass=("f1", "f2"), pass_to_pass=("p1",))


def line(test: str, outcome: str = "passed") -> dict[str, Any]:
    return {"type": "test", "id": test, "outcome": outcome, "message": "why", "seconds": 0.1}


def report(outcomes: dict[str, str], **more: Any) -> ChildReport:
    lines = [BEGIN, *(line(test, outcome) for test, outcome in outcomes.items()), END]
    return replace(CLEAN, results=lines, **more)


# f1 is falsified in the first run, f2 in the second, p1 has no twin.
ROLES = {"f1": 1, "f2": 2}
GOOD = (
    {"f1": "failed", "f2": "passed", "p1": "passed"},
    {"f1": "passed", "f2": "failed", "p1": "passed"},
)


def judged(first: ChildReport, second: ChildReport) -> Judgement:
    return judge(task(), read_run(first), read_run(second), lambda test: ROLES.get(test, 0))


def changed(first: dict[str, str], second: dict[str, str]) -> Judgement:
    return judged(report({**GOOD[0], **first}), report({**GOOD[1], **second}))


def test_true_forms_decide() -> None:
    result = changed({}, {})
    assert result.grade_status is GradeStatus.OK and result.resolved
    assert {o.id: (o.outcome, o.twin) for o in result.outcomes} == {
        "f1": ("passed", "failed"),
        "f2": ("passed", "failed"),
        "p1": ("passed", "none"),
    }


@pytest.mark.parametrize("outcome", ["failed", "error", "skipped"])
def test_only_passed_is_passed(outcome: str) -> None:
    result = changed({}, {"f1": outcome})
    assert result.grade_status is GradeStatus.WRONG_ANSWER and not result.resolved
    assert result.passed("fail_to_pass") == 1


def test_a_missing_test_is_not_passed() -> None:
    second = {test: outcome for test, outcome in GOOD[1].items() if test != "f1"}
    result = judged(report(GOOD[0]), report(second))
    assert result.grade_status is GradeStatus.WRONG_ANSWER
    assert result.outcomes[1].outcome == "missing" or result.outcomes[0].outcome == "missing"


def test_a_test_without_twin_must_pass_in_both_runs() -> None:
    assert changed({"p1": "failed"}, {}).grade_status is GradeStatus.WRONG_ANSWER
    assert changed({}, {"p1": "failed"}).grade_status is GradeStatus.WRONG_ANSWER


def test_true_and_falsified_passing_is_tampering() -> None:
    result = changed({"f1": "passed"}, {})
    assert result.grade_status is GradeStatus.TAMPERED and not result.resolved
    assert result.tampered == ["f1"]


def test_falsified_alone_passing_is_only_wrong() -> None:
    result = changed({"f1": "passed"}, {"f1": "failed"})
    assert result.grade_status is GradeStatus.WRONG_ANSWER and result.tampered == []


def test_no_test_run_at_all_is_no_success() -> None:
    result = judged(report({}), report({}))
    assert result.grade_status is GradeStatus.COLLECTION_ERROR and not result.resolved


def test_a_run_cut_short_after_its_passes_is_not_resolved() -> None:
    lines = [BEGIN, *(line(t, o) for t, o in GOOD[1].items())]
    result = judged(report(GOOD[0]), replace(CLEAN, results=lines))
    assert result.grade_status is GradeStatus.EXITED_EARLY and not result.resolved


def test_the_worst_of_repeated_results_counts() -> None:
    lines = [BEGIN, line("f1", "failed"), line("f1", "passed"), END]
    run = read_run(replace(CLEAN, results=lines))
    assert run.tests["f1"].outcome == "failed" and run.repeated == ("f1",)


def test_made_up_lines_do_no_harm() -> None:
    hostile: list[dict[str, Any]] = [
        {"type": "test"},
        {"type": "test", "id": 7, "outcome": ["passed"], "seconds": "x"},
        {"type": ["end"]},
        {"type": "end", "machinery": 3},
        {"type": "error", "kind": None, "message": None},
    ]
    run = read_run(replace(CLEAN, results=hostile))
    assert {test.outcome for test in run.tests.values()} == {"error"}


ENDINGS: list[tuple[dict[str, Any], GradeStatus]] = [
    ({"exit_code": None, "stopped": "wall"}, GradeStatus.TIMEOUT),
    ({"exit_code": None, "stopped": "cpu"}, GradeStatus.TIMEOUT),
    ({"exit_code": None, "stopped": "memory"}, GradeStatus.OUT_OF_MEMORY),
    ({"exit_code": None, "signal": 9, "oom_kills": 1}, GradeStatus.OUT_OF_MEMORY),
    ({"exit_code": None, "stopped": "output"}, GradeStatus.OUTPUT_FLOOD),
    ({"results_truncated": True}, GradeStatus.OUTPUT_FLOOD),
    ({"exit_code": 1, "pids_refused": 3}, GradeStatus.PIDS_EXHAUSTED),
    ({"exit_code": 1, "disk_full": True}, GradeStatus.DISK_FULL),
    ({"exit_code": None, "signal": 11}, GradeStatus.CRASHED),
    ({"exit_code": 0}, GradeStatus.EXITED_EARLY),
    ({"exit_code": 3}, GradeStatus.EXITED_EARLY),
]


@pytest.mark.parametrize(("facts", "status"), ENDINGS)
def test_what_ended_a_run(facts: dict[str, Any], status: GradeStatus) -> None:
    assert read_run(replace(CLEAN, results=[BEGIN], **facts)).problem is status


def test_a_runner_that_never_began_is_our_fault() -> None:
    run = read_run(replace(CLEAN, exit_code=1, stderr="No module named pytest"))
    assert run.problem is GradeStatus.RUNNER_ERROR and "No module named pytest" in run.detail


@pytest.mark.parametrize(
    ("facts", "status"),
    [
        ({"oom_kills": 1}, GradeStatus.OUT_OF_MEMORY),
        ({"pids_refused": 2}, GradeStatus.PIDS_EXHAUSTED),
        ({"disk_full": True}, GradeStatus.DISK_FULL),
    ],
)
def test_a_limit_met_on_the_way_explains_failures_only(
    facts: dict[str, Any], status: GradeStatus
) -> None:
    failing = report({**GOOD[1], "f1": "failed"}, **facts)
    assert judged(report(GOOD[0]), failing).grade_status is status
    assert judged(report(GOOD[0]), report(GOOD[1], **facts)).grade_status is GradeStatus.OK
