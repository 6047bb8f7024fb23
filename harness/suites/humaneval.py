"""HumanEval: complete a function from its signature and docstring."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from harness.suites.choosing import Built, Choice
from harness.suites.data import humaneval as data
from harness.suites.data.rows import HumanEvalRow
from harness.suites.extract.answer import Answer
from harness.suites.extract.cleaning import clean
from harness.suites.extract.code import extract_code, hoisted_futures
from harness.suites.judging import CodeJob, ExecLimits
from harness.suites.marks import Mark, code_mark
from harness.suites.protocol import SampleContext
from harness.suites.sealing import task_digest
from harness.suites.shot import Prompt, ShotProtocol, ShotTask
from harness.suites.single_shot import SingleShotSuite

_EXTRACTION = (
    "the last fenced block that defines the entry point, else bare code, else a body that "
    "continues the prompt"
)
_ASSEMBLY = (
    "a whole function runs after what the prompt has before it (imports, helper functions); a "
    "body runs after the whole prompt"
)
# Chen et al. 2021, section 2.3 of arXiv:2107.03374.
_STOPS = ("\nclass", "\ndef", "\n#", "\nif", "\nprint")

PROTOCOLS = (
    ShotProtocol(
        name="proctor-chat",
        origin="ours: zero-shot, one user message",
        template=(
            "Complete this Python function so that it does what its docstring says.\n\n"
            "```python\n{prompt}\n```\n\n"
            "Reply with the whole function, imports included, in one Python code block."
        ),
        extraction=_EXTRACTION,
        assembly=_ASSEMBLY,
    ),
    ShotProtocol(
        name="simple-evals",
        origin="prompt of openai/simple-evals (MIT); extraction is ours, for its own drops the "
        "first character of answers without a signature",
        template=(
            "Read the following function signature and docstring, and fully implement the "
            "function described. Your response should only contain the code for this function.\n"
            "{prompt}"
        ),
        extraction=_EXTRACTION,
        assembly=_ASSEMBLY,
    ),
    ShotProtocol(
        name="openai-completion",
        origin="Chen et al. 2021: the raw prompt is continued",
        mode="completion",
        template="{prompt}",
        stop=_STOPS,
        extraction="the completion as it is, up to the first stop string",
        assembly="prompt + completion",
        max_tokens=1024,
    ),
    ShotProtocol(
        name="given-completion",
        origin="openai/human-eval's evaluator, for completions that exist already",
        mode="completion",
        template="{prompt}",
        extraction="the completion as it is, nothing is cut",
        assembly="prompt + completion",
    ),
)
# 3 s on the authors' machines; here CPU seconds, with a wall limit that load does not reach.
LIMITS = ExecLimits(cpu_s=10.0, wall_s=40.0)


class HumanEvalSuite(SingleShotSuite):
    name = "humaneval"
    version = "1.1.0"
    summary = "164 Python functions to write from signature and docstring (Chen et al. 2021)"
    executes_code = True
    protocols = PROTOCOLS
    splits = ("test",)

    def build(self, path: Path | None, choice: Choice) -> Built:
        found = data.load(path)
        tasks = [humaneval_task(row, choice.protocol) for row in found.rows]
        return Built(tasks, found.digest)

    def source(self) -> dict[str, Any]:
        return data.SOURCE.describe()

    def example(self, protocol: ShotProtocol) -> Prompt:
        text = 'def double(x: int) -> int:\n    """Twice x.\n    >>> double(2)\n    4\n    """\n'
        return rendered(text, protocol)

    def read(self, task: ShotTask, reply: str, protocol: ShotProtocol) -> Answer:
        return read_function(task.row, reply, protocol)

    async def mark(self, task: ShotTask, answer: Answer, context: SampleContext) -> Mark:
        job = self.job(task, answer, context.sample, context.plan.exec_seed)
        return await code_mark(await self.judge_for(context), job, answer)

    def job(self, task: ShotTask, answer: Answer, sample: str, seed: int) -> CodeJob:
        """What the judge is given."""
        row: HumanEvalRow = task.row
        prelude, candidate = assembled(row.prompt, row.entry_point, answer)
        return CodeJob(
            kind="humaneval",
            suite=self.name,
            task_id=row.id,
            sample=sample,
            prelude=prelude,
            candidate=candidate,
            # the tests of 32, 38 and 50 call the prompt's helper by its name
            setup=head(row.prompt, row.entry_point) + row.test,
            checks=("check(candidate)",),
            entry_point=row.entry_point,
            names=(row.entry_point,),
            seed=seed,
            limits=LIMITS,
        )


def humaneval_task(row: HumanEvalRow, protocol: ShotProtocol) -> ShotTask:
    """A row as it is asked under a protocol."""
    prompt = rendered(row.prompt, protocol)
    return ShotTask(
        id=row.id,
        row=row,
        prompt=prompt,
        digest=task_digest(row.digest, prompt),
        gold_reply=gold(row.prompt, row.canonical_solution, protocol),
        wrong_reply=wrong(row.prompt, row.entry_point, protocol),
    )


def rendered(prompt: str, protocol: ShotProtocol) -> Prompt:
    """The question for a function's beginning."""
    text = prompt.strip() if "```" in protocol.template else prompt
    return Prompt(protocol.template.replace("{prompt}", text), protocol.system)


def read_function(row: Any, reply: str, protocol: ShotProtocol) -> Answer:
    """The answer in a reply, for rows with ``prompt`` and ``entry_point``."""
    if protocol.mode == "completion":
        return completion_answer(reply)
    return extract_code(reply, entry_point=row.entry_point, header=row.prompt)


def completion_answer(reply: str) -> Answer:
    """A raw completion: as it is, but for end marks and thinking."""
    text = clean(reply)
    if text is None or not text.strip():
        return Answer(None, "no_answer:empty")
    return Answer(text, "completion", "body")


def assembled(prompt: str, entry_point: str, answer: Answer) -> tuple[str, str]:
    """Prelude and candidate of an answer."""
    code = (answer.value or "").rstrip() + "\n"
    if answer.form == "body":
        return prompt, code
    return hoisted_futures(head(prompt, entry_point), code)


def head(prompt: str, entry_point: str) -> str:
    """What a prompt has before the function to be written: imports and helpers."""
    opening = re.compile(rf"^(?:async[ \t]+)?def[ \t]+{re.escape(entry_point)}[ \t]*\(", re.M)
    found = list(opening.finditer(prompt))
    return prompt[: found[-1].start()] if found else ""


def gold(prompt: str, solution: str, protocol: ShotProtocol) -> str:
    """The reference as a reply."""
    if protocol.mode == "completion":
        return solution
    return f"```python\n{prompt}{solution}\n```"


def wrong(prompt: str, entry_point: str, protocol: ShotProtocol) -> str:
    """A function of the right name that no test accepts: its value equals nothing else."""
    body = "    return object()\n"
    if protocol.mode == "completion":
        return body
    return f"```python\n{head(prompt, entry_point)}def {entry_point}(*args, **kwargs):\n{body}```"
