"""Orders that want one lot a line, and orders that wait for stock."""

import pytest
from stockroom.cli import render
from stockroom.engine import apply, load
from stockroom.errors import JournalError, ShortageError, StockroomError
from stockroom.reports import order_rows

SETUP = """
item TILE Tile
pack TILE box=10
item GROUT Grout unit=kg
location A-1
location A-2
location A-3
location D-1 kind=dock
date 2024-03-01
receive TILE lot=T1 qty=15 at=A-1
date 2024-03-02
receive TILE lot=T2 qty=30 at=A-1
date 2024-03-03
receive TILE lot=T3 qty=40 at=A-2
receive GROUT lot=G1 qty=20 at=A-3
"""


def refusal(call):
    """Kind and text of the error that a call ends with."""
    try:
        call()
    except StockroomError as error:
        return f"{type(error).__name__}: {error}"
    return "accepted"


@pytest.fixture
def warehouse():
    return load(SETUP)


def refused(warehouse, text):
    """Kind of the error that refuses the text."""
    try:
        apply(warehouse, text)
    except JournalError as error:
        return type(error.cause).__name__
    return "accepted"


def picks(warehouse, order, line=0):
    found = warehouse.orders.get(order).lines[line].picks
    return [(pick.lot, pick.location, pick.quantity) for pick in found]


def short(warehouse, order):
    return [line.short for line in warehouse.orders.get(order).lines]


# One lot a line.


def test_any_lots_by_default(warehouse):
    apply(warehouse, "order SO-1 customer=X TILE=20")
    assert picks(warehouse, "SO-1") == [("T1", "A-1", 15), ("T2", "A-1", 5)]


def test_single_lot_passes_over_one_that_is_too_small(warehouse):
    apply(warehouse, "order SO-1 customer=X TILE=20 lots=single")
    assert picks(warehouse, "SO-1") == [("T2", "A-1", 20)]


def test_single_lot_takes_the_first_that_has_enough(warehouse):
    apply(warehouse, "order SO-1 customer=X TILE=15 lots=single")
    assert picks(warehouse, "SO-1") == [("T1", "A-1", 15)]


def test_single_lot_from_several_locations(warehouse):
    apply(warehouse, "move T2 qty=12 from=A-1 to=A-3")
    apply(warehouse, "order SO-1 customer=X TILE=25 lots=single")
    assert picks(warehouse, "SO-1") == [("T2", "A-3", 12), ("T2", "A-1", 13)]


def test_single_lot_counts_only_free_stock(warehouse):
    apply(warehouse, "order SO-1 customer=X TILE=20 lots=single")
    apply(warehouse, "order SO-2 customer=Y TILE=16 lots=single")
    assert picks(warehouse, "SO-2") == [("T3", "A-2", 16)]


def test_single_lot_counts_only_racks(warehouse):
    apply(warehouse, "move T2 qty=20 from=A-1 to=D-1")
    apply(warehouse, "order SO-1 customer=X TILE=20 lots=single")
    assert picks(warehouse, "SO-1") == [("T3", "A-2", 20)]


def test_single_lot_lines_are_independent(warehouse):
    apply(warehouse, "order SO-1 customer=X TILE=40 GROUT=5 lots=single")
    assert picks(warehouse, "SO-1", 0) == [("T3", "A-2", 40)]
    assert picks(warehouse, "SO-1", 1) == [("G1", "A-3", 5)]


def test_single_lot_refused_though_there_is_enough_in_all(warehouse):
    assert refused(warehouse, "order SO-1 customer=X TILE=41 lots=single") == "ShortageError"
    assert warehouse.stock.reserved("T3", "A-2") == 0


def test_single_lot_shortage_names_the_fullest_lot(warehouse):
    assert (
        refusal(lambda: apply(warehouse, "order SO-1 customer=X TILE=60 lots=single"))
        == "JournalError: line 1: TILE: wanted 60, found 40"
    )


def test_single_lot_holds_for_repick(warehouse):
    apply(warehouse, "order SO-1 customer=X TILE=20 lots=single")
    apply(warehouse, "hold T2 reason=shade\nrepick SO-1")
    assert picks(warehouse, "SO-1") == [("T3", "A-2", 20)]


