"""Tables for people, and the rows behind them."""

from fractions import Fraction

from stockroom.locations import natural_key
from stockroom.picking import available
from stockroom.trace import recall
from stockroom.warehouse import Warehouse

Cell = str | int


def money(value: Fraction) -> str:
    """Two decimals, halves away from zero."""
    cents = abs(value) * 100
    whole = int(cents + Fraction(1, 2))
    sign = "-" if value < 0 and whole else ""
    return f"{sign}{whole // 100}.{whole % 100:02d}"


def table(header: list[str], rows: list[list[Cell]]) -> str:
    """Columns two spaces apart, numbers to the right; `(none)` below the header if empty."""
    texts = [header] + [[str(cell) for cell in row] for row in rows]
    widths = [max(len(line[column]) for line in texts) for column in range(len(header))]
    numeric = [bool(rows) and isinstance(rows[0][column], int) for column in range(len(header))]
    lines: list[str] = []
    for line in texts:
        cells = [
            text.rjust(width) if right else text.ljust(width)
            for text, width, right in zip(line, widths, numeric, strict=True)
        ]
        lines.append("  ".join(cells).rstrip())
    if not rows:
        lines.append("(none)")
    return "\n".join(lines) + "\n"


def stock_rows(warehouse: Warehouse) -> list[list[Cell]]:
    """SKU, lot, location, on hand, free, on hand in packs; by SKU, lot, location."""
    rows: list[list[Cell]] = []
    for item in warehouse.catalog:
        for lot in warehouse.lots.of_item(item.sku):
            for place in warehouse.stock.places_of(lot.id):
                on_hand = warehouse.stock.on_hand(lot.id, place)
                free = warehouse.stock.free(lot.id, place)
                packs = item.packs.render(on_hand)
                rows.append([item.sku, lot.id, place, on_hand, free, packs])
    return rows


def expiring_rows(warehouse: Warehouse, days: int) -> list[list[Cell]]:
    """Lot, SKU, expiry, days left, on hand; lots in stock that expire within `days` or did."""
    rows: list[list[Cell]] = []
    for lot in warehouse.lots:
        left = lot.life_left(warehouse.day)
        on_hand = warehouse.stock.total(lot.id)
        if left is not None and left <= days and on_hand:
            rows.append([lot.id, lot.sku, str(lot.expires), left, on_hand])
    return sorted(rows, key=lambda row: (row[2], natural_key(str(row[0]))))


def reorder_rows(warehouse: Warehouse) -> list[list[Cell]]:
    """SKU, available, reorder level, quantity to buy in packs; items below their level.

    What is bought brings the item up to twice its level, in whole packs.
    """
    rows: list[list[Cell]] = []
    for item in warehouse.catalog:
        have = available(warehouse, item)
        if item.reorder is not None and have < item.reorder:
            buy = item.packs.round_up(2 * item.reorder - have)
            rows.append([item.sku, have, item.reorder, item.packs.render(buy)])
    return rows


def value_rows(warehouse: Warehouse) -> list[list[Cell]]:
    """SKU, on hand, value; last a TOTAL of the exact values, rounded once."""
    rows: list[list[Cell]] = []
    everything = Fraction(0)
    pieces = 0
    for item in warehouse.catalog:
        totals = [(lot, warehouse.stock.total(lot.id)) for lot in warehouse.lots.of_item(item.sku)]
        on_hand = sum(quantity for _, quantity in totals)
        if on_hand:
            value = sum((lot.cost * quantity for lot, quantity in totals), Fraction(0))
            rows.append([item.sku, on_hand, money(value)])
            everything += value
            pieces += on_hand
    rows.append(["TOTAL", pieces, money(everything)])
    return rows


def order_rows(warehouse: Warehouse) -> list[list[Cell]]:
    """Order, customer, status; as placed."""
    return [[order.id, order.customer, order.status] for order in warehouse.orders]


def backorder_rows(warehouse: Warehouse) -> list[list[Cell]]:
    """Order, customer, SKU, short, short in packs; oldest order first."""
    rows: list[list[Cell]] = []
    for order in warehouse.orders:
        if order.status != "backorder":
            continue
        for line in order.lines:
            if line.short:
                packs = warehouse.catalog.get(line.sku).packs.render(line.short)
                rows.append([order.id, order.customer, line.sku, line.short, packs])
    return rows


def adjustment_rows(warehouse: Warehouse) -> list[list[Cell]]:
    """Day, lot, location, change, reason; as they happened."""
    return [
        [str(each.day), each.lot, each.location, each.delta, each.reason]
        for each in warehouse.adjustments
    ]


def recall_rows(warehouse: Warehouse, lot_id: str) -> list[list[Cell]]:
    """Lot, where (`@location` or the customer), quantity; stock first, then customers."""
    found = recall(warehouse, lot_id)
    rows: list[list[Cell]] = [[lot, f"@{place}", n] for (lot, place), n in found.on_hand.items()]
    sent = sorted(found.customers.items(), key=lambda pair: (pair[0][0], natural_key(pair[0][1])))
    return rows + [[lot, customer, n] for (customer, lot), n in sent]
