"""Orders: placing, picking order, shipping, repicking, cancelling, returning."""

import pytest
from stockroom.engine import apply, load
from stockroom.errors import JournalError, StockroomError

SETUP = """
item MILK "Whole milk" shelf=21d minlife=5d
pack MILK case=12
item SOAP Soap policy=fifo
item JAM Jam
location A-1
location A-2
location A-10
location D-1 kind=dock
location QC kind=quarantine
date 2024-03-01
receive MILK lot=M1 qty=24 at=A-1 expires=2024-03-30
receive MILK lot=M2 qty=24 at=A-1 expires=2024-03-20
receive SOAP lot=S1 qty=10 at=A-1
date 2024-03-02
receive SOAP lot=S2 qty=10 at=A-2 expires=2024-04-01
receive JAM lot=J1 qty=5 at=A-1
receive JAM lot=J2 qty=5 at=A-2 expires=2025-01-01
"""


def refusal(call):
    """Kind and text of the error that a call ends with."""
    try:
        call()
    except StockroomError as error:
        return f"{type(error).__name__}: {error}"
    return "accepted"


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


class OrderCase:
    @pytest.fixture(autouse=True)
    def stocked(self):
        self.warehouse = load(SETUP)

    def apply(self, text):
        apply(self.warehouse, text)


class TestPicking(OrderCase):
    def test_earliest_expiry_first(self):
        self.apply("order SO-1 customer=X MILK=10")
        assert picks(self.warehouse, "SO-1") == [("M2", "A-1", 10)]

    def test_goes_on_to_the_next_lot(self):
        self.apply('order SO-1 customer=X MILK="2 case 6"')
        assert picks(self.warehouse, "SO-1") == [("M2", "A-1", 24), ("M1", "A-1", 6)]

    def test_no_expiry_comes_last(self):
        self.apply("order SO-1 customer=X JAM=7")
        assert picks(self.warehouse, "SO-1") == [("J2", "A-2", 5), ("J1", "A-1", 2)]

    def test_fifo_of_the_item(self):
        self.apply("order SO-1 customer=X SOAP=12")
        assert picks(self.warehouse, "SO-1") == [("S1", "A-1", 10), ("S2", "A-2", 2)]

    def test_fifo_of_one_day_goes_by_expiry(self):
        self.apply("order SO-1 customer=X JAM=6 policy=fifo")
        assert picks(self.warehouse, "SO-1") == [("J2", "A-2", 5), ("J1", "A-1", 1)]

    def test_order_overrides_the_policy(self):
        self.apply("order SO-1 customer=X SOAP=4 policy=fefo")
        assert picks(self.warehouse, "SO-1") == [("S2", "A-2", 4)]

    def test_lot_numbers_decide_at_last(self):
        self.apply("receive JAM lot=J10 qty=5 at=A-1\nreceive JAM lot=J9 qty=5 at=A-1")
        self.apply("order SO-1 customer=X JAM=12")
        assert picks(self.warehouse, "SO-1") == [
            ("J2", "A-2", 5),
            ("J1", "A-1", 5),
            ("J9", "A-1", 2),
        ]

    def test_smallest_balance_first(self):
        self.apply("move M2 qty=5 from=A-1 to=A-10\norder SO-1 customer=X MILK=8")
        assert picks(self.warehouse, "SO-1") == [("M2", "A-10", 5), ("M2", "A-1", 3)]

    def test_equal_balances_go_by_location(self):
        self.apply("move M2 qty=8 from=A-1 to=A-10\nmove M2 qty=8 from=A-1 to=A-2")
        self.apply("order SO-1 customer=X MILK=18")
        assert picks(self.warehouse, "SO-1") == [
            ("M2", "A-1", 8),
            ("M2", "A-2", 8),
            ("M2", "A-10", 2),
        ]

    def test_exactly_the_minimum_life(self):
        self.apply("date 2024-03-15\norder SO-1 customer=X MILK=1")
        assert picks(self.warehouse, "SO-1") == [("M2", "A-1", 1)]

    def test_too_little_life_is_passed_over(self):
        self.apply("date 2024-03-16\norder SO-1 customer=X MILK=1")
        assert picks(self.warehouse, "SO-1") == [("M1", "A-1", 1)]

    def test_last_day_of_an_item_without_minimum_life(self):
        self.apply("date 2024-04-01\norder SO-1 customer=X SOAP=2 policy=fefo")
        assert picks(self.warehouse, "SO-1") == [("S2", "A-2", 2)]

    def test_held_lot_is_passed_over(self):
        self.apply("hold M2 reason=smell\norder SO-1 customer=X MILK=1")
        assert picks(self.warehouse, "SO-1") == [("M1", "A-1", 1)]

    def test_dock_is_not_picked_from(self):
        self.apply("move M2 qty=24 from=A-1 to=D-1\norder SO-1 customer=X MILK=3")
        assert picks(self.warehouse, "SO-1") == [("M1", "A-1", 3)]

    def test_reserved_stock_is_passed_over(self):
        self.apply("order SO-1 customer=X MILK=20\norder SO-2 customer=Y MILK=6")
        assert picks(self.warehouse, "SO-2") == [("M2", "A-1", 4), ("M1", "A-1", 2)]


