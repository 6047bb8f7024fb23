"""Running a drafted task: which tests cannot count and why, what fails, what lint sees."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from dataclasses import dataclass, replace

from harness.errors import UsageError
from harness.grading.boxes import Place
from harness.grading.subject import Subject
from harness.grading.twin_cache import twins_of
from harness.grading.twin_pairs import TwinSet
from harness.grading.verdict import RunResult
from harness.outcome import GradeStatus
from harness.sandbox.protocol import Limits
from harness.sandbox.shared import SharedBoxes
from harness.tasks.admission import Bench, failing, some, together
from harness.tasks.lint_proof import Linted, lint_tree
from harness.tasks.task import Category, Tree

RUNS = 3  # of gold, as admission does it
_UNLOADABLE = (GradeStatus.COLLECTION_ERROR, GradeStatus.SYNTAX_ERROR)


@dataclass(frozen=True)
class Findings:
    """hidden: the tests that can be loaded; dropped: files of tests, hidden or visible, that
    cannot, and why; left_out: tests that cannot count, and why; failing: tests that gold passes
    and the starting tree does not; passing: those that both pass; messages: what failing ones
    said; category: by what lint says of the starting tree."""

    hidden: Tree
    dropped: dict[str, str]
    left_out: dict[str, str]
    failing: tuple[str, ...]
    passing: tuple[str, ...]
    messages: dict[str, str]
    category: Category
    gold_is_clean: bool


async def examine(subject: Subject, start: Tree, boxes: SharedBoxes, limits: Limits) -> Findings:
    """Run gold (``subject.start``) and the starting tree. Raises UsageError in plain words where
    the project cannot be a task, SandboxError, ConfigError."""
    place = Place(boxes, limits, f"new-{subject.id}"[:60], subject.id)
    subject, dropped = await _loadable(subject, place)
    start = without(start, dropped)
    twins = await twins_of(subject, place)
    bench, true = Bench(subject, place, twins.names), await asyncio.to_thread(twins.all_true)
    lints = asyncio.gather(
        lint_tree(boxes, limits, subject.language, subject.start),
        lint_tree(boxes, limits, subject.language, start),
    )
    try:
        runs = await together(
            *(bench.run(subject.start, true) for _ in range(RUNS)),
            *(bench.falsified(subject.start, twins, seed) for seed in range(RUNS)),
            bench.run(start, true),
        )
        gold_lint, start_lint = await lints
    finally:
        lints.cancel()
        await asyncio.gather(lints, return_exceptions=True)
    golds, false, at_start = runs[:RUNS], runs[RUNS:-1], runs[-1]
    for run in golds:
        if run.problem is not None:
            raise UsageError(f"the correct tree's tests do not run: {run.detail[:1500]}")
    left_out = _left_out(golds, false, twins)
    tests = tuple(sorted({t for run in golds for t in run.tests} - left_out.keys()))
    failed = failing(at_start, tests)
    return Findings(
        hidden=subject.hidden,
        dropped=dropped,
        left_out=left_out,
        failing=tuple(failed),
        passing=tuple(test for test in tests if test not in set(failed)),
        messages={t: at_start.tests[t].message for t in failed if t in at_start.tests},
        category=_category(gold_lint, start_lint, at_start),
        gold_is_clean=gold_lint.findings == 0,
    )


async def _loadable(subject: Subject, place: Place) -> tuple[Subject, dict[str, str]]:
    """The subject without the test files that gold cannot load, and what each of them said."""
    dropped: dict[str, str] = {}
    while True:
        run = await Bench(subject, place).run(subject.start, subject.hidden)
        there = subject.hidden.keys() | subject.start.keys()
        bad = [path for path in run.files_with_errors if path in there]
        if run.problem is None:
            break
        if run.problem not in _UNLOADABLE or not bad:
            raise UsageError(
                f"the correct tree's tests do not run in a box ({run.problem.value}): "
                f"{run.detail[-1500:].strip()}",
                remedy="a box has the standard library, pytest and Node, no network and no "
                "installed copy of the project",
            )
        errors = {str(e.get("path")): str(e.get("message", "")) for e in _errors(run)}
        dropped |= {path: _last_line(errors.get(path, run.detail)) for path in bad}
        hidden, start = without(subject.hidden, dropped), without(subject.start, dropped)
        subject = replace(subject, hidden=hidden, start=start, gold=start)
    if not run.tests:
        told = "; ".join(f"{path}: {why}" for path, why in list(dropped.items())[:4])
        told = told or (run.report.stderr or run.report.stdout)[-800:].strip()
        raise UsageError(
            f"no test runs on the correct tree{f': {told}' if told else ''}",
            remedy="a box has the standard library and pytest (or Node), and no installed packages",
        )
    return subject, dropped


def without(tree: Tree, paths: Collection[str]) -> Tree:
    """``tree`` less some paths."""
    return {path: file for path, file in tree.items() if path not in paths}


def _errors(run: RunResult) -> list[dict[str, object]]:
    return [line for line in run.report.results if line.get("type") == "error"]


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1].removeprefix("E ").strip()[:300] if lines else "cannot be loaded"


def _left_out(golds: list[RunResult], false: list[RunResult], twins: TwinSet) -> dict[str, str]:
    """Tests that cannot decide anything, with the reason."""
    tests = tuple(sorted({test for run in golds for test in run.tests}))
    found: dict[str, str] = {}
    outcomes = [
        {t: run.tests[t].outcome if t in run.tests else "missing" for t in tests} for run in golds
    ]
    for test in tests:
        seen = sorted({each[test] for each in outcomes})
        if len(seen) > 1:
            found[test] = f"flakes on the correct tree: {' or '.join(seen)}"
        elif seen != ["passed"]:
            message = golds[0].tests[test].message if test in golds[0].tests else ""
            why = f": {_last_line(message)}" if message.strip() else ""
            found[test] = f"{seen[0]} on the correct tree{why}"
    for run in false:
        for test, line in run.tests.items():
            if line.outcome == "passed" and twins.has_twin(test):
                found.setdefault(test, "passes with falsified expectations, so it checks nothing")
    return found


def _category(gold: Linted, start: Linted, at_start: RunResult) -> Category:
    """What a linter sees of the defect decides; a feature is for a person to name."""
    if start.of_syntax() is not None and gold.of_syntax() is None:
        return "syntax"
    if at_start.problem in _UNLOADABLE:
        return "syntax"
    if start.findings > gold.findings and start.of_types() is not None:
        return "type"
    return "logic"


def flawed(findings: Findings) -> str | None:
    """Why this cannot be a task, in plain words; None when it can."""
    if not findings.failing:
        return (
            "no hidden test notices the defect: each that passes on the correct tree passes on the "
            "starting tree, too"
        )
    if not findings.passing and findings.category != "syntax":
        return f"nothing else is tested: all of {some(list(findings.failing))} fail at the start"
    return None
