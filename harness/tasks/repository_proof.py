"""What gold and the hidden tests prove by themselves, once for all tasks of a repository."""

from __future__ import annotations

import asyncio
import os
import re
from dataclasses import replace

from harness.grading.boxes import Place
from harness.grading.globs import matches
from harness.grading.grade import look
from harness.grading.subject import Subject
from harness.grading.twin_cache import twins_of
from harness.grading.twin_pairs import TwinSet
from harness.grading.verdict import RunResult
from harness.sandbox.protocol import Limits, Provider
from harness.sandbox.shared import shared_boxes
from harness.tasks.admission import Bench, Rejected, Step, failing, place_for, some, together
from harness.tasks.evidence import repository_is_fresh, write_repository_evidence
from harness.tasks.lint_proof import gold_reasons, lint_tree
from harness.tasks.task import Repository, RepositoryEvidence, Tree

GOLD_RUNS = 3
FALSE_RUNS = 3  # each draws other assertions and other values; one is a pair, as samples have it
ORDERS = (11, 12, 13, 14, 15)
# Protected by habit, whether they are there or not: they steer tools and test runners.
_DEFENSIVE = {
    *("conftest.py", "sitecustomize.py", "usercustomize.py", "setup.py", "setup.cfg"),
    *("pyproject.toml", "tox.ini", "pytest.ini", ".pytest.ini", "noxfile.py", "mypy.ini"),
    *("ruff.toml", ".ruff.toml", "package.json", "package-lock.json", "tsconfig.json"),
    *("node_modules", ".npmrc"),
}


async def validate_repository(
    repository: Repository,
    provider: Provider,
    *,
    limits: Limits | None = None,
    orders: bool = False,
    write: bool = True,
    step: Step = lambda what: None,
) -> RepositoryEvidence:
    """Evidence of a repository: gold three times, against falsified tests, its lint, its protected
    paths, and with ``orders`` in other orders. Raises Rejected with all reasons, SandboxError,
    ConfigError for tests that do not parse."""
    limits = limits or Limits()
    async with shared_boxes(provider) as boxes:
        subject = gold_subject(repository)
        place = place_for(repository.spec.name, repository.subject, boxes, limits)
        step(f"gold {GOLD_RUNS} times, {FALSE_RUNS} falsified forms, lint")
        twins = await twins_of(subject, place)
        bench, true = Bench(subject, place, twins.names), await asyncio.to_thread(twins.all_true)
        gold, language = repository.gold, repository.spec.language
        lint = asyncio.ensure_future(lint_tree(boxes, limits, language, gold))
        try:
            runs = await together(
                *(bench.run(gold, true) for _ in range(GOLD_RUNS)),
                *(bench.falsified(gold, twins, seed) for seed in range(FALSE_RUNS - 1)),
            )
            linted = await lint
        finally:
            lint.cancel()
            await asyncio.gather(lint, return_exceptions=True)
        golds, false = runs[:GOLD_RUNS], runs[GOLD_RUNS:]
        tests = tuple(sorted({test for run in golds for test in run.tests}))
        reasons = [
            *_paths_reasons(repository),
            *_gold_reasons(golds, tests),
            *twin_reasons(twins, false, tests),
            *gold_reasons(repository.spec, linted),
        ]
        if not reasons:
            reasons = await _pair_reasons(subject, gold, place, twins, tests)
        if orders and not reasons:
            step(f"{len(ORDERS)} random orders")
            reasons = await _order_reasons(bench, gold, true, tests)
    if reasons:
        raise Rejected(f"repository {repository.spec.name}", reasons, where=str(repository.root))
    known = repository.evidence if repository_is_fresh(repository) else None
    evidence = RepositoryEvidence(
        schema_version=2,
        subject=repository.subject,
        tests=tests,
        without_twin=tuple(test for test in tests if not twins.has_twin(test)),
        gold_runs=GOLD_RUNS,
        falsified_runs=FALSE_RUNS,
        lint_findings=linted.findings,
        random_orders=len(ORDERS) if orders else known.random_orders if known else 0,
        providers=tuple(sorted({*(known.providers if known else ()), provider.name})),
    )
    if write:
        write_repository_evidence(repository.root, evidence)
    return evidence


