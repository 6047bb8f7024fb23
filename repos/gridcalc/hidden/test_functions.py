"""Functions of numbers and text, logic and lookups."""

from datetime import date

from gridcalc import Workbook


def calc(formula, **cells):
    """What A9 shows with a formula, and other cells as given."""
    sheet = Workbook(today=date(2024, 3, 1)).add_sheet("Data")
    sheet.enter({**cells, "A9": formula})
    return sheet.text("A9")



class TestNumbers:
    def test_round_half_up(self):
        assert calc('=ROUND(2.5)') == '3'

    def test_round_half_away_from_zero(self):
        assert calc('=ROUND(-2.5,0)') == '-3'

    def test_round_to_cents(self):
        assert calc('=ROUND(1.005,2)') == '1.01'

    def test_round_to_hundreds(self):
        assert calc('=ROUND(1250,-2)') == '1300'

    def test_roundup_below_zero(self):
        assert calc('=ROUNDUP(-1.21,1)') == '-1.3'

    def test_rounddown_below_zero(self):
        assert calc('=ROUNDDOWN(-1.29,1)') == '-1.2'

    def test_roundup_of_a_whole_number(self):
        assert calc('=ROUNDUP(4,0)') == '4'

    def test_int_rounds_down(self):
        assert calc('=INT(-1.5)') == '-2'

    def test_mod_has_the_sign_of_the_divisor(self):
        assert calc('=MOD(-7,3)') == '2'

    def test_mod_by_a_negative(self):
        assert calc('=MOD(7,-3)') == '-2'

    def test_mod_by_zero(self):
        assert calc('=MOD(7,0)') == '#DIV/0!'

    def test_abs_of_a_negative(self):
        assert calc('=ABS(-4.5)') == '4.5'

    def test_sqrt_of_a_square(self):
        assert calc('=SQRT(144)') == '12'

    def test_sqrt_of_a_negative(self):
        assert calc('=SQRT(-1)') == '#NUM!'

    def test_functions_in_any_case(self):
        assert calc('=aBs(-1)') == '1'



