"""Scores against values computed by hand."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from harness.events.base import ErrorInfo, Usage
from harness.events.run import SampleFinished
from harness.ids import sample_key
from harness.outcome import GradeStatus, StopReason, Verdict
from harness.plan import EndpointIdentity, ModelPlan, Plan, SuitePlan, TaskRef
from harness.report.intervals import pass_at_k, wilson, wilson_over_tasks
from harness.report.scores import Summary, summarise
from harness.store.records import SampleRecord


def plan(tasks: int, epochs: int = 1, suites: Iterable[str] = ("quiz",)) -> Plan:
    return Plan(
        proctor="0",
        suites=tuple(
            SuitePlan(
                name=name,
                version="1",
                protocol="p",
                executes_code=False,
                tasks=tuple(TaskRef(id=f"{name}-{n}", digest="d") for n in range(tasks)),
            )
            for name in suites
        ),
        model=ModelPlan(
            kind="noop", name="noop", identity=EndpointIdentity(kind="noop", model_id="noop")
        ),
        epochs=epochs,
    )


def record(
    task: str,
    resolved: bool,
    *,
    epoch: int = 1,
    verdict: Verdict | None = None,
    partial: float | None = None,
    category: str | None = None,
    difficulty: int | None = None,
    usage: Usage = Usage(),
) -> SampleRecord:
    return SampleRecord(
        sample=sample_key(task, epoch),
        suite=task.split("-")[0],
        task_id=task,
        epoch=epoch,
        attempt=1,
        session=1,
        plan="p",
        executes_code=False,
        attestation=None,
        verdict=verdict or (Verdict.RESOLVED if resolved else Verdict.UNRESOLVED),
        stop_reason=StopReason.FINISHED,
        grade_status=GradeStatus.OK if resolved else GradeStatus.WRONG_ANSWER,
        partial=partial,
        category=category,
        difficulty=difficulty,
        usage=usage,
        metrics={"turns": 4},
        timings={"episode": 1.5, "grading": 0.5},
    )


def failed(task: str, kind: str) -> SampleFinished:
    return SampleFinished(
        sample=sample_key(task, 1),
        suite=task.split("-")[0],
        task_id=task,
        epoch=1,
        attempt=1,
        verdict=Verdict.NO_SCORE,
        stop_reason="request_failed",
        error=ErrorInfo(kind=kind, message="m"),
    )


def of(records: list[SampleRecord], planned: Plan) -> Summary:
    return summarise(records, planned)


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        # (p + z2/2n -+ z sqrt(p(1-p)/n + z2/4n2)) / (1 + z2/n), z = 1.959964
        (8, 10, 0.490162, 0.943318),
        (0, 10, 0.0, 0.277533),
        (10, 10, 0.722467, 1.0),
        (1, 1, 0.206549, 1.0),
    ],
)
def test_wilson(successes: int, trials: int, low: float, high: float) -> None:
    assert wilson(successes, trials) == pytest.approx((low, high), abs=1e-6)


def test_wilson_without_trials_is_undefined() -> None:
    assert wilson(0, 0) is None
    assert wilson_over_tasks([]) is None


def test_the_interval_is_over_tasks_and_rounds_outwards() -> None:
    assert wilson_over_tasks([1.0, 0.0, 1.0]) == wilson(2, 3)
    assert wilson_over_tasks([1 / 3, 1 / 3, 1 / 3]) == wilson(1, 3)
    bounds = wilson_over_tasks([0.5, 1.0, 0.0])
    low, high = wilson(1, 3), wilson(2, 3)
    assert low is not None and high is not None
    assert bounds == (low[0], high[1])


@pytest.mark.parametrize(
    ("attempts", "successes", "k", "value"),
    [
        (5, 2, 1, 0.4),
        (5, 2, 2, 0.7),  # 1 - C(3,2)/C(5,2) = 1 - 3/10
        (5, 0, 3, 0.0),
        (5, 3, 3, 1.0),  # two failures cannot fill three places
        (4, 1, 4, 1.0),
        (3, 1, 4, None),
        (3, 3, 4, None),
    ],
)
def test_pass_at_k(attempts: int, successes: int, k: int, value: float | None) -> None:
    assert pass_at_k(attempts, successes, k) == (None if value is None else pytest.approx(value))


def test_the_score_is_the_mean_over_tasks_not_over_samples() -> None:
    # Task 0 resolved 1 of 1, task 1 resolved 0 of 3: by samples 1/4, by tasks 1/2.
    records = [record("quiz-0", True)] + [record("quiz-1", False, epoch=e) for e in (1, 2, 3)]
    suite = of(records, plan(2, epochs=3)).suites[0]
    assert suite.score == 0.5
    assert (suite.planned, suite.scored, suite.pending, suite.without_score) == (6, 4, 2, 0)


def test_samples_without_a_score_stand_apart() -> None:
    records = [record("quiz-0", True), record("quiz-1", False)]
    endings = [failed("quiz-2", "EndpointError"), failed("quiz-3", "EndpointError")]
    # An ending of a sample that has a score by now is history.
    endings.append(failed("quiz-0", "SandboxLost"))
    suite = summarise(records, plan(5), unscored=endings).suites[0]
    assert suite.score == 0.5
    assert (suite.scored, suite.without_score, suite.pending) == (2, 2, 1)
    assert suite.errors == {"EndpointError": 2}


def test_a_run_without_a_single_score_has_none() -> None:
    summary = of([], plan(3))
    suite = summary.suites[0]
    assert suite.score is None and suite.interval is None and suite.mean_partial is None
    assert suite.pass_at_k[0].value is None
    assert not summary.complete


def test_partial_counts_a_task_once_whatever_its_epochs() -> None:
    records = [
        *(record("quiz-0", True, epoch=epoch, partial=1.0) for epoch in (1, 2, 3)),
        record("quiz-1", False, partial=0.0),
    ]
    suite = of(records, plan(2, epochs=3)).suites[0]
    assert (suite.score, suite.mean_partial, suite.partial_samples) == (0.5, 0.5, 4)


def test_partial_is_a_number_beside_the_verdict() -> None:
    records = [
        record("quiz-0", True, partial=1.0),
        record("quiz-1", False, partial=0.5),
        record("quiz-2", False),
    ]
    suite = of(records, plan(3)).suites[0]
    assert (suite.mean_partial, suite.partial_samples) == (0.75, 2)
    assert suite.score == pytest.approx(1 / 3)


def test_tampering_counts_and_is_not_resolved() -> None:
    records = [record("quiz-0", True), record("quiz-1", False, verdict=Verdict.TAMPERED)]
    suite = of(records, plan(2)).suites[0]
    assert (suite.score, suite.tampered, suite.unresolved, suite.scored) == (0.5, 1, 0, 2)


def test_categories_and_difficulties() -> None:
    records = [
        record("quiz-0", True, category="logic", difficulty=1),
        record("quiz-1", False, category="logic", difficulty=2),
        record("quiz-2", True, category="type", difficulty=2),
    ]
    suite = of(records, plan(3)).suites[0]
    assert [(g.name, g.resolved, g.score) for g in suite.categories] == [
        ("logic", 1, 0.5),
        ("type", 1, 1.0),
    ]
    assert [(g.name, g.scored) for g in suite.difficulties] == [
        ("difficulty 1", 1),
        ("difficulty 2", 2),
    ]


def test_pass_at_k_of_a_suite_says_for_how_many_tasks_it_is_undefined() -> None:
    records = [record("quiz-0", e == 1, epoch=e) for e in (1, 2, 3)]
    records += [record("quiz-1", False, epoch=e) for e in (1, 2)]
    suite = of(records, plan(2, epochs=3)).suites[0]
    found = {p.k: (p.value, p.tasks, p.undefined) for p in suite.pass_at_k}
    assert found[1] == (pytest.approx(1 / 6), 2, 0)
    assert found[2] == (pytest.approx(1 / 3), 2, 0)  # task 0: 1 - C(2,2)/C(3,2) = 2/3
    assert found[3] == (1.0, 1, 1)


def test_unknown_tokens_stay_unknown() -> None:
    assert of([record("quiz-0", True)], plan(1)).usage.prompt is None
    known = record("quiz-0", True, usage=Usage(prompt=10, completion=2))
    assert of([known], plan(1)).usage.prompt == 10


def test_suites_are_kept_apart() -> None:
    planned = plan(1, suites=("quiz", "test"))
    summary = of([record("quiz-0", True), record("test-0", False)], planned)
    assert [(s.name, s.score) for s in summary.suites] == [("quiz", 1.0), ("test", 0.0)]
    assert (summary.scored, summary.resolved, summary.complete) == (2, 1, True)
    assert summary.suites[0].seconds == 2.0 and summary.suites[0].mean_turns == 4.0
