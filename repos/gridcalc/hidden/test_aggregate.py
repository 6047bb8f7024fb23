"""Sums, counts, averages and criteria."""

from datetime import date

from gridcalc import Workbook


def calc(formula, **cells):
    """What A9 shows with a formula, and other cells as given."""
    sheet = Workbook(today=date(2024, 3, 1)).add_sheet("Data")
    sheet.enter({**cells, "A9": formula})
    return sheet.text("A9")



class TestAll:
    def test_sum_passes_over_text(self):
        assert calc('=SUM(B1:B3)', B1='1', B2='abc', B3='2') == '3'

    def test_sum_passes_over_truth_values_in_cells(self):
        assert calc('=SUM(B1:B2)', B1='1', B2='TRUE') == '1'

    def test_sum_passes_over_text_that_looks_like_a_number(self):
        assert calc('=SUM(B1:B2)', B1='1', B2="'5") == '1'

    def test_sum_of_written_values(self):
        assert calc('=SUM("3",TRUE,4)') == '8'

    def test_sum_of_written_text(self):
        assert calc('=SUM("x")') == '#VALUE!'

    def test_sum_of_several_ranges(self):
        assert calc('=SUM(B1:C1,D1)', B1='1', C1='2', D1='3') == '6'

    def test_sum_of_a_single_text_cell(self):
        assert calc('=SUM(B1)', B1="'7") == '0'

    def test_sum_with_an_error(self):
        assert calc('=SUM(B1:B2)', B1='1', B2='#N/A') == '#N/A'

    def test_sum_is_exact(self):
        assert calc('=SUM(B1:B3)*10', B1='0.1', B2='0.2', B3='0.3') == '6'

    def test_average_of_numbers_only(self):
        assert calc('=AVERAGE(B1:B4)', B1='1', B2='x', B3='3') == '2'

    def test_average_of_nothing(self):
        assert calc('=AVERAGE(B1:B4)') == '#DIV/0!'

    def test_min_of_cells(self):
        assert calc('=MIN(B1:B3)', B1='5', B2='-2', B3='3') == '-2'

    def test_max_of_cells_and_values(self):
        assert calc('=MAX(B1:B2,9)', B1='5', B2='-2') == '9'

    def test_max_of_nothing(self):
        assert calc('=MAX(B1:B3)') == '0'

    def test_max_of_dates_is_a_date(self):
        assert calc('=MAX(B1:B2)', B1='2024-01-05', B2='2024-03-05') == '2024-03-05'

    def test_min_of_dates_and_numbers_is_a_number(self):
        assert calc('=MIN(B1:B2)', B1='2024-01-05', B2='7') == '7'

    def test_max_of_dates_and_numbers_is_a_number(self):
        assert calc('=MAX(B1:B2)', B1='1900-01-01', B2='1') == '2'

    def test_median_of_three(self):
        assert calc('=MEDIAN(B1:B3)', B1='9', B2='1', B3='5') == '5'

    def test_median_of_four(self):
        assert calc('=MEDIAN(B1:B4)', B1='9', B2='1', B3='5', B4='6') == '5.5'

    def test_median_of_nothing(self):
        assert calc('=MEDIAN(B1:B4)') == '#NUM!'

    def test_count_takes_numbers_and_dates(self):
        assert calc('=COUNT(B1:B4)', B1='1', B2='2024-01-01', B3='x', B4='TRUE') == '2'

    def test_count_passes_over_errors(self):
        assert calc('=COUNT(B1:B2,1/0)', B1='1', B2='#N/A') == '1'

    def test_counta_takes_all_but_blanks(self):
        assert calc('=COUNTA(B1:B6)', B1='1', B2='#N/A', B3='x', B5="'") == '4'