class TestText:
    def test_len_counts_characters(self):
        assert calc('=LEN("häuser")') == '6'

    def test_len_of_a_number(self):
        assert calc('=LEN(12.50)') == '4'

    def test_left_one(self):
        assert calc('=LEFT("abc")') == 'a'

    def test_left_more_than_there_is(self):
        assert calc('=LEFT("abc",9)') == 'abc'

    def test_left_negative(self):
        assert calc('=LEFT("abc",-1)') == '#VALUE!'

    def test_right_two(self):
        assert calc('=RIGHT("abc",2)') == 'bc'

    def test_right_none(self):
        assert calc('=RIGHT("abc",0)&"."') == '.'

    def test_right_more_than_there_is(self):
        assert calc('=RIGHT("abc",9)') == 'abc'

    def test_mid_inside(self):
        assert calc('=MID("abcdef",2,3)') == 'bcd'

    def test_mid_from_zero(self):
        assert calc('=MID("abcdef",0,3)') == '#VALUE!'

    def test_upper(self):
        assert calc('=UPPER("Mixed")') == 'MIXED'

    def test_lower(self):
        assert calc('=LOWER("Mixed")') == 'mixed'

    def test_trim_keeps_one_space(self):
        assert calc('=TRIM("  a   b ")') == 'a b'

    def test_concat_of_a_range(self):
        assert calc('=CONCAT(B1:C2,"!")', B1='a', C1='b', B2='c', C2='1') == 'abc1!'

    def test_textjoin_skipping(self):
        assert calc('=TEXTJOIN("-",TRUE,B1:B3)', B1='a', B3='c') == 'a-c'

    def test_textjoin_not_skipping(self):
        assert calc('=TEXTJOIN("-",FALSE,B1:B3)', B1='a', B3='c') == 'a--c'

    def test_textjoin_of_an_error(self):
        assert calc('=TEXTJOIN("-",TRUE,B1:B2)', B1='a', B2='#N/A') == '#N/A'

    def test_rept(self):
        assert calc('=REPT("ab",3)') == 'ababab'

    def test_rept_negative(self):
        assert calc('=REPT("ab",-1)') == '#VALUE!'

    def test_find_tells_cases_apart(self):
        assert calc('=FIND("b","aBcb")') == '4'

    def test_find_from_a_position(self):
        assert calc('=FIND("a","banana",3)') == '4'

    def test_find_nothing(self):
        assert calc('=FIND("x","abc")') == '#VALUE!'

    def test_find_has_no_wildcards(self):
        assert calc('=FIND("?","why?")') == '4'

    def test_search_in_any_case(self):
        assert calc('=SEARCH("b","aBcb")') == '2'

    def test_search_with_wildcards(self):
        assert calc('=SEARCH("n?n","banana")') == '3'

    def test_search_nothing(self):
        assert calc('=SEARCH("x","abc")') == '#VALUE!'

    def test_search_nothing_caught(self):
        assert calc('=IFERROR(SEARCH("x","abc"),"none")') == 'none'

    def test_search_finds_a_number(self):
        assert calc('=ISNUMBER(SEARCH("an","banana"))') == 'TRUE'

    def test_find_finds_a_number(self):
        assert calc('=ISNUMBER(FIND("an","banana"))') == 'TRUE'

    def test_len_adds_up(self):
        assert calc('=SUM(B1:B2)', B1='=LEN("abc")', B2='=LEN("de")') == '5'

    def test_positions_count(self):
        assert calc('=COUNT(B1:B2)', B1='=FIND("b","abc")', B2='=SEARCH("z","abc")') == '1'

    def test_substitute_all(self):
        assert calc('=SUBSTITUTE("a-b-c","-","+")') == 'a+b+c'

    def test_substitute_the_second(self):
        assert calc('=SUBSTITUTE("a-b-c","-","+",2)') == 'a-b+c'

    def test_substitute_one_too_many(self):
        assert calc('=SUBSTITUTE("a-b-c","-","+",3)') == 'a-b-c'

    def test_substitute_nothing(self):
        assert calc('=SUBSTITUTE("abc","","+")') == 'abc'

    def test_value_of_text(self):
        assert calc('=VALUE("1,234.5")+1') == '1235.5'

    def test_value_of_other_text(self):
        assert calc('=VALUE("twelve")') == '#VALUE!'

    def test_text_with_a_format(self):
        assert calc('=TEXT(1234.5,"#,##0.00")') == '1,234.50'

    def test_text_of_a_date(self):
        assert calc('=TEXT(B1,"dd/mm/yy")', B1='2024-03-01') == '01/03/24'

    def test_text_with_a_wrong_format(self):
        assert calc('=TEXT(1,"qq")') == '#VALUE!'

    def test_text_of_no_date(self):
        assert calc('=TEXT(-5,"yyyy")') == '#NUM!'

    def test_text_of_text(self):
        assert calc('=TEXT("abc","0.00")') == 'abc'

    def test_text_of_an_error(self):
        assert calc('=TEXT(B1,"0")', B1='#N/A') == '#N/A'



