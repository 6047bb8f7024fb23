"""HumanEval (Chen et al. 2021): 164 problems."""

from __future__ import annotations

from pathlib import Path

from harness.suites.data.checks import complete, require, text
from harness.suites.data.files import Record, find_file, read_records
from harness.suites.data.hub import HubSource, hub_records
from harness.suites.data.rows import HumanEvalRow, Loaded, loaded

SOURCE = HubSource(
    id="openai/openai_humaneval",
    config="openai_humaneval",
    revision="7dce6050a7d6d172f3cc5c32aa97f52fa1a2e544",
    licence="MIT",
    file_hint="HumanEval.jsonl.gz (from github.com/openai/human-eval)",
)
IDS = tuple(f"HumanEval/{n}" for n in range(164))
_COLUMNS = frozenset({"task_id", "prompt", "canonical_solution", "test", "entry_point"})


def load(path: Path | None) -> Loaded[HumanEvalRow]:
    """From ``path`` (file or folder), else from the hub. Raises ConfigError."""
    if path is None:
        records, origin = hub_records(SOURCE, "test"), f"hub {SOURCE.id}"
    else:
        file = find_file(path, _COLUMNS, "HumanEval", ("HumanEval",))
        records, origin = read_records(file), str(file)
    return from_records(records, origin)


def from_records(records: list[Record], origin: str) -> Loaded[HumanEvalRow]:
    """Checked rows of ``records``."""
    for record in records[:1]:
        require(record, sorted(_COLUMNS), "HumanEval")
    rows = [
        HumanEvalRow(
            id=text(record, "task_id"),
            prompt=text(record, "prompt"),
            canonical_solution=text(record, "canonical_solution"),
            test=text(record, "test"),
            entry_point=text(record, "entry_point"),
        )
        for record in records
    ]
    return loaded(complete(rows, IDS, "HumanEval", origin), origin)
