"""Records in SACB's format as tasks: from files of any kind it circulates in, or from the hub."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any

from harness.errors import ConfigError, UsageError
from harness.grading.subject import Subject
from harness.ids import canonical_json, sha256_hex
from harness.suites.data.files import Record, find_file, read_records
from harness.suites.data.hub import HubSource, hub_records
from harness.suites.sacb_ids import our_id
from harness.tasks.repository import require_names
from harness.tasks.task import Language, TestSettings, Tree, TreeFile
from harness.tasks.trees import tree_digest

REQUIRED = ("task_id", "lang", "category", "instruction", "files", "tests")
SOURCE = HubSource(
    id="ilintar/SACB",
    config=None,
    revision="main",
    licence="as its card says",
    file_hint="its records as JSON lines or Parquet, or the folder of a downloaded copy",
)
_CATEGORIES = ("syntax", "type", "logic", "feature")
_LONGEST_ID = 200


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


def read_tasks(path: Path | None) -> dict[str, SacbTask]:
    """All tasks by id, in order: of a file, of the one such file in a folder, without ``path`` of
    the hub's data set. Raises UsageError, ConfigError."""
    tasks: dict[str, SacbTask] = {}
    for record in _records(path):
        task = _task(record.fields, record.where)
        if task.id in tasks:
            raise ConfigError(f"task_id: {task.id!r} is there twice", where=record.where)
        tasks[task.id] = task
    if not tasks:
        raise ConfigError("holds no task", where=str(path))
    return tasks


def _records(path: Path | None) -> list[Record]:
    if path is None:
        return hub_records(SOURCE, "test")
    if not path.exists():
        raise UsageError("no such file", where=str(path), remedy=f"--data PATH: {SOURCE.file_hint}")
    what = "SACB records"
    return read_records(find_file(path, frozenset(REQUIRED), what, prefer=("test", "sacb")))


def _task(record: dict[str, Any], where: str) -> SacbTask:
    missing = [name for name in REQUIRED if record.get(name) in (None, "")]
    if missing:
        raise ConfigError(f"{missing[0]}: missing", where=where)
    language, category = record["lang"], record["category"]
    if language not in ("python", "typescript"):
        raise ConfigError(f"lang: {language!r} is neither python nor typescript", where=where)
    if category not in _CATEGORIES:
        raise ConfigError(
            f"category: {category!r} is none of {', '.join(_CATEGORIES)}", where=where
        )
    start = _tree(record, "files", where)
    tests = _tree(record, "tests", where)
    hidden = {
        path if path.startswith("tests/") else f"tests/{path}": f for path, f in tests.items()
    }
    if len(hidden) != len(tests):
        raise ConfigError("tests: a file is there twice, with and without tests/", where=where)
    # The record's gold holds the files that differ; tests in it are the hidden ones.
    changed = _tree(record, "gold", where)
    fail_to_pass = _ids(record, "fail_to_pass", hidden, where)
    if not fail_to_pass:
        raise ConfigError("fail_to_pass: no test decides this task", where=where)
    difficulty = record.get("difficulty")
    made = SacbTask(
        id=_line(record, "task_id", where),
        language=language,
        category=category,
        difficulty=difficulty if isinstance(difficulty, int) and 1 <= difficulty <= 5 else 3,
        instruction=_text(record["instruction"], "instruction", where),
        start=start,
        hidden=hidden,
        gold={**start, **changed} if changed else {},
        fail_to_pass=fail_to_pass,
        pass_to_pass=_ids(record, "pass_to_pass", hidden, where),
    )
    return replace(made, digest=_digest(made))


def _text(value: Any, name: str, where: str) -> str:
    """A field that is text. Raises ConfigError, also for text that no server could be sent."""
    if not isinstance(value, str):
        raise ConfigError(f"{name}: not a text", where=where)
    if any(0xD800 <= ord(c) < 0xE000 for c in value):
        raise ConfigError(f"{name}: holds half a character (a lone surrogate)", where=where)
    return value


def _line(record: dict[str, Any], name: str, where: str) -> str:
    """A field that names something: one line, so that every list can show it."""
    value = record[name]
    text = str(value) if type(value) is int else _text(value, name, where)
    if not text.isprintable() or text != text.strip() or len(text) > _LONGEST_ID:
        raise ConfigError(
            f"{name}: {text[:80]!r} is not one line of up to {_LONGEST_ID} characters", where=where
        )
    return text


def _digest(task: SacbTask) -> str:
    """Over what the record means: the same in whatever file or form it came."""
    trees = {name: tree_digest(getattr(task, name)) for name in ("start", "hidden", "gold")}
    fields = ("id", "language", "category", "difficulty", "instruction", "fail_to_pass")
    rest = {name: getattr(task, name) for name in (*fields, "pass_to_pass")}
    return sha256_hex(canonical_json({**trees, **rest}))


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
    for path in tree:
        both = next((str(up) for up in PurePosixPath(path).parents if str(up) in tree), None)
        if both is not None:
            raise ConfigError(f"{name}: {both!r} is both a file and a folder", where=where)
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
