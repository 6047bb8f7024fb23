"""Sheets of a workbook, and named ranges."""

import pytest
from gridcalc import Sheet, Workbook
from gridcalc.errors import NamedRangeError, SheetError


@pytest.fixture
def book() -> Workbook:
    return Workbook()


@pytest.fixture
def sheet(book) -> Sheet:
    return book.add_sheet("Data")


class TestSheets:
    def test_found_in_any_case(self, book, sheet):
        sheet.set("A1", "5")
        assert book.sheet("dAtA").text("A1") == "5"

    def test_formulas_find_them_in_any_case(self, book, sheet):
        sheet.set("A1", "5")
        other = book.add_sheet("Other")
        other.set("A1", "=DATA!A1")
        assert other.text("A1") == "5"

    def test_names_in_order(self, book, sheet):
        book.add_sheet("Archive")
        assert book.sheet_names == ["Data", "Archive"]

    def test_unknown(self, book):
        with pytest.raises(SheetError):
            book.sheet("Data")

    def test_name_taken_in_another_case(self, book, sheet):
        with pytest.raises(SheetError):
            book.add_sheet("DATA")

    def test_empty_name(self, book):
        with pytest.raises(SheetError):
            book.add_sheet("")

    def test_name_with_an_exclamation_mark(self, book):
        with pytest.raises(SheetError):
            book.add_sheet("Wow!")

    def test_name_with_a_space_at_its_end(self, book):
        with pytest.raises(SheetError):
            book.add_sheet("Data ")

    def test_sheet_added_later(self, book, sheet):
        sheet.set("A1", "=Later!B2")
        book.add_sheet("Later")
        assert sheet.text("A1") == "0"

    def test_sheet_not_there_yet(self, sheet):
        sheet.set("A1", "=Later!B2")
        assert sheet.text("A1") == "#REF!"


class TestRename:
    def test_formulas_follow(self, book, sheet):
        other = book.add_sheet("Other")
        other.set("A1", "=DATA!A1+SUM(Data!B1:B2)")
        book.rename_sheet("Data", "Big Data")
        assert other.formula("A1") == "='Big Data'!A1+SUM('Big Data'!B1:B2)"

    def test_values_stay(self, book, sheet):
        sheet.set("A1", "5")
        other = book.add_sheet("Other")
        other.set("A1", "=Data!A1")
        book.rename_sheet("Data", "Facts")
        sheet.set("A1", "6")
        assert other.text("A1") == "6"

    def test_formulas_of_the_sheet_itself(self, book, sheet):
        sheet.enter({"A1": "5", "A2": "=A1*2"})
        book.rename_sheet("Data", "Facts")
        sheet.set("A1", "6")
        assert sheet.text("A2") == "12"

    def test_new_formulas(self, book, sheet):
        book.rename_sheet("Data", "Facts")
        book.sheet("Facts").enter({"A1": "3", "A2": "=Facts!A1+1"})
        assert book.recalculated == ["Facts!A2"]

    def test_named_ranges_follow(self, book, sheet):
        book.define_name("Costs", "Data!A1")
        book.rename_sheet("data", "Facts")
        assert book.names == {"Costs": "Facts!$A$1"}

    def test_order_stays(self, book, sheet):
        book.add_sheet("Other")
        book.rename_sheet("Data", "Zebra")
        assert book.sheet_names == ["Zebra", "Other"]

    def test_old_name_is_free(self, book, sheet):
        book.rename_sheet("Data", "Facts")
        book.add_sheet("Data")
        assert book.sheet_names == ["Facts", "Data"]

    def test_only_the_case(self, book, sheet):
        book.rename_sheet("Data", "DATA")
        assert book.sheet_names == ["DATA"]

    def test_name_taken(self, book, sheet):
        book.add_sheet("Other")
        with pytest.raises(SheetError):
            book.rename_sheet("Data", "other")

    def test_impossible_name(self, book, sheet):
        with pytest.raises(SheetError):
            book.rename_sheet("Data", "[Data]")


