"""HumanEval+ and MBPP+ (Liu et al. 2023), in the two formats in which they circulate.

The releases hold inputs as JSON (``base_input``, ``plus_input``); the hub holds scripts with
inputs as Python literals ("original format"). Expected values are computed by the reference in
both cases.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, NamedTuple

from harness import syntax
from harness.errors import ConfigError
from harness.suites.data.checks import complete, number, require, text, texts
from harness.suites.data.files import Record, find_file, read_records
from harness.suites.data.hub import HubSource, hub_records
from harness.suites.data.literals import literal, typed_arguments
from harness.suites.data.rows import Loaded, PlusRow, loaded

Family = Literal["humaneval+", "mbpp+"]

# These two repositories carry no tag: the plan names their content by digest.
HUMANEVAL_PLUS = HubSource(
    id="evalplus/humanevalplus",
    config=None,
    revision="main",
    licence="Apache-2.0 (additions), MIT (HumanEval)",
    file_hint="HumanEvalPlus.jsonl.gz (from github.com/evalplus/humanevalplus_release, v0.1.10)",
)
MBPP_PLUS = HubSource(
    id="evalplus/mbppplus",
    config=None,
    revision="main",
    licence="Apache-2.0 (additions), CC-BY-4.0 (MBPP)",
    file_hint="MbppPlus.jsonl.gz (from github.com/evalplus/mbppplus_release, v0.2.0)",
)
_RELEASE = frozenset({"task_id", "prompt", "entry_point", "canonical_solution", "base_input"})
_SCRIPT = {
    "humaneval+": frozenset({"task_id", "prompt", "canonical_solution", "entry_point", "test"}),
    "mbpp+": frozenset({"task_id", "prompt", "code", "test_list", "test_imports", "test"}),
}
# The release of 2024 took 21 tasks out; the two sizes do not compare (evalplus#221).
MBPP_SIZES = {378: "v0.2.0", 399: "v0.1.0"}


def load(path: Path | None, family: Family) -> Loaded[PlusRow]:
    """From ``path`` (file or folder), else from the hub. Raises ConfigError."""
    source = HUMANEVAL_PLUS if family == "humaneval+" else MBPP_PLUS
    if path is None:
        return from_records(hub_records(source, "test"), family, f"hub {source.id}")
    prefix = "HumanEvalPlus" if family == "humaneval+" else "MbppPlus"
    wanted = _RELEASE | {"plus_input", "atol", "contract"}
    if family == "humaneval+":
        wanted |= {"test"}
    else:
        wanted |= {"assertion"}
    file = find_file(path, wanted, family, (prefix,))
    return from_records(read_records(file), family, str(file))


def from_records(records: list[Record], family: Family, origin: str) -> Loaded[PlusRow]:
    """Checked rows of ``records``, in either format."""
    if not records:
        raise ConfigError(f"holds no task of {family}", where=origin)
    first = records[0].fields
    read: Callable[[Record], PlusRow]
    if first.keys() >= _RELEASE:
        read = _humaneval_release if family == "humaneval+" else _mbpp_release
    else:
        require(records[0], sorted(_SCRIPT[family]), family)
        read = _humaneval_script if family == "humaneval+" else _mbpp_script
    rows = [read(record) for record in records]
    if family == "humaneval+":
        expected = [f"HumanEval/{n}" for n in range(164)]
        return loaded(complete(rows, expected, family, origin), origin)
    rows.sort(key=lambda row: int(row.id.split("/")[1]))
    complete(rows, list(dict.fromkeys(row.id for row in rows)), family, origin)
    if len(rows) not in MBPP_SIZES:
        raise ConfigError(
            f"is not MBPP+ as published: {len(rows)} tasks, not 378 (or 399)", where=origin
        )
    return loaded(rows, origin)


def _humaneval_release(record: Record) -> PlusRow:
    prompt = text(record, "prompt")
    return PlusRow(
        id=text(record, "task_id"),
        prompt=prompt,
        entry_point=text(record, "entry_point"),
        reference=prompt + text(record, "canonical_solution"),
        base=_inputs(record, "base_input"),
        plus=_inputs(record, "plus_input"),
        atol=float(record.fields.get("atol") or 0),
    )


def _mbpp_release(record: Record) -> PlusRow:
    task = text(record, "task_id")
    if not task.startswith("Mbpp/") or not task[5:].isdigit():
        raise ConfigError(f"is no task of mbpp+: {task}", where=record.where)
    prompt, shown = _docstring(text(record, "prompt"), record)
    return PlusRow(
        id=task,
        prompt=prompt,
        entry_point=text(record, "entry_point"),
        reference=text(record, "canonical_solution"),
        base=_inputs(record, "base_input", int(task[5:])),
        plus=_inputs(record, "plus_input", int(task[5:])),
        atol=float(record.fields.get("atol") or 0),
        shown_test=shown,
    )


def _humaneval_script(record: Record) -> PlusRow:
    prompt = text(record, "prompt")
    script = _script(record)
    return PlusRow(
        id=text(record, "task_id"),
        prompt=prompt,
        entry_point=text(record, "entry_point"),
        reference=prompt + text(record, "canonical_solution"),
        base=(),
        plus=script.inputs,
        atol=script.atol,
    )


def _mbpp_script(record: Record) -> PlusRow:
    code = text(record, "code")
    tests = texts(record, "test_list")
    script = _script(record)
    if script.called is None:
        raise ConfigError("column test calls no entry point", where=record.where)
    return PlusRow(
        id=f"Mbpp/{number(record, 'task_id')}",
        prompt=text(record, "prompt"),
        entry_point=script.called,
        reference=code,
        base=(),
        plus=script.inputs,
        atol=script.atol,
        shown_test=tests[0] if tests else "",
        imports=texts(record, "test_imports"),
    )


def _inputs(record: Record, column: str, task: int | None = None) -> tuple[str, ...]:
    values = record.fields.get(column)
    if isinstance(values, dict):  # Mbpp/793 has {} for no inputs
        values = list(values.values())
    if not isinstance(values, list) or not all(isinstance(v, list) for v in values):
        raise ConfigError(f"column {column} is no list of argument lists", where=record.where)
    if task is None:
        return tuple(literal(v) for v in values)
    try:
        return tuple(literal(typed_arguments(task, v)) for v in values)
    except (TypeError, ValueError, AttributeError) as error:
        raise ConfigError(f"column {column}: {error}", where=record.where) from None


def _docstring(prompt: str, record: Record) -> tuple[str, str]:
    """The task's words and the assertion shown with them: EvalPlus joins them in a docstring."""
    body = prompt.strip().removeprefix('"""').removesuffix('"""').strip("\n")
    words, found, test = body.rpartition("\nassert ")
    if not found:
        raise ConfigError("the prompt shows no assertion", where=record.where)
    return words.strip(), f"assert {test.strip()}"


