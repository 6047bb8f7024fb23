"""ClassEval: write a class from its skeleton (class level), or one method of it (method level)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from harness.plan import SuitePlan
from harness.sandbox import extras
from harness.suites.choosing import Built, Choice
from harness.suites.classeval_methods import method_in, with_method
from harness.suites.classeval_repairs import REPAIRS, repaired
from harness.suites.data import classeval as data
from harness.suites.data.rows import ClassEvalRow, MethodInfo
from harness.suites.extract.answer import Answer
from harness.suites.extract.code import extract_code, hoisted_futures
from harness.suites.extract.pytext import defines
from harness.suites.judging import CodeJob, ExecLimits
from harness.suites.marks import Mark, code_mark
from harness.suites.protocol import SampleContext
from harness.suites.sealing import task_digest
from harness.suites.shot import Prompt, ShotProtocol, ShotTask
from harness.suites.single_shot import SingleShotSuite

PROTOCOLS = (
    ShotProtocol(
        name="class",
        origin="ours, after the holistic generation of Du et al. 2023: the whole class at once",
        template=(
            "Complete the class {name} in this Python code.\n\n```python\n{skeleton}\n```\n\n"
            "Reply with the whole class, imports included, in one Python code block."
        ),
        extraction="the last fenced block that defines the class, else bare code",
        assembly="the task's imports, the class, then its tests in the same module",
    ),
    ShotProtocol(
        name="method",
        origin="ours: one method at a time, the rest of the class is the reference's",
        template=(
            "Write the method {method} of the class {name}. The class looks like this:\n\n"
            "```python\n{skeleton}\n```\n\n"
            "Reply with the method alone in one Python code block."
        ),
        extraction="the method, alone or inside its class, from the last block that has it",
        assembly="the reference class with this method in place of its own, then its tests",
    ),
)
LIMITS = ExecLimits(cpu_s=20.0, wall_s=90.0)


class ClassEvalSuite(SingleShotSuite):
    name = "classeval"
    version = "1.1.0"
    summary = "100 Python classes with 410 methods (Du et al. 2023)"
    executes_code = True
    protocols = PROTOCOLS
    splits = ("test",)
    variants = ("repaired", "official")

    def build(self, path: Path | None, choice: Choice) -> Built:
        found = data.load(path)
        tasks: list[ShotTask] = []
        for row in found.rows:
            mended, support = repaired(row) if choice.variant == "repaired" else (row, "")
            if choice.protocol.name == "class":
                tasks.append(class_task(mended, support, choice.protocol))
            else:
                tasks += [method_task(mended, support, m, choice.protocol) for m in mended.methods]
        return Built(tasks, found.digest, {"packages": extras.digest("classeval")})

    def languages(self, plan: SuitePlan) -> set[str]:
        return {"python", "classeval"}  # the second: packages that the tasks import

    def source(self) -> dict[str, Any]:
        repairs = {repair.task: repair.reason for repair in REPAIRS}
        return {**data.SOURCE.describe(), "repairs": repairs}

    def example(self, protocol: ShotProtocol) -> Prompt:
        skeleton = 'class Cup:\n    def fill(self, amount):\n        """Add amount."""\n'
        text = protocol.template.replace("{name}", "Cup").replace("{method}", "fill")
        return Prompt(text.replace("{skeleton}", skeleton.rstrip()), protocol.system)

    def read(self, task: ShotTask, reply: str, protocol: ShotProtocol) -> Answer:
        row, method, _ = task.row
        answer = extract_code(reply, entry_point=row.class_name)
        if method is None:
            return answer
        if answer.value is not None and defines(answer.value, row.class_name):
            found = method_in(answer.value, row.class_name, method.name)
            if found is not None:
                return Answer(found, f"{answer.rule}+method_of_class")
        return extract_code(reply, entry_point=method.name)

    async def mark(self, task: ShotTask, answer: Answer, context: SampleContext) -> Mark:
        job = self.job(task, answer, context.sample, context.plan.exec_seed)
        return await code_mark(await self.judge_for(context), job, answer)

    def job(self, task: ShotTask, answer: Answer, sample: str, seed: int) -> CodeJob:
        """What the judge is given."""
        row: ClassEvalRow
        method: MethodInfo | None
        row, method, support = task.row
        code, checks = answer.value or "", row.test_classes
        if method is not None:
            code, checks = with_method(row, method, code), (method.test_class,)
        imports = "".join(f"{line}\n" for line in row.imports)
        prelude, candidate = hoisted_futures(f"{support}{imports}", code.rstrip() + "\n")
        return CodeJob(
            kind="classeval",
            suite=self.name,
            task_id=task.id,
            sample=sample,
            prelude=prelude,
            candidate=candidate,
            setup=row.test,
            checks=checks,
            entry_point=row.class_name,
            names=(row.class_name,),
            seed=seed,
            limits=LIMITS,
        )


def class_task(row: ClassEvalRow, support: str, protocol: ShotProtocol) -> ShotTask:
    """A whole class to write."""
    text = protocol.template.replace("{name}", row.class_name)
    prompt = Prompt(text.replace("{skeleton}", row.skeleton.strip()), protocol.system)
    return ShotTask(
        id=row.id,
        row=(row, None, support),
        prompt=prompt,
        digest=task_digest(row.digest, prompt, support=support),
        gold_reply=f"```python\n{row.solution}\n```",
        wrong_reply=f"```python\n{_wrong_class(row)}```",
    )


def method_task(
    row: ClassEvalRow, support: str, method: MethodInfo, protocol: ShotProtocol
) -> ShotTask:
    """One method to write."""
    text = protocol.template.replace("{name}", row.class_name).replace("{method}", method.name)
    prompt = Prompt(text.replace("{skeleton}", row.skeleton.strip()), protocol.system)
    own = method_in(row.solution, row.class_name, method.name) or method.solution
    return ShotTask(
        id=f"{row.id}/{method.name}",
        row=(row, method, support),
        prompt=prompt,
        digest=task_digest(row.digest, prompt, support=support, method=method.name),
        gold_reply=f"```python\n{own}\n```",
        wrong_reply=(f"```python\ndef {method.name}(*args, **kwargs):\n    return object()\n```"),
        category=row.id,
    )


def _wrong_class(row: ClassEvalRow) -> str:
    """A class whose methods return what equals nothing else, called on class or instance."""
    names = dict.fromkeys(m.name for m in row.methods if m.name != "__init__")
    lines = [f"class {row.class_name}:", "    def __init__(self, *args, **kwargs):", "        pass"]
    for name in names:
        lines += [
            "    @staticmethod",
            f"    def {name}(*args, **kwargs):",
            "        return object()",
        ]
    return "\n".join(lines) + "\n"