class TestOneCriterion:
    def test_equal_number(self):
        assert calc('=COUNTIF(B1:B3,5)', B1='5', B2='6', B3='5') == '2'

    def test_equal_number_as_text(self):
        assert calc('=COUNTIF(B1:B3,"=6")', B1='5', B2='6', B3='5') == '1'

    def test_at_least(self):
        assert calc('=COUNTIF(B1:B3,">=10")', B1='9', B2='10', B3='11') == '2'

    def test_less(self):
        assert calc('=COUNTIF(B1:B3,"<10")', B1='9', B2='10', B3='11') == '1'

    def test_at_most(self):
        assert calc('=COUNTIF(B1:B4,"<=11")', B1='9', B2='10', B3='11', B4='12') == '3'

    def test_comparison_passes_over_blanks_and_text(self):
        assert calc('=COUNTIF(B1:B4,"<10")', B1='9', B2='x') == '1'

    def test_comparison_of_dates(self):
        assert calc('=COUNTIF(B1:B3,">2024-02-15")', B1='2024-02-01', B2='2024-03-01') == '1'

    def test_comparison_of_text(self):
        assert calc('=COUNTIF(B1:B3,">=b")', B1='apple', B2='pear', B3='7') == '1'

    def test_unequal_is_met_by_blanks(self):
        assert calc('=COUNTIF(B1:B4,"<>5")', B1='5', B2='x') == '3'

    def test_unequal_is_not_met_by_errors(self):
        assert calc('=COUNTIF(B1:B2,"<>7")', B1='5', B2='#N/A') == '1'

    def test_not_blank(self):
        assert calc('=COUNTIF(B1:B4,"<>")', B1='5', B2='x') == '2'

    def test_blank(self):
        assert calc('=COUNTIF(B1:B4,"")', B1='5', B2='x', B3="'") == '2'

    def test_blank_with_an_operator(self):
        assert calc('=COUNTIF(B1:B5,"=")', B1='5', B2='x') == '3'

    def test_zero_is_not_blank(self):
        assert calc('=COUNTIF(B1:B4,0)', B1='0') == '1'

    def test_text_in_any_case(self):
        assert calc('=COUNTIF(B1:B3,"north")', B1='North', B2='NORTH', B3='Northern') == '2'

    def test_criterion_that_is_an_error(self):
        assert calc('=COUNTIF(B1:B1,C1)', B1='1', C1='#N/A') == '#N/A'

    def test_star(self):
        assert calc('=COUNTIF(B1:B3,"north*")', B1='North', B2='NORTH', B3='Northern') == '3'

    def test_star_inside(self):
        assert calc('=COUNTIF(B1:B3,"N*th")', B1='North', B2='Nth', B3='Northern') == '2'

    def test_question_mark(self):
        assert calc('=COUNTIF(B1:B3,"c?t")', B1='cat', B2='cut', B3='coat') == '2'

    def test_tilde(self):
        assert calc('=COUNTIF(B1:B2,"what~?")', B1='what?', B2='whats') == '1'

    def test_brackets_are_no_wildcards(self):
        assert calc('=COUNTIF(B1:B2,"a.c")', B1='a.c', B2='abc') == '1'

    def test_number_is_not_text(self):
        assert calc('=COUNTIF(B1:B2,5)', B1="'5", B2='5') == '1'

    def test_thirds_add_up(self):
        assert calc('=COUNTIF(B1:B2,1)', B1='=1/3*3', B2='2') == '1'

    def test_end_of_a_cell_counts(self):
        assert calc('=COUNTIF(B1:B3,"a1")', B1='A1', B2='A10', B3='A1-b') == '1'

    def test_truth_value(self):
        assert calc('=COUNTIF(B1:B2,TRUE)', B1='TRUE', B2='1') == '1'

    def test_sumif_of_the_range(self):
        assert calc('=SUMIF(B1:B3,">10")', B1='5', B2='20', B3='30') == '50'

    def test_sumif_of_values_beside(self):
        assert calc('=SUMIF(B1:B3,"a",C1:C3)', B1='a', B2='b', B3='a', C1='1', C2='2', C3='4') == '5'

    def test_sumif_beside_blanks(self):
        assert calc('=SUMIF(B1:B3,"<>a",C1:C3)', B1='a', B3='b', C1='1', C2='2', C3='4') == '6'

    def test_sumif_passes_over_text_values(self):
        assert calc('=SUMIF(B1:B2,"a",C1:C2)', B1='a', B2='a', C1='1', C2='x') == '1'

    def test_sumif_of_unequal_sizes(self):
        assert calc('=SUMIF(B1:B3,"a",C1:C2)', B1='a') == '#VALUE!'

    def test_sumif_with_an_error_among_the_hits(self):
        assert calc('=SUMIF(B1:B2,"a",C1:C2)', B1='a', B2='a', C1='1', C2='#N/A') == '#N/A'

    def test_sumif_with_an_error_elsewhere(self):
        assert calc('=SUMIF(B1:B2,"a",C1:C2)', B1='a', B2='b', C1='1', C2='#N/A') == '1'

    def test_averageif(self):
        assert calc('=AVERAGEIF(B1:B3,"a",C1:C3)', B1='a', B2='b', B3='a', C1='1', C2='2', C3='4') == '2.5'

    def test_averageif_of_nothing(self):
        assert calc('=AVERAGEIF(B1:B3,"z",C1:C3)', B1='a') == '#DIV/0!'



