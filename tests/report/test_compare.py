"""Comparisons against values worked out by hand."""

from __future__ import annotations

import pytest

from harness.ids import sample_key
from harness.outcome import Verdict
from harness.plan import EndpointIdentity, ModelPlan, Plan, SuitePlan, TaskRef
from harness.report.compare import Comparison, Side, compare
from harness.report.compare_words import headline, sentences
from harness.report.sign_test import sign_test, smallest_showing

LETTERS = {
    "r": Verdict.RESOLVED,
    "u": Verdict.UNRESOLVED,
    "t": Verdict.TAMPERED,
    "n": Verdict.NO_SCORE,
}


def suite(tasks: int = 10, name: str = "repos", **more: object) -> SuitePlan:
    refs = tuple(TaskRef(id=f"{name}-{n}", digest=f"{n:064x}") for n in range(tasks))
    fields = {"version": "1", "protocol": "proctor-1", "executes_code": False, "tasks": refs}
    return SuitePlan.model_validate({"name": name, **fields, **more})


def side(marks: dict[str, str], *, run: str = "run", plan: Plan | None = None) -> Side:
    """marks: task id -> one letter an epoch, ``-`` for no record."""
    verdicts = {
        sample_key(task, epoch): LETTERS[letter]
        for task, letters in marks.items()
        for epoch, letter in enumerate(letters, start=1)
        if letter != "-"
    }
    return Side(run, plan or make_plan(), verdicts)


def make_plan(*suites: SuitePlan, epochs: int = 1, model: str = "a") -> Plan:
    return Plan(
        proctor="0",
        suites=suites or (suite(),),
        model=ModelPlan(
            kind="noop", name=model, identity=EndpointIdentity(kind="noop", model_id=model)
        ),
        epochs=epochs,
    )


def letters(text: str, name: str = "repos") -> dict[str, str]:
    return {f"{name}-{n}": letter for n, letter in enumerate(text.split())}


def test_the_exact_test_by_hand() -> None:
    # 2 * (C(5,0) + C(5,1)) / 2**5 and so on
    assert sign_test(0, 0) == 1.0
    assert sign_test(5, 0) == pytest.approx(2 / 32)
    assert sign_test(6, 0) == pytest.approx(2 / 64)
    assert sign_test(1, 4) == pytest.approx(2 * (1 + 5) / 32)
    assert sign_test(9, 1) == sign_test(1, 9) == pytest.approx(2 * (1 + 10) / 1024)


def test_the_smallest_difference_that_can_be_shown() -> None:
    assert smallest_showing(5) is None  # five of five all one way still have p = 0.0625
    assert smallest_showing(6) == 6
    assert smallest_showing(500) == 6
    assert smallest_showing(500, 0.025) == 7  # 2 / 2**7 is the first below 0.025


def test_six_of_ten_one_way_are_distinguishable() -> None:
    found = compare(
        side(letters("r r r r r r r u u r")), side(letters("u u u u u u r u u r"), run="other")
    )
    (result,) = found.suites
    assert (result.a_better, result.b_better, result.same, result.tasks) == (6, 0, 4, 10)
    assert result.p_value == pytest.approx(2 / 64)
    assert (result.verdict, result.better, found.verdict) == (
        "distinguishable",
        "a",
        "distinguishable",
    )
    assert (result.score_a, result.score_b) == (0.8, 0.2)
    assert (result.smallest, result.smallest_points) == (6, 60.0)
    assert headline(result) == "distinguishable: the first run resolves more"
    assert [pair.better for pair in found.pairs] == ["a"] * 6 + ["same"] * 4
    assert [pair.task_id for pair in found.pairs[:2]] == ["repos-0", "repos-1"]


def test_noise_is_no_ranking() -> None:
    found = compare(side(letters("r r r r r r u u u u")), side(letters("u u u u u r r u u u")))
    (result,) = found.suites
    assert (result.a_better, result.b_better) == (5, 1)
    assert result.p_value == pytest.approx(2 * (1 + 6) / 64)
    assert result.verdict == "indistinguishable" and result.better is None
    words = " ".join([headline(result), *sentences(result)])
    assert "indistinguishable at this sample size" in words
    assert "6 tasks, all for one run (60.0 points)" in words
    assert "resolves more" not in words


def test_too_few_tasks_can_show_nothing() -> None:
    plan = make_plan(suite(5))
    found = compare(side(letters("r r r r r"), plan=plan), side(letters("u u u u u"), plan=plan))
    (result,) = found.suites
    assert result.p_value == pytest.approx(0.0625) and result.verdict == "indistinguishable"
    assert result.smallest is None and result.smallest_points is None
    assert "5 tasks cannot show any difference" in " ".join(sentences(result))


def test_samples_without_a_score_stand_apart() -> None:
    found = compare(side(letters("r r n - u r r r r r")), side(letters("u n r r u r r r r r")))
    (result,) = found.suites
    assert (result.tasks, result.a_better, result.b_better, result.same) == (7, 1, 0, 6)
    assert (result.unpaired, result.unpaired_a, result.unpaired_b) == (3, 2, 1)
    assert result.score_a == pytest.approx(6 / 7) and result.score_b == pytest.approx(5 / 7)
    assert [pair.better for pair in found.pairs[:4]] == ["a", "no_score", "no_score", "no_score"]
    assert "left out, without a score: 3 (2 in the first run, 1 in the second)" in sentences(result)


