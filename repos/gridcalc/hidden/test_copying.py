"""Copying and moving cells."""

import pytest
from gridcalc import Sheet, Workbook
from gridcalc.errors import AddressError, FormatError


@pytest.fixture
def book() -> Workbook:
    return Workbook()


@pytest.fixture
def sheet(book) -> Sheet:
    return book.add_sheet("Data")


class TestCopy:
    def test_constant(self, sheet):
        sheet.set("A1", "5")
        sheet.copy("A1", "C3")
        assert sheet.text("C3") == "5"

    def test_references_move_along(self, sheet):
        sheet.set("B2", "=A1+C3")
        sheet.copy("B2", "D5")
        assert sheet.formula("D5") == "=C4+E6"

    def test_fixed_coordinates_stay(self, sheet):
        sheet.set("B2", "=$A1+A$1+$A$1")
        sheet.copy("B2", "D5")
        assert sheet.formula("D5") == "=$A4+C$1+$A$1"

    def test_range_moves_along(self, sheet):
        sheet.set("B9", "=SUM(B1:B8)")
        sheet.copy("B9", "C9")
        assert sheet.formula("C9") == "=SUM(C1:C8)"

    def test_growing_range(self, sheet):
        sheet.set("B1", "=SUM(A$1:A1)")
        sheet.copy("B1", "B4")
        assert sheet.formula("B4") == "=SUM(A$1:A4)"

    def test_range_whose_corners_cross(self, sheet):
        sheet.set("B5", "=SUM(A$3:A4)")
        sheet.copy("B5", "B3")
        assert sheet.formula("B3") == "=SUM(A2:A$3)"

    def test_reference_off_the_sheet(self, sheet):
        sheet.set("B2", "=A1+1")
        sheet.copy("B2", "B1")
        assert sheet.formula("B1") == "=#REF!+1"

    def test_range_off_the_sheet(self, sheet):
        sheet.set("C2", "=SUM(A1:B2)")
        sheet.copy("C2", "B2")
        assert sheet.text("B2") == "#REF!"

    def test_copy_is_computed(self, sheet):
        sheet.enter({"A1": "1", "A2": "2", "B1": "=A1*10"})
        sheet.copy("B1", "B2")
        assert sheet.text("B2") == "20"

    def test_copy_follows_later_changes(self, sheet):
        sheet.enter({"A1": "1", "B1": "=A1*10"})
        sheet.copy("B1", "B2")
        sheet.set("A2", "7")
        assert sheet.text("B2") == "70"

    def test_readers_of_the_target(self, sheet):
        sheet.enter({"A1": "5", "C1": "=B1*2"})
        sheet.copy("A1", "B1")
        assert sheet.text("C1") == "10"

    def test_filling_a_range(self, sheet):
        sheet.enter({"A1": "1", "A2": "2", "A3": "3", "B1": "=A1*2"})
        sheet.copy("B1", "B2:B3")
        assert [sheet.text("B2"), sheet.text("B3")] == ["4", "6"]

    def test_filling_with_a_pattern(self, sheet):
        sheet.enter({"A1": "x", "A2": "y"})
        sheet.copy("A1:A2", "B1:C4")
        assert [sheet.text(f"C{row}") for row in (1, 2, 3, 4)] == ["x", "y", "x", "y"]

    def test_filled_formulas_refer_from_where_they_stand(self, sheet):
        sheet.enter({"B1": "=A1", "B2": "=$A2"})
        sheet.copy("B1:B2", "C3:D6")
        assert [sheet.formula("D5"), sheet.formula("D6")] == ["=C5", "=$A6"]

    def test_block_of_formulas(self, sheet):
        sheet.enter({"B1": "=A1", "B2": "=A2", "C2": "=B2*2"})
        sheet.copy("B1:C2", "D3")
        assert [sheet.formula(cell) for cell in ("D3", "D4", "E4")] == ["=C3", "=C4", "=D4*2"]

    def test_row_of_formulas(self, sheet):
        sheet.enter({"A1": "1", "B1": "=A1+1", "C1": "=B1+1"})
        sheet.copy("A1:C1", "A2")
        sheet.set("A2", "10")
        assert sheet.text("C2") == "12"

    def test_target_that_is_no_multiple(self, sheet):
        with pytest.raises(AddressError):
            sheet.copy("A1:A2", "B1:B3")

    def test_target_too_narrow(self, sheet):
        with pytest.raises(AddressError):
            sheet.copy("A1:B1", "C1:C4")

    def test_target_off_the_sheet(self, sheet):
        with pytest.raises(AddressError):
            sheet.copy("A1:A2", "B9999")

    def test_overlap(self, sheet):
        sheet.enter({"A1": "1", "A2": "2", "A3": "3"})
        sheet.copy("A1:A3", "A2")
        assert [sheet.text(f"A{row}") for row in (1, 2, 3, 4)] == ["1", "1", "2", "3"]

    def test_blank_cells_are_copied(self, sheet):
        sheet.enter({"A1": "1", "B2": "old"})
        sheet.copy("A1:A2", "B1")
        assert sheet.text("B2") == ""

    def test_formats_are_copied(self, sheet):
        sheet.set("A1", "5")
        sheet.set_format("A1", "0.00")
        sheet.copy("A1", "B1")
        assert sheet.text("B1") == "5.00"

    def test_original_and_copy_are_apart(self, sheet):
        sheet.set("A1", "5")
        sheet.copy("A1", "B1")
        sheet.set_format("B1", "0.00")
        assert sheet.text("A1") == "5"

    def test_to_another_sheet(self, book, sheet):
        other = book.add_sheet("Other")
        other.set("A1", "9")
        sheet.enter({"A1": "1", "B1": "=A1*2"})
        sheet.copy("B1", "B1", to=other)
        assert other.text("B1") == "18"

    def test_named_sheet_stays_in_a_copy(self, book, sheet):
        other = book.add_sheet("Other")
        sheet.set("B1", "=Data!A1*2")
        sheet.copy("B1", "B2", to=other)
        assert other.formula("B2") == "=Data!A2*2"

    def test_wrong_format_is_refused(self, sheet):
        with pytest.raises(FormatError):
            sheet.set_format("A1", "q")


