"""Number formats."""

import pytest
from gridcalc import Workbook
from gridcalc.errors import AddressError, FormatError


def shows(typed, code):
    """What a cell shows with a format."""
    sheet = Workbook().add_sheet("Data")
    sheet.set_format("A1", code)
    sheet.set("A1", typed)
    return sheet.text("A1")


class TestGeneral:
    def test_no_zeros_at_the_end(self):
        assert shows("2.500", None) == "2.5"

    def test_ten_decimals(self):
        assert shows("=2/3", None) == "0.6666666667"

    def test_large_number(self):
        assert shows("=10^20", None) == "100000000000000000000"

    def test_tiny_negative(self):
        assert shows("=-1/10^12", None) == "0"

    def test_whole_tens(self):
        assert shows("1200", None) == "1200"


class TestDigits:
    def test_two_decimals(self):
        assert shows("3", "0.00") == "3.00"

    def test_half_away_from_zero(self):
        assert shows("0.125", "0.00") == "0.13"

    def test_negative_half_away_from_zero(self):
        assert shows("-2.5", "0") == "-3"

    def test_leading_zeros(self):
        assert shows("7", "000") == "007"

    def test_no_zero_before_the_point(self):
        assert shows("0.5", "#.00") == ".50"

    def test_optional_decimals(self):
        assert shows("1.5", "0.0##") == "1.5"

    def test_optional_decimals_used(self):
        assert shows("1.2345", "0.0##") == "1.235"

    def test_point_without_digits(self):
        assert shows("4", "0.##") == "4"

    def test_grouping(self):
        assert shows("1234567.891", "#,##0.00") == "1,234,567.89"

    def test_grouping_of_three_digits(self):
        assert shows("999", "#,##0") == "999"

    def test_rounding_up_into_a_group(self):
        assert shows("999.6", "#,##0") == "1,000"

    def test_grouping_with_leading_zeros(self):
        assert shows("42", "0,000") == "0,042"

    def test_thousands(self):
        assert shows("1234567", "0,") == "1235"

    def test_millions(self):
        assert shows("1234567", '0.0,,"M"') == "1.2M"

    def test_percent(self):
        assert shows("0.1234", "0.0%") == "12.3%"

    def test_prefix_and_suffix(self):
        assert shows("5", '$ 0.00 "each"') == "$ 5.00 each"

    def test_escaped_character(self):
        assert shows("5", "0\\h") == "5h"

    def test_quoted_semicolon(self):
        assert shows("5", '0";"') == "5;"


class TestSections:
    def test_minus_in_front(self):
        assert shows("-5", "$0.00") == "-$5.00"

    def test_negative_section(self):
        assert shows("-5", "0.00;(0.00)") == "(5.00)"

    def test_positive_section(self):
        assert shows("5", "0.00;(0.00)") == "5.00"

    def test_zero_in_the_first_of_two(self):
        assert shows("0", '0.0;"minus "0.0') == "0.0"

    def test_zero_section(self):
        assert shows("0", '0;-0;"none"') == "none"

    def test_rounds_to_zero_without_minus(self):
        assert shows("-0.001", "0.00") == "0.00"

    def test_rounds_to_zero_out_of_the_negative_section(self):
        assert shows("-0.001", "0.00;(0.00)") == "0.00"

    def test_rounds_to_zero_into_the_zero_section(self):
        assert shows("0.4", '0;-0;"none"') == "none"

    def test_negative_rounds_to_zero_into_the_zero_section(self):
        assert shows("-0.4", '0;-0;"none"') == "none"

    def test_small_percentage_is_not_zero(self):
        assert shows("-0.004", "0.0%;(0.0%)") == "(0.4%)"

    def test_number_that_is_zero_in_thousands(self):
        assert shows("-400", "0,;(0,)") == "0"


class TestDates:
    def test_long(self):
        assert shows("2024-03-01", "dddd d mmmm yyyy") == "Friday 1 March 2024"

    def test_short(self):
        assert shows("2024-03-01", "ddd dd mmm yy") == "Fri 01 Mar 24"

    def test_numbers(self):
        assert shows("2024-03-01", "m/d/yyyy") == "3/1/2024"

    def test_two_digits(self):
        assert shows("2024-12-09", "dd-mm-yyyy") == "09-12-2024"

    def test_upper_case(self):
        assert shows("2024-12-09", "YYYY-MM") == "2024-12"

    def test_number_as_a_date(self):
        assert shows("45352", "yyyy-mm-dd") == "2024-03-01"

    def test_date_as_a_number(self):
        assert shows("2024-03-01", "0") == "45352"

    def test_number_that_is_no_date(self):
        assert shows("-5", "yyyy") == "#NUM!"


class TestOthers:
    def test_text(self):
        assert shows("abc", "0.00") == "abc"

    def test_truth_value(self):
        assert shows("true", "0.00") == "TRUE"

    def test_error(self):
        assert shows("=1/0", "0.00") == "#DIV/0!"

    def test_blank(self):
        assert shows("", "0.00") == ""

    def test_value_is_not_rounded(self):
        sheet = Workbook().add_sheet("Data")
        sheet.enter({"A1": "0.126", "A2": "=A1*100"})
        sheet.set_format("A1", "0.0")
        assert sheet.text("A2") == "12.6"

    def test_all_cells_of_a_range(self):
        sheet = Workbook().add_sheet("Data")
        sheet.enter({"A1": "1", "B2": "2"})
        sheet.set_format("A1:B2", "0.0")
        assert sheet.text("B2") == "2.0"

    def test_format_of_a_cell(self):
        sheet = Workbook().add_sheet("Data")
        sheet.set_format("A1:B2", "0.0")
        assert sheet.format("B1") == "0.0"

    def test_unknown_letter(self):
        with pytest.raises(FormatError):
            shows("1", "0 x")

    def test_four_sections(self):
        with pytest.raises(FormatError):
            shows("1", "0;0;0;0")

    def test_empty(self):
        with pytest.raises(FormatError):
            shows("1", "")

    def test_two_numbers(self):
        with pytest.raises(FormatError):
            shows("1", "0 0")

    def test_point_twice(self):
        with pytest.raises(FormatError):
            shows("1", "0.0.0")

    def test_five_letters(self):
        with pytest.raises(FormatError):
            shows("1", "mmmmm")

    def test_date_with_sections(self):
        with pytest.raises(FormatError):
            shows("1", "yyyy;0")

    def test_no_cell(self):
        with pytest.raises(AddressError):
            Workbook().add_sheet("Data").set_format("1A", "0")