class TestLogic:
    def test_if_true(self):
        assert calc('=IF(B1>3,"big","small")', B1='5') == 'big'

    def test_if_false(self):
        assert calc('=IF(B1>3,"big","small")', B1='3') == 'small'

    def test_if_without_else(self):
        assert calc('=IF(1>2,"x")') == 'FALSE'

    def test_if_with_an_empty_branch(self):
        assert calc('=IF(TRUE,,5)') == '0'

    def test_if_evaluates_only_one_branch(self):
        assert calc('=IF(TRUE,1,1/0)') == '1'

    def test_if_of_text(self):
        assert calc('=IF("true",1,2)') == '1'

    def test_if_of_other_text(self):
        assert calc('=IF("yes",1,2)') == '#VALUE!'

    def test_if_of_an_error(self):
        assert calc('=IF(B1,1,2)', B1='#N/A') == '#N/A'

    def test_iferror_of_an_error(self):
        assert calc('=IFERROR(1/0,"none")') == 'none'

    def test_iferror_of_a_value(self):
        assert calc('=IFERROR(5,1/0)') == '5'

    def test_iferror_of_an_unknown_function(self):
        assert calc('=IFERROR(NOSUCH(),7)') == '7'

    def test_and_of_all(self):
        assert calc('=AND(TRUE,1,2>1)') == 'TRUE'

    def test_and_of_one_false(self):
        assert calc('=AND(TRUE,0)') == 'FALSE'

    def test_or_of_one_true(self):
        assert calc('=OR(FALSE,1)') == 'TRUE'

    def test_or_of_none(self):
        assert calc('=OR(FALSE,0)') == 'FALSE'

    def test_and_passes_over_text_and_blanks(self):
        assert calc('=AND(B1:B3)', B1='TRUE', B2='no') == 'TRUE'

    def test_or_of_cells(self):
        assert calc('=OR(B1:B4)', B1='0', B2='no', B4='3') == 'TRUE'

    def test_or_with_an_error(self):
        assert calc('=OR(TRUE,B1:B2)', B1='#N/A') == '#N/A'

    def test_not_true(self):
        assert calc('=NOT(1)') == 'FALSE'

    def test_isblank_of_a_blank(self):
        assert calc('=ISBLANK(B1)') == 'TRUE'

    def test_isblank_of_empty_text(self):
        assert calc('=ISBLANK(B1)', B1="'") == 'FALSE'

    def test_isnumber_of_a_date(self):
        assert calc('=ISNUMBER(B1)', B1='2024-03-01') == 'TRUE'

    def test_isnumber_of_a_truth_value(self):
        assert calc('=ISNUMBER(B1)', B1='TRUE') == 'FALSE'

    def test_istext_of_digits(self):
        assert calc('=ISTEXT(B1)', B1="'12") == 'TRUE'

    def test_iserror_of_an_error(self):
        assert calc('=ISERROR(1/0)') == 'TRUE'

    def test_iserror_of_a_number(self):
        assert calc('=ISERROR(1)') == 'FALSE'



