"""Recalls through production steps."""

import pytest
from stockroom.engine import apply, load
from stockroom.errors import StockroomError
from stockroom.trace import ingredients, products, recall

TEXT = """
item FLOUR Flour
item DOUGH Dough
item BREAD Bread
location A-1
location A-2
location QC kind=quarantine
date 2024-03-01
receive FLOUR lot=F1 qty=100 at=A-1
receive FLOUR lot=F2 qty=100 at=A-1
make DOUGH lot=D1 qty=50 at=A-1 use="F1@A-1:40"
make DOUGH lot=D2 qty=50 at=A-1 use="F2@A-1:40"
make BREAD lot=B10 qty=30 at=A-2 use="D1@A-1:20, D2@A-1:5"
make BREAD lot=B9 qty=30 at=A-2 use="D2@A-1:20"
order SO-1 customer=Cafe BREAD=35 policy=fifo
ship SO-1
date 2024-03-02
order SO-2 customer=Bar BREAD=10 FLOUR=5
ship SO-2
order SO-3 customer=Cafe BREAD=4
ship SO-3
"""


def refusal(call):
    """Kind and text of the error that a call ends with."""
    try:
        call()
    except StockroomError as error:
        return f"{type(error).__name__}: {error}"
    return "accepted"


@pytest.fixture(scope="module")
def warehouse():
    return load(TEXT)


def test_ingredients_of_ingredients(warehouse):
    assert ingredients(warehouse, "B10") == ["D1", "D2", "F1", "F2"]


def test_received_lot_has_no_ingredients(warehouse):
    assert ingredients(warehouse, "F1") == []


def test_products_of_products(warehouse):
    assert products(warehouse, "F2") == ["B9", "B10", "D2"]


def test_end_product_has_no_products(warehouse):
    assert products(warehouse, "B9") == []


def test_unknown_lot(warehouse):
    assert refusal(lambda: products(warehouse, "X1")) == "LotError: unknown lot X1"


def test_unknown_lot_has_no_ingredients(warehouse):
    assert refusal(lambda: ingredients(warehouse, "X2")) == "LotError: unknown lot X2"


def test_recall_lots(warehouse):
    assert recall(warehouse, "F1").lots == ["F1", "B10", "D1"]


def test_recall_stock(warehouse):
    assert recall(warehouse, "F1").on_hand == {
        ("F1", "A-1"): 55,
        ("B10", "A-2"): 11,
        ("D1", "A-1"): 30,
    }


def test_recall_customers(warehouse):
    assert recall(warehouse, "F1").customers == {
        ("Cafe", "B10"): 9,
        ("Bar", "B10"): 10,
        ("Bar", "F1"): 5,
    }


def test_recall_of_another_branch(warehouse):
    assert recall(warehouse, "B9").customers == {("Cafe", "B9"): 30}


def test_recall_less_returns():
    warehouse = load(TEXT)
    apply(warehouse, "return SO-1 lot=B10 qty=3 to=QC\nreturn SO-2 lot=B10 qty=10 to=QC")
    found = recall(warehouse, "B10")
    assert found.customers == {("Cafe", "B10"): 6}
    assert found.on_hand == {("B10", "A-2"): 11, ("B10", "QC"): 13}


def test_recall_keeps_a_customer_who_sent_a_part_back():
    warehouse = load(TEXT)
    apply(warehouse, "return SO-1 lot=B9 qty=10 to=QC")
    assert recall(warehouse, "B9").customers == {("Cafe", "B9"): 20}


def test_recall_leaves_out_a_customer_who_sent_all_back():
    warehouse = load(TEXT)
    apply(warehouse, "return SO-2 lot=B10 qty=10 to=QC")
    assert recall(warehouse, "B10").customers == {("Cafe", "B10"): 9}


DEEPER = """
item TOAST Toast
item MENU Menu
make TOAST lot=T1 qty=8 at=A-2 use="B10@A-2:4"
make MENU lot=X1 qty=2 at=A-2 use="T1@A-2:4"
order SO-4 customer=Inn MENU=1
ship SO-4
"""


@pytest.fixture(scope="module")
def deeper():
    return load(TEXT + DEEPER)


def test_ingredients_through_four_steps(deeper):
    assert ingredients(deeper, "X1") == ["B10", "D1", "D2", "F1", "F2", "T1"]


def test_products_through_four_steps(deeper):
    assert products(deeper, "F1") == ["B10", "D1", "T1", "X1"]


def test_recall_reaches_the_end_of_a_chain(deeper):
    assert recall(deeper, "D2").lots == ["D2", "B9", "B10", "T1", "X1"]


def test_recall_finds_who_got_a_late_product(deeper):
    assert recall(deeper, "F1").customers == {
        ("Cafe", "B10"): 9,
        ("Bar", "B10"): 10,
        ("Bar", "F1"): 5,
        ("Inn", "X1"): 1,
    }
