"""HumanEval+ and MBPP+: the same tasks with many more inputs (Liu et al. 2023).

Each input is one check: the candidate's result against the reference's, computed beside it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from harness.sandbox.protocol import MiB
from harness.suites import plus_checks
from harness.suites.choosing import Built, Choice
from harness.suites.data import evalplus as data
from harness.suites.data.rows import PlusRow
from harness.suites.extract.answer import Answer
from harness.suites.extract.code import extract_code, hoisted_futures
from harness.suites.humaneval import (
    PROTOCOLS,
    HumanEvalSuite,
    assembled,
    completion_answer,
    gold,
    read_function,
    rendered,
    wrong,
)
from harness.suites.judging import CodeJob, ExecLimits
from harness.suites.marks import Mark, code_mark
from harness.suites.mbpp import PROTOCOLS as MBPP_PROTOCOLS
from harness.suites.mbpp import said
from harness.suites.protocol import SampleContext
from harness.suites.sealing import task_digest
from harness.suites.shot import Prompt, ShotProtocol, ShotTask
from harness.suites.single_shot import SingleShotSuite

# Two references of MBPP+ (255 and 392) take seconds for some inputs, and 255 more than a gigabyte.
LIMITS = ExecLimits(cpu_s=120.0, wall_s=360.0, memory=1536 * MiB)


class PlusSuite(SingleShotSuite):
    """What both suites share: tasks from rows, and the job of differential checks."""

    family: data.Family
    executes_code = True

    def build(self, path: Path | None, choice: Choice) -> Built:
        found = data.load(path, self.family)
        return Built([self.plus_task(row, choice.protocol) for row in found.rows], found.digest)

    def plus_task(self, row: PlusRow, protocol: ShotProtocol) -> ShotTask:
        raise TypeError(f"{type(self).__name__} says how its tasks are asked")

    def assembled(self, row: PlusRow, answer: Answer) -> tuple[str, str]:
        """Prelude and candidate."""
        return assembled(row.prompt, row.entry_point, answer)

    async def mark(self, task: ShotTask, answer: Answer, context: SampleContext) -> Mark:
        job = self.job(task, answer, context.sample, context.plan.exec_seed)
        return await code_mark(await self.judge_for(context), job, answer)

    def job(self, task: ShotTask, answer: Answer, sample: str, seed: int) -> CodeJob:
        """What the judge is given."""
        row: PlusRow = task.row
        prelude, candidate = self.assembled(row, answer)
        checks = [f"_same({arguments})" for arguments in (*row.base, *row.plus)]
        groups = (("base", len(row.base)), ("plus", len(row.plus)))
        return CodeJob(
            kind="evalplus",
            suite=self.name,
            task_id=task.id,
            sample=sample,
            prelude=prelude,
            candidate=candidate,
            setup=(
                f"{checks_text()}\n"
                f"_same = checker({arguments_of_checker(row)}, candidate, bounded)\n"
            ),
            checks=tuple(checks),
            groups=groups,
            entry_point=row.entry_point,
            names=(row.entry_point,),
            seed=seed,
            limits=LIMITS,
        )


def arguments_of_checker(row: PlusRow) -> str:
    """Reference, its name and tolerance, as literals."""
    return f"{row.reference!r}, {row.entry_point!r}, {row.atol!r}"


def checks_text() -> str:
    """The comparing functions, as text for the box."""
    return Path(plus_checks.__file__).read_text(encoding="utf-8")


class HumanEvalPlusSuite(PlusSuite):
    name = "humaneval+"
    version = "1.1.0"
    summary = "HumanEval with 80 times the tests (Liu et al. 2023)"
    family = "humaneval+"
    protocols = PROTOCOLS

    def source(self) -> dict[str, Any]:
        return data.HUMANEVAL_PLUS.describe()

    def example(self, protocol: ShotProtocol) -> Prompt:
        return HumanEvalSuite().example(protocol)

    def read(self, task: ShotTask, reply: str, protocol: ShotProtocol) -> Answer:
        return read_function(task.row, reply, protocol)

    def plus_task(self, row: PlusRow, protocol: ShotProtocol) -> ShotTask:
        prompt = rendered(row.prompt, protocol)
        return ShotTask(
            id=row.id,
            row=row,
            prompt=prompt,
            digest=task_digest(row.digest, prompt),
            gold_reply=gold(row.prompt, row.reference[len(row.prompt) :], protocol),
            wrong_reply=wrong(row.prompt, row.entry_point, protocol),
        )


class MbppPlusSuite(PlusSuite):
    name = "mbpp+"
    version = "1.1.0"
    summary = "378 tasks of MBPP with 35 times the tests (Liu et al. 2023)"
    family = "mbpp+"
    # the few-shot protocols need MBPP's own file
    protocols = MBPP_PROTOCOLS[:1]

    def source(self) -> dict[str, Any]:
        return data.MBPP_PLUS.describe()

    def example(self, protocol: ShotProtocol) -> Prompt:
        return _question("Write a function to double a number.", "assert double(2) == 4", protocol)

    def read(self, task: ShotTask, reply: str, protocol: ShotProtocol) -> Answer:
        if protocol.mode == "completion":
            return completion_answer(reply)
        return extract_code(reply, entry_point=task.row.entry_point)

    def assembled(self, row: PlusRow, answer: Answer) -> tuple[str, str]:
        imports = "".join(f"{line}\n" for line in row.imports)
        return hoisted_futures(imports, (answer.value or "").rstrip() + "\n")

    def plus_task(self, row: PlusRow, protocol: ShotProtocol) -> ShotTask:
        prompt = _question(row.prompt, row.shown_test, protocol)
        stub = f"def {row.entry_point}(*args, **kwargs):\n    return object()\n"
        return ShotTask(
            id=row.id,
            row=row,
            prompt=prompt,
            digest=task_digest(row.digest, prompt),
            gold_reply=said(row.reference, protocol),
            wrong_reply=said(stub, protocol),
        )


def _question(words: str, test: str, protocol: ShotProtocol) -> Prompt:
    text = protocol.template.replace("{tests}", test).replace("{text}", words.strip())
    return Prompt(text, protocol.system)