class TestLookup:
    def test_vlookup_exact(self):
        assert calc('=VLOOKUP("gbp",B1:C2,2,FALSE)', B1='EUR', C1='1.1', B2='GBP', C2='1.3') == '1.3'

    def test_vlookup_exact_takes_the_first(self):
        assert calc('=VLOOKUP("a",B1:C2,2,FALSE)', B1='a', C1='1', B2='a', C2='2') == '1'

    def test_vlookup_exact_with_wildcards(self):
        assert calc('=VLOOKUP("p*",B1:C2,2,FALSE)', B1='apple', C1='1', B2='pear', C2='2') == '2'

    def test_vlookup_exact_not_found(self):
        assert calc('=VLOOKUP("USD",B1:C2,2,FALSE)', B1='EUR', C1='1.1') == '#N/A'

    def test_vlookup_exact_of_a_beginning(self):
        assert calc('=VLOOKUP("EUR",B1:C2,2,FALSE)', B1='EUR2', C1='1.1') == '#N/A'

    def test_vlookup_exact_passes_over_longer_keys(self):
        assert calc('=VLOOKUP("a1",B1:C2,2,FALSE)', B1='A10', C1='1', B2='A1', C2='2') == '2'

    def test_vlookup_exact_of_thirds(self):
        assert calc('=VLOOKUP(1/3*3,B1:C2,2,FALSE)', B1='1', C1='one') == 'one'

    def test_vlookup_nearest(self):
        assert calc('=VLOOKUP(15,B1:C3,2)', B1='0', C1='low', B2='10', C2='mid', B3='20', C3='high') == 'mid'

    def test_vlookup_nearest_hits_the_entry(self):
        assert calc('=VLOOKUP(20,B1:C3,2,TRUE)', B1='0', C1='low', B2='10', C2='mid', B3='20', C3='high') == 'high'

    def test_vlookup_nearest_below_the_first(self):
        assert calc('=VLOOKUP(-1,B1:C2,2)', B1='0', C1='low', B2='10', C2='mid') == '#N/A'

    def test_vlookup_nearest_passes_over_text(self):
        assert calc('=VLOOKUP(15,B1:C2,2)', B1='from', C1='x', B2='10', C2='mid') == 'mid'

    def test_vlookup_nearest_with_equal_entries_takes_the_last(self):
        assert calc('=VLOOKUP(1,B1:C3,2)', B1='1', C1='a', B2='1', C2='b', B3='2', C3='c') == 'b'

    def test_vlookup_column_past_the_table(self):
        assert calc('=VLOOKUP("EUR",B1:C1,3,FALSE)', B1='EUR', C1='1.1') == '#REF!'

    def test_vlookup_column_zero(self):
        assert calc('=VLOOKUP("EUR",B1:C1,0,FALSE)', B1='EUR', C1='1.1') == '#VALUE!'

    def test_vlookup_of_an_error(self):
        assert calc('=VLOOKUP(D1,B1:C1,2,FALSE)', B1='#N/A', C1='1', D1='#NUM!') == '#NUM!'

    def test_vlookup_of_a_date(self):
        assert calc('=VLOOKUP(TODAY(),B1:C2,2)', B1='2024-01-01', C1='5', B2='2024-02-01', C2='6') == '6'

    def test_match_exact(self):
        assert calc('=MATCH("C",B1:D1,0)', B1='a', C1='b', D1='c') == '3'

    def test_match_nearest(self):
        assert calc('=MATCH(8,B1:B3)', B1='1', B2='5', B3='9') == '2'

    def test_match_downwards(self):
        assert calc('=MATCH(4,B1:B3,-1)', B1='9', B2='5', B3='1') == '2'

    def test_match_downwards_above_the_first(self):
        assert calc('=MATCH(10,B1:B3,-1)', B1='9', B2='5', B3='1') == '#N/A'

    def test_match_in_a_rectangle(self):
        assert calc('=MATCH(1,B1:C2,0)') == '#VALUE!'

    def test_index_of_row_and_column(self):
        assert calc('=INDEX(B1:C2,2,1)', B1='1', C1='2', B2='3', C2='4') == '3'

    def test_index_in_a_row(self):
        assert calc('=INDEX(B1:D1,3)', B1='1', C1='2', D1='3') == '3'

    def test_index_in_a_column(self):
        assert calc('=INDEX(B1:B2,2)', B1='1', B2='2') == '2'

    def test_index_outside(self):
        assert calc('=INDEX(B1:B2,3)', B1='1', B2='2') == '#REF!'

    def test_index_zero(self):
        assert calc('=INDEX(B1:B2,0)', B1='1', B2='2') == '#VALUE!'

    def test_index_with_match(self):
        assert calc('=INDEX(C1:C2,MATCH("y",B1:B2,0))', B1='x', B2='y', C1='10', C2='20') == '20'



