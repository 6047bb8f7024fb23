"""Receipts, production, moves, counts, scrapping."""

import pytest
from stockroom.engine import apply, load
from stockroom.errors import JournalError, StockroomError

SETUP = """
item FLOUR Flour unit=kg shelf=6m
pack FLOUR bag=25
item YEAST Yeast shelf=3w
item SALT Salt unit=kg
item BREAD Bread shelf=4d
location A-1
location A-2
location A-3 capacity=50
location QC kind=quarantine
date 2024-03-01
receive FLOUR lot=F1 qty="4 bag" at=A-1 cost=0.60
receive YEAST lot=Y1 qty=30 at=A-2 cost=0.25
receive SALT lot=S1 qty=10 at=A-2 cost=1
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


def test_receipt_in_packs(warehouse):
    assert warehouse.stock.on_hand("F1", "A-1") == 100


def test_expiry_from_shelf_life(warehouse):
    assert str(warehouse.lots.get("F1").expires) == "2024-09-01"


def test_expiry_in_weeks(warehouse):
    assert str(warehouse.lots.get("Y1").expires) == "2024-03-22"


def test_no_shelf_life_no_expiry(warehouse):
    assert str(warehouse.lots.get("S1").expires) == "None"


def test_expiry_given(warehouse):
    apply(warehouse, "receive FLOUR lot=F2 qty=1 at=A-1 expires=2024-05-05")
    assert str(warehouse.lots.get("F2").expires) == "2024-05-05"


def test_shelf_life_from_the_end_of_august(warehouse):
    apply(warehouse, "date 2024-08-31\nreceive FLOUR lot=F2 qty=1 at=A-1")
    assert str(warehouse.lots.get("F2").expires) == "2025-02-28"


def test_shelf_life_into_a_leap_february():
    warehouse = load(
        "item F Flour shelf=6m\nlocation A\ndate 2023-08-30\nreceive F lot=F1 qty=1 at=A"
    )
    assert str(warehouse.lots.get("F1").expires) == "2024-02-29"


def test_lot_number_twice(warehouse):
    assert refused(warehouse, "receive FLOUR lot=F1 qty=1 at=A-1") == "LotError"


def test_nothing_before_the_first_date():
    assert (
        refusal(lambda: load("item F Flour\nlocation A\nreceive F lot=F1 qty=1 at=A"))
        == "JournalError: line 3: no date yet: a date entry must come first"
    )


def test_dates_do_not_go_back(warehouse):
    assert (
        refusal(lambda: apply(warehouse, "date 2024-02-28"))
        == "JournalError: line 1: 2024-02-28 is before 2024-03-01"
    )


def test_pack_entry_is_all_or_nothing(warehouse):
    assert refused(warehouse, "pack SALT sack=10 bad=1") == "QuantityError"
    assert refused(warehouse, "pack SALT sack=10") == "accepted"


def test_move(warehouse):
    apply(warehouse, 'move F1 qty="1 bag" from=A-1 to=A-3')
    assert warehouse.stock.on_hand("F1", "A-3") == 25
    assert warehouse.stock.on_hand("F1", "A-1") == 75
    assert warehouse.stock.places_of("F1") == ["A-1", "A-3"]


def test_move_everything(warehouse):
    apply(warehouse, "move S1 qty=10 from=A-2 to=A-1")
    assert warehouse.stock.places_of("S1") == ["A-1"]


def test_move_more_than_there_is(warehouse):
    assert refused(warehouse, "move S1 qty=11 from=A-2 to=A-1") == "LotError"


def test_move_leaves_reserved_stock(warehouse):
    apply(warehouse, "order SO-1 customer=X SALT=7")
    assert refused(warehouse, "move S1 qty=4 from=A-2 to=A-1") == "LotError"
    assert warehouse.stock.on_hand("S1", "A-2") == 10


def test_move_takes_free_stock_beside_reserved(warehouse):
    apply(warehouse, "order SO-1 customer=X SALT=7\nmove S1 qty=3 from=A-2 to=A-1")
    assert warehouse.stock.free("S1", "A-2") == 0
    assert warehouse.stock.free("S1", "A-1") == 3


def test_scrap(warehouse):
    apply(warehouse, "scrap S1 qty=2 from=A-2 reason=wet")
    assert warehouse.stock.total("S1") == 8
    assert warehouse.adjustments[0].reason == "wet"
    assert warehouse.adjustments[0].delta == -2


def test_scrap_leaves_reserved_stock(warehouse):
    apply(warehouse, "order SO-1 customer=X SALT=9")
    assert refused(warehouse, "scrap S1 qty=2 from=A-2") == "LotError"
    assert warehouse.stock.total("S1") == 10


def test_scrap_of_a_held_lot(warehouse):
    apply(warehouse, "hold S1 reason=wet\nscrap S1 qty=10 from=A-2")
    assert warehouse.stock.total("S1") == 0


def test_make_takes_ingredients(warehouse):
    apply(warehouse, 'make BREAD lot=B1 qty=40 at=A-3 use="F1@A-1:1 bag, Y1@A-2:4"')
    assert warehouse.stock.total("F1") == 75
    assert warehouse.stock.total("Y1") == 26
    assert warehouse.stock.on_hand("B1", "A-3") == 40


def test_make_carries_cost(warehouse):
    apply(warehouse, 'make BREAD lot=B1 qty=40 at=A-3 use="F1@A-1:1 bag, Y1@A-2:4"')
    assert str(warehouse.lots.get("B1").cost) == "2/5"


def test_make_records_what_it_used(warehouse):
    apply(warehouse, 'make BREAD lot=B1 qty=4 at=A-3 use="F1@A-1:2, S1@A-2:1, F1@A-1:3"')
    assert warehouse.lots.get("B1").used == {"F1": 5, "S1": 1}
    assert warehouse.lots.get("F1").used == {}


def test_make_expires_by_its_shelf_life(warehouse):
    apply(warehouse, 'make BREAD lot=B1 qty=4 at=A-3 use="F1@A-1:2"')
    assert str(warehouse.lots.get("B1").expires) == "2024-03-05"


def test_make_expires_with_its_ingredients(warehouse):
    apply(warehouse, 'date 2024-03-20\nmake BREAD lot=B1 qty=4 at=A-3 use="F1@A-1:2, Y1@A-2:1"')
    assert str(warehouse.lots.get("B1").expires) == "2024-03-22"


def test_make_on_the_last_day_of_an_ingredient(warehouse):
    apply(warehouse, 'date 2024-03-22\nmake BREAD lot=B1 qty=4 at=A-3 use="Y1@A-2:1"')
    assert warehouse.stock.on_hand("B1", "A-3") == 4


def test_make_refuses_expired_ingredients(warehouse):
    text = 'date 2024-03-23\nmake BREAD lot=B1 qty=4 at=A-3 use="Y1@A-2:1"'
    assert refused(warehouse, text) == "LotError"


def test_make_refuses_held_ingredients(warehouse):
    text = 'hold F1 reason=moth\nmake BREAD lot=B1 qty=4 at=A-3 use="F1@A-1:1"'
    assert refused(warehouse, text) == "LotError"


def test_make_checks_a_lot_named_twice_as_one(warehouse):
    text = 'make BREAD lot=B1 qty=4 at=A-3 use="S1@A-2:6, S1@A-2:6"'
    assert refused(warehouse, text) == "LotError"
    assert warehouse.stock.total("S1") == 10


def test_make_in_the_room_of_its_ingredients(warehouse):
    apply(warehouse, 'move F1 qty="2 bag" from=A-1 to=A-3')
    apply(warehouse, 'make BREAD lot=B1 qty=25 at=A-3 use="F1@A-3:1 bag"')
    assert warehouse.stock.load("A-3") == 50


def test_make_without_room_uses_nothing(warehouse):
    text = 'make BREAD lot=B1 qty=51 at=A-3 use="F1@A-1:1 bag"'
    assert refused(warehouse, text) == "LocationError"
    assert warehouse.stock.total("F1") == 100


def test_count_sets_the_balance(warehouse):
    apply(warehouse, "count A-2 S1=8")
    assert warehouse.stock.on_hand("S1", "A-2") == 8
    assert warehouse.adjustments[0].delta == -2


def test_count_leaves_other_lots(warehouse):
    apply(warehouse, "count A-2 S1=8")
    assert warehouse.stock.on_hand("Y1", "A-2") == 30


def test_complete_count_clears_other_lots(warehouse):
    apply(warehouse, "count A-2 S1=10 complete=yes")
    assert warehouse.stock.on_hand("Y1", "A-2") == 0
    assert len(warehouse.adjustments) == 1


def test_count_that_agrees_books_nothing(warehouse):
    apply(warehouse, "count A-2 S1=10 Y1=30")
    assert len(warehouse.adjustments) == 0


def test_count_includes_reserved_goods(warehouse):
    apply(warehouse, "order SO-1 customer=X SALT=7\ncount A-2 S1=10")
    assert warehouse.stock.on_hand("S1", "A-2") == 10
    assert len(warehouse.adjustments) == 0


def test_count_with_reserved_goods_books_the_difference(warehouse):
    apply(warehouse, "order SO-1 customer=X SALT=7\ncount A-2 S1=9")
    assert warehouse.stock.free("S1", "A-2") == 2
    assert warehouse.adjustments[0].delta == -1


def test_count_below_reserved_is_refused(warehouse):
    apply(warehouse, "order SO-1 customer=X SALT=7")
    assert refused(warehouse, "count A-2 Y1=3 S1=6") == "LotError"
    assert warehouse.stock.on_hand("Y1", "A-2") == 30


def test_count_finds_a_lot_elsewhere(warehouse):
    apply(warehouse, 'count A-1 F1="4 bag 2" S1=1')
    assert warehouse.stock.total("F1") == 102
    assert warehouse.stock.total("S1") == 11


def test_release_of_a_lot_that_is_not_held(warehouse):
    assert refused(warehouse, "release F1") == "LotError"


def test_refused_packs_are_not_known_later(warehouse):
    refused(warehouse, "pack SALT sack=10 bad=1")
    assert refused(warehouse, 'receive SALT lot=S2 qty="1 sack" at=A-1') == "QuantityError"


def test_make_takes_one_lot_from_two_places(warehouse):
    apply(warehouse, 'move F1 qty="1 bag" from=A-1 to=A-2')
    apply(warehouse, 'make BREAD lot=B1 qty=4 at=A-3 use="F1@A-1:70, F1@A-2:20"')
    assert warehouse.stock.on_hand("F1", "A-1") == 5
    assert warehouse.stock.on_hand("F1", "A-2") == 5


def test_make_of_one_lot_from_two_places_adds_them_up(warehouse):
    apply(warehouse, 'move F1 qty="1 bag" from=A-1 to=A-2')
    apply(warehouse, 'make BREAD lot=B1 qty=4 at=A-3 use="F1@A-2:20, F1@A-1:70"')
    assert warehouse.lots.get("B1").used == {"F1": 90}


def test_make_keeps_a_later_expiry_that_is_given(warehouse):
    apply(warehouse, 'make BREAD lot=B1 qty=4 at=A-3 use="F1@A-1:2" expires=2024-12-24')
    assert str(warehouse.lots.get("B1").expires) == "2024-12-24"


def test_make_keeps_an_earlier_expiry_that_is_given(warehouse):
    apply(warehouse, 'make BREAD lot=B1 qty=4 at=A-3 use="F1@A-1:2" expires=2024-03-03')
    assert str(warehouse.lots.get("B1").expires) == "2024-03-03"


def test_make_reads_quantities_in_packs_of_the_ingredient(warehouse):
    apply(warehouse, "pack BREAD bag=10")
    apply(warehouse, 'make BREAD lot=B1 qty="2 bag" at=A-3 use="F1@A-1:2 bag"')
    assert warehouse.stock.total("F1") == 50
    assert warehouse.stock.total("B1") == 20


def test_refused_count_books_nothing(warehouse):
    apply(warehouse, "order SO-1 customer=X SALT=7")
    assert refused(warehouse, "count A-2 Y1=3 S1=6") == "LotError"
    assert len(warehouse.adjustments) == 0