class TestPlacing(OrderCase):
    def test_reserves(self):
        self.apply("order SO-1 customer=X MILK=10")
        assert self.warehouse.stock.reserved("M2", "A-1") == 10
        assert self.warehouse.stock.free("M2", "A-1") == 14

    def test_status(self):
        self.apply("order SO-1 customer=X MILK=10")
        assert self.warehouse.orders.get("SO-1").status == "reserved"

    def test_shortage(self):
        assert refused(self.warehouse, "order SO-1 customer=X JAM=11") == "ShortageError"

    def test_shortage_figures(self):
        assert (
            refusal(lambda: self.apply("order SO-1 customer=X JAM=11"))
            == "JournalError: line 1: JAM: wanted 11, found 10"
        )

    def test_shortage_of_a_later_line_reserves_nothing(self):
        text = "order SO-1 customer=X MILK=10 SOAP=3 JAM=11"
        assert refused(self.warehouse, text) == "ShortageError"
        assert self.warehouse.stock.free("M2", "A-1") == 24
        assert self.warehouse.stock.free("S1", "A-1") == 10

    def test_refused_order_can_be_placed_again(self):
        refused(self.warehouse, "order SO-1 customer=X MILK=48 JAM=11")
        self.apply("order SO-1 customer=X MILK=48")
        assert self.warehouse.stock.reserved("M1", "A-1") == 24

    def test_order_number_twice(self):
        self.apply("order SO-1 customer=X JAM=1")
        assert refused(self.warehouse, "order SO-1 customer=X JAM=1") == "OrderError"

    def test_no_lines(self):
        assert refused(self.warehouse, "order SO-1 customer=X") == "OrderError"

    def test_unknown_item(self):
        assert refused(self.warehouse, "order SO-1 customer=X TEA=1") == "CatalogError"

    def test_zero_quantity(self):
        assert refused(self.warehouse, "order SO-1 customer=X JAM=0") == "QuantityError"


class TestShipping(OrderCase):
    @pytest.fixture(autouse=True)
    def placed(self, stocked):
        self.apply("order SO-1 customer=Bistro MILK=30 SOAP=2")

    def test_stock_leaves(self):
        self.apply("ship SO-1")
        assert self.warehouse.stock.total("M2") == 0
        assert self.warehouse.stock.total("M1") == 18
        assert self.warehouse.stock.reserved("M1", "A-1") == 0

    def test_shipments(self):
        self.apply("ship SO-1")
        found = [(each.customer, each.lot, each.quantity) for each in self.warehouse.shipments]
        assert found == [("Bistro", "M2", 24), ("Bistro", "M1", 6), ("Bistro", "S1", 2)]

    def test_one_shipment_a_lot(self):
        self.apply("move J1 qty=2 from=A-1 to=A-10\norder SO-2 customer=Y JAM=10\nship SO-2")
        found = [(each.lot, each.quantity) for each in self.warehouse.shipments]
        assert found == [("J2", 5), ("J1", 5)]

    def test_status(self):
        self.apply("ship SO-1")
        assert self.warehouse.orders.get("SO-1").status == "shipped"

    def test_ship_twice(self):
        self.apply("ship SO-1")
        assert refused(self.warehouse, "ship SO-1") == "OrderError"

    def test_held_after_reserving(self):
        self.apply("hold M1 reason=smell")
        assert refused(self.warehouse, "ship SO-1") == "LotError"
        assert self.warehouse.stock.total("M2") == 24

    def test_released_again(self):
        self.apply("hold M1 reason=smell\nrelease M1\nship SO-1")
        assert len(self.warehouse.shipments) == 3

    def test_refused_shipment_stays_reserved(self):
        self.apply("hold M1 reason=smell")
        refused(self.warehouse, "ship SO-1")
        assert self.warehouse.stock.reserved("M2", "A-1") == 24

    def test_refused_shipment_is_not_recorded(self):
        self.apply("hold M1 reason=smell")
        refused(self.warehouse, "ship SO-1")
        assert len(self.warehouse.shipments) == 0

    def test_shipping_after_a_refusal(self):
        self.apply("hold M1 reason=smell")
        refused(self.warehouse, "ship SO-1")
        assert refused(self.warehouse, "release M1\nship SO-1") == "accepted"
        assert self.warehouse.stock.total("M2") == 0

    def test_on_the_expiry_day(self):
        self.apply("date 2024-03-20\nship SO-1")
        assert self.warehouse.orders.get("SO-1").status == "shipped"

    def test_after_the_expiry_day(self):
        assert refused(self.warehouse, "date 2024-03-21\nship SO-1") == "LotError"

    def test_reserved_goods_are_there_to_ship(self):
        refused(self.warehouse, "move M2 qty=1 from=A-1 to=D-1")
        assert refused(self.warehouse, "ship SO-1") == "accepted"
        assert self.warehouse.stock.load("D-1") == 0


