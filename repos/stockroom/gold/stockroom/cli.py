"""`python -m stockroom.cli REPORT JOURNAL [ARGUMENT]`: print a report of a journal."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TextIO

from stockroom import reports
from stockroom.engine import load
from stockroom.errors import StockroomError
from stockroom.reports import Cell
from stockroom.warehouse import Warehouse

Report = tuple[list[str], Callable[[Warehouse], list[list[Cell]]]]

PLAIN: dict[str, Report] = {
    "stock": (["sku", "lot", "location", "on hand", "free", "packs"], reports.stock_rows),
    "reorder": (["sku", "available", "level", "buy"], reports.reorder_rows),
    "value": (["sku", "on hand", "value"], reports.value_rows),
    "orders": (["order", "customer", "status"], reports.order_rows),
    "backorders": (["order", "customer", "sku", "short", "packs"], reports.backorder_rows),
    "adjustments": (["day", "lot", "location", "change", "reason"], reports.adjustment_rows),
}


def render(name: str, warehouse: Warehouse, argument: str | None = None) -> str:
    """A report as text; StockroomError for an unknown report or a bad argument."""
    if name == "expiring":
        days = argument or "30"
        if not days.isdecimal():
            raise StockroomError(f"not a number of days: {days!r}")
        rows = reports.expiring_rows(warehouse, int(days))
        return reports.table(["lot", "sku", "expires", "days", "on hand"], rows)
    if name == "recall":
        if argument is None:
            raise StockroomError("recall needs a lot")
        return reports.table(["lot", "where", "quantity"], reports.recall_rows(warehouse, argument))
    if name not in PLAIN:
        raise StockroomError(f"unknown report {name!r}")
    header, rows_of = PLAIN[name]
    return reports.table(header, rows_of(warehouse))


def main(argv: Sequence[str], out: TextIO, err: TextIO) -> int:
    """0 when the report was printed, 1 for a journal that is wrong, 2 for wrong usage."""
    if len(argv) not in (2, 3):
        print("usage: stockroom REPORT JOURNAL [ARGUMENT]", file=err)
        return 2
    try:
        text = Path(argv[1]).read_text(encoding="utf-8")
    except OSError as error:
        print(f"stockroom: {argv[1]}: {error.strerror}", file=err)
        return 2
    try:
        out.write(render(argv[0], load(text), argv[2] if len(argv) == 3 else None))
    except StockroomError as error:
        print(f"stockroom: {error}", file=err)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], sys.stdout, sys.stderr))
