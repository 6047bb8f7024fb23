"""Inserting and deleting rows and columns."""

import pytest
from gridcalc import Sheet, Workbook
from gridcalc.errors import AddressError, FormulaError


@pytest.fixture
def book() -> Workbook:
    return Workbook()


@pytest.fixture
def sheet(book) -> Sheet:
    return book.add_sheet("Data")


class TestInsert:
    def test_cells_move_down(self, sheet):
        sheet.enter({"A1": "1", "A2": "2"})
        sheet.insert_rows(2)
        assert [sheet.text(f"A{row}") for row in (1, 2, 3)] == ["1", "", "2"]

    def test_cells_move_right(self, sheet):
        sheet.enter({"A1": "1", "B1": "2"})
        sheet.insert_columns("B", 2)
        assert [sheet.text(f"{column}1") for column in "ABCD"] == ["1", "", "", "2"]

    def test_reference_at_the_row_moves(self, sheet):
        sheet.set("B1", "=A4+A5+A6")
        sheet.insert_rows(5)
        assert sheet.formula("B1") == "=A4+A6+A7"

    def test_fixed_references_move_too(self, sheet):
        sheet.set("A1", "=$A$5+A$5")
        sheet.insert_rows(3, 2)
        assert sheet.formula("A1") == "=$A$7+A$7"

    def test_column_references_move(self, sheet):
        sheet.set("A1", "=B5+C5+$D5")
        sheet.insert_columns("C")
        assert sheet.formula("A1") == "=B5+D5+$E5"

    def test_rows_leave_columns_alone(self, sheet):
        sheet.set("A1", "=SUM(E2:F9)")
        sheet.insert_rows(3)
        assert sheet.formula("A1") == "=SUM(E2:F10)"

    def test_columns_leave_rows_alone(self, sheet):
        sheet.set("A1", "=SUM(E2:F9)")
        sheet.insert_columns("F")
        assert sheet.formula("A1") == "=SUM(E2:G9)"

    def test_within_a_range(self, sheet):
        sheet.set("B1", "=SUM(A2:A4)")
        sheet.insert_rows(3)
        assert sheet.formula("B1") == "=SUM(A2:A5)"

    def test_before_the_last_row_of_a_range(self, sheet):
        sheet.set("B1", "=SUM(A2:A4)")
        sheet.insert_rows(4)
        assert sheet.formula("B1") == "=SUM(A2:A5)"

    def test_before_the_first_row_of_a_range(self, sheet):
        sheet.set("B1", "=SUM(A2:A4)")
        sheet.insert_rows(2)
        assert sheet.formula("B1") == "=SUM(A3:A5)"

    def test_behind_a_range(self, sheet):
        sheet.set("B1", "=SUM(A2:A4)")
        sheet.insert_rows(5)
        assert sheet.formula("B1") == "=SUM(A2:A4)"

    def test_formula_that_moves_itself(self, sheet):
        sheet.enter({"A1": "1", "A5": "=A1+A4"})
        sheet.insert_rows(3)
        assert sheet.formula("A6") == "=A1+A5"

    def test_other_sheets_follow(self, book, sheet):
        other = book.add_sheet("Other")
        other.set("A1", "=Data!A5*2")
        sheet.insert_rows(2)
        assert other.formula("A1") == "=Data!A6*2"

    def test_own_cells_of_other_sheets_stay(self, book, sheet):
        other = book.add_sheet("Other")
        other.set("A1", "=A5*2")
        sheet.insert_rows(2)
        assert other.formula("A1") == "=A5*2"

    def test_reference_to_another_sheet_stays(self, book, sheet):
        book.add_sheet("Other")
        sheet.set("A1", "=Other!A5+data!A5")
        sheet.insert_rows(2)
        assert sheet.formula("A1") == "=Other!A5+data!A6"

    def test_named_ranges_follow(self, book, sheet):
        book.define_name("Costs", "Data!B2:B4")
        sheet.insert_rows(3)
        assert book.names == {"Costs": "Data!$B$2:$B$5"}

    def test_formats_move(self, sheet):
        sheet.set("A2", "5")
        sheet.set_format("A2", "0.0")
        sheet.insert_rows(1)
        assert sheet.text("A3") == "5.0"

    def test_computed_afterwards(self, sheet):
        sheet.enter({"A1": "1", "A2": "2", "B1": "=SUM(A1:A2)"})
        sheet.insert_rows(2)
        sheet.set("A2", "10")
        assert sheet.text("B1") == "13"

    def test_content_is_not_pushed_off(self, sheet):
        sheet.set("B9999", "x")
        with pytest.raises(AddressError):
            sheet.insert_rows(5)
        assert sheet.text("B9999") == "x"

    def test_content_may_go_to_the_last_row(self, sheet):
        sheet.set("B9998", "x")
        sheet.insert_rows(5)
        assert sheet.text("B9999") == "x"

    def test_columns_are_not_pushed_off(self, sheet):
        sheet.set("ZY1", "x")
        with pytest.raises(AddressError):
            sheet.insert_columns("A", 2)

    def test_range_at_the_edge_is_cut(self, sheet):
        sheet.set("B1", "=SUM(A2:A9999)")
        sheet.insert_rows(5)
        assert sheet.formula("B1") == "=SUM(A2:A9999)"

    def test_reference_pushed_off(self, sheet):
        sheet.set("B1", "=A9999+1")
        sheet.insert_rows(5)
        assert sheet.formula("B1") == "=#REF!+1"

    def test_row_zero(self, sheet):
        with pytest.raises(AddressError):
            sheet.insert_rows(0)

    def test_no_column(self, sheet):
        with pytest.raises(AddressError):
            sheet.insert_columns("1")