class TestRepick(OrderCase):
    def test_avoids_a_held_lot(self):
        self.apply("order SO-1 customer=X MILK=10\nhold M2 reason=smell\nrepick SO-1")
        assert picks(self.warehouse, "SO-1") == [("M1", "A-1", 10)]
        assert self.warehouse.stock.reserved("M2", "A-1") == 0

    def test_keeps_what_it_had(self):
        self.apply("order SO-1 customer=X MILK=30\nhold M2 reason=smell")
        assert refused(self.warehouse, "repick SO-1") == "ShortageError"
        assert picks(self.warehouse, "SO-1") == [("M2", "A-1", 24), ("M1", "A-1", 6)]
        assert self.warehouse.stock.reserved("M1", "A-1") == 6

    def test_refused_repick_leaves_the_order_as_it_was(self):
        self.apply("order SO-1 customer=X MILK=30\nhold M2 reason=smell")
        refused(self.warehouse, "repick SO-1")
        assert self.warehouse.orders.get("SO-1").status == "reserved"

    def test_may_take_its_own_stock_again(self):
        self.apply("order SO-1 customer=X MILK=48\nrepick SO-1")
        assert self.warehouse.stock.reserved("M1", "A-1") == 24

    def test_shipped_order(self):
        self.apply("order SO-1 customer=X MILK=1\nship SO-1")
        assert refused(self.warehouse, "repick SO-1") == "OrderError"


class TestCancel(OrderCase):
    def test_gives_stock_back(self):
        self.apply("order SO-1 customer=X MILK=30\ncancel SO-1")
        assert self.warehouse.stock.free("M2", "A-1") == 24
        assert self.warehouse.orders.get("SO-1").status == "cancelled"

    def test_twice(self):
        self.apply("order SO-1 customer=X MILK=30\ncancel SO-1")
        assert refused(self.warehouse, "cancel SO-1") == "OrderError"

    def test_unknown(self):
        assert refused(self.warehouse, "cancel SO-9") == "OrderError"


class TestReturn(OrderCase):
    @pytest.fixture(autouse=True)
    def placed(self, stocked):
        self.apply("order SO-1 customer=X MILK=30\nship SO-1")

    def test_goes_to_quarantine(self):
        self.apply("return SO-1 lot=M2 qty=4 to=QC")
        assert self.warehouse.stock.on_hand("M2", "QC") == 4
        assert self.warehouse.shipments[0].returned == 4

    def test_not_to_a_rack(self):
        text = "return SO-1 lot=M2 qty=4 to=A-1"
        assert refused(self.warehouse, text) == "OrderError"

    def test_at_most_what_is_out(self):
        self.apply('return SO-1 lot=M2 qty="1 case" to=QC')
        text = "return SO-1 lot=M2 qty=13 to=QC"
        assert refused(self.warehouse, text) == "OrderError"
        assert self.warehouse.stock.total("M2") == 12

    def test_lot_that_was_not_sent(self):
        text = "return SO-1 lot=J1 qty=1 to=QC"
        assert refused(self.warehouse, text) == "OrderError"

    def test_returned_goods_are_not_picked(self):
        self.apply("return SO-1 lot=M2 qty=4 to=QC\norder SO-2 customer=Y MILK=3")
        assert picks(self.warehouse, "SO-2") == [("M1", "A-1", 3)]
