"""Operators: precedence, kinds of values, dates, comparing."""

from datetime import date

from gridcalc import Workbook


def calc(formula, **cells):
    """What A9 shows with a formula, and other cells as given."""
    sheet = Workbook(today=date(2024, 3, 1)).add_sheet("Data")
    sheet.enter({**cells, "A9": formula})
    return sheet.text("A9")



class TestPrecedence:
    def test_multiplication_before_addition(self):
        assert calc('=2+3*4') == '14'

    def test_parentheses_first(self):
        assert calc('=(2+3)*4') == '20'

    def test_powers_group_from_the_left(self):
        assert calc('=2^3^2') == '64'

    def test_sign_binds_tighter_than_power(self):
        assert calc('=-2^2') == '4'

    def test_minus_between_two_sides_is_looser_than_power(self):
        assert calc('=10-2^2') == '6'

    def test_negative_exponent(self):
        assert calc('=2^-1') == '0.5'

    def test_subtraction_groups_from_the_left(self):
        assert calc('=10-3-2') == '5'

    def test_division_groups_from_the_left(self):
        assert calc('=100/5/2') == '10'

    def test_percent_binds_tightest(self):
        assert calc('=-50%*4') == '-2'

    def test_percent_of_percent(self):
        assert calc('=5000%%') == '0.5'

    def test_joining_is_looser_than_addition(self):
        assert calc('=1+2&3') == '33'

    def test_comparison_is_loosest(self):
        assert calc('=1&2="12"') == 'TRUE'

    def test_comparisons_group_from_the_left(self):
        assert calc('=3>2>1') == 'TRUE'

    def test_several_signs(self):
        assert calc('=--3') == '3'

    def test_plus_sign_reads_a_number(self):
        assert calc('=+"7"') == '7'



class TestKinds:
    def test_decimal_arithmetic(self):
        assert calc('=0.1+0.2') == '0.3'

    def test_blank_is_zero(self):
        assert calc('=B1+5') == '5'

    def test_true_is_one(self):
        assert calc('=B1+1', B1='TRUE') == '2'

    def test_text_spells_a_number(self):
        assert calc('="1,200"*2') == '2400'

    def test_text_spells_a_percentage(self):
        assert calc('="50%"*2') == '1'

    def test_other_text_is_no_number(self):
        assert calc('="abc"*2') == '#VALUE!'

    def test_blank_text_is_no_number(self):
        assert calc('=""+1') == '#VALUE!'

    def test_joining_blanks(self):
        assert calc('="<"&B1&">"') == '<>'

    def test_joining_truth_values(self):
        assert calc('=TRUE&1') == 'TRUE1'

    def test_joining_dates(self):
        assert calc('="on "&B1', B1='2024-03-01') == 'on 2024-03-01'

    def test_joining_numbers_rounds_to_ten_decimals(self):
        assert calc('=1/3&""') == '0.3333333333'

    def test_range_where_one_value_is_needed(self):
        assert calc('=B1:B2+1') == '#VALUE!'

    def test_range_of_one_cell(self):
        assert calc('=B1:B1+1', B1='4') == '5'

    def test_reference_to_a_blank_shows_zero(self):
        assert calc('=B1') == '0'

    def test_sign_of_text(self):
        assert calc('=-"x"') == '#VALUE!'



class TestDates:
    def test_date_plus_days(self):
        assert calc('=B1+2', B1='2024-02-28') == '2024-03-01'

    def test_days_plus_date(self):
        assert calc('=2+B1', B1='2024-02-28') == '2024-03-01'

    def test_date_minus_days(self):
        assert calc('=B1-1', B1='2024-03-01') == '2024-02-29'

    def test_date_minus_date(self):
        assert calc('=B1-B2', B1='2024-03-01', B2='2024-01-01') == '60'

    def test_date_behind_a_number(self):
        assert calc('=B1*1', B1='2024-03-01') == '45352'

    def test_date_plus_date_is_a_number(self):
        assert calc('=B1+B2', B1='1900-01-01', B2='1900-01-02') == '5'

    def test_before_the_first_date(self):
        assert calc('=B1-1', B1='1900-01-01') == '#NUM!'

    def test_past_the_last_date(self):
        assert calc('=B1+1', B1='9999-12-31') == '#NUM!'