class TestDelete:
    def test_cells_move_up(self, sheet):
        sheet.enter({"A1": "1", "A2": "2", "A3": "3", "A4": "4"})
        sheet.delete_rows(2, 2)
        assert [sheet.text(f"A{row}") for row in (1, 2, 3)] == ["1", "4", ""]

    def test_cells_move_left(self, sheet):
        sheet.enter({"A1": "1", "B1": "2", "C1": "3"})
        sheet.delete_columns("B")
        assert [sheet.text(f"{column}1") for column in "ABC"] == ["1", "3", ""]

    def test_reference_below_moves(self, sheet):
        sheet.set("B1", "=A2+A5")
        sheet.delete_rows(3, 2)
        assert sheet.formula("B1") == "=A2+A3"

    def test_reference_to_a_deleted_cell(self, sheet):
        sheet.set("B1", "=A2+A5")
        sheet.delete_rows(5)
        assert sheet.formula("B1") == "=A2+#REF!"

    def test_last_deleted_row(self, sheet):
        sheet.set("B1", "=A4+A5")
        sheet.delete_rows(3, 2)
        assert sheet.formula("B1") == "=#REF!+A3"

    def test_deleted_column(self, sheet):
        sheet.set("A1", "=$C$3+D3")
        sheet.delete_columns("C")
        assert sheet.formula("A1") == "=#REF!+C3"

    def test_error_shows_at_once(self, sheet):
        sheet.enter({"A5": "1", "B1": "=A5"})
        sheet.delete_rows(5)
        assert sheet.text("B1") == "#REF!"

    def test_inside_of_a_range(self, sheet):
        sheet.set("B1", "=SUM(A2:A9)")
        sheet.delete_rows(4, 2)
        assert sheet.formula("B1") == "=SUM(A2:A7)"

    def test_start_of_a_range(self, sheet):
        sheet.set("B1", "=SUM(A3:A9)")
        sheet.delete_rows(2, 3)
        assert sheet.formula("B1") == "=SUM(A2:A6)"

    def test_end_of_a_range(self, sheet):
        sheet.set("B1", "=SUM(A3:A9)")
        sheet.delete_rows(8, 5)
        assert sheet.formula("B1") == "=SUM(A3:A7)"

    def test_all_of_a_range(self, sheet):
        sheet.set("B1", "=SUM(A3:A5)")
        sheet.delete_rows(3, 3)
        assert sheet.formula("B1") == "=SUM(#REF!)"

    def test_all_but_the_last_row_of_a_range(self, sheet):
        sheet.set("B1", "=SUM(A3:A5)")
        sheet.delete_rows(3, 2)
        assert sheet.formula("B1") == "=SUM(A3:A3)"

    def test_all_but_the_first_row_of_a_range(self, sheet):
        sheet.set("B1", "=SUM(A3:A5)")
        sheet.delete_rows(4, 2)
        assert sheet.formula("B1") == "=SUM(A3:A3)"

    def test_behind_a_range(self, sheet):
        sheet.set("B1", "=SUM(A3:A5)")
        sheet.delete_rows(6, 2)
        assert sheet.formula("B1") == "=SUM(A3:A5)"

    def test_column_of_a_range(self, sheet):
        sheet.set("A9", "=SUM(B1:D3)")
        sheet.delete_columns("D")
        assert sheet.formula("A9") == "=SUM(B1:C3)"

    def test_named_range_shrinks(self, book, sheet):
        book.define_name("Costs", "Data!B2:B4")
        sheet.delete_rows(4)
        assert book.names == {"Costs": "Data!$B$2:$B$3"}

    def test_named_range_is_gone(self, book, sheet):
        book.define_name("Costs", "Data!B2:B4")
        sheet.set("A1", "=SUM(costs)")
        sheet.delete_columns("B")
        assert sheet.text("A1") == "#REF!"

    def test_other_sheets_follow(self, book, sheet):
        other = book.add_sheet("Other")
        other.set("B7", "=SUM(Data!A1:A9)+A8")
        sheet.delete_rows(8)
        assert other.formula("B7") == "=SUM(Data!A1:A8)+A8"

    def test_count_of_zero(self, sheet):
        with pytest.raises(AddressError):
            sheet.delete_rows(3, 0)

    def test_still_refuses_broken_formulas(self, sheet):
        sheet.delete_rows(1)
        with pytest.raises(FormulaError):
            sheet.set("A1", "=1+")
