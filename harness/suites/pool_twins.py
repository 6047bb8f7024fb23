"""Classes with their unittest tests, which share one interpreter: judged with complementary twins.

The tests run twice, each time in a box as new: in the first run a random half of the test methods
has falsified expectations, in the second the other half (``harness.grading.twins``). A method
passed when its true form did; one that passes true and falsified is tampered with. A test class
passed when it has test methods and all of them passed.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from harness.errors import ConfigError, SandboxLost
from harness.grading.hierarchy import told
from harness.grading.judge import Judgement
from harness.grading.judge import judge as joined
from harness.grading.subject import Subject
from harness.grading.twin_pairs import TwinSet
from harness.grading.twins_python import find
from harness.grading.verdict import RunResult, read_run
from harness.outcome import GradeStatus
from harness.sandbox.protocol import Box, ChildReport, ChildSpec
from harness.suites.judging import CheckFailure, CheckOutcome, CodeJob, CodeVerdict
from harness.tasks.task import TestSettings, TreeFile
from tools.box import layout

_FILE = "test_job.py"
_SETTINGS = TestSettings(style="unittest", folder=".")
_OUTPUT = 512 * 1024  # 32 times as much stops it


async def judge_with_twins(box: Box, job: CodeJob) -> CodeVerdict:
    """Judge a job in a box. Raises ConfigError for tests that do not parse."""
    twins, methods = _prepared(job.setup)
    pair = twins.pair(told=told(job.candidate))
    expected = tuple(f"{_FILE}::{name}::{m}" for name in job.checks for m in methods.get(name, ()))
    subject = Subject(job.task_id, "python", _SETTINGS, {}, {}, fail_to_pass=expected)
    runs: list[RunResult] = []
    reports: list[ChildReport] = []
    for form in (pair.first, pair.second):
        tests = form[_FILE].content.decode("utf-8", "surrogatepass")
        report = await box.run(_child(job, tests, _up_to(job.checks, list(methods))))
        reports.append(report)
        runs.append(_named(read_run(report)))
        if runs[-1].problem is GradeStatus.RUNNER_ERROR:
            raise SandboxLost(f"the tests of {job.task_id} did not start: {runs[-1].detail}")
        if runs[-1].problem is not None:
            break  # the other form would only say it again, after as long a time
    if len(runs) == 1:
        runs.append(replace(runs[0], tests={}))
    judgement = joined(subject, runs[0], runs[1], pair.role)
    return _verdict(box, job, judgement, methods, reports)


def _up_to(checks: tuple[str, ...], classes: list[str]) -> list[str]:
    """The test classes to run: also those before a wanted one, whose files its tests may need."""
    last = max((classes.index(name) for name in checks if name in classes), default=-1)
    return classes[: last + 1]


def _child(job: CodeJob, tests: str, classes: list[str]) -> ChildSpec:
    given = {
        "source": f"{job.module}\n\n{tests}\n",
        "classes": classes,
        "seed": job.seed,
        "path": [layout.EXTRA],
    }
    return ChildSpec(
        program="run_unittest",
        stdin=json.dumps(given).encode(),
        wall_s=job.limits.wall_s,
        cpu_s=job.limits.cpu_s,
        output_bytes=_OUTPUT,
        reset=True,
    )


@lru_cache(maxsize=256)
def _prepared(tests: str) -> tuple[TwinSet, dict[str, tuple[str, ...]]]:
    """Twins of a test module, and the test methods of each of its classes."""
    hidden = {_FILE: TreeFile(tests.replace("\r\n", "\n").encode("utf-8", "surrogatepass"))}
    try:
        tree = ast.parse(hidden[_FILE].content)
    except (SyntaxError, ValueError) as error:
        raise ConfigError(f"the tests do not parse: {error}") from None
    # No hierarchy of exceptions but the builtin one and the tests' own: the candidate's is not
    # to be trusted.
    return TwinSet(hidden, find(hidden, {}), {}), _methods(tree)


def _methods(tree: ast.Module) -> dict[str, tuple[str, ...]]:
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}

    def names(node: ast.ClassDef, seen: frozenset[str]) -> Iterator[str]:
        for base in node.bases:
            above = classes.get(ast.unparse(base))
            if above is not None and above.name not in seen:
                yield from names(above, seen | {above.name})
        for part in node.body:
            if isinstance(part, ast.FunctionDef) and part.name.startswith("test"):
                yield part.name

    return {
        name: tuple(dict.fromkeys(names(node, frozenset({name})))) for name, node in classes.items()
    }


def _named(run: RunResult) -> RunResult:
    """The run with its ids as the twins have them."""
    for name in list(run.tests):
        run.tests[f"{_FILE}::{name}"] = run.tests.pop(name)
    return run


def _verdict(
    box: Box,
    job: CodeJob,
    judgement: Judgement,
    methods: dict[str, tuple[str, ...]],
    reports: list[ChildReport],
) -> CodeVerdict:
    outcomes = []
    for outcome in judgement.outcomes:
        if outcome.group != "other":
            outcomes.append(
                CheckOutcome(
                    id=outcome.id.removeprefix(f"{_FILE}::"),
                    outcome=outcome.outcome,
                    twin=outcome.twin,
                    message=outcome.message,
                    seconds=outcome.seconds,
                )
            )
    passed = {o.id for o in outcomes if o.outcome == "passed" and o.twin != "passed"}
    right = [
        name
        for name in job.checks
        if methods.get(name) and all(f"{name}::{m}" in passed for m in methods[name])
    ]
    status = judgement.grade_status
    # checks_passed counts test classes: what is meant here are their methods.
    detail = judgement.detail.replace(" tests did not pass", " test methods did not pass", 1)
    empty = [name for name in job.checks if not methods.get(name)]
    if status in (GradeStatus.OK, GradeStatus.COLLECTION_ERROR) and empty:
        # The published rule: a test class that runs no test is no pass.
        status, detail = GradeStatus.WRONG_ANSWER, f"no test can run in {', '.join(empty)}"
    first = next((o for o in outcomes if o.outcome != "passed"), None)
    if status is GradeStatus.COLLECTION_ERROR:
        status = GradeStatus.WRONG_ANSWER  # the candidate's module raises when it is run
    return CodeVerdict(
        grade_status=status,
        attestation=box.attestation,
        detail=detail,
        failure=CheckFailure(first.id, error=first.message or None) if first else None,
        checks_passed=len(right),
        checks_total=len(job.checks),
        outcomes=tuple(outcomes),
        flags=("left_processes",) if any(r.leftovers for r in reports) else (),
        wall_s=sum(r.wall_s for r in reports),
        cpu_s=sum(r.cpu_s for r in reports),
    )
