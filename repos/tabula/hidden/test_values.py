"""Kinds of values, arithmetic, functions, NULL."""

from datetime import date, datetime
from decimal import Decimal

import pytest
from tabula import Database, GroupFault, KindFault, NameFault, RunFault


def database():
    db = Database()
    db.create_table("one", "n int, p decimal(2), t text, d date, b bool, z int")
    db.insert("one", [(7, Decimal("12.50"), "Abc", date(2024, 1, 31), True, None)])
    return db


def value(expression, **params):
    """As CSV shows it: NULL is empty."""
    return database().query(f"select {expression} as x from one", params).csv().split("\n")[1]


def kind(expression):
    return str(database().query(f"select {expression} as x from one").kinds[0])


def kept(condition, **params):
    """How many of one row a condition keeps."""
    return len(database().query(f"select n from one where {condition}", params).rows)


class TestArithmetic:
    def test_ints_stay_whole(self):
        assert value("n + 5 * 2 - 1") == "16"

    def test_places_of_a_sum(self):
        assert value("p + 1.125") == "13.625"

    def test_int_beside_a_decimal(self):
        assert value("n - p") == "-5.50"

    def test_places_of_a_product_add_up(self):
        assert value("p * 1.5") == "18.750"

    def test_product_has_six_places_at_most(self):
        assert value("0.0005 * 0.0010") == "0.000001"

    def test_product_rounds_negative_halves_away_from_zero(self):
        assert value("-0.0005 * 0.0010") == "-0.000001"

    def test_division_of_ints(self):
        assert value("n / 2") == "3.500000"

    def test_division_is_rounded(self):
        assert value("2 / 3") == "0.666667"

    def test_division_rounds_halves_up(self):
        assert value("1 / 2000000") == "0.000001"

    def test_sums_are_exact(self):
        assert value("0.1 + 0.2 = 0.3") == "true"

    def test_large_numbers_are_exact(self):
        assert value("123456789012345678901234567890 + 0.01") == "123456789012345678901234567890.01"

    def test_remainder(self):
        assert value("n % 4") == "3"

    def test_remainder_has_the_sign_of_the_left(self):
        assert value("-7 % 4") == "-3"

    def test_remainder_by_a_negative_number(self):
        assert value("7 % -4") == "3"

    def test_division_by_zero(self):
        with pytest.raises(RunFault):
            value("n / (n - 7)")

    def test_remainder_by_zero(self):
        with pytest.raises(RunFault):
            value("n % 0")

    def test_text_and_number_do_not_add(self):
        with pytest.raises(KindFault):
            value("t + n")

    def test_remainder_is_for_ints(self):
        with pytest.raises(KindFault):
            value("p % 2")

    def test_texts_are_joined(self):
        assert value("t || '-' || t") == "Abc-Abc"

    def test_texts_are_joined_with_texts_only(self):
        with pytest.raises(KindFault):
            value("t || n")

    def test_kind_of_a_difference(self):
        assert kind("p - 0.125") == "decimal(3)"

    def test_kind_of_a_quotient(self):
        assert kind("n / n") == "decimal(6)"

    def test_sign_of_a_text(self):
        with pytest.raises(KindFault):
            value("-t")


class TestDates:
    def test_days_on(self):
        assert value("d + 30") == "2024-03-01"

    def test_days_before_a_date(self):
        assert value("1 + d") == "2024-02-01"

    def test_days_back(self):
        assert value("d - 31") == "2023-12-31"

    def test_days_between(self):
        assert value("date '2024-03-01' - d") == "30"

    def test_dates_do_not_add(self):
        with pytest.raises(KindFault):
            value("d + d")

    def test_date_from_an_int(self):
        with pytest.raises(KindFault):
            value("5 - d")

    def test_text_beside_a_date(self):
        assert kept("d = '2024-01-31'") == 1

    def test_text_before_a_date(self):
        assert kept("'2024-02-01' <= d") == 0

    def test_texts_in_a_list_beside_a_date(self):
        assert value("d in ('2024-01-30', '2024-01-31')") == "true"

    def test_text_between_dates(self):
        assert value("d between '2024-01-31' and '2024-02-01'") == "true"

    def test_text_that_is_no_date(self):
        with pytest.raises(KindFault):
            value("d = 'tomorrow'")

    def test_month_end_is_kept_short(self):
        assert value("add_months(d, 1)") == "2024-02-29"

    def test_months_over_the_year(self):
        assert value("add_months(d, 12)") == "2025-01-31"

    def test_months_back_into_december(self):
        assert value("add_months(d, -1)") == "2023-12-31"

    def test_parts_of_a_date(self):
        assert value("year(d) * 10000 + month(d) * 100 + day(d)") == "20240131"

    def test_month_start(self):
        assert value("month_start(d)") == "2024-01-01"

    def test_beyond_the_calendar(self):
        with pytest.raises(RunFault):
            value("d + 9999999")

    def test_months_beyond_the_calendar(self):
        with pytest.raises(RunFault):
            value("add_months(d, 120000)")


