"""The suite ``repos``: planning, and whole samples in real boxes."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from harness.errors import (
    ConfigError,
    ConflictError,
    EndpointError,
    SandboxError,
    SandboxLost,
    UsageError,
)
from harness.models.noop import NoopModel
from harness.models.oracle import OracleModel
from harness.models.protocol import Model, ModelSession, SampleSeed
from harness.outcome import GradeStatus, SampleState, StopReason, Verdict
from harness.sandbox.protocol import Box, BoxSpec, ChildSpec, Provider
from harness.suites.protocol import SuiteOptions
from harness.suites.repos import ReposSuite
from harness.tasks.repository import load_tasks
from harness.tasks.trees import tree_digest, unpack
from tests.support.evidence import give_evidence
from tests.support.grading import node_subject, python_subject, write_repository
from tests.support.grading_run import context

TASK = "shop-discount"


def prepared(root: Path, language: str = "python") -> SuiteOptions:
    """A root with one admitted task."""
    write_repository(root, language)
    task = load_tasks([root])[TASK]
    subject = python_subject() if language == "python" else node_subject()
    give_evidence(task, subject.fail_to_pass, subject.pass_to_pass)
    return SuiteOptions(task_roots=(root,))


def planned(options: SuiteOptions) -> tuple[ReposSuite, Any]:
    suite = ReposSuite()
    plan = suite.plan(options)
    suite.load(plan, options)
    return suite, plan


@pytest.mark.parametrize("language", ["python", "typescript"])
async def test_the_oracle_resolves_a_task(
    provider: Provider, tmp_path: Path, language: str
) -> None:
    suite, plan = planned(prepared(tmp_path, language))
    assert suite.languages(plan) == {language}
    sample, kept = context(plan, TASK, OracleModel(), provider)
    result = await suite.run_sample(sample)
    assert result.verdict is Verdict.RESOLVED, result
    assert result.stop_reason is StopReason.FINISHED and result.grade_status is GradeStatus.OK
    assert result.partial == 1.0 and result.flags == [] and result.error is None
    assert result.attestation is not None and result.attestation.network == "none"
    assert result.category == "logic" and result.difficulty == 1
    assert {"open", "put", "episode", "snapshot", "close", "grade"} <= set(result.timings)
    expected = ["attempt_started", "snapshot", "grading_started", "test", "grading_finished"]
    assert [t for t in kept.types() if t in expected] == expected
    assert kept.types()[0] == "attempt_started" and kept.types()[-1] == "attempt_finished"
    assert SampleState.GRADING in kept.states
    # the stored tree is gold, and the digest in the result is its
    stored = unpack(kept.trees[0])
    assert stored == suite.task(TASK).gold
    assert result.digests["tree"] == tree_digest(stored)
    started = kept.events[0]
    assert {path: kept.blobs[f["digest"]] for path, f in started.tree.items()} == {
        path: file.content for path, file in suite.task(TASK).start.items()
    }
    # neither gold nor hidden tests are told to whoever reads the start of the transcript
    assert "test_discount" not in started.model_dump_json()


async def test_doing_nothing_scores_nothing(bubblewrap: Provider, tmp_path: Path) -> None:
    suite, plan = planned(prepared(tmp_path))
    sample, _ = context(plan, TASK, NoopModel(), bubblewrap)
    result = await suite.run_sample(sample)
    assert result.verdict is Verdict.UNRESOLVED and result.partial == 0.0
    assert result.fail_to_pass == (0, 2) and result.pass_to_pass == (5, 5)


async def test_a_limit_is_graded_as_it_stands(bubblewrap: Provider, tmp_path: Path) -> None:
    suite, plan = planned(prepared(tmp_path))
    # the oracle reads, edits, then finishes: two turns are enough for gold
    sample, _ = context(plan, TASK, OracleModel(), bubblewrap, max_turns=2)
    result = await suite.run_sample(sample)
    assert result.stop_reason is StopReason.MAX_TURNS
    assert result.verdict is Verdict.RESOLVED


class Failing:
    """A model whose requests fail."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def session(self, sample: SampleSeed) -> ModelSession:
        return self  # type: ignore[return-value]

    async def turn(self, *_: Any) -> Any:
        raise self._error

    async def close(self) -> None:
        return None


async def test_a_failed_request_has_no_score_and_is_not_graded(
    bubblewrap: Provider, tmp_path: Path
) -> None:
    suite, plan = planned(prepared(tmp_path))
    model: Model = Failing(EndpointError("the server is gone"))
    sample, kept = context(plan, TASK, model, bubblewrap)
    result = await suite.run_sample(sample)
    assert result.verdict is Verdict.NO_SCORE and result.grade_status is None
    assert result.stop_reason is StopReason.REQUEST_FAILED
    assert result.error is not None and "the server is gone" in result.error.message
    assert "grading_started" not in kept.types() and kept.types()[-1] == "attempt_finished"