class TestMove:
    def test_cell_is_gone_from_its_place(self, sheet):
        sheet.set("A1", "5")
        sheet.move("A1", "C3")
        assert [sheet.text("A1"), sheet.text("C3")] == ["", "5"]

    def test_reader_follows(self, sheet):
        sheet.enter({"A1": "5", "B1": "=A1+$A$1"})
        sheet.move("A1", "C3")
        assert sheet.formula("B1") == "=C3+$C$3"

    def test_reader_on_another_sheet_follows(self, book, sheet):
        other = book.add_sheet("Other")
        other.set("A1", "=Data!A1")
        sheet.set("A1", "5")
        sheet.move("A1", "C3")
        assert other.formula("A1") == "=Data!C3"

    def test_same_cell_of_another_sheet_stays(self, book, sheet):
        other = book.add_sheet("Other")
        other.set("B1", "=A1")
        sheet.move("A1", "C3")
        assert other.formula("B1") == "=A1"

    def test_named_range_follows(self, book, sheet):
        book.define_name("Price", "Data!A1:A2")
        sheet.move("A1:B2", "C3")
        assert book.names == {"Price": "Data!$C$3:$C$4"}

    def test_moved_formula_keeps_its_references(self, sheet):
        sheet.enter({"A1": "5", "B1": "=A1*2"})
        sheet.move("B1", "D7")
        assert sheet.formula("D7") == "=A1*2"

    def test_references_within_the_moved_cells(self, sheet):
        sheet.enter({"A1": "5", "B1": "=A1*2"})
        sheet.move("A1:B1", "A3")
        assert sheet.formula("B3") == "=A3*2"

    def test_range_follows_as_a_whole(self, sheet):
        sheet.set("D1", "=SUM(A1:A3)")
        sheet.move("A1:B3", "A5")
        assert sheet.formula("D1") == "=SUM(A5:A7)"

    def test_range_moved_in_part_stays(self, sheet):
        sheet.set("D1", "=SUM(A1:A3)")
        sheet.move("A1:A2", "A5")
        assert sheet.formula("D1") == "=SUM(A1:A3)"

    def test_values_after_a_move(self, sheet):
        sheet.enter({"A1": "5", "B1": "=A1*2"})
        sheet.move("A1", "A2")
        sheet.set("A2", "6")
        assert sheet.text("B1") == "12"

    def test_target_is_overwritten(self, sheet):
        sheet.enter({"A1": "5", "C4": "old"})
        sheet.move("A1:A2", "C3")
        assert [sheet.text("C3"), sheet.text("C4")] == ["5", ""]

    def test_overlap(self, sheet):
        sheet.enter({"A1": "1", "A2": "2", "A3": "3"})
        sheet.move("A1:A3", "A2")
        assert [sheet.text(f"A{row}") for row in (1, 2, 3, 4)] == ["", "1", "2", "3"]

    def test_formats_move(self, sheet):
        sheet.set("A1", "5")
        sheet.set_format("A1", "0.00")
        sheet.move("A1", "B1")
        sheet.set("A1", "5")
        assert [sheet.text("A1"), sheet.text("B1")] == ["5", "5.00"]

    def test_off_the_sheet_is_refused(self, sheet):
        sheet.set("A1", "5")
        with pytest.raises(AddressError):
            sheet.move("A1:B1", "ZZ1")
        assert sheet.text("A1") == "5"
