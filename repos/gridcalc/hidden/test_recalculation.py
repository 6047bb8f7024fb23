"""What is computed again, in what order, and circles."""

from datetime import date

import pytest
from gridcalc import Sheet, Workbook


@pytest.fixture
def book() -> Workbook:
    return Workbook(today=date(2024, 3, 1))


@pytest.fixture
def sheet(book) -> Sheet:
    return book.add_sheet("Data")


class TestOrder:
    def test_formulas_entered_before_what_they_read(self, sheet):
        sheet.enter({"A1": "=B1+1", "B1": "=C1+1", "C1": "5"})
        assert sheet.text("A1") == "7"

    def test_only_what_depends_on_a_change(self, book, sheet):
        sheet.enter({"A1": "1", "A2": "2", "B1": "=A1", "B2": "=A2"})
        sheet.set("A2", "3")
        assert book.recalculated == ["Data!B2"]

    def test_each_behind_what_it_reads(self, book, sheet):
        sheet.enter({"A1": "1", "C1": "=A1", "A2": "=C1+A1", "B2": "=A2"})
        sheet.set("A1", "3")
        assert book.recalculated == ["Data!C1", "Data!A2", "Data!B2"]

    def test_each_once(self, book, sheet):
        sheet.enter({"A1": "1", "B1": "=A1", "B2": "=A1", "C1": "=B1+B2+A1", "D1": "=C1+B2"})
        sheet.set("A1", "2")
        assert len(book.recalculated) == 4

    def test_nothing_depends_on_it(self, book, sheet):
        sheet.enter({"A1": "1", "B1": "=A1"})
        sheet.set("C7", "3")
        assert book.recalculated == []

    def test_only_what_depends_on_cleared_cells(self, book, sheet):
        sheet.enter({"A1": "1", "B1": "2", "C1": "=A1+B1", "E1": "7", "F1": "=E1"})
        sheet.clear("A1:B1")
        assert book.recalculated == ["Data!C1"]

    def test_cells_cleared_at_once_are_one_change(self, book, sheet):
        sheet.enter({"A1": "1", "B1": "2", "E1": "7", "C1": "=A1", "D1": "=B1", "F1": "=E1"})
        sheet.clear("A1:B1")
        assert sorted(book.recalculated) == ["Data!C1", "Data!D1"]

    def test_through_ranges(self, book, sheet):
        sheet.enter({"A1": "1", "A2": "2", "B1": "=SUM(A1:A9)", "B2": "=SUM(A3:A9)"})
        sheet.set("A2", "3")
        assert book.recalculated == ["Data!B1"]

    def test_blank_cell_within_a_range(self, sheet):
        sheet.enter({"A1": "1", "B1": "=SUM(A1:A9)"})
        sheet.set("A9", "6")
        assert sheet.text("B1") == "7"

    def test_through_another_sheet(self, book, sheet):
        other = book.add_sheet("Other")
        other.set("A1", "=Data!A1*2")
        sheet.set("A1", "4")
        assert other.text("A1") == "8"

    def test_through_a_name(self, book, sheet):
        sheet.enter({"A1": "4", "B1": "=Price*2"})
        book.define_name("Price", "Data!A1")
        sheet.set("A1", "5")
        assert sheet.text("B1") == "10"

    def test_new_formula_forgets_what_the_old_one_read(self, book, sheet):
        sheet.enter({"A1": "1", "A2": "2", "B1": "=A1"})
        sheet.set("B1", "=A2")
        sheet.set("A1", "3")
        assert book.recalculated == []

    def test_new_formula_forgets_the_old_range(self, book, sheet):
        sheet.enter({"A1": "1", "A2": "2", "B1": "=SUM(A1:A2)"})
        sheet.set("B1", "7")
        sheet.set("A1", "3")
        assert book.recalculated == []

    def test_readers_survive_a_new_formula(self, sheet):
        sheet.enter({"A1": "1", "B1": "=A1", "C1": "=B1"})
        sheet.set("B1", "=A1*10")
        sheet.set("A1", "2")
        assert sheet.text("C1") == "20"

    def test_long_chain(self, sheet):
        sheet.enter({"A1": "1", **{f"A{row}": f"=A{row - 1}+1" for row in range(2, 3001)}})
        sheet.set("A1", "11")
        assert sheet.text("A3000") == "3010"

    def test_several_entries_compute_once(self, book, sheet):
        sheet.set("B1", "=A1+A2")
        sheet.enter({"A1": "1", "A2": "2"})
        assert book.recalculated == ["Data!B1"]


