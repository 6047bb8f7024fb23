"""MBPP (Austin et al. 2021): 974 problems, of which 427 were edited by hand ("sanitized").

The two sets share ids and differ in texts, tests and code, so they are never mixed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from harness.errors import ConfigError
from harness.suites.data.checks import complete, number, text, texts
from harness.suites.data.files import Record, candidates, columns, read_records
from harness.suites.data.hub import HubSource, hub_records
from harness.suites.data.rows import Loaded, MbppRow, loaded

Edition = Literal["full", "sanitized"]

_REVISION = "4bb6404fdc6cacfda99d4ac4205087b89d32030c"
FULL = HubSource(
    id="google-research-datasets/mbpp",
    config="full",
    revision=_REVISION,
    licence="CC-BY-4.0",
    file_hint="mbpp.jsonl (from github.com/google-research/google-research, folder mbpp)",
)
SANITIZED = HubSource(
    id="google-research-datasets/mbpp",
    config="sanitized",
    revision=_REVISION,
    licence="CC-BY-4.0",
    file_hint="sanitized-mbpp.json (from github.com/google-research/google-research, folder mbpp)",
)
_SPLITS = ("prompt", "test", "validation", "train")
_COLUMNS: dict[Edition, frozenset[str]] = {
    "full": frozenset({"task_id", "text", "code", "test_list", "test_setup_code"}),
    "sanitized": frozenset({"task_id", "prompt", "code", "test_list", "test_imports"}),
}
# EvalPlus' scripts have the sanitized columns and one more.
_FOREIGN = frozenset({"test"})
SIZES: dict[Edition, int] = {"full": 974, "sanitized": 427}
TEST_IDS = range(11, 511)


def load(path: Path | None, edition: Edition) -> Loaded[MbppRow]:
    """One edition, whole, ids ascending. Raises ConfigError."""
    if path is None:
        source = FULL if edition == "full" else SANITIZED
        records = [record for split in _SPLITS for record in hub_records(source, split)]
        origin = f"hub {source.id} {source.config}"
    else:
        file = _find(path, edition)
        records, origin = read_records(file), str(file)
    return from_records(records, edition, origin)


def holds(path: Path | None, edition: Edition) -> bool:
    """Whether ``path`` has a file of that edition (the hub has both)."""
    return path is None or any(_fits(columns(f), edition) for f in candidates(path))


def from_records(records: list[Record], edition: Edition, origin: str) -> Loaded[MbppRow]:
    """Checked rows of ``records``."""
    full = edition == "full"
    rows = [
        MbppRow(
            id=str(number(record, "task_id")),
            prompt=text(record, "text" if full else "prompt"),
            code=text(record, "code"),
            tests=texts(record, "test_list"),
            setup=text(record, "test_setup_code") if full else "",
            imports=() if full else texts(record, "test_imports"),
            challenge_tests=texts(record, "challenge_test_list")
            if full and record.fields.get("challenge_test_list")
            else (),
        )
        for record in records
    ]
    rows.sort(key=lambda row: int(row.id))
    what = f"MBPP ({edition})"
    if full:
        expected = [str(n) for n in range(1, 975)]
        return loaded(complete(rows, expected, what, origin), origin)
    _known_sanitized(rows, what, origin)
    return loaded(rows, origin)


def _known_sanitized(rows: list[MbppRow], what: str, origin: str) -> None:
    """The sanitized ids have gaps, so count, uniqueness, range and split sizes are checked."""
    complete(rows, list(dict.fromkeys(row.id for row in rows)), what, origin)
    in_test = sum(int(row.id) in TEST_IDS for row in rows)
    odd = [row.id for row in rows if not 1 <= int(row.id) <= 974]
    if len(rows) != SIZES["sanitized"] or in_test != 257 or odd:
        raise ConfigError(
            f"is not {what} as published: {len(rows)} of 427 tasks, {in_test} of 257 in the test "
            "split",
            where=origin,
        )


def _fits(found: frozenset[str], edition: Edition) -> bool:
    return _COLUMNS[edition] <= found and not (_FOREIGN & found)


def _find(path: Path, edition: Edition) -> Path:
    source = FULL if edition == "full" else SANITIZED
    files = [file for file in candidates(path) if _fits(columns(file), edition)]
    if len(files) == 1:
        return files[0]
    if len(files) > 1:
        names = ", ".join(str(file) for file in files[:4])
        raise ConfigError(
            f"holds {len(files)} files of MBPP ({edition})",
            where=str(path),
            remedy=f"name one: {names}",
        )
    if path.is_file():
        read_records(path)  # a damaged file is said to be damaged, with its line
    raise ConfigError(
        f"holds no MBPP ({edition}) data with columns {', '.join(sorted(_COLUMNS[edition]))}",
        where=str(path),
        remedy=f"give {source.file_hint}",
    )
