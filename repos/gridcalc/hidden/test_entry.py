"""What is typed into cells, and what to type to get it again."""

from datetime import date
from decimal import Decimal

import pytest
from gridcalc import Sheet, Workbook
from gridcalc.errors import AddressError, FormulaError


@pytest.fixture
def sheet() -> Sheet:
    return Workbook().add_sheet("Data")


def kind(sheet, typed):
    """Type and text of what a cell becomes."""
    sheet.set("A1", typed)
    return f"{type(sheet.value('A1')).__name__} {sheet.text('A1')}"


class TestReading:
    def test_whole_number(self, sheet):
        assert kind(sheet, "12") == "Decimal 12"

    def test_negative_fraction(self, sheet):
        assert kind(sheet, "-0.5") == "Decimal -0.5"

    def test_bare_fraction(self, sheet):
        assert kind(sheet, ".5") == "Decimal 0.5"

    def test_thousands_separators(self, sheet):
        assert kind(sheet, "1,234,567.5") == "Decimal 1234567.5"

    def test_misplaced_separator_is_text(self, sheet):
        assert kind(sheet, "1,23") == "str 1,23"

    def test_surrounding_spaces(self, sheet):
        assert kind(sheet, " 7 ") == "Decimal 7"

    def test_lone_sign_is_text(self, sheet):
        assert kind(sheet, "-") == "str -"

    def test_percentage_is_a_hundredth(self, sheet):
        sheet.set("A1", "12.5%")
        assert str(sheet.value("A1")) == "0.125"

    def test_percentage_shows_as_typed(self, sheet):
        assert kind(sheet, "12.50%") == "Decimal 12.50%"

    def test_whole_percentage_shows_as_typed(self, sheet):
        assert kind(sheet, "7%") == "Decimal 7%"

    def test_percentage_leaves_a_format_alone(self, sheet):
        sheet.set_format("A1", "0.000")
        assert kind(sheet, "12.5%") == "Decimal 0.125"

    def test_date(self, sheet):
        assert kind(sheet, "2024-02-29") == "date 2024-02-29"

    def test_no_date(self, sheet):
        assert kind(sheet, "2023-02-29") == "str 2023-02-29"

    def test_date_before_the_first(self, sheet):
        assert kind(sheet, "1899-12-31") == "str 1899-12-31"

    def test_truth_value_in_any_case(self, sheet):
        assert kind(sheet, "tRuE") == "bool TRUE"

    def test_error_value(self, sheet):
        assert kind(sheet, "#n/a") == "ErrorValue #N/A"

    def test_quote_makes_text(self, sheet):
        assert kind(sheet, "'12") == "str 12"

    def test_text_keeps_its_spaces(self, sheet):
        assert kind(sheet, " a b ") == "str  a b "

    def test_nothing_is_blank(self, sheet):
        assert kind(sheet, "") == "NoneType "

    def test_lone_equals_sign_is_text(self, sheet):
        assert kind(sheet, "=") == "str ="

    def test_int(self, sheet):
        assert kind(sheet, 5) == "Decimal 5"

    def test_int_in_a_sum(self, sheet):
        sheet.enter({"A1": 5, "A2": 7, "A3": "=SUM(A1:A2)"})
        assert sheet.text("A3") == "12"

    def test_int_with_a_format(self, sheet):
        sheet.set_format("A1", "0.00")
        assert kind(sheet, 5) == "Decimal 5.00"

    def test_bool(self, sheet):
        assert kind(sheet, True) == "bool TRUE"

    def test_given_date(self, sheet):
        assert kind(sheet, date(2024, 3, 1)) == "date 2024-03-01"

    def test_given_decimal(self, sheet):
        assert kind(sheet, Decimal("1.50")) == "Decimal 1.5"

    def test_none(self, sheet):
        sheet.set("A1", "5")
        assert kind(sheet, None) == "NoneType "


class TestWriting:
    def test_number(self, sheet):
        sheet.set("A1", "1,234.5")
        assert sheet.entry("A1") == "1234.5"

    def test_text(self, sheet):
        sheet.set("A1", "abc")
        assert sheet.entry("A1") == "abc"

    def test_text_like_a_number(self, sheet):
        sheet.set("A1", "'12")
        assert sheet.entry("A1") == "'12"

    def test_text_like_a_truth_value(self, sheet):
        sheet.set("A1", "'True")
        assert sheet.entry("A1") == "'True"

    def test_text_like_a_formula(self, sheet):
        sheet.set("A1", "'=A2")
        assert sheet.entry("A1") == "'=A2"

    def test_text_with_a_quote_in_front(self, sheet):
        sheet.set("A1", "''tis")
        assert sheet.entry("A1") == "''tis"

    def test_empty_text(self, sheet):
        sheet.set("A1", "'")
        assert sheet.entry("A1") == "'"

    def test_truth_value(self, sheet):
        sheet.set("A1", "false")
        assert sheet.entry("A1") == "FALSE"

    def test_blank(self, sheet):
        assert sheet.entry("A1") == ""

    def test_date(self, sheet):
        sheet.set("A1", "2024-02-29")
        assert sheet.entry("A1") == "2024-02-29"

    def test_formula(self, sheet):
        sheet.set("A1", "= 1 + 2")
        assert sheet.entry("A1") == "=1+2"

    def test_constant_has_no_formula(self, sheet):
        sheet.set("A1", "5")
        assert [sheet.formula("A1"), sheet.text("A1")] == [None, "5"]


class TestCells:
    def test_lower_case_and_fixed_cells(self, sheet):
        sheet.set("b2", "5")
        assert sheet.text("$B$2") == "5"

    def test_last_cell(self, sheet):
        sheet.set("ZZ9999", "end")
        assert sheet.text("ZZ9999") == "end"

    def test_row_past_the_sheet(self, sheet):
        with pytest.raises(AddressError):
            sheet.set("A10000", "5")

    def test_row_zero(self, sheet):
        with pytest.raises(AddressError):
            sheet.set("A0", "5")

    def test_column_past_the_sheet(self, sheet):
        with pytest.raises(AddressError):
            sheet.text("AAA1")

    def test_broken_formula(self, sheet):
        with pytest.raises(FormulaError):
            sheet.set("A1", "=(1")

    def test_broken_formula_leaves_the_cell(self, sheet):
        sheet.set("A1", "5")
        with pytest.raises(FormulaError):
            sheet.set("A1", "=1+")
        assert sheet.text("A1") == "5"

    def test_several_entries_all_or_none(self, sheet):
        with pytest.raises(FormulaError):
            sheet.enter({"A1": "1", "A2": "=)"})
        assert sheet.text("A1") == ""

    def test_clear(self, sheet):
        sheet.enter({"A1": "1", "B1": "2", "C1": "=A1+B1"})
        sheet.clear("B1:A1")
        assert sheet.text("C1") == "0"

    def test_clear_keeps_formats(self, sheet):
        sheet.set("A1", "1")
        sheet.set_format("A1", "0.00")
        sheet.clear("A1")
        sheet.set("A1", "2")
        assert sheet.text("A1") == "2.00"

    def test_clear_a_formula(self, sheet):
        sheet.enter({"A1": "1", "B1": "=A1"})
        sheet.clear("B1")
        sheet.set("A1", "3")
        assert sheet.text("B1") == ""

    def test_constant_replaces_a_formula(self, sheet):
        sheet.enter({"A1": "1", "B1": "=A1"})
        sheet.set("B1", "x")
        sheet.set("A1", "3")
        assert sheet.text("B1") == "x"
