"""The suite ``sacb``: tasks in the record format of SACB, read from a local file.

Nothing of it is shipped: ``--data FILE`` names a JSONL or Parquet file with the fields ``task_id``,
``lang``, ``category``, ``instruction``, ``files``, ``tests`` and, where there, ``difficulty``,
``gold``, ``fail_to_pass``, ``pass_to_pass`` (maps and lists may be JSON strings).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.errors import ConfigError, UsageError
from harness.grading.subject import Subject
from harness.ids import canonical_json, sha256_hex
from harness.plan import SuitePlan, TaskRef
from harness.suites.agentic import AgenticTask, run_agentic
from harness.suites.protocol import SampleContext, SampleResult, SuiteOptions, stratified
from harness.suites.repos import choose
from harness.suites.sacb_ids import our_id
from harness.suites.sealing import require_planned
from harness.tasks.repository import require_names
from harness.tasks.task import Language, TestSettings, Tree, TreeFile

PROTOCOL = "sacb"
REQUIRED = ("task_id", "lang", "category", "instruction", "files", "tests")
_CATEGORIES = ("syntax", "type", "logic", "feature")


@dataclass(frozen=True)
class SacbTask:
    """One record. gold: the whole reference tree, empty where the record has none."""

    id: str
    language: Language
    category: str
    difficulty: int
    instruction: str
    start: Tree
    hidden: Tree
    gold: Tree
    fail_to_pass: tuple[str, ...]
    pass_to_pass: tuple[str, ...]
    digest: str = field(default="")

    def subject(self) -> Subject:
        """The task as grading sees it."""
        style = "node" if self.language == "typescript" else "unittest"
        return Subject(
            id=self.id,
            language=self.language,
            tests=TestSettings.model_validate({"style": style}),
            start=self.start,
            hidden=self.hidden,
            gold=self.gold,
            fail_to_pass=self.fail_to_pass,
            pass_to_pass=self.pass_to_pass,
        )


class SacbSuite:
    """SACB's tasks with the tool semantics of SACB, so that scores compare."""

    name = "sacb"
    version = "1"
    executes_code = True
    agentic = True
    summary = "SACB records from a local file (--data), with SACB's own tool semantics"

    def __init__(self) -> None:
        self._tasks: dict[str, SacbTask] = {}

    def plan(self, options: SuiteOptions) -> SuitePlan:
        """Choose tasks and seal them. Raises UsageError, ConfigError naming the line and field."""
        from harness.agent.prompts import prompt_digest

        if options.protocol not in (None, PROTOCOL):
            raise UsageError(
                f"suite {self.name} has no protocol {options.protocol!r}", remedy=f"use {PROTOCOL}"
            )
        tasks = read_tasks(_data(options))
        ids = choose(list(tasks), options.task_globs)
        order = stratified(ids, lambda i: tasks[i].category, options.limit)
        self._tasks = {task_id: tasks[task_id] for task_id in order}
        return SuitePlan(
            name=self.name,
            version=self.version,
            protocol=PROTOCOL,
            executes_code=True,
            tasks=tuple(TaskRef(id=i, digest=tasks[i].digest) for i in order),
            split="all" if len(order) == len(tasks) else f"{len(order)} of {len(tasks)}",
            prompt_digest=prompt_digest(PROTOCOL),
        )

    def languages(self, plan: SuitePlan) -> set[str]:
        """Languages of the planned tasks."""
        return {self.task(ref.id).language for ref in plan.tasks}

    def load(self, plan: SuitePlan, options: SuiteOptions) -> None:
        """Load the planned tasks. Raises ConflictError when one is gone or no longer the same."""
        path = _data(options)
        tasks = read_tasks(path)
        require_planned(
            plan,
            {task_id: task.digest for task_id, task in tasks.items()},
            remedy="give the file that the run was planned with (--data)",
        )
        self._tasks = {ref.id: tasks[ref.id] for ref in plan.tasks}

    def task(self, task_id: str) -> SacbTask:
        """A loaded task. Raises UsageError when it is not part of the plan."""
        task = self._tasks.get(task_id)
        if task is None:
            raise UsageError(f"suite {self.name} has no loaded task {task_id!r}")
        return task

    def describe(self) -> dict[str, Any]:
        """What a data file must hold."""
        return {"protocol": PROTOCOL, "needs": "--data FILE", "fields": list(REQUIRED)}

    async def run_sample(self, context: SampleContext) -> SampleResult:
        """One attempt: episode, snapshot, grading."""
        task = self.task(context.task_id)
        about = {
            "language": task.language,
            "category": task.category,
            "difficulty": task.difficulty,
        }
        agentic = AgenticTask(
            subject=task.subject(),
            source=task,
            instruction=task.instruction,
            category=task.category,
            difficulty=task.difficulty,
            about=about,
            protocol=PROTOCOL,
        )
        return await run_agentic(context, agentic)

    async def close(self) -> None:
        return None


