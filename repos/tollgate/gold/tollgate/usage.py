"""Usage records, and the ledger that keeps them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from tollgate.errors import IdempotencyConflict
from tollgate.months import Month


@dataclass(frozen=True, slots=True)
class UsageRecord:
    """`at`: when it happened, `month`: in which month that was for the payer; `received`: when we
    were told; `billed`: in which month it counts."""

    number: int
    key: str
    meter: str
    units: int
    at: datetime
    received: datetime
    payer: str
    month: Month
    billed: Month

    @property
    def late(self) -> bool:
        """Whether its own month was closed already."""
        return self.month < self.billed


class UsageStore(Protocol):
    """Where usage is kept and counted."""

    def append(self, record: UsageRecord) -> None: ...

    def units(self, payer: str, meter: str, month: Month) -> int: ...

    def units_of_keys(self, keys: Iterable[str], meter: str, month: Month) -> int: ...

    def __iter__(self) -> Iterator[UsageRecord]: ...

    def __len__(self) -> int: ...


class UsageLedger:
    """A `UsageStore` in memory, with running totals."""

    def __init__(self) -> None:
        self._records: list[UsageRecord] = []
        self._totals: dict[tuple[str, str, Month], int] = {}
        self._key_totals: dict[tuple[str, str, Month], int] = {}

    def append(self, record: UsageRecord) -> None:
        self._records.append(record)
        for totals, owner in ((self._totals, record.payer), (self._key_totals, record.key)):
            place = (owner, record.meter, record.billed)
            totals[place] = totals.get(place, 0) + record.units

    def units(self, payer: str, meter: str, month: Month) -> int:
        """Units billed to a payer in a month."""
        return self._totals.get((payer, meter, month), 0)

    def units_of_keys(self, keys: Iterable[str], meter: str, month: Month) -> int:
        """Units billed in a month that some keys used."""
        return sum(self._key_totals.get((key, meter, month), 0) for key in keys)

    def __iter__(self) -> Iterator[UsageRecord]:
        return iter(self._records)

    def __len__(self) -> int:
        return len(self._records)


@dataclass(frozen=True, slots=True)
class Request:
    """What a caller asked for under an idempotency key. `at` is None where it was left out."""

    meter: str
    units: int
    at: datetime | None


class IdempotencyRegister:
    """What each key has asked for under which idempotency key, and the record made of it."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, str], tuple[Request, UsageRecord]] = {}

    def recall(self, key: str, token: str | None, request: Request) -> UsageRecord | None:
        """The record made before; IdempotencyConflict where the request was another one."""
        if token is None or (key, token) not in self._seen:
            return None
        known, record = self._seen[key, token]
        if known != request:
            raise IdempotencyConflict(f"{token!r} was used by {key} for another request")
        return record

    def remember(self, key: str, token: str | None, request: Request, record: UsageRecord) -> None:
        if token is not None:
            self._seen[key, token] = (request, record)