class TestSeveralCriteria:
    def test_countifs(self):
        assert calc('=COUNTIFS(B1:B3,"a",C1:C3,">5")', B1='a', B2='a', B3='b', C1='1', C2='9', C3='9') == '1'

    def test_countifs_with_one_pair(self):
        assert calc('=COUNTIFS(B1:B3,"a")', B1='a', B2='a', B3='b') == '2'

    def test_countifs_in_rows(self):
        assert calc('=COUNTIFS(B1:D1,"a",B2:D2,"<3")', B1='a', C1='b', D1='a', B2='1', C2='2', D2='3') == '1'

    def test_sumifs(self):
        assert calc('=SUMIFS(D1:D3,B1:B3,"a",C1:C3,">5")', B1='a', B2='a', B3='b', C1='1', C2='9', C3='9', D1='10', D2='20', D3='40') == '20'

    def test_sumifs_with_one_pair(self):
        assert calc('=SUMIFS(D1:D3,B1:B3,"a")', B1='a', B2='a', B3='b', D1='10', D2='20', D3='40') == '30'

    def test_sumifs_with_nothing_hit(self):
        assert calc('=SUMIFS(D1:D3,B1:B3,"z")', B1='a', D1='10') == '0'

    def test_sumifs_same_range_twice(self):
        assert calc('=SUMIFS(B1:B4,B1:B4,">5",B1:B4,"<20")', B1='5', B2='10', B3='15', B4='20') == '25'

    def test_countifs_of_unequal_sizes(self):
        assert calc('=COUNTIFS(B1:B3,"a",C1:C2,1)', B1='a') == '#VALUE!'

    def test_countifs_of_another_shape(self):
        assert calc('=COUNTIFS(B1:B2,"a",C1:D1,1)', B1='a') == '#VALUE!'

    def test_sumifs_of_unequal_sizes(self):
        assert calc('=SUMIFS(D1:D2,B1:B3,"a")', B1='a') == '#VALUE!'

    def test_countifs_with_half_a_pair(self):
        assert calc('=COUNTIFS(B1:B3,"a",C1:C3)', B1='a') == '#VALUE!'

    def test_sumifs_with_an_error_elsewhere(self):
        assert calc('=SUMIFS(D1:D2,B1:B2,"a")', B1='a', B2='b', D1='10', D2='#N/A') == '10'

    def test_sumifs_with_an_error_among_the_hits(self):
        assert calc('=SUMIFS(D1:D2,B1:B2,"?")', B1='a', B2='b', D1='10', D2='#NUM!') == '#NUM!'
