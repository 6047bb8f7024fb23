"""The life of an order: placed, picked again, shipped, cancelled, returned."""

from stockroom.errors import LotError, OrderError, ShortageError
from stockroom.picking import plan, total
from stockroom.warehouse import Order, OrderLine, Pick, Shipment, Warehouse


def place(warehouse: Warehouse, order: Order) -> None:
    """Reserve stock for an order; an error leaves all as it was."""
    warehouse.orders.check_new(order.id)
    if not order.lines:
        raise OrderError(f"order {order.id} has no lines")
    for line, picks in _plans(warehouse, order):
        _reserve(warehouse, line, picks)
    warehouse.orders.add(order)


def repick(warehouse: Warehouse, order_id: str) -> None:
    """Choose lots afresh; when that fails, the order keeps what it had."""
    order = _open_order(warehouse, order_id)
    before = [(line, list(line.picks)) for line in order.lines]
    _release(warehouse, order)
    try:
        plans = _plans(warehouse, order)
    except ShortageError:
        for line, picks in before:
            _reserve(warehouse, line, picks)
        raise
    for line, picks in plans:
        _reserve(warehouse, line, picks)


def ship(warehouse: Warehouse, order_id: str) -> None:
    """Send what is reserved; refused while a picked lot is held or expired."""
    order = _open_order(warehouse, order_id)
    picks = [pick for line in order.lines for pick in line.picks]
    if not picks:
        raise OrderError(f"order {order_id} has nothing reserved")
    for pick in picks:
        lot = warehouse.lots.get(pick.lot)
        if lot.held is not None:
            raise LotError(f"lot {lot.id} is on hold: {lot.held}")
        if lot.expired(warehouse.day):
            raise LotError(f"lot {lot.id} has expired")
    for line in order.lines:
        for pick in line.picks:
            warehouse.stock.issue(pick.lot, pick.location, pick.quantity)
            _record(warehouse, order, pick)
        line.shipped += line.reserved
        line.picks = []


def cancel(warehouse: Warehouse, order_id: str) -> None:
    """Give back what is reserved; what was shipped stays shipped."""
    order = _open_order(warehouse, order_id)
    _release(warehouse, order)
    order.cancelled = True


def take_back(
    warehouse: Warehouse, order_id: str, lot_id: str, quantity: int, location: str
) -> None:
    """Put shipped goods into quarantine, at most what the customer still has of that lot."""
    order = warehouse.orders.get(order_id)
    lot = warehouse.lots.get(lot_id)
    place = warehouse.locations.get(location)
    if place.kind != "quarantine":
        raise OrderError(f"returns go to quarantine, {location} is a {place.kind}")
    sent = [s for s in warehouse.shipments if s.order == order.id and s.lot == lot.id]
    out = sum(shipment.quantity - shipment.returned for shipment in sent)
    if quantity > out:
        raise OrderError(f"order {order_id} has {out} of lot {lot_id} out, not {quantity}")
    place.check(warehouse.catalog.get(lot.sku), warehouse.stock.load(location), quantity)
    warehouse.stock.add(lot.id, location, quantity)
    for shipment in sent:
        part = min(quantity, shipment.quantity - shipment.returned)
        shipment.returned += part
        quantity -= part


def fill_backorders(warehouse: Warehouse) -> None:
    """Reserve what has become free for orders that wait, the oldest order first."""
    for order in warehouse.orders:
        if order.status != "backorder":
            continue
        for line in order.lines:
            if line.short:
                _reserve(warehouse, line, plan(warehouse, order, line.sku, line.short))


def _plans(warehouse: Warehouse, order: Order) -> list[tuple[OrderLine, list[Pick]]]:
    """Picks for all that is open; ShortageError for a line that must be complete and is not."""
    plans: list[tuple[OrderLine, list[Pick]]] = []
    for line in order.lines:
        picks = plan(warehouse, order, line.sku, line.short)
        if total(picks) < line.short and not order.partial:
            raise ShortageError(line.sku, line.short, total(picks))
        plans.append((line, picks))
    return plans


def _reserve(warehouse: Warehouse, line: OrderLine, picks: list[Pick]) -> None:
    for pick in picks:
        warehouse.stock.reserve(pick.lot, pick.location, pick.quantity)
    line.picks = line.picks + picks


def _release(warehouse: Warehouse, order: Order) -> None:
    for line in order.lines:
        for pick in line.picks:
            warehouse.stock.unreserve(pick.lot, pick.location, pick.quantity)
        line.picks = []


def _record(warehouse: Warehouse, order: Order, pick: Pick) -> None:
    """Add to the day's shipment of that lot, or open one."""
    day = warehouse.day
    for shipment in warehouse.shipments:
        if (shipment.order, shipment.lot, shipment.day) == (order.id, pick.lot, day):
            shipment.quantity += pick.quantity
            return
    warehouse.shipments.append(Shipment(order.id, order.customer, day, pick.lot, pick.quantity))


def _open_order(warehouse: Warehouse, order_id: str) -> Order:
    order = warehouse.orders.get(order_id)
    if order.status in ("shipped", "cancelled"):
        raise OrderError(f"order {order_id} is {order.status}")
    return order
