"""ClassEval (Du et al. 2023): 100 classes with 410 methods."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from harness.errors import ConfigError
from harness.suites.data.checks import complete, require, text, texts
from harness.suites.data.files import Record, find_file, read_records
from harness.suites.data.hub import HubSource, hub_records
from harness.suites.data.rows import ClassEvalRow, Loaded, MethodInfo, loaded

SOURCE = HubSource(
    id="FudanSELab/ClassEval",
    config=None,
    revision="fef204b34e221f207f47904ee660bb920d4c5d1d",
    licence="MIT",
    file_hint="ClassEval_data.json (from github.com/FudanSELab/ClassEval)",
)
IDS = tuple(f"ClassEval_{n}" for n in range(100))
_COLUMNS = frozenset(
    {
        "task_id",
        "skeleton",
        "test",
        "solution_code",
        "import_statement",
        "class_description",
        "class_name",
        "test_classes",
        "class_constructor",
        "fields",
        "methods_info",
    }
)


def load(path: Path | None) -> Loaded[ClassEvalRow]:
    """From ``path`` (file or folder), else from the hub. Raises ConfigError."""
    if path is None:
        return from_records(hub_records(SOURCE, "test"), f"hub {SOURCE.id}")
    file = find_file(path, _COLUMNS, "ClassEval", ("ClassEval_data",))
    return from_records(read_records(file), str(file))


def from_records(records: list[Record], origin: str) -> Loaded[ClassEvalRow]:
    """Checked rows of ``records``."""
    for record in records[:1]:
        require(record, sorted(_COLUMNS), "ClassEval")
    rows = [
        ClassEvalRow(
            id=text(record, "task_id"),
            class_name=text(record, "class_name"),
            skeleton=text(record, "skeleton"),
            solution=text(record, "solution_code"),
            imports=texts(record, "import_statement"),
            test=text(record, "test"),
            test_classes=texts(record, "test_classes"),
            methods=tuple(_method(m, record) for m in _methods(record)),
        )
        for record in records
    ]
    return loaded(complete(rows, IDS, "ClassEval", origin), origin)


def _methods(record: Record) -> list[Any]:
    value = record.fields.get("methods_info")
    if not isinstance(value, list) or not value:
        raise ConfigError("column methods_info is no list", where=record.where)
    return value


def _method(value: Any, record: Record) -> MethodInfo:
    names = ("method_name", "method_description", "solution_code", "test_class")
    if not isinstance(value, dict) or not all(isinstance(value.get(n), str) for n in names):
        raise ConfigError("an entry of methods_info is incomplete", where=record.where)
    return MethodInfo(*(value[n] for n in names))
