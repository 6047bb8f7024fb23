"""MMLU (Hendrycks et al. 2021): 57 subjects, from CSV folders, parquet or the hub.

Rows are named by subject and place: questions repeat, so nothing else is unique. Everything is
read as text: ten choices are the word None, which data frames take for a missing value.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from harness.errors import ConfigError
from harness.suites.data.checks import text
from harness.suites.data.files import Record, candidates, read_records
from harness.suites.data.hub import HubSource, hub_records
from harness.suites.data.rows import Loaded, MmluRow, loaded
from harness.suites.data.subjects import DEV_ROWS, SUBJECTS

Split = Literal["test", "dev", "val"]

SOURCE = HubSource(
    id="cais/mmlu",
    config="all",
    revision="c30699e8356da336a370243923dbaf21066bb9fe",
    licence="MIT",
    file_hint="the folder with dev/ and test/ (data.tar of github.com/hendrycks/test)",
)
_HUB_SPLITS: dict[Split, str] = {"test": "test", "dev": "dev", "val": "validation"}


def load(path: Path | None, split: Split, subjects: Sequence[str]) -> Loaded[MmluRow]:
    """The rows of ``subjects`` (in that order) of one split. Raises ConfigError."""
    if path is None:
        rows = _from_records(hub_records(SOURCE, _HUB_SPLITS[split]), subjects)
        origin = f"hub {SOURCE.id}"
    else:
        rows, origin = _from_folder(path, split, subjects), str(path)
    _check_counts(rows, split, subjects, origin)
    return loaded([row for subject in subjects for row in rows[subject]], origin)


def _from_folder(path: Path, split: Split, subjects: Sequence[str]) -> dict[str, list[MmluRow]]:
    folder = path if path.is_dir() else path.parent
    for csv_folder in (folder / split, folder / "data" / split, folder / "mmlu" / split, folder):
        files = {s: csv_folder / f"{s}_{split}.csv" for s in subjects}
        present = {s: file for s, file in files.items() if file.is_file()}
        if present:
            missing = [s for s in subjects if s not in present]
            if missing:
                raise ConfigError(
                    f"has no file {missing[0]}_{split}.csv ({len(missing)} of {len(subjects)} "
                    "subjects are missing)",
                    where=str(csv_folder),
                )
            return {s: read_csv(file, s) for s, file in present.items()}
    parquet = [
        file
        for file in candidates(path, (".parquet",))
        if file.suffix == ".parquet" and file.name.startswith((split, _HUB_SPLITS[split]))
    ]
    if not parquet:
        raise ConfigError(
            f"holds neither SUBJECT_{split}.csv nor {_HUB_SPLITS[split]}-*.parquet",
            where=str(path),
            remedy=f"give {SOURCE.file_hint}",
        )
    whole = [file for file in parquet if file.parent.name == "all"] or parquet
    return _from_records([r for file in whole for r in read_records(file)], subjects)


def read_csv(path: Path, subject: str) -> list[MmluRow]:
    """One subject's file: no header, six fields. A header, where somebody added one, is skipped."""
    rows: list[MmluRow] = []
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, strict=True)
            line = 1
            for fields in reader:
                where, line = f"{path}:{line}", reader.line_num + 1
                if not fields or (not rows and _is_header(fields)):
                    continue
                rows.append(_csv_row(fields, subject, len(rows), where))
    except UnicodeDecodeError:
        raise ConfigError("is not UTF-8", where=str(path)) from None
    except csv.Error as error:
        raise ConfigError(f"is no CSV: {error}", where=f"{path}:{reader.line_num}") from None
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", where=str(path)) from None
    return rows


def _is_header(fields: list[str]) -> bool:
    return len(fields) >= 6 and fields[-1].strip().lower() in {"answer", "target"}


def _csv_row(fields: list[str], subject: str, index: int, where: str) -> MmluRow:
    if len(fields) != 6:
        raise ConfigError(f"has {len(fields)} fields, not 6", where=where)
    answer = "ABCD".find(fields[5].strip()) if fields[5].strip() else -1
    if answer < 0 or len(fields[5].strip()) != 1:
        raise ConfigError(f"the answer is {fields[5]!r}, not A, B, C or D", where=where)
    question, a, b, c, d = fields[:5]
    return MmluRow(f"{subject}/{index}", subject, question, (a, b, c, d), answer)


def _from_records(records: list[Record], subjects: Sequence[str]) -> dict[str, list[MmluRow]]:
    rows: dict[str, list[MmluRow]] = defaultdict(list)
    wanted = set(subjects)
    for record in records:
        subject = text(record, "subject")
        if subject not in SUBJECTS:
            raise ConfigError(f"unknown subject {subject!r}", where=record.where)
        if subject not in wanted:
            continue
        choices, answer = record.fields.get("choices"), record.fields.get("answer")
        if isinstance(answer, str) and len(answer) == 1:
            answer = "ABCD".find(answer)
        if not isinstance(choices, list) or [type(c) for c in choices] != [str] * 4:
            raise ConfigError("column choices is no list of 4 strings", where=record.where)
        if not isinstance(answer, int) or not 0 <= answer < 4:
            raise ConfigError("column answer is not 0 to 3", where=record.where)
        a, b, c, d = choices
        row_id = f"{subject}/{len(rows[subject])}"
        question = text(record, "question")
        rows[subject].append(MmluRow(row_id, subject, question, (a, b, c, d), answer))
    return rows


def _check_counts(
    rows: dict[str, list[MmluRow]], split: Split, subjects: Sequence[str], origin: str
) -> None:
    for subject in subjects:
        have = len(rows.get(subject, ()))
        want = {"test": SUBJECTS[subject].rows, "dev": DEV_ROWS, "val": have}[split]
        if have != want or have == 0:
            raise ConfigError(
                f"{subject} has {have} rows in its {split} split, not {want}",
                where=origin,
                remedy="a first row read as a header is the usual cause",
            )
