"""MBPP: write a function from one sentence and its tests."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

from harness.errors import ConfigError
from harness.suites.choosing import Built, Choice
from harness.suites.data import mbpp as data
from harness.suites.data.rows import MbppRow
from harness.suites.extract.answer import Answer
from harness.suites.extract.code import extract_code, hoisted_futures
from harness.suites.extract.pytext import names, parse
from harness.suites.humaneval import completion_answer
from harness.suites.judging import CodeJob, ExecLimits
from harness.suites.marks import Mark, code_mark
from harness.suites.protocol import SampleContext
from harness.suites.sealing import task_digest
from harness.suites.shot import Prompt, ShotProtocol, ShotTask
from harness.suites.single_shot import SingleShotSuite

_EXTRACTION = (
    "the last fenced block (or text between [BEGIN] and [DONE]) that defines the function the "
    "tests call, else bare code"
)
_ASSEMBLY = (
    "test_imports, the code, test_setup_code (it uses classes of the code), then each test alone"
)
# Austin et al. 2021: three worked examples, the full set's tasks 2, 3 and 4.
_SHOT_IDS = ("2", "3", "4")
_PAPER = (
    "You are an expert Python programmer, and here is your task: {text} Your code should pass "
    "these tests:\n\n{tests}\n[BEGIN]\n"
)

PROTOCOLS = (
    ShotProtocol(
        name="proctor-chat",
        origin="ours: zero-shot, one user message, tests shown",
        template=(
            "{text}\n\nYour Python code has to pass these tests:\n\n```python\n{tests}\n```\n\n"
            "Reply with all of the code, imports included, in one Python code block."
        ),
        extraction=_EXTRACTION,
        assembly=_ASSEMBLY,
    ),
    ShotProtocol(
        name="google-3shot",
        origin="Austin et al. 2021 (github.com/google-research), sent as one chat message",
        shots=3,
        shots_from="MBPP full, tasks 2, 3, 4, in this order",
        template=_PAPER,
        extraction=_EXTRACTION,
        assembly=_ASSEMBLY,
    ),
    ShotProtocol(
        name="google-3shot-completion",
        origin="Austin et al. 2021 (github.com/google-research), continued as raw text",
        mode="completion",
        shots=3,
        shots_from="MBPP full, tasks 2, 3, 4, in this order",
        template=_PAPER,
        stop=("[DONE]",),
        extraction="the completion as it is, up to [DONE]",
        assembly=_ASSEMBLY,
        max_tokens=512,
    ),
)
LIMITS = ExecLimits(cpu_s=10.0, wall_s=40.0)


class MbppSuite(SingleShotSuite):
    name = "mbpp"
    version = "1.1.0"
    summary = "Python functions to write from a sentence and its tests (Austin et al. 2021)"
    executes_code = True
    protocols = PROTOCOLS
    splits = ("test", "full", "sanitized", "sanitized-test")

    def build(self, path: Path | None, choice: Choice) -> Built:
        split = choice.split or "test"
        edition: data.Edition = "sanitized" if split.startswith("sanitized") else "full"
        found = data.load(path, edition)
        shots, facts = self._shots(path, found.rows, choice.protocol)
        rows = [r for r in found.rows if not split.endswith("test") or int(r.id) in data.TEST_IDS]
        tasks = [mbpp_task(row, choice.protocol, shots) for row in rows]
        return Built(tasks, found.digest, facts)

    def _shots(
        self, path: Path | None, rows: tuple[MbppRow, ...], protocol: ShotProtocol
    ) -> tuple[tuple[MbppRow, ...], dict[str, Any]]:
        """The worked examples; they come from the full set whatever the split is."""
        if not protocol.shots:
            return (), {}
        if len(rows) != data.SIZES["full"]:
            if not data.holds(path, "full"):
                raise ConfigError(
                    f"protocol {protocol.name} takes its examples from MBPP full, which is not "
                    "there",
                    where=str(path),
                    remedy="give a folder that has mbpp.jsonl too, or --protocol proctor-chat",
                )
            rows = data.load(path, "full").rows
        by_id = {row.id: row for row in rows}
        return tuple(by_id[i] for i in _SHOT_IDS), {"shots": list(_SHOT_IDS)}

    def source(self) -> dict[str, Any]:
        return {"full": data.FULL.describe(), "sanitized": data.SANITIZED.describe()}

    def example(self, protocol: ShotProtocol) -> Prompt:
        row = MbppRow(
            id="0",
            prompt="Write a function to double a number.",
            code="def double(x):\n    return 2 * x",
            tests=("assert double(2) == 4", "assert double(-1) == -2"),
        )
        return rendered(row, protocol, ())

    def read(self, task: ShotTask, reply: str, protocol: ShotProtocol) -> Answer:
        if protocol.mode == "completion":
            answer = completion_answer(reply)
            return Answer(answer.value, answer.rule)
        return extract_code(reply, entry_point=entry_point(task.row))

    async def mark(self, task: ShotTask, answer: Answer, context: SampleContext) -> Mark:
        job = self.job(task, answer, context.sample, context.plan.exec_seed)
        return await code_mark(await self.judge_for(context), job, answer)

    def job(self, task: ShotTask, answer: Answer, sample: str, seed: int) -> CodeJob:
        """What the judge is given."""
        row: MbppRow = task.row
        imports = "".join(f"{line}\n" for line in row.imports)
        prelude, candidate = hoisted_futures(imports, (answer.value or "").rstrip() + "\n")
        return CodeJob(
            kind="mbpp",
            suite=self.name,
            task_id=task.id,
            sample=sample,
            prelude=prelude,
            candidate=candidate,
            candidate_setup=f"{row.setup}\n" if row.setup.strip() else "",
            setup=imports + test_imports(row),
            checks=row.tests,
            entry_point=entry_point(row),
            names=taken_names(row),
            seed=seed,
            limits=LIMITS,
        )


def mbpp_task(row: MbppRow, protocol: ShotProtocol, shots: tuple[MbppRow, ...]) -> ShotTask:
    """A row as it is asked under a protocol."""
    prompt = rendered(row, protocol, shots)
    stub = "".join(
        f"def {name}(*args, **kwargs):\n    return object()\n\n" for name in taken_names(row)
    )
    return ShotTask(
        id=row.id,
        row=row,
        prompt=prompt,
        digest=task_digest(row.digest, prompt),
        gold_reply=said(row.code, protocol),
        wrong_reply=said(stub, protocol),
    )


def rendered(row: MbppRow, protocol: ShotProtocol, shots: tuple[MbppRow, ...]) -> Prompt:
    """The question, after the worked examples."""
    parts = [f"{_filled(shot, protocol)}{shot.code.strip()}\n[DONE]\n\n" for shot in shots]
    text = "".join([*parts, _filled(row, protocol)]).replace("\r\n", "\n")
    return Prompt(text, protocol.system)


def _filled(row: MbppRow, protocol: ShotProtocol) -> str:
    template = protocol.template.replace("{tests}", "\n".join(row.tests))
    return template.replace("{text}", row.prompt.strip())


def said(code: str, protocol: ShotProtocol) -> str:
    """Code as a reply."""
    return code if protocol.mode == "completion" else f"```python\n{code.rstrip()}\n```"


def taken_names(row: MbppRow) -> tuple[str, ...]:
    """Names that the tests take from the candidate: those the reference (or the setup) defines."""
    code = parse(f"{row.code}\n{row.setup}\n".replace("\r", ""))
    bound: set[str] = set()
    for node in code.body if code else ():
        if isinstance(node, _DEFS):
            bound.add(node.name)
        elif not isinstance(node, ast.Import | ast.ImportFrom):
            bound |= names(node).bound
    return tuple(name for name in _read(row) if name in bound)


def test_imports(row: MbppRow) -> str:
    """Import lines of the reference for modules that the tests use themselves (task 596: sys)."""
    code, wanted = parse(row.code.replace("\r", "")), set(_read(row))
    lines = [
        ast.unparse(node)
        for node in (code.body if code else ())
        if isinstance(node, ast.Import | ast.ImportFrom) and names(node).bound & wanted
    ]
    return "".join(f"{line}\n" for line in lines)


def _read(row: MbppRow) -> tuple[str, ...]:
    """Names that the tests read, in their order."""
    tests = parse("\n".join(row.tests))
    found = [n.id for n in ast.walk(tests) if isinstance(n, ast.Name)] if tests else []
    return tuple(dict.fromkeys(found))


_DEFS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def entry_point(row: MbppRow) -> str | None:
    """The function that is asked for: the first that the tests call and the reference defines."""
    code = parse(row.code.replace("\r", ""))
    functions = {n.name for n in code.body if isinstance(n, _DEFS)} if code else set()
    found = [name for name in taken_names(row) if name in functions]
    plain = [n for n in found if code and any(_is_function(d, n) for d in code.body)]
    return next(iter(plain or found), None)


def _is_function(node: ast.stmt, name: str) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name
