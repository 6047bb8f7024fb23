"""Lots: one delivery or production batch of one item."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction

from stockroom.errors import LotError
from stockroom.locations import natural_key


@dataclass
class Lot:
    """A lot. `cost` is exact, per base unit; `used` maps ingredient lots to quantities."""

    id: str
    sku: str
    received: date
    expires: date | None = None
    cost: Fraction = Fraction(0)
    supplier: str | None = None
    held: str | None = None
    used: dict[str, int] = field(default_factory=dict)

    def expired(self, day: date) -> bool:
        """A lot is good through its expiry day."""
        return self.expires is not None and day > self.expires

    def life_left(self, day: date) -> int | None:
        """Days from `day` to the expiry day; None for a lot that does not expire."""
        return None if self.expires is None else (self.expires - day).days

    def usable(self, day: date, min_life: int = 0) -> bool:
        """Not held, not expired, and with at least `min_life` days left."""
        if self.held is not None or self.expired(day):
            return False
        left = self.life_left(day)
        return left is None or left >= min_life


class LotBook:
    """All lots that ever were, by id, listed in natural order."""

    def __init__(self) -> None:
        self._lots: dict[str, Lot] = {}

    def add(self, lot: Lot) -> None:
        self.check_new(lot.id)
        self._lots[lot.id] = lot

    def check_new(self, lot_id: str) -> None:
        if lot_id in self._lots:
            raise LotError(f"lot {lot_id} already exists")

    def get(self, lot_id: str) -> Lot:
        try:
            return self._lots[lot_id]
        except KeyError:
            raise LotError(f"unknown lot {lot_id}") from None

    def of_item(self, sku: str) -> list[Lot]:
        return [lot for lot in self if lot.sku == sku]

    def __iter__(self) -> Iterator[Lot]:
        return iter(sorted(self._lots.values(), key=lambda lot: natural_key(lot.id)))
