"""``samples.jsonl``: one line a final sample; an index of small tuples stays in memory."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter

from harness.errors import StorageError
from harness.outcome import Verdict, is_final
from harness.store.appender import Appender
from harness.store.faults import storage_error
from harness.store.lines import decode, encode, read_lines
from harness.store.records import SampleRecord

_RECORD: TypeAdapter[SampleRecord] = TypeAdapter(SampleRecord)


class Entry(NamedTuple):
    """Where a record lies and how it ended."""

    offset: int
    length: int
    attempt: int
    verdict: Verdict
    cost: float | None


class SampleIndex:
    """The last final record of each sample, by offset.

    ``size`` is how far the file was read; ``refresh`` reads what came since.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.size = 0
        self.entries: dict[str, Entry] = {}

    def refresh(self) -> None:
        """Read lines that came since. Raises StorageError naming a line that cannot be read."""
        if not self.path.exists():
            return
        for line in read_lines(self.path, self.size):
            try:
                record = decode(line, _RECORD)
            except ValueError as error:
                raise StorageError(
                    f"the record at byte {self.size} cannot be read: {str(error)[:200]}",
                    where=str(self.path),
                    remedy="the file was changed or damaged after it was written",
                ) from None
            self.note(record, self.size, len(line))

    def note(self, record: SampleRecord, offset: int, length: int) -> None:
        """Take in a record that lies at ``offset``."""
        if is_final(record.verdict):
            self.entries[record.sample] = Entry(
                offset, length, record.attempt, record.verdict, record.usage.cost
            )
        self.size = offset + length

    def read(self, key: str) -> SampleRecord:
        """The record of a sample. Raises KeyError, StorageError."""
        entry = self.entries[key]
        try:
            fd = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC)
            try:
                line = os.pread(fd, entry.length, entry.offset)
            finally:
                os.close(fd)
            return decode(line, _RECORD)
        except OSError as error:
            raise storage_error(error, self.path) from error
        except ValueError:
            raise StorageError(
                f"the record at byte {entry.offset} changed", where=str(self.path)
            ) from None


class Records(Mapping[str, SampleRecord]):
    """The final records by sample, read from the file when asked for: memory stays flat."""

    def __init__(self, index: SampleIndex) -> None:
        self._index = index

    def __getitem__(self, key: str) -> SampleRecord:
        return self._index.read(key)

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._index.entries))

    def __len__(self) -> int:
        return len(self._index.entries)

    def __contains__(self, key: object) -> bool:
        return key in self._index.entries


class SampleWriter:
    """Appends final records; used by the process that holds the folder's lock."""

    def __init__(self, path: Path, index: SampleIndex) -> None:
        self._out = Appender(path)
        self._index = index

    def append(self, records: Iterable[SampleRecord]) -> None:
        """Append and make durable. Raises StorageError; records before the failing one stay."""
        written = False
        try:
            for record in records:
                line = encode(record)
                self._index.note(record, self._out.append(line), len(line))
                written = True
        finally:
            if written:
                self._out.sync()

    def close(self) -> None:
        self._out.close()
