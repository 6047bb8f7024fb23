"""Reports and the command line."""

import io
import unittest
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

from stockroom import reports
from stockroom.cli import main, render
from stockroom.engine import apply, load
from stockroom.errors import StockroomError

TEXT = """
item MILK "Whole milk" shelf=21d minlife=5d reorder=48
pack MILK case=12 pallet="40 case"
item BOLT Bolt reorder=100
item SOAP Soap reorder=5
location A-1
location A-2
location QC kind=quarantine
date 2024-03-01
receive MILK lot=M1 qty="1 case 3" at=A-1 cost=0.125
receive MILK lot=M2 qty=20 at=A-2 expires=2024-03-12 cost=0.333
receive BOLT lot=B1 qty=99 at=A-2 cost=0.015
receive SOAP lot=S1 qty=9 at=A-1 cost=1.115
order SO-1 customer=Bistro MILK=24
"""


def refusal(call):
    """Kind and text of the error that a call ends with."""
    try:
        call()
    except StockroomError as error:
        return f"{type(error).__name__}: {error}"
    return "accepted"


class RowsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.warehouse = load(TEXT)

    def test_stock(self):
        self.assertEqual(
            reports.stock_rows(self.warehouse),
            [
                ["BOLT", "B1", "A-2", 99, 99, "99 ea"],
                ["MILK", "M1", "A-1", 15, 11, "1 case 3 ea"],
                ["MILK", "M2", "A-2", 20, 0, "1 case 8 ea"],
                ["SOAP", "S1", "A-1", 9, 9, "9 ea"],
            ],
        )

    def test_reorder(self):
        self.assertEqual(
            reports.reorder_rows(self.warehouse),
            [["BOLT", 99, 100, "101 ea"], ["MILK", 11, 48, "8 case"]],
        )

    def test_value(self):
        self.assertEqual(
            reports.value_rows(self.warehouse),
            [
                ["BOLT", 99, "1.49"],
                ["MILK", 35, "8.54"],
                ["SOAP", 9, "10.04"],
                ["TOTAL", 143, "20.06"],
            ],
        )

    def test_expiring_soon(self):
        self.assertEqual(
            reports.expiring_rows(self.warehouse, 11), [["M2", "MILK", "2024-03-12", 11, 20]]
        )

    def test_expiring_sooner_than_any(self):
        self.assertEqual(reports.expiring_rows(self.warehouse, 10), [])

    def test_expiring_by_date(self):
        found = [row[0] for row in reports.expiring_rows(self.warehouse, 30)]
        self.assertEqual(found, ["M2", "M1"])

    def test_orders(self):
        self.assertEqual(reports.order_rows(self.warehouse), [["SO-1", "Bistro", "reserved"]])


class LaterRowsTest(unittest.TestCase):
    def setUp(self):
        self.warehouse = load(TEXT)

    def test_expired_lots_are_listed(self):
        apply(self.warehouse, "date 2024-03-14")
        self.assertEqual(
            reports.expiring_rows(self.warehouse, 0), [["M2", "MILK", "2024-03-12", -2, 20]]
        )

    def test_held_stock_is_not_available(self):
        apply(self.warehouse, "hold B1 reason=rust")
        self.assertEqual(reports.reorder_rows(self.warehouse)[0], ["BOLT", 0, 100, "200 ea"])

    def test_item_at_its_level_is_not_listed(self):
        apply(self.warehouse, "receive BOLT lot=B2 qty=1 at=A-1")
        found = [row[0] for row in reports.reorder_rows(self.warehouse)]
        self.assertEqual(found, ["MILK"])

    def test_level_is_compared_as_a_number(self):
        apply(self.warehouse, "scrap S1 qty=5 from=A-1")
        self.assertEqual(reports.reorder_rows(self.warehouse)[2], ["SOAP", 4, 5, "6 ea"])

    def test_large_buy_in_pallets(self):
        apply(self.warehouse, "item TEA Tea reorder=300\npack TEA box=100\ndate 2024-03-02")
        self.assertEqual(reports.reorder_rows(self.warehouse)[2], ["TEA", 0, 300, "6 box"])

    def test_buy_in_the_largest_packs_whatever_their_order(self):
        apply(self.warehouse, "item TEA Tea reorder=300\npack TEA crate=100 box=10")
        self.assertEqual(reports.reorder_rows(self.warehouse)[2], ["TEA", 0, 300, "6 crate"])

    def test_places_are_listed_in_natural_order(self):
        apply(self.warehouse, "location A-10\nmove B1 qty=9 from=A-2 to=A-10")
        apply(self.warehouse, "move B1 qty=5 from=A-2 to=A-1")
        self.assertEqual(
            [row[2] for row in reports.stock_rows(self.warehouse)],
            ["A-1", "A-2", "A-10", "A-1", "A-2", "A-1"],
        )

    def test_recall_lists_places_in_natural_order(self):
        apply(self.warehouse, "location A-10\nmove B1 qty=9 from=A-2 to=A-10")
        self.assertEqual(
            reports.recall_rows(self.warehouse, "B1"), [["B1", "@A-2", 90], ["B1", "@A-10", 9]]
        )

    def test_adjustments(self):
        apply(self.warehouse, "count A-2 B1=97\ndate 2024-03-04\nscrap S1 qty=1 from=A-1")
        self.assertEqual(
            reports.adjustment_rows(self.warehouse),
            [
                ["2024-03-01", "B1", "A-2", -2, "count"],
                ["2024-03-04", "S1", "A-1", -1, "scrap"],
            ],
        )

    def test_recall(self):
        apply(self.warehouse, "ship SO-1")
        self.assertEqual(
            reports.recall_rows(self.warehouse, "M1"), [["M1", "@A-1", 11], ["M1", "Bistro", 4]]
        )

    def test_shipped_order(self):
        apply(self.warehouse, "ship SO-1\norder SO-2 customer=Bar BOLT=1\ncancel SO-2")
        self.assertEqual(
            reports.order_rows(self.warehouse),
            [["SO-1", "Bistro", "shipped"], ["SO-2", "Bar", "cancelled"]],
        )