def test_single_lot_repick_that_fails(warehouse):
    apply(warehouse, "order SO-1 customer=X TILE=35 lots=single\nhold T3 reason=shade")
    assert refused(warehouse, "repick SO-1") == "ShortageError"
    assert picks(warehouse, "SO-1") == [("T3", "A-2", 35)]


def test_single_lot_of_an_item_that_never_came(warehouse):
    text = "item SAND Sand\norder SO-1 customer=X SAND=5 lots=single"
    assert (
        refusal(lambda: apply(warehouse, text)) == "JournalError: line 2: SAND: wanted 5, found 0"
    )


def test_single_lot_when_no_lot_is_usable(warehouse):
    apply(warehouse, "hold G1 reason=wet")
    assert refused(warehouse, "order SO-1 customer=X GROUT=5 lots=single") == "ShortageError"


def test_lots_any_in_words(warehouse):
    apply(warehouse, "order SO-1 customer=X TILE=16 lots=any")
    assert picks(warehouse, "SO-1") == [("T1", "A-1", 15), ("T2", "A-1", 1)]


def test_lots_with_another_word(warehouse):
    assert (
        refusal(lambda: apply(warehouse, "order SO-1 customer=X TILE=16 lots=one"))
        == "JournalError: line 1: lots must be one of any, single"
    )


def test_single_lot_and_partial_exclude_each_other(warehouse):
    text = "order SO-1 customer=X TILE=1 lots=single partial=yes"
    assert refusal(lambda: apply(warehouse, text))[:20] == "JournalError: line 1"
    assert warehouse.stock.reserved("T1", "A-1") == 0


# Orders that wait.


def test_partial_order_takes_what_there_is(warehouse):
    apply(warehouse, "order SO-1 customer=X GROUT=30 partial=yes")
    assert picks(warehouse, "SO-1") == [("G1", "A-3", 20)]
    assert short(warehouse, "SO-1") == [10]


def test_partial_order_status(warehouse):
    apply(warehouse, "order SO-1 customer=X GROUT=30 partial=yes")
    assert warehouse.orders.get("SO-1").status == "backorder"


def test_partial_order_with_enough_stock_is_reserved(warehouse):
    apply(warehouse, "order SO-1 customer=X GROUT=20 partial=yes")
    assert warehouse.orders.get("SO-1").status == "reserved"


def test_partial_no_is_a_plain_order(warehouse):
    assert refused(warehouse, "order SO-1 customer=X GROUT=30 partial=no") == "ShortageError"


def test_partial_order_of_nothing(warehouse):
    apply(warehouse, "order SO-1 customer=X GROUT=20\norder SO-2 customer=Y GROUT=5 partial=yes")
    assert picks(warehouse, "SO-2") == []
    assert short(warehouse, "SO-2") == [5]


def test_receipt_fills_a_backorder(warehouse):
    apply(warehouse, "order SO-1 customer=X GROUT=30 partial=yes")
    apply(warehouse, "receive GROUT lot=G2 qty=15 at=A-3")
    assert picks(warehouse, "SO-1") == [("G1", "A-3", 20), ("G2", "A-3", 10)]
    assert warehouse.orders.get("SO-1").status == "reserved"


def test_receipt_fills_the_oldest_first(warehouse):
    apply(warehouse, "order SO-9 customer=X GROUT=25 partial=yes")
    apply(warehouse, "order SO-1 customer=Y GROUT=8 partial=yes")
    apply(warehouse, "receive GROUT lot=G2 qty=9 at=A-3")
    assert short(warehouse, "SO-9") == [0]
    assert short(warehouse, "SO-1") == [4]


def test_receipt_on_the_dock_fills_nothing(warehouse):
    apply(warehouse, "order SO-1 customer=X GROUT=25 partial=yes")
    apply(warehouse, "receive GROUT lot=G2 qty=9 at=D-1")
    assert short(warehouse, "SO-1") == [5]


def test_move_from_the_dock_fills(warehouse):
    apply(warehouse, "order SO-1 customer=X GROUT=25 partial=yes")
    apply(warehouse, "receive GROUT lot=G2 qty=9 at=D-1\nmove G2 qty=2 from=D-1 to=A-1")
    assert short(warehouse, "SO-1") == [3]


