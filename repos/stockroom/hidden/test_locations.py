"""Places: order, room, storage class."""

import unittest

from stockroom.engine import apply, load
from stockroom.errors import JournalError, LocationError
from stockroom.locations import Location, LocationBook

SETUP = """
item MILK "Whole milk" class=cold
item SOAP Soap
location C-1 class=cold capacity=20
location A-1
location A-2 capacity=8
location D-1 kind=dock capacity=100
location QC kind=quarantine
date 2024-03-01
"""


def refused(warehouse, text):
    try:
        apply(warehouse, text)
    except JournalError as error:
        return error.message
    return "accepted"


class LocationTest(unittest.TestCase):
    def setUp(self):
        self.warehouse = load(SETUP)

    def test_defaults(self):
        place = Location.from_options("A-1", {})
        self.assertEqual(place.kind, "rack")
        self.assertEqual(place.storage, "ambient")

    def test_capacity_is_a_number(self):
        self.assertEqual(self.warehouse.locations.get("C-1").capacity, 20)

    def test_no_capacity_is_no_limit(self):
        apply(self.warehouse, "receive SOAP lot=S1 qty=100000 at=A-1")
        self.assertEqual(self.warehouse.stock.load("A-1"), 100000)

    def test_capacity_must_be_whole(self):
        with self.assertRaises(LocationError) as caught:
            Location.from_options("A-1", {"capacity": "2.5"})
        self.assertEqual(
            str(caught.exception), "capacity must be a whole number above zero, not '2.5'"
        )
        self.assertEqual(Location.from_options("A-1", {"capacity": "7"}).capacity, 7)

    def test_capacity_zero_is_refused(self):
        with self.assertRaises(JournalError) as caught:
            load("location A-1 capacity=0")
        self.assertEqual(caught.exception.line, 1)

    def test_unknown_kind(self):
        self.assertEqual(
            refused(self.warehouse, "location X-1 kind=shelf"),
            "kind must be one of rack, dock, quarantine",
        )

    def test_same_code_twice(self):
        self.assertEqual(refused(self.warehouse, "location A-1"), "location A-1 is already defined")

    def test_exactly_full_is_fine(self):
        apply(self.warehouse, "receive MILK lot=M1 qty=20 at=C-1")
        self.assertEqual(self.warehouse.stock.load("C-1"), 20)

    def test_over_capacity_is_refused(self):
        apply(self.warehouse, "receive MILK lot=M1 qty=15 at=C-1")
        self.assertEqual(
            refused(self.warehouse, "receive MILK lot=M2 qty=6 at=C-1"), "C-1 has room for 5 more"
        )

    def test_refused_lot_number_stays_unused(self):
        refused(self.warehouse, "receive MILK lot=M1 qty=21 at=C-1")
        apply(self.warehouse, "receive MILK lot=M1 qty=4 at=C-1")
        self.assertEqual(self.warehouse.stock.on_hand("M1", "C-1"), 4)

    def test_move_needs_room(self):
        apply(self.warehouse, "receive SOAP lot=S1 qty=12 at=A-1")
        self.assertEqual(
            refused(self.warehouse, "move S1 qty=9 from=A-1 to=A-2"), "A-2 has room for 8 more"
        )

    def test_rack_takes_its_own_class(self):
        self.assertEqual(
            refused(self.warehouse, "receive MILK lot=M1 qty=1 at=A-1"),
            "A-1 is ambient, MILK needs cold",
        )

    def test_dock_takes_any_class(self):
        apply(self.warehouse, "receive MILK lot=M1 qty=30 at=D-1\nreceive SOAP lot=S1 qty=5 at=D-1")
        self.assertEqual(self.warehouse.stock.load("D-1"), 35)

    def test_unknown_location(self):
        self.assertEqual(
            refused(self.warehouse, "receive SOAP lot=S1 qty=1 at=Z-9"), "unknown location Z-9"
        )

    def test_natural_order(self):
        book = LocationBook()
        for code in ("A-10", "A-2", "B-1", "A-2-1"):
            book.add(Location(code))
        self.assertEqual(" ".join(place.code for place in book), "A-2 A-2-1 A-10 B-1")


if __name__ == "__main__":
    unittest.main()
