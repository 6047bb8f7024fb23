"""Formulas as text: their canonical form, and what cannot be read."""

import pytest
from gridcalc import Workbook
from gridcalc.errors import AddressError, FormulaError


def canonical(formula):
    """The formula as a cell gives it back."""
    sheet = Workbook().add_sheet("Data")
    sheet.set("A9", formula)
    return sheet.formula("A9")


def position(formula):
    """Where a formula cannot be read."""
    with pytest.raises(FormulaError) as caught:
        canonical(formula)
    return caught.value.position


class TestCanonical:
    def test_spaces_and_case(self):
        assert canonical("=  sum( b1:b3 , 2 )") == "=SUM(B1:B3,2)"

    def test_needless_parentheses(self):
        assert canonical("=(1*2)+((3))") == "=1*2+3"

    def test_needed_parentheses(self):
        assert canonical("=(1+2)*3") == "=(1+2)*3"

    def test_parentheses_on_the_right(self):
        assert canonical("=1-(2-3)") == "=1-(2-3)"

    def test_parentheses_on_the_left(self):
        assert canonical("=(1-2)-3") == "=1-2-3"

    def test_right_hand_power(self):
        assert canonical("=2^(3^2)") == "=2^(3^2)"

    def test_signed_power(self):
        assert canonical("=-(2^2)") == "=-(2^2)"

    def test_power_of_a_signed_number(self):
        assert canonical("=(-2)^2") == "=-2^2"

    def test_percent_of_a_signed_number(self):
        assert canonical("=(-5)%") == "=(-5)%"

    def test_percent_of_a_sum(self):
        assert canonical("=(1+2)%") == "=(1+2)%"

    def test_quotes_in_text(self):
        assert canonical('="say ""hi"""') == '="say ""hi"""'

    def test_empty_arguments(self):
        assert canonical("=IF(a1,,3)") == "=IF(A1,,3)"

    def test_no_arguments(self):
        assert canonical("=today()") == "=TODAY()"

    def test_truth_values_and_errors(self):
        assert canonical("=if(true,#n/a,1)") == "=IF(TRUE,#N/A,1)"

    def test_fixed_references(self):
        assert canonical("=$b$2+b$2+$b2") == "=$B$2+B$2+$B2"

    def test_corners_in_any_order(self):
        assert canonical("=SUM(B3:A1)") == "=SUM(A1:B3)"

    def test_corners_keep_their_signs(self):
        assert canonical("=SUM($B1:A$3)") == "=SUM(A1:$B$3)"

    def test_quoted_sheet(self):
        assert canonical("='It''s mine'!a1") == "='It''s mine'!A1"

    def test_needless_quotes_around_a_sheet(self):
        assert canonical("='Other'!A1") == "=Other!A1"

    def test_sheet_that_looks_like_a_cell(self):
        assert canonical("='Q1'!A1") == "='Q1'!A1"

    def test_names_keep_their_case(self):
        assert canonical("=Tax.Rate*2") == "=Tax.Rate*2"

    def test_function_name_like_a_cell(self):
        assert canonical("=log10(5)") == "=LOG10(5)"

    def test_word_past_the_sheet_is_a_name(self):
        assert canonical("=A12345") == "=A12345"


class TestBroken:
    def test_end_of_formula(self):
        assert position("=1+") == 2

    def test_parenthesis_not_closed(self):
        assert position("=(1+2") == 4

    def test_one_parenthesis_too_many(self):
        assert position("=1)") == 1

    def test_text_not_closed(self):
        assert position('=1&"abc') == 2

    def test_unknown_character(self):
        assert position("=1+2;3") == 3

    def test_two_values_in_a_row(self):
        assert position("=1 2") == 2

    def test_row_zero(self):
        assert position("=12+A0") == 3

    def test_half_a_range(self):
        assert position("=A1:") == 3

    def test_operator_in_front(self):
        assert position("=*2") == 0

    def test_longest_formula(self):
        assert len(canonical("=" + "1+" * 255 + "10")) == 513

    def test_too_long(self):
        assert position("=" + "1+" * 256 + "1") == 512

    def test_empty_parentheses(self):
        assert position("=2*()") == 3

    def test_range_of_a_call_is_refused(self):
        with pytest.raises(FormulaError):
            canonical("=SUM(A1):B2")

    def test_format_of_no_cell_is_refused(self):
        with pytest.raises(AddressError):
            Workbook().add_sheet("Data").set_format("A1:B", "0")