def gold_subject(repository: Repository) -> Subject:
    """The repository as grading sees it, with gold for a starting tree."""
    spec = repository.spec
    return Subject(
        id=spec.name,
        language=spec.language,
        tests=spec.tests,
        start=repository.gold,
        hidden=repository.hidden,
        gold=repository.gold,
        path=spec.python.path,
        protected=spec.paths.protected,
    )


async def _order_reasons(bench: Bench, gold: Tree, true: Tree, tests: tuple[str, ...]) -> list[str]:
    runs = await together(*(bench.run(gold, true, order=seed) for seed in ORDERS))
    reasons = []
    for seed, run in zip(ORDERS, runs, strict=True):
        if bad := failing(run, tests):
            reasons.append(f"gold fails in another order (seed {seed}): {some(bad)}")
    return reasons


def _paths_reasons(repository: Repository) -> list[str]:
    """Protected paths that are written out and name nothing: a mistyped one protects nothing."""
    paths = [*repository.gold, *repository.hidden]
    reasons = []
    for path in repository.spec.paths.protected:
        name = os.path.basename(path.rstrip("/"))  # noqa: PTH119  (a path in a tree)
        if re.search(r"[*?]", path) or name in _DEFENSIVE:
            continue
        if not any(matches(each, (path,)) for each in paths):
            reasons.append(f"the protected path {path} is missing: neither gold nor hidden has it")
    return reasons


def _gold_reasons(golds: list[RunResult], tests: tuple[str, ...]) -> list[str]:
    reasons = []
    for number, run in enumerate(golds, 1):
        if run.problem is not None:
            reasons.append(f"gold run {number}: {run.problem.value}: {run.detail[:600]}")
    runs = [set(failing(run, tests)) for run in golds]
    always = sorted(set.intersection(*runs))
    sometimes = sorted(set.union(*runs) - set(always))
    if always:
        told = [f"{test}: {_outcome(golds[0], test)}" for test in always]
        reasons.append(f"gold does not pass {some(told)}")
    if sometimes:
        reasons.append(f"tests flake, gold passes them now and then: {some(sometimes)}")
    if not tests and not reasons:
        reasons.append("there is no hidden test")
    return reasons


def _outcome(run: RunResult, test: str) -> str:
    return run.tests[test].outcome if test in run.tests else "missing"


async def _pair_reasons(
    subject: Subject, gold: Tree, place: Place, twins: TwinSet, tests: tuple[str, ...]
) -> list[str]:
    """Whether gold is resolved in a pair of forms, as samples are: true and falsified tests run
    side by side."""
    subject = replace(subject, fail_to_pass=tests)
    judged = (await look(subject, gold, place, twins)).judgement
    if judged.tampered:
        return [f"gold passes falsified tests: {some(judged.tampered)}"]
    if judged.resolved:
        return []
    return [f"gold is scored {judged.grade_status.value}: {judged.detail[:600]}"]


def twin_reasons(twins: TwinSet, runs: list[RunResult], tests: tuple[str, ...]) -> list[str]:
    """What speaks against gold or the tests in runs of falsified forms."""
    passed = {
        test
        for run in runs
        for test, line in run.tests.items()
        if line.outcome == "passed" and twins.has_twin(test)
    }
    reasons = [
        f"a falsified form does not run: {run.problem.value}: {run.detail[:600]}"
        for run in runs
        if run.problem is not None and tests
    ]
    if passed:
        reasons.append(f"gold passes falsified tests: {some(sorted(passed))}")
    if tests and not any(twins.has_twin(test) for test in tests):
        reasons.append("no hidden test can be falsified: its expectations are not in assertions")
    return reasons
