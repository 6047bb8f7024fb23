"""The common part of single-shot suites: choose and seal tasks, ask once, read, judge."""

from __future__ import annotations

import asyncio
import fnmatch
import time
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, ClassVar

from harness.errors import UsageError
from harness.events.grading import AnswerExtracted
from harness.ids import canonical_json, sha256_hex
from harness.outcome import GradeStatus, SampleState, verdict_of
from harness.plan import SuitePlan, TaskRef
from harness.suites.asking import Asked
from harness.suites.choosing import Built, Choice, one_of, split_words
from harness.suites.extract.answer import Answer
from harness.suites.judging import Judge
from harness.suites.marks import Mark
from harness.suites.protocol import SampleContext, SampleResult, SuiteOptions, stratified
from harness.suites.sealing import require_planned
from harness.suites.shot import Prompt, ShotProtocol, ShotTask, chosen_protocol

# An extracted answer is stored up to this many characters; it is judged whole.
_STORED = 100_000


class SingleShotSuite(ABC):
    """One question, one reply, one verdict. A suite is a subclass in a file of its own."""

    name: ClassVar[str]
    version: ClassVar[str]
    summary: ClassVar[str]
    executes_code: ClassVar[bool]
    agentic: ClassVar[bool] = False
    protocols: ClassVar[tuple[ShotProtocol, ...]]
    answer_kind: ClassVar[Any] = "code"
    # names of splits and variants, the usual one first; empty where there is only one
    splits: ClassVar[tuple[str, ...]] = ()
    variants: ClassVar[tuple[str, ...]] = ()
    has_subjects: ClassVar[bool] = False

    def __init__(self) -> None:
        self.protocol = self.protocols[0]
        self.judge: Judge | None = None
        self._judge_lock = asyncio.Lock()
        self._tasks: dict[str, ShotTask] = {}

    # what a suite says of itself

    @abstractmethod
    def build(self, path: Path | None, choice: Choice) -> Built:
        """All tasks of a choice, in the order of the data. Raises ConfigError, UsageError."""

    @abstractmethod
    def source(self) -> dict[str, Any]:
        """Where the data come from, for ``describe``."""

    @abstractmethod
    def example(self, protocol: ShotProtocol) -> Prompt:
        """One rendered prompt, of a small task that this project made up."""

    @abstractmethod
    def read(self, task: ShotTask, reply: str, protocol: ShotProtocol) -> Answer:
        """The answer in a reply."""

    @abstractmethod
    async def mark(self, task: ShotTask, answer: Answer, context: SampleContext) -> Mark:
        """Judge an answer (also one that is none)."""

    # the suite contract

    def plan(self, options: SuiteOptions) -> SuitePlan:
        choice = self.choice(options)
        built = self.build(options.data, choice)
        ids = [task.id for task in built.tasks]
        if options.task_globs:
            ids = [i for i in ids if any(fnmatch.fnmatchcase(i, g) for g in options.task_globs)]
        total = len(ids)
        tasks = {task.id: task for task in built.tasks}
        wanted = set(stratified(ids, lambda i: tasks[i].subject or "", options.limit))
        self._tasks = tasks
        self.protocol = choice.protocol
        return SuitePlan(
            name=self.name,
            version=self.version,
            protocol=choice.protocol.name,
            executes_code=self.executes_code,
            # in the data's order, so that prompts with a common beginning follow each other
            tasks=tuple(TaskRef(id=i, digest=tasks[i].digest) for i in ids if i in wanted),
            split=split_words(choice, len(wanted), total, bool(options.task_globs)),
            prompt_digest=sha256_hex(canonical_json(choice.protocol.facts())),
            options={**choice.options(), "data": built.data_digest, **built.facts},
        )

    def languages(self, plan: SuitePlan) -> set[str]:
        return {"python"} if self.executes_code else set()

    def load(self, plan: SuitePlan, options: SuiteOptions) -> None:
        chosen = plan.options
        choice = self.choice(
            SuiteOptions(
                protocol=plan.protocol,
                split=chosen.get("split"),
                variant=chosen.get("variant"),
                subjects=tuple(chosen.get("subjects", ())),
            )
        )
        self.protocol = choice.protocol
        self._tasks = {task.id: task for task in self.build(options.data, choice).tasks}
        require_planned(
            plan,
            {task_id: task.digest for task_id, task in self._tasks.items()},
            remedy="give the data that the run was planned with (--data)",
        )

    def task(self, task_id: str) -> ShotTask:
        try:
            return self._tasks[task_id]
        except KeyError:
            raise UsageError(f"suite {self.name} has no task {task_id!r}") from None

    def task_ids(self) -> list[str]:
        """Ids of all loaded tasks, in the data's order."""
        return list(self._tasks)

    def describe(self) -> dict[str, Any]:
        example = self.example(self.protocols[0])
        return {
            "name": self.name,
            "version": self.version,
            "summary": self.summary,
            "executes_code": self.executes_code,
            "source": self.source(),
            "splits": list(self.splits),
            "variants": list(self.variants),
            "protocols": [
                {**p.facts(), "digest": sha256_hex(canonical_json(p.facts()))}
                for p in self.protocols
            ],
            "default_protocol": self.protocols[0].name,
            "example": {"system": example.system, "prompt": example.text},
        }

    async def run_sample(self, context: SampleContext) -> SampleResult:
        task = self.task(context.task_id)
        asked = Asked(task, self.protocol, self.read, context)
        answer = await asked.ask()
        started = time.monotonic()
        if self.executes_code:
            context.sink.progress(SampleState.GRADING, usage=asked.meter.usage)
        context.sink.emit(
            AnswerExtracted(kind=self.answer_kind, value=_bounded(answer.value), rule=answer.rule)
        )
        mark = await self.mark(task, answer, context)
        for event in mark.events:
            context.sink.emit(event)
        context.sink.emit(mark.judged)
        status = mark.judged.grade_status
        return SampleResult(
            verdict=verdict_of(asked.stop, status, resolved=status is GradeStatus.OK),
            stop_reason=asked.stop,
            grade_status=status,
            attestation=mark.attestation,
            partial=mark.partial,
            flags=[*asked.flags, *mark.flags],
            category=task.category,
            subject=task.subject,
            metrics={
                "rule": answer.rule,
                "no_answer": answer.none,
                **({"truncated": True} if asked.truncated else {}),
                **({"prompt_too_long": True} if asked.prompt_too_long else {}),
                **mark.metrics,
            },
            usage=asked.meter.usage,
            timings={
                "model": round(asked.meter.working_s, 4),
                "grading": round(time.monotonic() - started, 4),
            },
            digests={"task": task.digest},
        )

    async def close(self) -> None:
        if self.judge is not None:
            judge, self.judge = self.judge, None
            await judge.close()

    def choice(self, options: SuiteOptions) -> Choice:
        """The user's choice, checked. Raises UsageError."""
        return Choice(
            protocol=chosen_protocol(self.protocols, options.protocol, self.name),
            split=one_of(self.splits, options.split, self.name, "split"),
            variant=one_of(self.variants, options.variant, self.name, "variant"),
            subjects=options.subjects,
        )

    async def judge_for(self, context: SampleContext) -> Judge:
        """The judge that all samples of this suite share; opened when the first needs it."""
        async with self._judge_lock:
            if self.judge is None:
                from harness.suites.pool import open_pool

                self.judge = await open_pool(context)
            return self.judge


def _bounded(value: str | None) -> str | None:
    if value is None or len(value) <= _STORED:
        return value
    return value[:_STORED] + f"\n[{len(value) - _STORED} more characters]"
