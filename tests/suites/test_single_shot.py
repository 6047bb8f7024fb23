"""A sample of a single-shot suite from question to record, and what each way to end means."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.errors import EndpointError
from harness.events.base import Event, Usage
from harness.events.grading import AnswerExtracted, AnswerJudged
from harness.events.model import MessageAdded, ModelTurn
from harness.events.sample import LimitReached
from harness.models.noop import NoopModel
from harness.models.oracle import OracleModel
from harness.models.protocol import Message, Model, ModelError, Reply, SampleSeed, TurnSink
from harness.models.reference import WrongModel
from harness.outcome import GradeStatus, StopReason, Verdict
from harness.plan import EndpointIdentity, ModelPlan, Plan
from harness.suites.mmlu import MmluSuite
from harness.suites.protocol import SampleContext, SampleResult, SuiteOptions
from tests.support.classic_data import mmlu_folder


class Kept:
    """A sink that keeps what it is told."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def emit(self, event: Event) -> Event:
        self.events.append(event)
        return event

    def delta(self, turn: int, kind: Any, text: str) -> None:
        return None

    def blob(self, content: bytes) -> str:
        return ""

    def tree(self, archive: bytes) -> None:
        return None

    def progress(self, state: Any, **more: Any) -> None:
        return None


class Saying:
    """A model that gives one reply, or fails in one way."""

    def __init__(self, said: Reply | Exception) -> None:
        self.said = said

    def session(self, sample: SampleSeed) -> Saying:
        return self

    async def turn(
        self, messages: list[Message], tools: list[dict[str, Any]], sink: TurnSink
    ) -> Reply:
        if isinstance(self.said, Exception):
            raise self.said
        return self.said

    async def close(self) -> None:
        return None


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return mmlu_folder(tmp_path_factory.mktemp("mmlu"))


async def one(
    folder: Path, model: Model, protocol: str = "proctor-chat", system: str | None = None
) -> tuple[SampleResult, list[Event]]:
    suite = MmluSuite()
    options = SuiteOptions(data=folder, protocol=protocol, subjects=("anatomy",))
    planned = suite.plan(options)
    identity = EndpointIdentity(kind="test", model_id="m")
    plan = Plan(
        proctor="0", suites=(planned,), model=ModelPlan(kind="noop", name="m", identity=identity)
    )
    sink = Kept()
    context = SampleContext(
        plan=plan,
        suite=planned,
        run_id="r",
        sample="s",
        task_id="anatomy/1",
        epoch=1,
        attempt=1,
        model=model,
        provider=None,
        sink=sink,
        system_prompt=system,
    )
    return await suite.run_sample(context), sink.events


@pytest.mark.parametrize("protocol", [p.name for p in MmluSuite.protocols])
async def test_oracle_wrong_and_noop_under_every_protocol(folder: Path, protocol: str) -> None:
    right, _ = await one(folder, OracleModel(), protocol)
    wrong, _ = await one(folder, WrongModel(), protocol)
    empty, _ = await one(folder, NoopModel(), protocol)
    assert [r.verdict for r in (right, wrong, empty)] == [
        Verdict.RESOLVED,
        Verdict.UNRESOLVED,
        Verdict.UNRESOLVED,
    ]
    assert (right.subject, right.category) == ("anatomy", "other")
    assert not wrong.metrics["no_answer"] and empty.metrics["no_answer"]


async def test_what_was_asked_said_taken_and_judged_is_told_in_order(folder: Path) -> None:
    reply = Reply(content="I think\n**Answer: (b)**", usage=Usage(prompt=9, completion=4))
    result, events = await one(folder, Saying(reply), system="Be brief.")
    assert [type(e) for e in events] == [
        MessageAdded,
        MessageAdded,
        ModelTurn,
        AnswerExtracted,
        AnswerJudged,
    ]
    assert [getattr(e, "content", "") for e in events[:2]] == [
        "Be brief.",
        "anatomy 1?\n\nA. a1\nB. b1\nC. c1\nD. d1\n\nChoose one option. You may reason first; "
        'end with a line "Answer: X", where X is A, B, C or D.',
    ]
    taken, judged = events[3], events[4]
    assert isinstance(taken, AnswerExtracted) and isinstance(judged, AnswerJudged)
    assert (taken.kind, taken.value, taken.rule) == ("letter", "B", "anchored")
    assert (judged.expected, judged.got, judged.grade_status) == ("B", "B", GradeStatus.OK)
    assert result.usage == Usage(prompt=9, completion=4)
    assert result.metrics["rule"] == "anchored"


async def test_a_reply_cut_by_length_counts(folder: Path) -> None:
    cut = Reply(content="Let me think about", truncated=True, finish_reason="length")
    result, _ = await one(folder, Saying(cut))
    assert (result.verdict, result.stop_reason) == (Verdict.UNRESOLVED, StopReason.TOKEN_LIMIT)
    assert result.metrics["truncated"] and result.metrics["no_answer"]


async def test_the_models_own_fault_counts(folder: Path) -> None:
    error = ModelError("context_limit", "too long", Usage(prompt=5), flag="look")
    result, events = await one(folder, Saying(error))
    assert (result.verdict, result.stop_reason) == (Verdict.UNRESOLVED, StopReason.CONTEXT_LIMIT)
    assert result.metrics["prompt_too_long"]
    assert result.flags == ["look"] and result.usage.prompt == 5
    assert isinstance(events[-1], AnswerJudged)
    assert "no_answer:context_limit" in events[-1].detail


async def test_a_reply_cut_by_the_time_limit_is_read_as_it_stands(folder: Path) -> None:
    cut = Reply(content="Answer: B\nfor", truncated=True, time_up=True, flag="look", working_s=9)
    result, events = await one(folder, Saying(cut))
    assert (result.verdict, result.stop_reason) == (Verdict.RESOLVED, StopReason.TIME_LIMIT)
    assert result.flags == ["look"] and result.metrics["truncated"]
    (limit,) = [e for e in events if isinstance(e, LimitReached)]
    assert limit.name == "sample_time_limit" and limit.value >= limit.limit


async def test_a_fault_of_the_endpoint_is_no_score(folder: Path) -> None:
    with pytest.raises(EndpointError):
        await one(folder, Saying(EndpointError("gone")))