class TestToday:
    def test_turn_of_the_day(self, book, sheet):
        sheet.set("A1", "=TODAY()+1")
        book.set_today(date(2024, 12, 31))
        assert sheet.text("A1") == "2025-01-01"

    def test_what_depends_on_today(self, book, sheet):
        sheet.enter({"A1": "=TODAY()", "B1": "=A1+1", "C1": "=1+1"})
        book.set_today(date(2024, 3, 2))
        assert book.recalculated == ["Data!A1", "Data!B1"]

    def test_formula_that_no_longer_asks(self, book, sheet):
        sheet.set("A1", "=TODAY()")
        sheet.set("A1", "=1")
        book.set_today(date(2024, 3, 2))
        assert book.recalculated == []

    def test_today_inside_a_call(self, book, sheet):
        sheet.set("A1", "=YEAR(EDATE(TODAY(),12))")
        book.set_today(date(2030, 3, 2))
        assert sheet.text("A1") == "2031"


class TestCircles:
    def test_itself(self, sheet):
        sheet.set("A1", "=A1+1")
        assert sheet.text("A1") == "#CYCLE!"

    def test_itself_in_a_range(self, sheet):
        sheet.set("A5", "=SUM(A1:A9)")
        assert sheet.text("A5") == "#CYCLE!"

    def test_all_cells_of_a_circle(self, sheet):
        sheet.enter({"A1": "=A2", "A2": "=A3", "A3": "=IFERROR(A1,0)"})
        assert [sheet.text("A1"), sheet.text("A3")] == ["#CYCLE!", "#CYCLE!"]

    def test_branch_not_taken(self, sheet):
        sheet.enter({"A1": "=IF(TRUE,1,A2)", "A2": "=A1"})
        assert sheet.text("A1") == "#CYCLE!"

    def test_user_of_a_circle(self, sheet):
        sheet.enter({"A1": "=A2", "A2": "=A1", "B1": "=A1+1"})
        assert sheet.text("B1") == "#CYCLE!"

    def test_user_that_catches_the_error(self, sheet):
        sheet.enter({"A1": "=A2", "A2": "=A1", "B1": '=IFERROR(A1,"none")'})
        assert sheet.text("B1") == "none"

    def test_what_a_circle_reads_is_fine(self, sheet):
        sheet.enter({"C1": "=1+1", "A1": "=A2+C1", "A2": "=A1"})
        assert sheet.text("C1") == "2"

    def test_circle_broken(self, sheet):
        sheet.enter({"A1": "=A2+1", "A2": "=A1", "B1": "=A1*10"})
        sheet.set("A2", "4")
        assert sheet.text("B1") == "50"

    def test_circle_closed_later(self, sheet):
        sheet.enter({"A1": "=A2", "A2": "=A3", "A3": "5"})
        sheet.set("A3", "=A1")
        assert sheet.text("A2") == "#CYCLE!"

    def test_through_another_sheet(self, book, sheet):
        other = book.add_sheet("Other")
        other.set("A1", "=Data!A1")
        sheet.set("A1", "=Other!A1")
        assert other.text("A1") == "#CYCLE!"

    def test_two_circles_that_touch(self, sheet):
        sheet.enter({"A1": "=A2+B1", "A2": "=A1", "B1": "=B2", "B2": "=A1"})
        assert sheet.text("B2") == "#CYCLE!"

    def test_diamond_is_no_circle(self, sheet):
        sheet.enter({"A1": "=B1+B2", "B1": "=C1", "B2": "=C1", "C1": "3"})
        assert sheet.text("A1") == "6"
