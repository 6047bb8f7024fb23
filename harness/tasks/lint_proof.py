"""Whether the linter says of a starting tree what the task's category says.

- ``logic`` and ``feature``: it finds nothing that it does not find in gold, so that it gives
  nothing away.
- ``type``: its type checker (mypy, tsc) finds something, and the tree parses. Where gold itself is
  not clean (``[lint] gold = "any"``, code without annotations) a checker is often blind; there
  tests that fail with an error of types (``TypeError``, ``AttributeError``, Node's ``TypeError``)
  will do.
- ``syntax``: some file does not parse (a finding of syntax), or hidden tests cannot be loaded
  because an import fails.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from harness.errors import SandboxError
from harness.grading.grade import Look
from harness.sandbox.protocol import BoxSpec, Limits
from harness.sandbox.shared import SharedBoxes
from harness.tasks.task import Language, RepositorySpec, RepoTask, Tree
from harness.tasks.trees import pack

LINT_S = 120.0
# ruff's codes are capitals and digits, mypy's are words; of tsc's numbers 1000-1999 are syntax.
_CODE = re.compile(r" (?:error|warning): .*\[([\w-]+)\]$")
_TSC = re.compile(r" error TS(\d+): ")
_TYPE_ERROR = re.compile(r"\b(?:TypeError|AttributeError)\b")


@dataclass(frozen=True)
class Linted:
    """What lint said of a tree. findings: how many; lines: the first of them, with notes."""

    findings: int
    lines: tuple[str, ...]

    def of_syntax(self) -> str | None:
        """A finding that says that a file does not parse."""
        return next((line for line in self.lines if kind_of(line) == "syntax"), None)

    def of_types(self) -> str | None:
        """A finding of the type checker."""
        return next((line for line in self.lines if kind_of(line) == "type"), None)


def kind_of(line: str) -> str:
    """``syntax``, ``type``, or ``other`` (ruff's findings, notes) for a line of lint."""
    if tsc := _TSC.search(line):
        return "syntax" if len(tsc[1]) == 4 and tsc[1][0] == "1" else "type"
    code = _CODE.search(line)
    if code is None:
        return "other"
    if code[1] in ("invalid-syntax", "syntax", "E999"):
        return "syntax"
    return "other" if re.fullmatch(r"[A-Z]+\d+", code[1]) else "type"


async def lint_tree(boxes: SharedBoxes, limits: Limits, language: Language, tree: Tree) -> Linted:
    """What the tool ``lint`` says of a whole tree, in a box whose linters stay warm. Raises
    SandboxError."""
    spec = BoxSpec("shared", "lint", "validate", limits=limits, language=language)
    async with boxes.kept(spec) as kept:
        if kept.holds - tree.keys():
            await kept.box.reset()
        kept.holds = frozenset(tree)
        await kept.box.put_tree("work", pack(tree))
        reply = await kept.box.call_tool("lint", {"path": "."}, timeout_s=LINT_S)
    if reply.is_error or reply.lint_findings is None:
        raise SandboxError(f"lint did not work: {reply.text[:500]}")
    return Linted(reply.lint_findings, tuple(reply.text.splitlines()))


def gold_reasons(spec: RepositorySpec, linted: Linted) -> list[str]:
    """What speaks against gold."""
    if not linted.findings or spec.lint.gold == "any":
        return []
    rest = f" and {linted.findings - 1} more" if linted.findings > 1 else ""
    return [f"gold is not lint-clean: {linted.lines[0]}{rest}"]


def reads_messages(task: RepoTask) -> bool:
    """Whether ``start_reasons`` reads what failing tests say."""
    return task.spec.category == "type" and task.repository.spec.lint.gold == "any"


def start_reasons(task: RepoTask, linted: Linted, gold_findings: int, seen: Look) -> list[str]:
    """What speaks against the starting tree, by the task's category (see the module)."""
    category = task.spec.category
    more = linted.findings - gold_findings
    if category == "syntax":
        failed = any(run.problem is not None or run.files_with_errors for run in seen.results)
        if linted.of_syntax() is None and not failed:
            return ["the starting tree of this syntax task parses and can be imported"]
        return []
    if category != "type":
        if more > 0:
            shown = next((line for line in linted.lines if kind_of(line) != "other"), "")
            return [f"lint gives this {category} task away: {shown or linted.lines[0]}"]
        return []
    if (broken := linted.of_syntax()) is not None:
        return [f"the starting tree of this type task does not parse: {broken}"]
    if reads_messages(task):
        messages = (o.message for o in seen.judgement.outcomes if o.outcome != "passed")
        if more > 0 or any(_TYPE_ERROR.search(message) for message in messages):
            return []
        return ["neither lint nor a failing test shows an error of types in this type task"]
    if linted.of_types() is None:
        return ["lint does not see this type task: the type checker finds nothing"]
    return []