class TestComparing:
    def test_case_does_not_matter(self):
        assert calc('="Abc"="aBC"') == 'TRUE'

    def test_numbers_before_text(self):
        assert calc('=99<"1"') == 'TRUE'

    def test_text_before_truth_values(self):
        assert calc('="zzz"<FALSE') == 'TRUE'

    def test_text_in_alphabetical_order(self):
        assert calc('="b">"Abc"') == 'TRUE'

    def test_blank_equals_zero(self):
        assert calc('=B1=0') == 'TRUE'

    def test_blank_equals_empty_text(self):
        assert calc('=B1=""') == 'TRUE'

    def test_blank_equals_false(self):
        assert calc('=B1=FALSE') == 'TRUE'

    def test_blank_is_below_one(self):
        assert calc('=B1<1') == 'TRUE'

    def test_zero_is_not_false(self):
        assert calc('=0=FALSE') == 'FALSE'

    def test_thirds_add_up(self):
        assert calc('=1/3*3=1') == 'TRUE'

    def test_thirds_are_not_below(self):
        assert calc('=1/3*3<1') == 'FALSE'

    def test_fifteen_digits_count(self):
        assert calc('=1.00000000000001=1') == 'FALSE'

    def test_unequal(self):
        assert calc('=1<>2') == 'TRUE'

    def test_at_most(self):
        assert calc('=2<=2') == 'TRUE'

    def test_at_least(self):
        assert calc('=1>=2') == 'FALSE'

    def test_dates_compare(self):
        assert calc('=B1>B2', B1='2024-03-01') == 'TRUE'

    def test_date_equals_its_number(self):
        assert calc('=B1=45352', B1='2024-03-01') == 'TRUE'



class TestErrors:
    def test_division_by_zero(self):
        assert calc('=1/0') == '#DIV/0!'

    def test_division_by_a_blank(self):
        assert calc('=1/B1') == '#DIV/0!'

    def test_zero_to_a_negative_power(self):
        assert calc('=0^-1') == '#DIV/0!'

    def test_root_of_a_negative(self):
        assert calc('=(-8)^0.5') == '#NUM!'

    def test_too_large(self):
        assert calc('=10^300') == '#NUM!'

    def test_just_not_too_large(self):
        assert calc('=LEN(10^299)') == '300'

    def test_large_product(self):
        assert calc('=10^200*10^200') == '#NUM!'

    def test_unknown_function(self):
        assert calc('=NOSUCH(1)') == '#NAME?'

    def test_unknown_name(self):
        assert calc('=nothing+1') == '#NAME?'

    def test_unknown_sheet(self):
        assert calc('=Nowhere!A1') == '#REF!'

    def test_too_few_arguments(self):
        assert calc('=LEN()') == '#VALUE!'

    def test_too_many_arguments(self):
        assert calc('=LEN("a","b")') == '#VALUE!'

    def test_left_error_first(self):
        assert calc('=B1+B2', B1='#N/A', B2='#REF!') == '#N/A'

    def test_left_error_first_in_comparisons(self):
        assert calc('=B2=B1', B1='#N/A', B2='#REF!') == '#REF!'

    def test_error_goes_through_joining(self):
        assert calc('="x"&B1', B1='#NUM!') == '#NUM!'

    def test_error_written_in_a_formula(self):
        assert calc('=1+#n/a') == '#N/A'

    def test_error_through_a_sign(self):
        assert calc('=-B1', B1='#NUM!') == '#NUM!'

    def test_error_through_percent(self):
        assert calc('=B1%', B1='#DIV/0!') == '#DIV/0!'