def read_tasks(path: Path) -> dict[str, SacbTask]:
    """All tasks of a JSONL or Parquet file by id. Raises ConfigError."""
    tasks: dict[str, SacbTask] = {}
    for where, record in _records(path):
        task = _task(record, where)
        if task.id in tasks:
            raise ConfigError(f"task_id: {task.id!r} is there twice", where=where)
        tasks[task.id] = task
    if not tasks:
        raise ConfigError("holds no task", where=str(path))
    return tasks


def _records(path: Path) -> Iterator[tuple[str, Any]]:
    if not path.is_file():
        raise UsageError("no such file", where=str(path), remedy="--data FILE (JSONL or Parquet)")
    if path.suffix == ".parquet":
        import pyarrow.parquet  # type: ignore[import-untyped]

        rows = pyarrow.parquet.read_table(path).to_pylist()
        yield from ((f"{path} row {number}", row) for number, row in enumerate(rows, 1))
        return
    for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
        if line.strip():
            try:
                yield f"{path} line {number}", json.loads(line)
            except ValueError as error:
                raise ConfigError(f"not JSON: {error}", where=f"{path} line {number}") from None


def _task(record: Any, where: str) -> SacbTask:
    if not isinstance(record, dict):
        raise ConfigError("not a JSON object", where=where)
    missing = [name for name in REQUIRED if record.get(name) in (None, "")]
    if missing:
        raise ConfigError(f"{missing[0]}: missing", where=where)
    language, category = record["lang"], record["category"]
    if language not in ("python", "typescript"):
        raise ConfigError(f"lang: {language!r} is neither python nor typescript", where=where)
    if category not in _CATEGORIES:
        raise ConfigError(f"category: {category!r} is none of {_CATEGORIES}", where=where)
    start = _tree(record, "files", where)
    hidden = {
        path if path.startswith("tests/") else f"tests/{path}": file
        for path, file in _tree(record, "tests", where).items()
    }
    # The record's gold holds the files that differ; tests in it are the hidden ones.
    changed = _tree(record, "gold", where)
    fail_to_pass = _ids(record, "fail_to_pass", hidden, where)
    if not fail_to_pass:
        raise ConfigError("fail_to_pass: no test decides this task", where=where)
    difficulty = record.get("difficulty")
    return SacbTask(
        id=str(record["task_id"]),
        language=language,
        category=category,
        difficulty=difficulty if isinstance(difficulty, int) and 1 <= difficulty <= 5 else 3,
        instruction=str(record["instruction"]),
        start=start,
        hidden=hidden,
        gold={**start, **changed} if changed else {},
        fail_to_pass=fail_to_pass,
        pass_to_pass=_ids(record, "pass_to_pass", hidden, where),
        digest=sha256_hex(canonical_json(record)),
    )


def _tree(record: dict[str, Any], name: str, where: str) -> Tree:
    value = _decoded(record.get(name) or {}, name, where)
    if isinstance(value, list) and all(isinstance(v, list | tuple) and len(v) == 2 for v in value):
        value = dict(value)  # Parquet keeps a map as a list of pairs
    if not isinstance(value, dict):
        raise ConfigError(f"{name}: not a map from path to text", where=where)
    tree: Tree = {}
    for path, text in value.items():
        if text is None:
            continue  # a Parquet struct has every file of every task, absent ones as null
        parts = str(path).split("/")
        if not isinstance(text, str) or {"", ".", ".."} & set(parts):
            raise ConfigError(f"{name}: {path!r} is no path with a text", where=where)
        tree[str(path)] = TreeFile(text.encode("utf-8", "surrogatepass"))
    return require_names(dict(sorted(tree.items())), where)


def _ids(record: dict[str, Any], name: str, hidden: Tree, where: str) -> tuple[str, ...]:
    value = _decoded(record.get(name) or [], name, where)
    if not isinstance(value, list):
        raise ConfigError(f"{name}: not a list of test ids", where=where)
    found = [our_id(str(test), hidden) for test in value]
    unknown = [str(test) for test, ours in zip(value, found, strict=True) if ours is None]
    if unknown:
        raise ConfigError(f"{name}: no test file holds {unknown[0]!r}", where=where)
    return tuple(dict.fromkeys(test for test in found if test is not None))


def _decoded(value: Any, name: str, where: str) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError as error:
        raise ConfigError(f"{name}: not JSON: {error}", where=where) from None


def _data(options: SuiteOptions) -> Path:
    if options.data is None:
        raise UsageError(
            "suite sacb needs a file with its records", remedy="--data FILE (JSONL or Parquet)"
        )
    return options.data
