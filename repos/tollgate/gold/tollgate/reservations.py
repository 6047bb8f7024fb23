"""Reservations: units held for a key until they are committed, released, or run out."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from tollgate.errors import ReservationError, ReservationExpired, UnknownName


@dataclass(frozen=True, slots=True)
class Reservation:
    """Held until just before `expires`. `state`: held, committed, released or expired."""

    number: int
    key: str
    payer: str
    meter: str
    units: int
    expires: datetime
    state: str = "held"


class ReservationBook:
    """All reservations by number, from 1 on."""

    def __init__(self) -> None:
        self._all: dict[int, Reservation] = {}

    def hold(self, key: str, payer: str, meter: str, units: int, expires: datetime) -> Reservation:
        made = Reservation(len(self._all) + 1, key, payer, meter, units, expires)
        self._all[made.number] = made
        return made

    def get(self, number: int) -> Reservation:
        found = self._all.get(number)
        if found is None:
            raise UnknownName(f"no reservation {number}")
        return found

    def expire(self, now: datetime) -> list[Reservation]:
        """Those that have run out since the last call."""
        over = [r for r in self._all.values() if r.state == "held" and r.expires <= now]
        return [self._set(reservation, "expired") for reservation in over]

    def open(self, number: int) -> Reservation:
        """The reservation, if it is still held. Expire first."""
        found = self.get(number)
        if found.state == "expired":
            raise ReservationExpired(f"reservation {number} has expired")
        if found.state != "held":
            raise ReservationError(f"reservation {number} is {found.state}")
        return found

    def close(self, number: int, state: str) -> Reservation:
        return self._set(self.open(number), state)

    def held(self, payer: str, meter: str) -> int:
        """Units held for all keys of a payer."""
        return sum(r.units for r in self._held(meter) if r.payer == payer)

    def held_by_keys(self, keys: Iterable[str], meter: str) -> int:
        """Units held for some keys."""
        names = set(keys)
        return sum(r.units for r in self._held(meter) if r.key in names)

    def _held(self, meter: str) -> list[Reservation]:
        return [r for r in self._all.values() if r.state == "held" and r.meter == meter]

    def _set(self, reservation: Reservation, state: str) -> Reservation:
        changed = replace(reservation, state=state)
        self._all[reservation.number] = changed
        return changed
