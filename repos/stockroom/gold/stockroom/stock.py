"""Balances: how much of a lot stands where, and how much of that is reserved."""

from stockroom.errors import LotError
from stockroom.locations import natural_key


class Stock:
    """Quantities by (lot, location), in base units. Reserved never exceeds on hand."""

    def __init__(self) -> None:
        self._on_hand: dict[tuple[str, str], int] = {}
        self._reserved: dict[tuple[str, str], int] = {}

    def on_hand(self, lot: str, location: str) -> int:
        return self._on_hand.get((lot, location), 0)

    def reserved(self, lot: str, location: str) -> int:
        return self._reserved.get((lot, location), 0)

    def free(self, lot: str, location: str) -> int:
        """On hand and not reserved by any order."""
        return self.on_hand(lot, location) - self.reserved(lot, location)

    def total(self, lot: str) -> int:
        """On hand in all locations."""
        return sum(count for (owner, _), count in self._on_hand.items() if owner == lot)

    def load(self, location: str) -> int:
        """Base units of all lots at a location."""
        return sum(count for (_, place), count in self._on_hand.items() if place == location)

    def lots_at(self, location: str) -> list[str]:
        found = [lot for (lot, place) in self._on_hand if place == location]
        return sorted(found, key=natural_key)

    def places_of(self, lot: str) -> list[str]:
        found = [place for (owner, place) in self._on_hand if owner == lot]
        return sorted(found, key=natural_key)

    def add(self, lot: str, location: str, quantity: int) -> None:
        self._set(lot, location, self.on_hand(lot, location) + quantity)

    def need_free(self, lot: str, location: str, quantity: int) -> None:
        """LotError unless that much is free there."""
        free = self.free(lot, location)
        if quantity > free:
            raise LotError(f"{lot} at {location}: wanted {quantity}, free {free}")

    def remove(self, lot: str, location: str, quantity: int) -> None:
        """Take free stock away."""
        self.need_free(lot, location, quantity)
        self._set(lot, location, self.on_hand(lot, location) - quantity)

    def move(self, lot: str, source: str, target: str, quantity: int) -> None:
        """Carry free stock to another location."""
        self.remove(lot, source, quantity)
        self.add(lot, target, quantity)

    def reserve(self, lot: str, location: str, quantity: int) -> None:
        self.need_free(lot, location, quantity)
        self._reserved[lot, location] = self.reserved(lot, location) + quantity

    def unreserve(self, lot: str, location: str, quantity: int) -> None:
        left = self.reserved(lot, location) - quantity
        if left < 0:
            raise LotError(f"{lot} at {location}: {quantity} is more than is reserved")
        if left:
            self._reserved[lot, location] = left
        else:
            self._reserved.pop((lot, location), None)

    def issue(self, lot: str, location: str, quantity: int) -> None:
        """Take reserved stock out of the warehouse."""
        self.unreserve(lot, location, quantity)
        self.remove(lot, location, quantity)

    def _set(self, lot: str, location: str, quantity: int) -> None:
        if quantity:
            self._on_hand[lot, location] = quantity
        else:
            self._on_hand.pop((lot, location), None)
