"""Which lots and locations an order line is taken from."""

from collections.abc import Callable
from datetime import date

from stockroom.catalog import Item
from stockroom.locations import natural_key
from stockroom.lots import Lot
from stockroom.warehouse import Order, Pick, Warehouse

POLICIES = ("fefo", "fifo")

NaturalKey = tuple[tuple[int, int, str], ...]
LotKey = tuple[date, date, NaturalKey]


def _fefo_key(lot: Lot) -> LotKey:
    """First expired, first out; lots that never expire come last."""
    return (lot.expires or date.max, lot.received, natural_key(lot.id))


def _fifo_key(lot: Lot) -> LotKey:
    """First in, first out; lots of one day by expiry."""
    return (lot.received, lot.expires or date.max, natural_key(lot.id))


_KEYS: dict[str, Callable[[Lot], LotKey]] = {"fefo": _fefo_key, "fifo": _fifo_key}


def candidates(warehouse: Warehouse, item: Item, policy: str) -> list[Lot]:
    """Usable lots of an item in the order in which they are to be picked."""
    day = warehouse.day
    lots = [lot for lot in warehouse.lots.of_item(item.sku) if lot.usable(day, item.min_life)]
    return sorted(lots, key=_KEYS[policy])


def lot_picks(warehouse: Warehouse, lot: Lot, quantity: int) -> list[Pick]:
    """Up to `quantity` of one lot; the smallest free balance first, so that bins run empty."""
    stock = warehouse.stock
    places: list[tuple[int, NaturalKey, str]] = []
    for code in stock.places_of(lot.id):
        free = stock.free(lot.id, code)
        if free and warehouse.locations.get(code).pickable:
            places.append((free, natural_key(code), code))
    picks: list[Pick] = []
    for free, _, code in sorted(places):
        taken = min(free, quantity)
        if taken:
            picks.append(Pick(lot.id, code, taken))
            quantity -= taken
    return picks


def plan(warehouse: Warehouse, order: Order, sku: str, quantity: int) -> list[Pick]:
    """Picks for up to `quantity` of an item; less when there is not enough."""
    item = warehouse.catalog.get(sku)
    lots = candidates(warehouse, item, order.policy or item.policy)
    if order.single_lot:
        return _plan_single(warehouse, lots, quantity)
    picks: list[Pick] = []
    for lot in lots:
        found = lot_picks(warehouse, lot, quantity)
        picks += found
        quantity -= sum(pick.quantity for pick in found)
    return picks


def _plan_single(warehouse: Warehouse, lots: list[Lot], quantity: int) -> list[Pick]:
    """All from the first lot that has enough; else what the fullest lot has."""
    best: list[Pick] = []
    for lot in lots:
        picks = lot_picks(warehouse, lot, quantity)
        if total(picks) == quantity:
            return picks
        if total(picks) > total(best):
            best = picks
    return best


def total(picks: list[Pick]) -> int:
    """Quantity of all picks together."""
    return sum(pick.quantity for pick in picks)


def available(warehouse: Warehouse, item: Item) -> int:
    """Free stock of an item that an order placed now could get."""
    return sum(
        pick.quantity
        for lot in candidates(warehouse, item, item.policy)
        for pick in lot_picks(warehouse, lot, warehouse.stock.total(lot.id))
    )
