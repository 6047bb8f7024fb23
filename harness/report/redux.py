"""Labels of MMLU-Redux (Gema et al. 2024): questions of MMLU found to be faulty by people.

The file is a user's own: a CSV, a folder of CSVs ``mmlu_SUBJECT.csv``, or a tar of such a folder;
fields (question, choices, answer, error_type, ...) are parted by commas in some, by semicolons in
others.
"""

from __future__ import annotations

import ast
import csv
import io
import tarfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from harness.errors import ConfigError
from harness.plan import SuitePlan
from harness.suites.data.rows import MmluRow
from harness.suites.data.subjects import SUBJECTS

# "ok" and "expert" (left to a specialist) are no known faults.
_FAULTS = {
    "bad question clarity",
    "bad options clarity",
    "no correct answer",
    "multiple correct answers",
    "wrong groundtruth",
}
# All 57 files together have a few MB; a member beyond this is none of them.
_MAX_MEMBER = 50_000_000


@dataclass(frozen=True)
class Label:
    """One labelled question. error_type as published (``ok``, ``wrong groundtruth``, ...), in
    lower case; where: file and line."""

    subject: str
    question: str
    choices: tuple[str, ...]
    error_type: str
    where: str

    @property
    def faulty(self) -> bool:
        return self.error_type in _FAULTS


def read_labels(path: Path) -> list[Label]:
    """All labels of ``path``. Raises ConfigError with file and line."""
    labels = [label for name, text in _files(path) for label in _labels(name, text)]
    if not labels:
        raise ConfigError(
            "holds no mmlu_SUBJECT.csv with labels", where=str(path), remedy="see MMLU-Redux"
        )
    return labels


def faulty_tasks(labels: Iterable[Label], rows: Iterable[MmluRow]) -> tuple[frozenset[str], int]:
    """Ids of rows labelled faulty, and how many labels name no row of ``rows``.

    A question that stands twice in a subject is faulty in both places.
    """
    places: dict[tuple[str, str, tuple[str, ...]], list[str]] = defaultdict(list)
    for row in rows:
        places[(row.subject, _key(row.question), tuple(map(_key, row.choices)))].append(row.id)
    found: set[str] = set()
    unknown = 0
    for label in labels:
        ids = places.get((label.subject, _key(label.question), tuple(map(_key, label.choices))))
        if ids is None:
            unknown += 1
        elif label.faulty:
            found.update(ids)
    return frozenset(found), unknown


def faulty_ids(path: Path, suite: SuitePlan, data: str | None) -> frozenset[str]:
    """Ids of the planned MMLU tasks that ``path`` labels faulty. Raises ConfigError."""
    from harness.suites.data import mmlu

    split: mmlu.Split = "val" if suite.options.get("split") == "val" else "test"
    subjects = suite.options.get("subjects") or list(SUBJECTS)
    rows = mmlu.load(Path(data) if data else None, split, subjects).rows
    return faulty_tasks(read_labels(path), rows)[0]


def _key(text: str) -> str:
    return " ".join(text.split())


def _files(path: Path) -> Iterator[tuple[str, str]]:
    try:
        if path.is_dir():
            for file in sorted(path.rglob("mmlu_*.csv")):
                yield str(file), _text(file.read_bytes())
        elif tarfile.is_tarfile(path):
            with tarfile.open(path) as tar:
                for member in tar:
                    if (
                        member.isfile()
                        and member.name.endswith(".csv")
                        and member.size < _MAX_MEMBER
                    ):
                        content = tar.extractfile(member)
                        if content is not None:
                            yield member.name, _text(content.read())
        else:
            yield str(path), _text(path.read_bytes())
    except (OSError, tarfile.TarError) as error:
        raise ConfigError(f"cannot be read: {error}", where=str(path)) from None


def _text(data: bytes) -> str:
    """Some of the files were saved by a spreadsheet in its own encoding."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _labels(name: str, text: str) -> Iterator[Label]:
    subject = Path(name).stem.removeprefix("mmlu_")
    if subject not in SUBJECTS:
        raise ConfigError(f"the file's name says no subject of MMLU: {subject!r}", where=name)
    header = text.partition("\n")[0]
    delimiter = ";" if header.count(";") > header.count(",") else ","
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
    needed = {"question", "choices", "error_type"}
    if not needed <= set(reader.fieldnames or ()):
        raise ConfigError(f"has no columns {', '.join(sorted(needed))}", where=f"{name}:1")
    for fields in reader:
        where = f"{name}:{reader.line_num}"
        try:
            choices = ast.literal_eval(fields["choices"] or "")
        except (ValueError, SyntaxError):
            raise ConfigError("column choices is no list", where=where) from None
        if not isinstance(choices, list):
            raise ConfigError("column choices is no list", where=where)
        kind = (fields["error_type"] or "").strip().lower().replace("_", " ")
        yield Label(subject, fields["question"] or "", tuple(map(str, choices)), kind, where)