class TestFunctions:
    def test_cases(self):
        assert value("lower(t) || upper(t)") == "abcABC"

    def test_length_and_trim(self):
        assert value("length(trim('  ab ')) * 10 + length('  ab ')") == "25"

    def test_substr_from_a_position(self):
        assert value("substr('tabula', 3)") == "bula"

    def test_substr_of_some_characters(self):
        assert value("substr('tabula', 2, 3)") == "abu"

    def test_substr_that_begins_before_the_text(self):
        assert value("substr('tabula', 0, 3)") == "ta"

    def test_substr_beyond_the_end(self):
        assert value("substr('tabula', 5, 9)") == "la"

    def test_substr_of_fewer_than_none(self):
        with pytest.raises(RunFault):
            value("substr('tabula', 2, -1)")

    def test_text_of_values(self):
        assert value("text(n) || text(p) || text(b) || text(d)") == "712.50true2024-01-31"

    def test_round_halves_away_from_zero(self):
        assert value("round(2.345, 2)") == "2.35"

    def test_round_negative_halves_away_from_zero(self):
        assert value("round(-2.5)") == "-3"

    def test_round_to_zero_has_no_sign(self):
        assert value("round(-0.001, 2)") == "0.00"

    def test_sign_of_a_large_decimal(self):
        assert value("-1234567890123456789012345678901.25") == "-1234567890123456789012345678901.25"

    def test_abs_of_a_large_decimal(self):
        assert value("abs(-1234567890123456789012345678901.25)") == (
            "1234567890123456789012345678901.25"
        )

    def test_round_adds_places(self):
        assert value("round(n, 3)") == "7.000"

    def test_places_of_round_must_be_constant(self):
        with pytest.raises(KindFault):
            value("round(p, n)")

    def test_abs(self):
        assert value("abs(n - p)") == "5.50"

    def test_nullif(self):
        assert value("coalesce(text(nullif(n, 7)), 'none') || text(nullif(n, 8))") == "none7"

    def test_wrong_kind_of_argument(self):
        with pytest.raises(KindFault):
            value("year(t)")

    def test_too_many_arguments(self):
        with pytest.raises(KindFault):
            value("lower(t, t)")

    def test_too_few_arguments(self):
        with pytest.raises(KindFault):
            value("add_months(d)")

    def test_distinct_is_for_aggregates(self):
        with pytest.raises(GroupFault):
            value("lower(distinct t)")

    def test_case_takes_the_first_that_holds(self):
        assert value("case when n > 5 then 'big' when n > 1 then 'some' else 'none' end") == "big"

    def test_case_with_constant_conditions(self):
        assert value("case when 1 = 2 then 'a' when true then 'b' when true then 'c' end") == "b"

    def test_case_without_else(self):
        assert value("coalesce(case when n > 9 then 'big' end, 'nothing')") == "nothing"

    def test_case_of_a_value(self):
        assert value("case n when 1 then 'one' when 7 then 'seven' end") == "seven"

    def test_case_leaves_the_other_branches_alone(self):
        assert value("case when n = 7 then 1 else n / 0 end") == "1.000000"

    def test_case_gives_the_widest_kind(self):
        assert value("case when b then n else p end") == "7.00"

    def test_kinds_of_a_case_must_go_together(self):
        with pytest.raises(KindFault):
            value("case when b then n else t end")

    def test_coalesce_gives_the_widest_kind(self):
        assert value("coalesce(z, 3, p)") == "3.00"


