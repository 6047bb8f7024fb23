"""Joins the two runs of complementary twins into one judgement.

Each id was true in one run and falsified in the other (ids without a twin were true in both).
It passed when its true form passed; one that passes true *and* falsified is tampered with.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from harness.events.grading import TestOutcome
from harness.grading.subject import Subject
from harness.grading.verdict import RunResult, TestLine, strained
from harness.outcome import GradeStatus
from harness.words import counted

_MISSING = TestLine("", "missing")
# Which problem names the grade when the runs have different ones: the first that is there.
_PRECEDENCE = (
    GradeStatus.BOX_KILLED,
    GradeStatus.OUT_OF_MEMORY,
    GradeStatus.TIMEOUT,
    GradeStatus.OUTPUT_FLOOD,
    GradeStatus.PIDS_EXHAUSTED,
    GradeStatus.DISK_FULL,
    GradeStatus.CRASHED,
    GradeStatus.EXITED_EARLY,
    GradeStatus.SYNTAX_ERROR,
    GradeStatus.COLLECTION_ERROR,
    GradeStatus.RUNNER_ERROR,
)


@dataclass(frozen=True)
class Judgement:
    """What both runs say together."""

    grade_status: GradeStatus
    resolved: bool
    outcomes: list[TestOutcome]
    tampered: list[str]
    detail: str

    def passed(self, group: str) -> int:
        """Number of tests of a group (fail_to_pass, pass_to_pass) that passed."""
        return sum(o.group == group and o.outcome == "passed" for o in self.outcomes)


def judge(
    subject: Subject, first: RunResult, second: RunResult, role: Callable[[str], int]
) -> Judgement:
    """``role(id)`` is 1 when the id was falsified in the first run, 2 when in the second, 0 when
    it has no twin."""
    outcomes = _outcomes(subject, first, second, role)
    tampered = [o.id for o in outcomes if o.outcome == "passed" and o.twin == "passed"]
    expected = [o for o in outcomes if o.group != "other"]
    complete = all(o.outcome == "passed" for o in expected)
    problems = {run.problem: run.detail for run in (second, first) if run.problem is not None}
    named = next((p for p in _PRECEDENCE if p in problems), None)
    if tampered:
        status = GradeStatus.TAMPERED
        detail = (
            f"passed with true and with falsified expectations: {counted(len(tampered), 'test')}"
        )
    elif not subject.fail_to_pass:
        status, detail = GradeStatus.RUNNER_ERROR, "the task has no test that decides"
    elif named is not None:
        status, detail = named, problems[named]
    elif not (first.tests or second.tests):
        status, detail = GradeStatus.COLLECTION_ERROR, "no test was run at all"
    elif complete:
        status, detail = GradeStatus.OK, ""
    else:
        limits = [s for run in (first, second) if (s := strained(run)) is not None]
        status = limits[0] if limits else GradeStatus.WRONG_ANSWER
        failed = [o.id for o in expected if o.outcome != "passed"]
        detail = f"{len(failed)} of {len(expected)} tests did not pass, first: {failed[0]}"
    return Judgement(status, status is GradeStatus.OK, outcomes, tampered, detail)


def _outcomes(
    subject: Subject, first: RunResult, second: RunResult, role: Callable[[str], int]
) -> list[TestOutcome]:
    groups = dict.fromkeys(subject.pass_to_pass, "pass_to_pass")
    groups.update(dict.fromkeys(subject.fail_to_pass, "fail_to_pass"))
    others = sorted((first.tests.keys() | second.tests.keys()) - groups.keys())
    # Ids that nobody expects are made up or new: a bounded number is shown, none counts.
    groups.update(dict.fromkeys(others[:200], "other"))
    outcomes = []
    for test, group in groups.items():
        a, b = first.tests.get(test, _MISSING), second.tests.get(test, _MISSING)
        side = role(test)
        if side == 0:
            # Without a twin both runs saw the true form: it passed when it passed in both.
            true, twin = (b if a.outcome == "passed" else a), None
        else:
            true, twin = (b, a) if side == 1 else (a, b)
        outcomes.append(
            TestOutcome.model_validate(
                {
                    "id": test,
                    "group": group,
                    "outcome": true.outcome,
                    "twin": "none" if twin is None else twin.outcome,
                    "message": true.message,
                    "seconds": true.seconds,
                }
            )
        )
    return outcomes