class TestDates:
    def test_today(self):
        assert calc('=TODAY()') == '2024-03-01'

    def test_date(self):
        assert calc('=DATE(2024,2,29)') == '2024-02-29'

    def test_date_with_months_past_the_year(self):
        assert calc('=DATE(2023,14,1)') == '2024-02-01'

    def test_date_with_month_zero(self):
        assert calc('=DATE(2024,0,5)') == '2023-12-05'

    def test_date_with_day_zero(self):
        assert calc('=DATE(2024,3,0)') == '2024-02-29'

    def test_date_with_days_past_the_month(self):
        assert calc('=DATE(2023,2,30)') == '2023-03-02'

    def test_date_too_early(self):
        assert calc('=DATE(1899,12,31)') == '#NUM!'

    def test_date_too_late(self):
        assert calc('=DATE(9999,12,32)') == '#NUM!'

    def test_parts_of_a_date(self):
        assert calc('=YEAR(B1)&"/"&MONTH(B1)&"/"&DAY(B1)', B1='2024-03-09') == '2024/3/9'

    def test_year_of_text(self):
        assert calc('=YEAR("2021-05-06")') == '2021'

    def test_day_of_a_number(self):
        assert calc('=DAY(45352)') == '1'

    def test_month_of_other_text(self):
        assert calc('=MONTH("May")') == '#VALUE!'

    def test_weekday_of_a_friday(self):
        assert calc('=WEEKDAY("2024-03-01")') == '6'

    def test_weekday_of_a_sunday(self):
        assert calc('=WEEKDAY("2024-03-03")') == '1'

    def test_weekday_from_monday(self):
        assert calc('=WEEKDAY("2024-03-03",2)') == '7'

    def test_weekday_from_monday_as_zero(self):
        assert calc('=WEEKDAY("2024-03-03",3)') == '6'

    def test_weekday_of_another_kind(self):
        assert calc('=WEEKDAY("2024-03-03",4)') == '#NUM!'

    def test_edate_keeps_the_day(self):
        assert calc('=EDATE("2024-01-15",1)') == '2024-02-15'

    def test_edate_takes_the_last_day(self):
        assert calc('=EDATE("2024-01-31",1)') == '2024-02-29'

    def test_edate_into_another_year(self):
        assert calc('=EDATE("2023-11-30",3)') == '2024-02-29'

    def test_edate_backwards(self):
        assert calc('=EDATE("2024-03-31",-13)') == '2023-02-28'

    def test_edate_past_the_calendar(self):
        assert calc('=EDATE("9999-12-01",1)') == '#NUM!'

    def test_eomonth_of_this_month(self):
        assert calc('=EOMONTH("2024-02-10",0)') == '2024-02-29'

    def test_eomonth_of_december(self):
        assert calc('=EOMONTH("2024-02-10",10)') == '2024-12-31'

    def test_datedif_days(self):
        assert calc('=DATEDIF("2024-02-01","2024-03-01","d")') == '29'

    def test_datedif_whole_months(self):
        assert calc('=DATEDIF("2024-01-15","2024-03-14","M")') == '1'

    def test_datedif_months_complete(self):
        assert calc('=DATEDIF("2024-01-15","2024-03-15","M")') == '2'

    def test_datedif_years(self):
        assert calc('=DATEDIF("2000-02-29","2024-02-28","Y")') == '23'

    def test_datedif_reversed(self):
        assert calc('=DATEDIF("2024-03-02","2024-03-01","D")') == '#NUM!'

    def test_datedif_of_another_unit(self):
        assert calc('=DATEDIF("2024-03-01","2024-03-02","W")') == '#NUM!'

    def test_networkdays_of_a_week(self):
        assert calc('=NETWORKDAYS("2024-03-04","2024-03-10")') == '5'

    def test_networkdays_of_one_day(self):
        assert calc('=NETWORKDAYS("2024-03-01","2024-03-01")') == '1'

    def test_networkdays_of_a_weekend(self):
        assert calc('=NETWORKDAYS("2024-03-02","2024-03-03")') == '0'

    def test_networkdays_of_a_month(self):
        assert calc('=NETWORKDAYS("2024-03-01","2024-03-31")') == '21'

    def test_networkdays_reversed(self):
        assert calc('=NETWORKDAYS("2024-03-10","2024-03-04")') == '-5'

    def test_networkdays_with_holidays(self):
        assert calc('=NETWORKDAYS("2024-03-04","2024-03-10",B1:B4)', B1='2024-03-06', B2='2024-03-09', B3='2024-03-06') == '4'

    def test_networkdays_with_holidays_outside(self):
        assert calc('=NETWORKDAYS("2024-03-04","2024-03-10",B1:B1)', B1='2024-03-11') == '5'

    def test_networkdays_with_holidays_as_text(self):
        assert calc('=NETWORKDAYS("2024-03-04","2024-03-10",B1:B2)', B1="'2024-03-06", B2='2024-03-07') == '3'

    def test_networkdays_with_holidays_as_numbers(self):
        assert calc('=NETWORKDAYS("2024-03-04","2024-03-10",B1:B3)', B1='45357') == '4'

    def test_networkdays_with_a_written_holiday(self):
        assert calc('=NETWORKDAYS("2024-03-04","2024-03-31","2024-03-29")') == '19'

    def test_networkdays_with_an_error_among_the_holidays(self):
        assert calc('=NETWORKDAYS("2024-03-04","2024-03-10",B1:B2)', B1='#N/A') == '#N/A'