def test_cancellation_fills(warehouse):
    apply(warehouse, "order SO-1 customer=X GROUT=18\norder SO-2 customer=Y GROUT=12 partial=yes")
    apply(warehouse, "cancel SO-1")
    assert picks(warehouse, "SO-2") == [("G1", "A-3", 2), ("G1", "A-3", 10)]


def test_release_fills(warehouse):
    apply(warehouse, "hold G1 reason=wet\norder SO-1 customer=X GROUT=7 partial=yes")
    assert short(warehouse, "SO-1") == [7]
    apply(warehouse, "release G1")
    assert short(warehouse, "SO-1") == [0]


def test_count_fills(warehouse):
    apply(warehouse, "order SO-1 customer=X GROUT=30 partial=yes\ncount A-3 G1=24")
    assert short(warehouse, "SO-1") == [6]


def test_new_order_does_not_jump_the_queue(warehouse):
    apply(warehouse, "order SO-1 customer=X GROUT=30 partial=yes")
    apply(warehouse, "receive GROUT lot=G2 qty=12 at=A-3")
    assert refused(warehouse, "order SO-2 customer=Y GROUT=3") == "ShortageError"
    assert refused(warehouse, "order SO-2 customer=Y GROUT=2") == "accepted"


def test_shipping_a_part(warehouse):
    apply(warehouse, "order SO-1 customer=X GROUT=30 partial=yes\nship SO-1")
    line = warehouse.orders.get("SO-1").lines[0]
    assert line.shipped == 20
    assert line.short == 10
    assert warehouse.orders.get("SO-1").status == "backorder"


def test_shipping_the_rest(warehouse):
    apply(warehouse, "order SO-1 customer=X GROUT=30 partial=yes\nship SO-1")
    apply(warehouse, "receive GROUT lot=G2 qty=40 at=A-3\nship SO-1")
    found = [(each.lot, each.quantity) for each in warehouse.shipments]
    assert found == [("G1", 20), ("G2", 10)]
    assert warehouse.orders.get("SO-1").status == "shipped"
    assert warehouse.stock.free("G2", "A-3") == 30


def test_shipping_with_nothing_reserved(warehouse):
    apply(warehouse, "order SO-1 customer=X GROUT=30 partial=yes\nship SO-1")
    assert refused(warehouse, "ship SO-1") == "OrderError"


def test_cancelled_backorder_is_not_filled(warehouse):
    apply(warehouse, "order SO-1 customer=X GROUT=30 partial=yes\nship SO-1\ncancel SO-1")
    apply(warehouse, "receive GROUT lot=G2 qty=40 at=A-3")
    assert warehouse.stock.free("G2", "A-3") == 40
    assert warehouse.orders.get("SO-1").status == "cancelled"


def test_repick_of_a_part_shipped_order(warehouse):
    apply(warehouse, "order SO-1 customer=X GROUT=30 partial=yes\nship SO-1")
    apply(warehouse, "receive GROUT lot=G2 qty=6 at=A-3\nhold G2 reason=wet\nrepick SO-1")
    assert short(warehouse, "SO-1") == [10]
    assert warehouse.stock.reserved("G2", "A-3") == 0


def test_backorder_report(warehouse):
    apply(warehouse, "order SO-2 customer=X GROUT=23 TILE=120 partial=yes")
    apply(warehouse, "order SO-1 customer=Y TILE=5 GROUT=1 partial=yes")
    assert render("backorders", warehouse).splitlines() == [
        "order  customer  sku    short  packs",
        "SO-2   X         GROUT      3  3 kg",
        "SO-2   X         TILE      35  3 box 5 ea",
        "SO-1   Y         TILE       5  5 ea",
        "SO-1   Y         GROUT      1  1 kg",
    ]


def test_backorder_report_when_nothing_waits(warehouse):
    apply(warehouse, "order SO-1 customer=X GROUT=3 partial=yes")
    assert render("backorders", warehouse).splitlines() == [
        "order  customer  sku  short  packs",
        "(none)",
    ]


def test_backorders_in_the_order_report(warehouse):
    apply(warehouse, "order SO-1 customer=X GROUT=21 partial=yes\norder SO-2 customer=Y TILE=1")
    assert order_rows(warehouse) == [["SO-1", "X", "backorder"], ["SO-2", "Y", "reserved"]]


def test_shortage_error_keeps_its_figures():
    error = ShortageError("TILE", 5, 3)
    assert str(error) == "TILE: wanted 5, found 3"