class _Script(NamedTuple):
    """What a script in the hub's format holds: inputs as literals, tolerance, and the function
    that its loop calls inside ``assertion(...)``."""

    inputs: tuple[str, ...]
    atol: float
    called: str | None


def _script(record: Record) -> _Script:
    source = text(record, "test")
    try:
        tree = syntax.parse(source)
    except (SyntaxError, RecursionError, MemoryError):
        raise ConfigError("column test is no Python", where=record.where) from None
    inputs: ast.expr | None = None
    atol: Any = 0
    called: str | None = None
    # Lists of inputs and results have a million nodes: they are not walked through.
    queue: list[ast.AST] = [tree]
    while queue:
        node = queue.pop(0)
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "inputs":
            inputs = node.value
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "assertion" and node.args:
            atol = getattr(node.args[-1], "value", 0)
            if isinstance(node.args[0], ast.Call) and isinstance(node.args[0].func, ast.Name):
                called = called or node.args[0].func.id
        elif isinstance(node, ast.Compare) and ast.unparse(node.left).startswith("_poly("):
            atol = getattr(node.comparators[-1], "value", 0)
        if not isinstance(node, ast.List):
            queue.extend(ast.iter_child_nodes(node))
    if not isinstance(inputs, ast.List):
        raise ConfigError("column test has no list of inputs", where=record.where)
    return _Script(_segments(source, inputs.elts), float(atol or 0), called)


def _segments(source: str, nodes: list[ast.expr]) -> tuple[str, ...]:
    """The text of each node: places are counted in lines and in bytes of UTF-8."""
    lines = source.encode().splitlines(keepends=True)
    starts = list(itertools.accumulate(map(len, lines), initial=0))
    whole = b"".join(lines)
    return tuple(
        whole[
            starts[node.lineno - 1] + node.col_offset : starts[(node.end_lineno or node.lineno) - 1]
            + (node.end_col_offset or 0)
        ].decode()
        for node in nodes
    )
