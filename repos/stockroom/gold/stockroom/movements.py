"""Goods coming in, moving about, being counted and thrown away."""

from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from stockroom.catalog import Item
from stockroom.errors import LotError
from stockroom.lots import Lot
from stockroom.warehouse import Adjustment, Warehouse


@dataclass(frozen=True)
class Ingredient:
    """What a production batch takes of one lot at one location."""

    lot: str
    location: str
    quantity: int


def receive(warehouse: Warehouse, lot: Lot, quantity: int, location: str) -> None:
    """Book a delivery; the expiry comes from the shelf life unless the lot has one."""
    item = warehouse.catalog.get(lot.sku)
    warehouse.lots.check_new(lot.id)
    _check_room(warehouse, item, location, quantity)
    if lot.expires is None and item.shelf is not None:
        lot.expires = item.shelf.after(lot.received)
    warehouse.lots.add(lot)
    warehouse.stock.add(lot.id, location, quantity)


def make(
    warehouse: Warehouse, lot: Lot, quantity: int, location: str, ingredients: list[Ingredient]
) -> None:
    """Turn ingredients into a new lot that carries their cost.

    Unless the lot has an expiry of its own, it is the earliest of today plus the
    shelf life and the ingredients' expiry dates.
    """
    item = warehouse.catalog.get(lot.sku)
    warehouse.lots.check_new(lot.id)
    if not ingredients:
        raise LotError(f"lot {lot.id} is made of nothing")
    freed = 0
    cost = Fraction(0)
    limits: list[date] = [] if item.shelf is None else [item.shelf.after(lot.received)]
    for part in _merged(ingredients):
        source = warehouse.lots.get(part.lot)
        if not source.usable(lot.received):
            raise LotError(f"lot {source.id} is on hold or has expired")
        warehouse.stock.need_free(part.lot, part.location, part.quantity)
        cost += source.cost * part.quantity
        if source.expires is not None:
            limits.append(source.expires)
        if part.location == location:
            freed += part.quantity
        lot.used[part.lot] = lot.used.get(part.lot, 0) + part.quantity
    _check_room(warehouse, item, location, quantity, freed)
    for part in ingredients:
        warehouse.stock.remove(part.lot, part.location, part.quantity)
    lot.cost = cost / quantity
    if lot.expires is None:
        lot.expires = min(limits, default=None)
    warehouse.lots.add(lot)
    warehouse.stock.add(lot.id, location, quantity)


def move(warehouse: Warehouse, lot_id: str, source: str, target: str, quantity: int) -> None:
    """Carry free stock from one location to another."""
    lot = warehouse.lots.get(lot_id)
    warehouse.locations.get(source)
    if source == target:
        raise LotError(f"lot {lot_id} is at {source} already")
    _check_room(warehouse, warehouse.catalog.get(lot.sku), target, quantity)
    warehouse.stock.move(lot_id, source, target, quantity)


def scrap(warehouse: Warehouse, lot_id: str, location: str, quantity: int, reason: str) -> None:
    """Throw free stock away; held and expired lots too."""
    warehouse.lots.get(lot_id)
    warehouse.stock.remove(lot_id, location, quantity)
    warehouse.adjustments.append(Adjustment(warehouse.day, lot_id, location, -quantity, reason))


def count(warehouse: Warehouse, location: str, found: dict[str, int], complete: bool) -> None:
    """Set balances to what was found; lots not named stay, or are zero in a complete count.

    Everything at the location is counted, reserved goods included. A count below
    what orders have reserved is refused as a whole.
    """
    warehouse.locations.get(location)
    if complete:
        missing = {lot: 0 for lot in warehouse.stock.lots_at(location)}
        found = {**missing, **found}
    deltas: dict[str, int] = {}
    for lot_id, quantity in found.items():
        warehouse.lots.get(lot_id)
        reserved = warehouse.stock.reserved(lot_id, location)
        if quantity < reserved:
            raise LotError(f"{lot_id} at {location}: {reserved} reserved, {quantity} counted")
        deltas[lot_id] = quantity - warehouse.stock.on_hand(lot_id, location)
    for lot_id, delta in deltas.items():
        if delta:
            warehouse.stock.add(lot_id, location, delta)
            warehouse.adjustments.append(
                Adjustment(warehouse.day, lot_id, location, delta, "count")
            )


def _merged(ingredients: list[Ingredient]) -> list[Ingredient]:
    """One ingredient for each lot and location, so that a lot named twice is checked once."""
    sums: dict[tuple[str, str], int] = {}
    for part in ingredients:
        key = (part.lot, part.location)
        sums[key] = sums.get(key, 0) + part.quantity
    return [Ingredient(lot, place, quantity) for (lot, place), quantity in sums.items()]


def _check_room(
    warehouse: Warehouse, item: Item, location: str, quantity: int, freed: int = 0
) -> None:
    place = warehouse.locations.get(location)
    place.check(item, warehouse.stock.load(location) - freed, quantity)