class TextTest(unittest.TestCase):
    def test_money_rounds_halves_up(self):
        self.assertEqual(reports.money(Fraction("1.485")), "1.49")

    def test_money_has_two_decimals(self):
        self.assertEqual(reports.money(Fraction(3)), "3.00")

    def test_money_below_zero(self):
        self.assertEqual(reports.money(Fraction("-0.005")), "-0.01")

    def test_money_has_no_negative_zero(self):
        self.assertEqual(reports.money(Fraction("-0.004")), "0.00")

    def test_table(self):
        text = reports.table(["lot", "n"], [["M1", 5], ["LONG", 120]])
        self.assertEqual(text, "lot     n\nM1      5\nLONG  120\n")

    def test_empty_table(self):
        self.assertEqual(reports.table(["lot", "n"], []), "lot  n\n(none)\n")

    def test_render(self):
        text = render("orders", load(TEXT))
        self.assertEqual(text, "order  customer  status\nSO-1   Bistro    reserved\n")

    def test_render_expiring_looks_thirty_days_ahead(self):
        text = "item MILK Milk\nlocation A-1\ndate 2024-03-01\n"
        text += "receive MILK lot=M1 qty=5 at=A-1 expires=2024-03-31\n"
        text += "receive MILK lot=M2 qty=5 at=A-1 expires=2024-04-01\n"
        self.assertEqual(
            render("expiring", load(text)),
            "lot  sku   expires     days  on hand\nM1   MILK  2024-03-31    30        5\n",
        )

    def test_render_recall_without_a_lot(self):
        self.assertEqual(
            refusal(lambda: render("recall", load(TEXT))), "StockroomError: recall needs a lot"
        )

    def test_render_unknown_report(self):
        self.assertEqual(
            refusal(lambda: render("weather", load(TEXT))),
            "StockroomError: unknown report 'weather'",
        )

    def test_render_recall_of_an_unknown_lot(self):
        self.assertEqual(
            refusal(lambda: render("recall", load(TEXT), "X1")), "LotError: unknown lot X1"
        )


class MainTest(unittest.TestCase):
    def run_main(self, *argv, text=TEXT):
        out, err = io.StringIO(), io.StringIO()
        with TemporaryDirectory() as folder:
            path = Path(folder) / "w.journal"
            path.write_text(text, encoding="utf-8")
            words = [str(path) if word == "JOURNAL" else word for word in argv]
            code = main(words, out, err)
        return code, out.getvalue(), err.getvalue()

    def test_report(self):
        code, out, _ = self.run_main("expiring", "JOURNAL", "11")
        self.assertEqual(code, 0)
        self.assertEqual(out.splitlines()[1], "M2   MILK  2024-03-12    11       20")

    def test_report_without_a_number_of_days(self):
        code, out, _ = self.run_main("expiring", "JOURNAL")
        self.assertEqual(code, 0)
        self.assertEqual(out.splitlines()[2], "M1   MILK  2024-03-22    21       15")

    def test_wrong_journal(self):
        code, _, err = self.run_main("stock", "JOURNAL", text="date 2024-03-01\nship SO-1\n")
        self.assertEqual(code, 1)
        self.assertEqual(err, "stockroom: line 2: unknown order SO-1\n")

    def test_usage(self):
        code, _, err = self.run_main("stock")
        self.assertEqual(code, 2)
        self.assertEqual(err, "usage: stockroom REPORT JOURNAL [ARGUMENT]\n")

    def test_missing_file(self):
        code, _, err = self.run_main("stock", "no-such-file")
        self.assertEqual(code, 2)
        self.assertEqual(err, "stockroom: no-such-file: No such file or directory\n")

    def test_bad_number_of_days(self):
        code, _, err = self.run_main("expiring", "JOURNAL", "soon")
        self.assertEqual(code, 1)
        self.assertEqual(err, "stockroom: not a number of days: 'soon'\n")


if __name__ == "__main__":
    unittest.main()
