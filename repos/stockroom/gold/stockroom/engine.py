"""Carries journal entries out on a warehouse."""

import re
from collections.abc import Callable
from fractions import Fraction

from stockroom import fulfil, movements
from stockroom.catalog import Item
from stockroom.dates import Span, parse_date
from stockroom.errors import JournalError, LotError, StockroomError
from stockroom.journal import Entry, parse
from stockroom.locations import Location
from stockroom.lots import Lot
from stockroom.picking import POLICIES
from stockroom.quantity import PackTable
from stockroom.warehouse import Order, OrderLine, Warehouse

_COST = re.compile(r"\d+(\.\d+)?")
_USE = re.compile(r"\s*([^@\s]+)@([^:\s]+):(.+)")


def load(text: str) -> Warehouse:
    """The warehouse that a journal describes."""
    warehouse = Warehouse()
    apply(warehouse, text)
    return warehouse


def apply(warehouse: Warehouse, text: str) -> None:
    """Carry out more entries. All text is read first; each entry happens wholly or not at all.

    JournalError names the line; `cause` holds the error of the rule that refused it.
    """
    for entry in parse(text):
        try:
            HANDLERS[entry.verb](warehouse, entry)
            fulfil.fill_backorders(warehouse)
        except JournalError:
            raise
        except StockroomError as error:
            raise JournalError(entry.line, str(error), error) from error


def _item(warehouse: Warehouse, entry: Entry) -> None:
    sku, name = entry.args
    options = entry.options
    packs = PackTable(options.get("unit", "ea"))
    shelf = Span.parse(options["shelf"]) if "shelf" in options else None
    min_life = Span.parse(options.get("minlife", "0d"))
    if min_life.months:
        raise JournalError(entry.line, "minlife is in days or weeks")
    item = Item(sku, name, packs, shelf, options.get("class", "ambient"), min_life.days)
    item.policy = entry.choice("policy", POLICIES) or item.policy
    if "reorder" in options:
        item.reorder = packs.parse(options["reorder"])
    warehouse.catalog.add(item)


def _pack(warehouse: Warehouse, entry: Entry) -> None:
    item = warehouse.catalog.get(entry.args[0])
    packs = item.packs.copy()
    for name, text in entry.free.items():
        packs.define(name, text)
    item.packs = packs


def _location(warehouse: Warehouse, entry: Entry) -> None:
    warehouse.locations.add(Location.from_options(entry.args[0], entry.options))


def _date(warehouse: Warehouse, entry: Entry) -> None:
    day = parse_date(entry.args[0])
    if warehouse.today is not None and day < warehouse.today:
        raise JournalError(entry.line, f"{day} is before {warehouse.today}")
    warehouse.today = day


def _receive(warehouse: Warehouse, entry: Entry) -> None:
    item = warehouse.catalog.get(entry.args[0])
    lot = _new_lot(warehouse, entry, item)
    lot.supplier = entry.options.get("supplier")
    cost = entry.options.get("cost", "0")
    if not _COST.fullmatch(cost):
        raise JournalError(entry.line, f"not a cost: {cost!r}")
    lot.cost = Fraction(cost)
    quantity = item.packs.parse(entry.options["qty"])
    movements.receive(warehouse, lot, quantity, entry.options["at"])


def _make(warehouse: Warehouse, entry: Entry) -> None:
    item = warehouse.catalog.get(entry.args[0])
    lot = _new_lot(warehouse, entry, item)
    ingredients: list[movements.Ingredient] = []
    for text in entry.options["use"].split(","):
        match = _USE.fullmatch(text)
        if match is None:
            raise JournalError(entry.line, f"use is LOT@LOCATION:QUANTITY, not {text.strip()!r}")
        source, place, amount = match.groups()
        packs = _packs_of(warehouse, source)
        ingredients.append(movements.Ingredient(source, place, packs.parse(amount)))
    quantity = item.packs.parse(entry.options["qty"])
    movements.make(warehouse, lot, quantity, entry.options["at"], ingredients)


def _move(warehouse: Warehouse, entry: Entry) -> None:
    lot, options = entry.args[0], entry.options
    quantity = _packs_of(warehouse, lot).parse(options["qty"])
    movements.move(warehouse, lot, options["from"], options["to"], quantity)


def _scrap(warehouse: Warehouse, entry: Entry) -> None:
    lot, options = entry.args[0], entry.options
    quantity = _packs_of(warehouse, lot).parse(options["qty"])
    reason = options.get("reason", "scrap")
    movements.scrap(warehouse, lot, options["from"], quantity, reason)


def _hold(warehouse: Warehouse, entry: Entry) -> None:
    warehouse.lots.get(entry.args[0]).held = entry.options["reason"]


def _release(warehouse: Warehouse, entry: Entry) -> None:
    lot = warehouse.lots.get(entry.args[0])
    if lot.held is None:
        raise LotError(f"lot {lot.id} is not on hold")
    lot.held = None


def _count(warehouse: Warehouse, entry: Entry) -> None:
    found = {
        lot: _packs_of(warehouse, lot).parse(text, zero=True) for lot, text in entry.free.items()
    }
    movements.count(warehouse, entry.args[0], found, entry.flag("complete"))


def _order(warehouse: Warehouse, entry: Entry) -> None:
    lines = [
        OrderLine(sku, warehouse.catalog.get(sku).packs.parse(text))
        for sku, text in entry.free.items()
    ]
    order = Order(
        entry.args[0],
        entry.options["customer"],
        lines,
        policy=entry.choice("policy", POLICIES),
        single_lot=entry.choice("lots", ("any", "single")) == "single",
        partial=entry.flag("partial"),
    )
    if order.single_lot and order.partial:
        raise JournalError(entry.line, "lots=single and partial=yes exclude each other")
    fulfil.place(warehouse, order)


def _ship(warehouse: Warehouse, entry: Entry) -> None:
    fulfil.ship(warehouse, entry.args[0])


def _repick(warehouse: Warehouse, entry: Entry) -> None:
    fulfil.repick(warehouse, entry.args[0])


def _cancel(warehouse: Warehouse, entry: Entry) -> None:
    fulfil.cancel(warehouse, entry.args[0])


def _return(warehouse: Warehouse, entry: Entry) -> None:
    lot = entry.options["lot"]
    quantity = _packs_of(warehouse, lot).parse(entry.options["qty"])
    fulfil.take_back(warehouse, entry.args[0], lot, quantity, entry.options["to"])


def _new_lot(warehouse: Warehouse, entry: Entry, item: Item) -> Lot:
    lot = Lot(entry.options["lot"], item.sku, warehouse.day)
    if "expires" in entry.options:
        lot.expires = parse_date(entry.options["expires"])
    return lot


def _packs_of(warehouse: Warehouse, lot_id: str) -> PackTable:
    return warehouse.catalog.get(warehouse.lots.get(lot_id).sku).packs


HANDLERS: dict[str, Callable[[Warehouse, Entry], None]] = {
    "item": _item,
    "pack": _pack,
    "location": _location,
    "date": _date,
    "receive": _receive,
    "make": _make,
    "move": _move,
    "scrap": _scrap,
    "hold": _hold,
    "release": _release,
    "count": _count,
    "order": _order,
    "ship": _ship,
    "repick": _repick,
    "cancel": _cancel,
    "return": _return,
}