class TestNull:
    def test_null_in_null_out(self):
        assert value("n + z") == ""

    def test_function_of_null(self):
        assert value("coalesce(substr(t, z), 'unknown')") == "unknown"

    def test_null_is_not_equal_to_itself(self):
        assert kept("z = z") == 0

    def test_null_is_not_unequal_to_itself(self):
        assert kept("z <> z") == 0

    def test_is_null(self):
        assert value("z is null") == "true"

    def test_is_not_null(self):
        assert value("z is not null") == "false"

    def test_false_and_null(self):
        assert value("z = 1 and n = 1") == "false"

    def test_null_and_false_the_other_way_round(self):
        assert value("n = 1 and z = 1") == "false"

    def test_true_and_null(self):
        assert value("n = 7 and z = 1") == ""

    def test_null_or_true(self):
        assert value("z = 1 or n = 7") == "true"

    def test_null_or_false(self):
        assert value("z = 1 or n = 1") == ""

    def test_not_null_is_null(self):
        assert value("not (z = 1)") == ""

    def test_in_a_list_that_has_it_beside_null(self):
        assert value("n in (1, z, 7)") == "true"

    def test_in_a_list_that_has_null_instead(self):
        assert value("n in (1, z)") == ""

    def test_not_in_a_list_with_null_keeps_nothing(self):
        assert kept("n not in (1, z)") == 0

    def test_not_in_a_list(self):
        assert kept("n not in (1, 2)") == 1

    def test_null_in_a_list(self):
        assert value("z in (1, 2)") == ""

    def test_not_between(self):
        assert value("n not between 8 and 9") == "true"

    def test_between_with_a_null_end_that_does_not_matter(self):
        assert value("n between 8 and z") == "false"

    def test_word_null_goes_with_all(self):
        assert value("coalesce(null, t, null)") == "Abc"

    def test_case_of_null(self):
        assert value("case z when null then 'same' else 'other' end") == "other"


class TestLike:
    def test_all_of_the_text(self):
        assert value("t like 'b'") == "false"

    def test_many_characters_or_none(self):
        assert value("t like 'Abc%' and t like '%b%'") == "true"

    def test_one_character(self):
        assert value("t like '_b_'") == "true"

    def test_one_character_is_not_two(self):
        assert value("t like '_c'") == "false"

    def test_case_differs(self):
        assert value("t like 'abc'") == "false"

    def test_line_ends_are_characters(self):
        assert kept("'a\nb' like 'a%b'") == 1

    def test_other_signs_stand_for_themselves(self):
        assert value("'a.c' like 'a.c' and not 'abc' like 'a.c'") == "true"

    def test_escaped_percent(self):
        assert value("'50%' like '50!%' escape '!'") == "true"

    def test_escaped_percent_is_no_wildcard(self):
        assert value("'500' like '50!%' escape '!'") == "false"

    def test_pattern_that_ends_in_its_escape(self):
        with pytest.raises(RunFault):
            value("t like 'A!' escape '!'")

    def test_not_like(self):
        assert value("t not like 'A%'") == "false"

    def test_like_is_for_texts(self):
        with pytest.raises(KindFault):
            value("n like '7'")


class TestParameters:
    def test_values(self):
        assert kept("n = :n and p > :p", n=7, p=Decimal("12.49")) == 1

    def test_names_in_any_case(self):
        assert kept("t = :Name", NAME="Abc") == 1

    def test_null_as_a_value(self):
        assert value("coalesce(:x, 5)", x=None) == "5"

    def test_true_is_no_number(self):
        with pytest.raises(KindFault):
            value("n + :x", x=True)

    def test_text_for_a_date(self):
        assert kept("d < :day", day="2024-02-01") == 1

    def test_missing_value(self):
        with pytest.raises(NameFault):
            value("n + :x")

    def test_float_is_refused(self):
        with pytest.raises(KindFault):
            value(":x", x=0.5)

    def test_time_of_day_is_refused(self):
        with pytest.raises(KindFault):
            value(":x", x=datetime(2024, 1, 31, 12, 0))

    def test_decimal_keeps_its_places(self):
        assert value(":x", x=Decimal("1.250")) == "1.250"


class TestKinds:
    def test_int_equals_decimal(self):
        assert value("7 = 7.00") == "true"

    def test_texts_compare_by_code_points(self):
        assert value("'Z' < 'a'") == "true"

    def test_text_and_number_do_not_compare(self):
        with pytest.raises(KindFault):
            value("t = n")

    def test_condition_must_be_a_bool(self):
        with pytest.raises(KindFault):
            kept("n")

    def test_bool_is_a_condition(self):
        assert kept("b") == 1

    def test_list_of_kinds_that_do_not_go_together(self):
        with pytest.raises(KindFault):
            value("n in (1, 'x')")

    def test_not_needs_a_bool(self):
        with pytest.raises(KindFault):
            value("not n")
