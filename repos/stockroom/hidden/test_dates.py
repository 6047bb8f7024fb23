"""Dates, spans and what lots make of them."""

import unittest
from datetime import date

from stockroom.dates import Span, parse_date
from stockroom.errors import StockroomError
from stockroom.lots import Lot, LotBook


def refusal(call):
    """Kind and text of the error that a call ends with."""
    try:
        call()
    except StockroomError as error:
        return f"{type(error).__name__}: {error}"
    return "accepted"


class ParseTest(unittest.TestCase):
    def test_date(self):
        self.assertEqual(parse_date("2024-02-29").isoformat(), "2024-02-29")

    def test_no_such_day(self):
        self.assertEqual(
            refusal(lambda: parse_date("2023-02-29")), "StockroomError: no such day: '2023-02-29'"
        )

    def test_other_forms_are_refused(self):
        self.assertEqual(
            refusal(lambda: parse_date("20240301")),
            "StockroomError: not a date (YYYY-MM-DD): '20240301'",
        )

    def test_days(self):
        self.assertEqual(Span.parse("21d").days, 21)

    def test_weeks_are_days(self):
        self.assertEqual(Span.parse("6w").days, 42)

    def test_years_are_months(self):
        self.assertEqual(Span.parse("2y").months, 24)

    def test_span_without_a_unit(self):
        self.assertEqual(
            refusal(lambda: Span.parse("12")), "StockroomError: not a span (21d, 6w, 3m, 2y): '12'"
        )


class AfterTest(unittest.TestCase):
    def after(self, day: str, span: str) -> str:
        return Span.parse(span).after(parse_date(day)).isoformat()

    def test_days_cross_a_month(self):
        self.assertEqual(self.after("2024-02-20", "10d"), "2024-03-01")

    def test_months_keep_the_day(self):
        self.assertEqual(self.after("2024-04-15", "3m"), "2024-07-15")

    def test_months_cross_the_year(self):
        self.assertEqual(self.after("2024-11-15", "3m"), "2025-02-15")

    def test_december_is_reached(self):
        self.assertEqual(self.after("2024-09-30", "3m"), "2024-12-30")

    def test_short_month_in_the_same_year(self):
        self.assertEqual(self.after("2024-01-31", "1m"), "2024-02-29")

    def test_short_month_of_thirty_days(self):
        self.assertEqual(self.after("2023-08-31", "3m"), "2023-11-30")

    def test_into_february_of_a_leap_year(self):
        self.assertEqual(self.after("2023-12-31", "2m"), "2024-02-29")

    def test_year_from_a_leap_day(self):
        self.assertEqual(self.after("2024-02-29", "1y"), "2025-02-28")

    def test_four_years_from_a_leap_day(self):
        self.assertEqual(self.after("2024-02-29", "4y"), "2028-02-29")

    def test_out_of_a_leap_year_at_the_end_of_november(self):
        self.assertEqual(self.after("2024-11-30", "3m"), "2025-02-28")


class LotLifeTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.lot = Lot("M1", "MILK", date(2024, 3, 1), expires=date(2024, 3, 20))
        cls.stone = Lot("S1", "STONE", date(2024, 3, 1))

    def test_day_before_expiry(self):
        self.assertEqual(self.lot.expired(date(2024, 3, 19)), False)

    def test_good_through_its_expiry_day(self):
        self.assertEqual(self.lot.expired(date(2024, 3, 20)), False)

    def test_expired_the_day_after(self):
        self.assertEqual(self.lot.expired(date(2024, 3, 21)), True)

    def test_life_left(self):
        self.assertEqual(self.lot.life_left(date(2024, 3, 15)), 5)

    def test_life_left_below_zero(self):
        self.assertEqual(self.lot.life_left(date(2024, 3, 22)), -2)

    def test_usable_on_the_last_day(self):
        self.assertEqual(self.lot.usable(date(2024, 3, 20)), True)

    def test_exactly_enough_life(self):
        self.assertEqual(self.lot.usable(date(2024, 3, 15), 5), True)

    def test_one_day_too_little_life(self):
        self.assertEqual(self.lot.usable(date(2024, 3, 16), 5), False)

    def test_lot_without_expiry_stays_usable(self):
        self.assertEqual(self.stone.usable(date(2099, 1, 1), 900), True)

    def test_held_lot_is_not_usable(self):
        lot = Lot("M2", "MILK", date(2024, 3, 1), held="smell")
        self.assertEqual(lot.usable(date(2024, 3, 1)), False)

    def test_lot_numbers_are_used_once(self):
        book = LotBook()
        book.add(Lot("M1", "MILK", date(2024, 3, 1)))
        self.assertEqual(
            refusal(lambda: book.add(Lot("M1", "MILK", date(2024, 3, 2)))),
            "LotError: lot M1 already exists",
        )

    def test_lots_are_listed_in_natural_order(self):
        book = LotBook()
        for name in ("M10", "M9", "B7"):
            book.add(Lot(name, "MILK", date(2024, 3, 1)))
        self.assertEqual(" ".join(lot.id for lot in book), "B7 M9 M10")


if __name__ == "__main__":
    unittest.main()