class Counting:
    """A provider that keeps the boxes it opened; it refuses after so many."""

    def __init__(self, real: Provider, refuse: int | None = None) -> None:
        self._real = real
        self.name = real.name
        self.boxes: list[Box] = []
        self._refuse = refuse
        self._asked = 0

    async def open(self, spec: BoxSpec) -> Box:
        self._asked += 1
        if self._refuse is not None and self._asked > self._refuse:
            raise SandboxError("no box is to be had")
        box = await self._real.open(spec)
        self.boxes.append(box)
        return box


async def test_a_cancelled_sample_closes_its_box_and_its_transcript(
    bubblewrap: Provider, tmp_path: Path
) -> None:
    suite, plan = planned(prepared(tmp_path))
    provider = Counting(bubblewrap)
    reached = asyncio.Event()

    class Waiting(Failing):
        async def turn(self, *_: Any) -> Any:
            reached.set()
            await asyncio.sleep(3600)

    sample, kept = context(plan, TASK, Waiting(EndpointError("")), bubblewrap)
    object.__setattr__(sample, "provider", provider)
    running = asyncio.ensure_future(suite.run_sample(sample))
    await reached.wait()
    running.cancel("cancelled")
    with pytest.raises(asyncio.CancelledError):
        await running
    last = kept.events[-1]
    assert (last.type, last.stop_reason) == ("attempt_finished", StopReason.CANCELLED)
    assert provider.boxes
    for box in provider.boxes:
        with pytest.raises(SandboxLost):
            await box.run(ChildSpec(program="run_alive"))


@pytest.mark.parametrize("refuse", [0, 1, 2])
async def test_without_boxes_there_is_no_score(
    bubblewrap: Provider, tmp_path: Path, refuse: int
) -> None:
    suite, plan = planned(prepared(tmp_path))
    provider = Counting(bubblewrap, refuse)
    sample, kept = context(plan, TASK, OracleModel(), bubblewrap)
    object.__setattr__(sample, "provider", provider)
    result = await suite.run_sample(sample)
    assert result.verdict is Verdict.NO_SCORE
    assert result.stop_reason is StopReason.SANDBOX_LOST
    assert result.error is not None and "no box is to be had" in result.error.message
    assert kept.types()[-1] == "attempt_finished"
    for box in provider.boxes:
        with pytest.raises(SandboxLost):
            await box.run(ChildSpec(program="run_alive"))


def test_a_task_without_evidence_is_refused_with_the_command(tmp_path: Path) -> None:
    write_repository(tmp_path)
    with pytest.raises(ConfigError, match="proctor task validate shop-discount"):
        ReposSuite().plan(SuiteOptions(task_roots=(tmp_path,)))


def test_a_changed_task_is_a_conflict_on_load(tmp_path: Path) -> None:
    options = prepared(tmp_path)
    plan = ReposSuite().plan(options)
    tests = tmp_path / "shop" / "hidden" / "test_prices.py"
    tests.write_text(tests.read_text() + "\n# changed\n")
    with pytest.raises(ConflictError, match="1 task changed: shop-discount"):
        ReposSuite().load(plan, options)


def test_globs_choose_tasks_and_a_miss_is_told(tmp_path: Path) -> None:
    options = prepared(tmp_path)
    chosen = ReposSuite().plan(SuiteOptions(task_roots=options.task_roots, task_globs=("shop-*",)))
    assert [ref.id for ref in chosen.tasks] == [TASK]
    with pytest.raises(UsageError, match="no task matches 'none-"):
        ReposSuite().plan(SuiteOptions(task_roots=options.task_roots, task_globs=("none-*",)))


def test_the_shipped_tasks_are_planned_in_a_fixed_order() -> None:
    whole = [ref.id for ref in ReposSuite().plan(SuiteOptions()).tasks]
    first = [ref.id for ref in ReposSuite().plan(SuiteOptions(limit=4)).tasks]
    assert first == whole[:4]
    tasks = load_tasks([Path(__file__).parents[2] / "repos"])
    assert len({tasks[i].spec.category for i in first}) == 4


def test_an_unknown_protocol_is_refused() -> None:
    with pytest.raises(UsageError, match="proctor-1"):
        ReposSuite().plan(SuiteOptions(protocol="sacb"))
