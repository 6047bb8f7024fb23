"""An ordinary day in the warehouse."""

import pytest

from stockroom.cli import render
from stockroom.engine import apply, load
from stockroom.errors import JournalError
from stockroom.quantity import PackTable
from stockroom.trace import recall
from stockroom.warehouse import Warehouse

JOURNAL = """
item MILK "Whole milk 1 l" shelf=21d minlife=5d
pack MILK case=12
item FLOUR Flour unit=kg
item BREAD Bread shelf=4d
location A-1
location A-2
location QC kind=quarantine
date 2024-03-01
receive MILK lot=M1 qty="2 case" at=A-1 cost=0.80 supplier=Dairy
receive FLOUR lot=F1 qty=50 at=A-2 cost=0.50
"""


@pytest.fixture
def warehouse() -> Warehouse:
    return load(JOURNAL)


def test_receipt(warehouse: Warehouse) -> None:
    assert warehouse.stock.on_hand("M1", "A-1") == 24


def test_shelf_life(warehouse: Warehouse) -> None:
    assert str(warehouse.lots.get("M1").expires) == "2024-03-22"


def test_packs() -> None:
    packs = PackTable("ea")
    packs.define("case", "12")
    assert packs.parse("1 case 3") == 15
    assert packs.render(15) == "1 case 3 ea"


def test_unknown_item(warehouse: Warehouse) -> None:
    with pytest.raises(JournalError) as caught:
        apply(warehouse, "date 2024-03-02\nreceive TEA lot=T1 qty=1 at=A-1")
    assert caught.value.line == 2


def test_move(warehouse: Warehouse) -> None:
    apply(warehouse, 'move M1 qty="1 case" from=A-1 to=A-2')
    assert warehouse.stock.on_hand("M1", "A-1") == 12
    assert warehouse.stock.on_hand("M1", "A-2") == 12


def test_scrap(warehouse: Warehouse) -> None:
    apply(warehouse, "scrap F1 qty=5 from=A-2 reason=wet")
    assert warehouse.stock.total("F1") == 45


def test_count(warehouse: Warehouse) -> None:
    apply(warehouse, "count A-2 F1=48")
    assert warehouse.stock.total("F1") == 48
    assert warehouse.adjustments[0].delta == -2


def test_make(warehouse: Warehouse) -> None:
    apply(warehouse, 'make BREAD lot=B1 qty=20 at=A-1 use="F1@A-2:10"')
    assert warehouse.stock.total("F1") == 40
    assert warehouse.stock.total("B1") == 20


def test_order(warehouse: Warehouse) -> None:
    apply(warehouse, 'order SO-1 customer=Bistro MILK="1 case 3"')
    assert warehouse.orders.get("SO-1").status == "reserved"
    assert warehouse.stock.free("M1", "A-1") == 9


def test_shortage(warehouse: Warehouse) -> None:
    with pytest.raises(JournalError):
        apply(warehouse, "order SO-1 customer=Bistro MILK=25")


def test_ship(warehouse: Warehouse) -> None:
    apply(warehouse, "order SO-1 customer=Bistro MILK=15\nship SO-1")
    assert warehouse.orders.get("SO-1").status == "shipped"
    assert warehouse.stock.total("M1") == 9


def test_cancel(warehouse: Warehouse) -> None:
    apply(warehouse, "order SO-1 customer=Bistro MILK=15\ncancel SO-1")
    assert warehouse.stock.free("M1", "A-1") == 24


def test_return(warehouse: Warehouse) -> None:
    apply(warehouse, "order SO-1 customer=Bistro MILK=15\nship SO-1")
    apply(warehouse, "return SO-1 lot=M1 qty=2 to=QC")
    assert warehouse.stock.on_hand("M1", "QC") == 2


def test_recall(warehouse: Warehouse) -> None:
    apply(warehouse, 'make BREAD lot=B1 qty=20 at=A-1 use="F1@A-2:10"')
    assert recall(warehouse, "F1").lots == ["F1", "B1"]


def test_value_report(warehouse: Warehouse) -> None:
    assert render("value", warehouse).splitlines() == [
        "sku    on hand  value",
        "FLOUR       50  25.00",
        "MILK        24  19.20",
        "TOTAL       74  44.20",
    ]
