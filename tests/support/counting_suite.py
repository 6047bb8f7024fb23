"""A deterministic suite without boxes, and a program that runs it: for tests of the runner.

``python tests/support/counting_suite.py FOLDER`` carries out the plan in FOLDER.
"""

from __future__ import annotations

import asyncio
import hashlib
import sys
from pathlib import Path
from typing import Any

from harness.errors import EndpointError
from harness.events.base import Usage
from harness.events.grading import AnswerExtracted, AnswerJudged
from harness.events.model import MessageAdded, ModelRequested, ModelTurn
from harness.execution.runner import SessionSummary, run_session
from harness.execution.stop import StopSignal
from harness.ids import sha256_hex
from harness.models.protocol import Message, Model, Reply, SampleSeed
from harness.outcome import GradeStatus, SampleState, StopReason, Verdict
from harness.plan import (
    EndpointIdentity,
    EpisodeLimits,
    Launch,
    ModelPlan,
    Plan,
    SuitePlan,
    TaskRef,
)
from harness.store.run_folder import RunFolder
from harness.suites.protocol import SampleContext, SampleResult, SuiteOptions


class EchoModel:
    """Answers with the digest of what it was told."""

    def session(self, sample: SampleSeed) -> EchoSession:
        return EchoSession()

    async def close(self) -> None:
        pass


class EchoSession:
    async def turn(self, messages: list[Message], tools: list[dict[str, Any]], sink: Any) -> Reply:
        text = sha256_hex(messages[-1].content.encode())
        return Reply(content=text, usage=Usage(prompt=7, completion=3, cost=0.001))

    async def close(self) -> None:
        pass


class NoSink:
    """Wants to know nothing of how a reply is made."""

    time_left_s = None

    def requested(self, *told: Any) -> None:
        pass

    def delta(self, *told: Any) -> None:
        pass

    def retrying(self, *told: Any) -> None:
        pass

    def waiting(self, *told: Any) -> None:
        pass


class CountingSuite:
    """Tasks ``t0000`` ...; whether one is resolved follows from its name alone.

    options: steps (turns a sample), delay_s (of each), agentic, fail (ids that raise an endpoint's
    error), crash (ids that raise one of ours), surprise (a secret to put into that crash),
    linger_s (seconds that closing takes after a cancellation).
    """

    name = "counting"
    version = "1"
    executes_code = False
    summary = "counts"

    def __init__(self, options: dict[str, Any] | None = None) -> None:
        self.options = options or {}
        self.agentic = bool(self.options.get("agentic"))
        self.closed = 0

    def plan(self, options: SuiteOptions) -> SuitePlan:
        return suite_plan(options.limit or 10, self.options)

    def languages(self, plan: SuitePlan) -> set[str]:
        return set()

    def load(self, plan: SuitePlan, options: SuiteOptions) -> None:
        pass

    def task(self, task_id: str) -> str:
        return task_id

    def describe(self) -> dict[str, Any]:
        return {}

    async def run_sample(self, context: SampleContext) -> SampleResult:
        try:
            return await self._count(context)
        except asyncio.CancelledError:
            await asyncio.sleep(self.options.get("linger_s", 0))
            raise

    async def _count(self, context: SampleContext) -> SampleResult:
        sink, task = context.sink, context.task_id
        options = context.suite.options
        session = context.model.session(
            SampleSeed(context.sample, self.name, task, endpoint=context.endpoint)
        )
        prompt = f"count {task} in epoch {context.epoch}"
        sink.emit(MessageAdded(role="user", kind="prompt", content=prompt))
        if task in options.get("fail", ()):
            raise EndpointError("connection refused", where="http://127.0.0.1:1/v1")
        if task in options.get("crash", ()):
            raise RuntimeError(f"a bug {options.get('surprise', '')}")
        usage = Usage()
        reply = Reply(content="")
        for turn in range(1, options.get("steps", 1) + 1):
            sink.emit(
                ModelRequested(turn=turn, attempt=1, endpoint="echo", messages=1, digest="0" * 64)
            )
            sink.progress(SampleState.RUNNING, turn=turn, usage=usage)
            if delay := options.get("delay_s"):
                sink.delta(turn, "text", "thinking ")
                await asyncio.sleep(delay)
            reply = await session.turn([Message("user", prompt)], [], NoSink())
            usage = usage + reply.usage
            sink.emit(ModelTurn(turn=turn, content=reply.content, usage=reply.usage))
            if not context.charge(reply.usage.cost or 0.0):
                return SampleResult(Verdict.NO_SCORE, StopReason.INTERRUPTED, None, usage=usage)
        if self.agentic:
            sink.blob(reply.content.encode())
            sink.tree(reply.content.encode() * 10)
        resolved = hashlib.sha256(f"{task}@{context.epoch}".encode()).digest()[0] % 3 == 0
        grade = GradeStatus.OK if resolved else GradeStatus.WRONG_ANSWER
        sink.emit(AnswerExtracted(kind="text", value=reply.content, rule="all"))
        sink.emit(AnswerJudged(grade_status=grade, got=reply.content))
        return SampleResult(
            Verdict.RESOLVED if resolved else Verdict.UNRESOLVED,
            StopReason.FINISHED,
            grade,
            usage=usage,
        )

    async def close(self) -> None:
        self.closed += 1


def suite_plan(tasks: int, options: dict[str, Any]) -> SuitePlan:
    """A plan of ``tasks`` tasks; the first ones are the same for every number."""
    return SuitePlan(
        name="counting",
        version="1",
        protocol="one",
        executes_code=False,
        tasks=tuple(TaskRef(id=f"t{n:04d}", digest=f"{n:064x}") for n in range(tasks)),
        options=options,
    )


def make_plan(
    tasks: int = 10, *, epochs: int = 1, run_cost: float | None = None, **options: Any
) -> Plan:
    """A plan of the counting suite; options as in CountingSuite."""
    return Plan(
        proctor="0",
        suites=(suite_plan(tasks, options),),
        model=ModelPlan(
            kind="noop", name="echo", identity=EndpointIdentity(kind="noop", model_id="echo")
        ),
        epochs=epochs,
        limits=EpisodeLimits(run_cost=run_cost),
    )


def make_folder(root: Path, plan: Plan, **launch: Any) -> RunFolder:
    """A run folder for ``plan``."""
    return RunFolder.create(root, plan, Launch(**launch))


async def carry_out(
    folder: RunFolder, stop: StopSignal | None = None, model: Model | None = None
) -> SessionSummary:
    """One session in this process."""
    suite = CountingSuite(folder.plan.suites[0].options)
    return await run_session(
        folder, model or EchoModel(), {suite.name: suite}, None, stop=stop or StopSignal()
    )


async def _main(path: str) -> int:
    stop = StopSignal()
    stop.install(asyncio.get_running_loop())
    summary = await carry_out(RunFolder.open(path), stop)
    return int(summary.exit_code)


if __name__ == "__main__":
    sys.exit(asyncio.run(_main(sys.argv[1])))
