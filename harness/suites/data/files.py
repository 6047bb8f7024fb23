"""Records of a user's files, recognised by content: JSON lines, JSON, parquet, each also gzipped.

A file's name decides nothing. Raises ConfigError with file and line for what cannot be read.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.errors import ConfigError

# A folder is searched no further: a home folder given by mistake must not be read whole.
_MAX_FILES = 2_000
_MAX_DEPTH = 3
_SUFFIXES = (".jsonl", ".json", ".parquet", ".gz")


@dataclass(frozen=True)
class Record:
    """One record and where it stands, as ``file:line`` (lines from 1; parquet: row number)."""

    where: str
    fields: dict[str, Any]


def read_records(path: Path) -> list[Record]:
    """All records of ``path``, in order."""
    return list(_records(path, _content(path)))


def columns(path: Path) -> frozenset[str]:
    """Columns of a file's first record; empty where it holds no records."""
    try:
        for record in _records(path, _content(path)):
            return frozenset(record.fields)
    except ConfigError:
        return frozenset()
    return frozenset()


def candidates(path: Path, suffixes: tuple[str, ...] = _SUFFIXES) -> list[Path]:
    """``path`` itself, or the data files under the folder ``path``, in a fixed order."""
    if not path.is_dir():
        return [path]
    found: list[Path] = []
    queue = [(path, 0)]
    while queue and len(found) < _MAX_FILES:
        folder, depth = queue.pop(0)
        for entry in sorted(folder.iterdir()):
            if entry.is_dir() and depth < _MAX_DEPTH and not entry.name.startswith("."):
                queue.append((entry, depth + 1))
            elif entry.is_file() and entry.suffix in suffixes:
                found.append(entry)
    return found


def find_file(path: Path, required: frozenset[str], what: str, prefer: tuple[str, ...]) -> Path:
    """The one file under ``path`` whose records have the columns ``required``.

    Among several, one with exactly these columns comes first, then one whose name begins with
    one of ``prefer``. Raises ConfigError where none or several remain.
    """
    files = candidates(path)
    if files == [path]:
        return path
    seen = {file: columns(file) for file in files}
    matching = [file for file in files if required <= seen[file]]
    exact = [file for file in matching if seen[file] == required] or matching
    for name in prefer:
        named = [file for file in exact if file.name.split(".")[0] == name]
        if named:
            exact = named
            break
    if len(exact) == 1:
        return exact[0]
    if not exact:
        raise ConfigError(f"holds no file of {what}", where=str(path), remedy="name the file")
    names = ", ".join(str(file.relative_to(path)) for file in exact[:4])
    raise ConfigError(
        f"holds {len(exact)} files that look like {what}",
        where=str(path),
        remedy=f"name one: {names}",
    )


def _content(path: Path) -> bytes:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", where=str(path)) from None
    if data[:2] == b"\x1f\x8b":
        try:
            return gzip.decompress(data)
        except (OSError, EOFError, zlib.error) as error:
            raise ConfigError(f"is a damaged gzip file: {error}", where=str(path)) from None
    return data


def _records(path: Path, data: bytes) -> Iterator[Record]:
    if data[:4] == b"PAR1":
        yield from _parquet(path, data)
        return
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError("is not UTF-8", where=f"{path}:{line}") from None
    if text.lstrip()[:1] == "[":
        yield from _json_list(path, text)
    else:
        yield from _json_lines(path, text)


def _json_lines(path: Path, text: str) -> Iterator[Record]:
    # not splitlines(): a JSON string may hold U+2028 and the like as they are
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        where = f"{path}:{number}"
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise ConfigError(
                f"is not JSON: {error}",
                where=where,
                remedy="a record takes one line, or the file is one list of records",
            ) from None
        yield _record(value, where)


def _json_list(path: Path, text: str) -> Iterator[Record]:
    try:
        values = json.loads(text)
    except json.JSONDecodeError as error:
        raise ConfigError(f"is not JSON: {error.msg}", where=f"{path}:{error.lineno}") from None
    except RecursionError:
        raise ConfigError("is nested too deeply", where=str(path)) from None
    for number, value in enumerate(values, 1):
        yield _record(value, f"{path}, item {number}")


def _record(value: Any, where: str) -> Record:
    if not isinstance(value, dict):
        raise ConfigError("is no JSON object", where=where)
    return Record(where, value)


def _parquet(path: Path, data: bytes) -> Iterator[Record]:
    import io

    import pyarrow as pa  # type: ignore[import-untyped]
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    try:
        rows = pq.read_table(io.BytesIO(data)).to_pylist()
    except (pa.ArrowException, OSError) as error:
        raise ConfigError(f"is a damaged parquet file: {error}", where=str(path)) from None
    for number, row in enumerate(rows, 1):
        yield Record(f"{path}, row {number}", row)
