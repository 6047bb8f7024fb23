"""The summary table as text."""

from __future__ import annotations

import io

from rich.console import Console

from harness.events.base import Usage
from harness.report.scores import GroupScore, PassAtK, SuiteScore, Summary
from harness.report.table import interval, percent, summary_table, tokens


def shown(summary: Summary) -> str:
    out = io.StringIO()
    Console(file=out, width=120, markup=False, highlight=False).print(summary_table(summary))
    return out.getvalue()


def test_numbers_for_people() -> None:
    assert percent(0.625) == "62.5 %" and percent(None) == "-"
    assert interval((0.489, 0.742)) == "48.9 to 74.2 %" and interval(None) == "-"
    assert tokens(Usage()) == "tokens unknown"
    assert tokens(Usage(prompt=12345, completion=6)) == "12,345 in, 6 out"
    assert tokens(Usage(prompt=1)) == "1 in, ? out"


def suite_score(**changes: object) -> SuiteScore:
    fields = {
        "name": "mbpp", "tasks": 1, "scored": 2, "resolved": 1, "score": 0.5,
        "interval": (0.1, 0.9), "version": "1", "protocol": "p", "split": "all", "planned": 2,
        "unresolved": 1, "tampered": 0, "without_score": 0, "pending": 0, "flagged": 0,
        "mean_partial": 0.75, "partial_samples": 2,
        "pass_at_k": (PassAtK(k=1, value=0.5, tasks=1, undefined=0),
                      PassAtK(k=2, value=1.0, tasks=1, undefined=0)),
        "categories": (), "difficulties": (), "stop_reasons": {}, "grade_statuses": {},
        "errors": {}, "mean_turns": None, "usage": Usage(), "seconds": 1.0,
    }  # fmt: skip
    return SuiteScore.model_validate(fields | changes)


def summary_of(suite: SuiteScore) -> Summary:
    return Summary(
        plan="d", model="m", suites=(suite,), planned=2, scored=2, resolved=1,
        without_score=0, pending=0, usage=Usage(),
    )  # fmt: skip


def test_without_a_headline_score_no_number_stands_as_one() -> None:
    text = shown(summary_of(suite_score()))
    assert "75.0 %" in text and "pass@2 100.0 % (1 task)" in text
    text = shown(summary_of(suite_score(score=None, interval=None)))
    assert "75.0 %" not in text and "p: -" in text
    assert "pass@1 50.0 % (1 task answered)" in text
    assert "pass@2 100.0 % (1 task answered)" in text


def test_names_are_shown_as_they_are_and_no_count_is_hidden() -> None:
    group = GroupScore(
        name="[bold]logic[/x]", tasks=2, scored=2, resolved=1, score=0.5, interval=(0.1, 0.9)
    )
    suite = SuiteScore(
        name="repos", tasks=2, scored=2, resolved=1, score=0.5, interval=(0.1, 0.9),
        version="1", protocol="p", split="all", planned=5, unresolved=1, tampered=1,
        without_score=2, pending=1, flagged=1, mean_partial=0.75, partial_samples=2,
        pass_at_k=(PassAtK(k=1, value=0.5, tasks=2, undefined=0),
                   PassAtK(k=2, value=None, tasks=0, undefined=2)),
        categories=(group, group), difficulties=(), stop_reasons={"finished": 2},
        grade_statuses={"ok": 1}, errors={"EndpointError": 2}, mean_turns=3.0,
        usage=Usage(), seconds=1.0,
    )  # fmt: skip
    summary = Summary(
        plan="d", model="m", suites=(suite,), planned=5, scored=2, resolved=1,
        without_score=2, pending=1, usage=Usage(),
    )  # fmt: skip
    text = shown(summary)
    assert "[bold]logic[/x]" in text
    for part in (
        "2 of 5", "50.0 %", "10.0 to 90.0 %", "75.0 %", "the model server failed (2)",
        "1 not run yet", "tampered", "pass@2 - (0 tasks, undefined for 2)", "tokens unknown",
        "1 flagged",
    ):  # fmt: skip
        assert part in text, part
