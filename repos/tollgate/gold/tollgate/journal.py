"""The audit journal: what happened, in order, each entry sealed by a digest over all before it."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from tollgate.clock import show_instant

_START = "0" * 64


@dataclass(frozen=True, slots=True)
class Entry:
    """`kind` is a noun and a verb (`key.revoked`), `subject` whom it concerns."""

    number: int
    at: datetime
    kind: str
    subject: str
    details: tuple[tuple[str, str], ...]
    digest: str

    def line(self) -> str:
        """`3 2024-03-01T00:00:00Z key.revoked k1 reason=leaked`; details by name."""
        words = [str(self.number), show_instant(self.at), self.kind, self.subject]
        return " ".join([*words, *(f"{name}={value}" for name, value in self.details)])


class Journal(Protocol):
    """Takes note of what happens."""

    def note(
        self, at: datetime, kind: str, subject: str, details: Mapping[str, object]
    ) -> Entry: ...


class AuditJournal:
    """A `Journal` in memory that shows when it was tampered with."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []

    def note(self, at: datetime, kind: str, subject: str, details: Mapping[str, object]) -> Entry:
        pairs = tuple((name, str(details[name])) for name in sorted(details))
        before = self.entries[-1].digest if self.entries else _START
        entry = Entry(len(self.entries) + 1, at, kind, subject, pairs, "")
        sealed = Entry(entry.number, at, kind, subject, pairs, _seal(before, entry))
        self.entries.append(sealed)
        return sealed

    def find(self, kind: str = "", subject: str | None = None) -> Iterator[Entry]:
        """Entries of a kind (`key.revoked`) or a family of kinds (`key`), of a subject."""
        for entry in self.entries:
            if kind and entry.kind != kind and not entry.kind.startswith(kind + "."):
                continue
            if subject is None or entry.subject == subject:
                yield entry

    def first_broken(self) -> int | None:
        """The number of the first entry whose digest does not fit, None if all do."""
        before = _START
        for number, entry in enumerate(self.entries, 1):
            if entry.number != number or entry.digest != _seal(before, entry):
                return number
            before = entry.digest
        return None

    def text(self) -> str:
        """One line an entry."""
        return "".join(entry.line() + "\n" for entry in self.entries)


def _seal(before: str, entry: Entry) -> str:
    return hashlib.sha256(f"{before}\n{entry.line()}".encode()).hexdigest()