class TestRemove:
    def test_references_are_gone(self, book, sheet):
        other = book.add_sheet("Other")
        other.set("A1", "=data!A1+A2")
        book.remove_sheet("Data")
        assert other.formula("A1") == "=#REF!+A2"

    def test_error_shows_at_once(self, book, sheet):
        other = book.add_sheet("Other")
        other.set("A1", "=SUM(Data!A1:A2)")
        book.remove_sheet("Data")
        assert other.text("A1") == "#REF!"

    def test_named_ranges_are_gone(self, book, sheet):
        book.add_sheet("Other").set("A1", "=Costs")
        book.define_name("Costs", "Data!A1")
        book.remove_sheet("Data")
        assert book.sheet("Other").text("A1") == "#REF!"

    def test_new_sheet_of_the_name_does_not_heal(self, book, sheet):
        other = book.add_sheet("Other")
        other.set("A1", "=Data!A1")
        book.remove_sheet("Data")
        book.add_sheet("Data")
        assert other.text("A1") == "#REF!"

    def test_unknown(self, book):
        with pytest.raises(SheetError):
            book.remove_sheet("Data")


class TestNames:
    def test_single_cell(self, book, sheet):
        sheet.enter({"A1": "19%", "B1": "=100*Tax"})
        book.define_name("Tax", "Data!A1")
        assert sheet.text("B1") == "19"

    def test_range(self, book, sheet):
        sheet.enter({"A1": "1", "A2": "2", "B1": "=SUM(Costs)"})
        book.define_name("Costs", "Data!A1:A2")
        assert sheet.text("B1") == "3"

    def test_any_case(self, book, sheet):
        sheet.enter({"A1": "1", "B1": "=cOSTS+1"})
        book.define_name("Costs", "Data!A1")
        assert sheet.text("B1") == "2"

    def test_always_fixed(self, book, sheet):
        book.define_name("Costs", "data!b2:a1")
        assert book.names == {"Costs": "Data!$A$1:$B$2"}

    def test_copy_keeps_its_name(self, book, sheet):
        sheet.enter({"A1": "7", "B1": "=Costs"})
        book.define_name("Costs", "Data!A1")
        sheet.copy("B1", "C5")
        assert sheet.text("C5") == "7"

    def test_sorted(self, book, sheet):
        book.define_name("beta", "Data!A1")
        book.define_name("Alpha", "Data!A2")
        assert list(book.names) == ["Alpha", "beta"]

    def test_defined_again(self, book, sheet):
        sheet.enter({"A1": "1", "A2": "2", "B1": "=Costs"})
        book.define_name("Costs", "Data!A1")
        book.define_name("COSTS", "Data!A2")
        assert sheet.text("B1") == "2"

    def test_defined_again_is_listed_once(self, book, sheet):
        book.define_name("Costs", "Data!A1")
        book.define_name("COSTS", "Data!A2")
        assert book.names == {"COSTS": "Data!$A$2"}

    def test_removed(self, book, sheet):
        sheet.enter({"A1": "1", "B1": "=Costs"})
        book.define_name("Costs", "Data!A1")
        book.remove_name("costs")
        assert sheet.text("B1") == "#NAME?"

    def test_removed_twice(self, book, sheet):
        with pytest.raises(NamedRangeError):
            book.remove_name("Costs")

    def test_circle_through_a_name(self, book, sheet):
        sheet.set("A1", "=Costs+1")
        book.define_name("Costs", "Data!A1")
        assert sheet.text("A1") == "#CYCLE!"

    def test_like_a_cell(self, book, sheet):
        with pytest.raises(NamedRangeError):
            book.define_name("AB12", "Data!A1")

    def test_like_a_truth_value(self, book, sheet):
        with pytest.raises(NamedRangeError):
            book.define_name("True", "Data!A1")

    def test_with_a_space(self, book, sheet):
        with pytest.raises(NamedRangeError):
            book.define_name("My Costs", "Data!A1")

    def test_without_a_sheet(self, book, sheet):
        with pytest.raises(NamedRangeError):
            book.define_name("Costs", "A1:A2")

    def test_of_an_unknown_sheet(self, book, sheet):
        with pytest.raises(NamedRangeError):
            book.define_name("Costs", "Nowhere!A1")

    def test_of_no_range(self, book, sheet):
        with pytest.raises(NamedRangeError):
            book.define_name("Costs", "Data!A1+1")

    def test_of_nothing(self, book, sheet):
        with pytest.raises(NamedRangeError):
            book.define_name("Costs", "Data!")