def test_tampered_is_a_score_and_not_resolved() -> None:
    found = compare(side(letters("t t t r r r r r r r")), side(letters("u t r r r r r r r r")))
    (result,) = found.suites
    assert (result.a_better, result.b_better, result.unpaired) == (0, 1, 0)


def test_epochs_are_paired_one_by_one_and_count_once_a_task() -> None:
    plan = make_plan(suite(3), epochs=3)
    a = side({"repos-0": "rru", "repos-1": "rnr", "repos-2": "uuu"}, plan=plan)
    b = side({"repos-0": "uru", "repos-1": "uru", "repos-2": "uuu"}, plan=plan)
    found = compare(a, b)
    pairs = {pair.task_id: pair for pair in found.pairs}
    # epoch 2 of repos-1 has no score in the first run: only epochs 1 and 3 are paired
    assert (pairs["repos-0"].a, pairs["repos-0"].b) == (pytest.approx(2 / 3), pytest.approx(1 / 3))
    assert (pairs["repos-1"].a, pairs["repos-1"].b, pairs["repos-1"].epochs) == (1.0, 0.0, 2)
    (result,) = found.suites
    assert (result.a_better, result.b_better, result.same, result.unpaired) == (2, 0, 1, 1)
    assert result.p_value == pytest.approx(0.5)
    assert [pair.task_id for pair in found.pairs] == ["repos-1", "repos-0", "repos-2"]


def test_more_epochs_in_one_run_are_left_out() -> None:
    a = side(letters("r u r r r r r r r r"))
    b = side({f"repos-{n}": "ru" for n in range(10)}, plan=make_plan(epochs=2))
    found = compare(a, b)
    (result,) = found.suites
    assert (result.tasks, result.epochs, result.b_better, result.unpaired) == (10, 1, 1, 0)
    assert any(line.startswith("epochs: 1 -> 2") for line in found.other)


def _changed(**more: object) -> Comparison:
    other = make_plan(suite(**more))  # type: ignore[arg-type]
    return compare(side(letters("r r")), side(letters("u u"), plan=other))


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"tasks": 9}, "1 task is only in the first run: repos-9"),
        ({"tasks": 14}, "4 tasks are only in the second run: repos-10, repos-11, repos-12, ..."),
        ({"protocol": "sacb"}, "the protocol differs: proctor-1 and sacb"),
        ({"version": "2"}, "the suite's version differs: 1 and 2"),
        ({"prompt_digest": "x"}, "the prompts differ"),
        ({"options": {"shots": 5}}, "the suite's options differ: shots"),
    ],
)
def test_other_tasks_do_not_compare(more: dict[str, object], reason: str) -> None:
    found = _changed(**more)
    (result,) = found.suites
    assert found.verdict == result.verdict == "not_comparable"
    assert result.reasons == (reason,)
    assert result.p_value is None and result.better is None
    assert sentences(result) == [reason]
    assert found.pairs  # what both have can still be looked at


def test_a_task_that_was_changed_does_not_compare() -> None:
    refs = tuple(TaskRef(id=f"repos-{n}", digest=f"{n + 100 * (n == 3):064x}") for n in range(10))
    other = make_plan(suite().model_copy(update={"tasks": refs}))
    found = compare(side(letters("r r")), side(letters("u u"), plan=other))
    assert found.suites[0].reasons == ("1 task is different in the runs: repos-3",)


def test_suites_of_one_run_only() -> None:
    a = make_plan(suite(), suite(3, "mmlu"))
    b = make_plan(suite(), suite(3, "mbpp"))
    found = compare(side(letters("r r"), plan=a), side(letters("r r"), plan=b))
    assert [(s.suite, s.verdict) for s in found.suites] == [
        ("repos", "indistinguishable"),
        ("mmlu", "not_comparable"),
        ("mbpp", "not_comparable"),
    ]
    assert found.suites[1].reasons == ("the second run has no suite mmlu",)
    assert found.verdict == "indistinguishable"


def test_two_suites_share_the_level() -> None:
    plan = make_plan(suite(), suite(10, "mmlu"))
    a = letters("r r r r r r u u u u") | letters("r r r r r r r u u u", "mmlu")
    b = letters("u u u u u u u u u u") | letters("u u u u u u u u u u", "mmlu")
    found = compare(side(a, plan=plan), side(b, plan=plan))
    repos, mmlu = found.suites
    assert repos.alpha == mmlu.alpha == 0.025
    assert repos.verdict == "indistinguishable" and repos.smallest == 7  # p = 0.03125
    assert mmlu.verdict == "distinguishable"  # p = 0.015625


def test_runs_without_any_pair() -> None:
    found = compare(side({}), side(letters("r r")))
    assert found.verdict == "not_comparable"
    assert found.suites[0].reasons == ("no sample has a score in both runs",)


def test_what_else_differs_is_told() -> None:
    found = compare(side(letters("r")), side(letters("r"), plan=make_plan(model="b")))
    assert (found.model_a, found.model_b) == ("a", "b")
    assert "model.name: a -> b" in found.other
