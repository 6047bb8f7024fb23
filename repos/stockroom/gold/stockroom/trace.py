"""Where a lot came from and where it went, through every production step."""

from dataclasses import dataclass

from stockroom.warehouse import Warehouse


@dataclass(frozen=True)
class Recall:
    """What a recall of a lot has to reach, in base units.

    `lots` are the lot itself and all made from it; `on_hand` is by lot and
    location; `customers` is by customer and lot, less what came back.
    """

    lots: list[str]
    on_hand: dict[tuple[str, str], int]
    customers: dict[tuple[str, str], int]


def ingredients(warehouse: Warehouse, lot_id: str) -> list[str]:
    """All lots that went into this one, directly or not, in natural order."""
    reached: set[str] = set()
    waiting = list(warehouse.lots.get(lot_id).used)
    while waiting:
        current = waiting.pop()
        if current not in reached:
            reached.add(current)
            waiting += warehouse.lots.get(current).used
    return [lot.id for lot in warehouse.lots if lot.id in reached]


def products(warehouse: Warehouse, lot_id: str) -> list[str]:
    """All lots that this one went into, directly or not, in natural order."""
    warehouse.lots.get(lot_id)
    return [lot.id for lot in warehouse.lots if lot_id in ingredients(warehouse, lot.id)]


def recall(warehouse: Warehouse, lot_id: str) -> Recall:
    """Everything that a recall of this lot has to reach."""
    lots = [lot_id, *products(warehouse, lot_id)]
    on_hand = {
        (lot, place): warehouse.stock.on_hand(lot, place)
        for lot in lots
        for place in warehouse.stock.places_of(lot)
    }
    customers: dict[tuple[str, str], int] = {}
    for shipment in warehouse.shipments:
        out = shipment.quantity - shipment.returned
        if shipment.lot in lots and out:
            key = (shipment.customer, shipment.lot)
            customers[key] = customers.get(key, 0) + out
    return Recall(lots, on_hand, customers)
