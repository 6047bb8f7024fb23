"""What is a query, and where one that is none goes wrong."""

import pytest
from tabula import Database, NameFault, SyntaxFault


def database():
    db = Database()
    db.create_table("t", 'a int, b int, "unit price" decimal(2), "group" text')
    db.insert("t", [(1, 10, 5, "x"), (2, 20, 7, "y")])
    return db


def lines(query):
    return database().query(query).csv().splitlines()[1:]


def value(expression):
    return lines(f"select {expression} from t limit 1")[0]


def names(query):
    return list(database().query(query).names)


def place(query):
    """Line and column of the fault."""
    try:
        database().query(query)
    except SyntaxFault as fault:
        return [fault.line, fault.column]
    return []


class TestWords:
    def test_upper_case_is_lower_case(self):
        assert lines("SELECT A FROM T WHERE B = 20") == ["2"]

    def test_names_are_shown_in_lower_case(self):
        assert names("select A, B as Second from t") == ["a", "second"]

    def test_quoted_name_with_a_space(self):
        assert lines('select "unit price" from t') == ["5.00", "7.00"]

    def test_quoted_name_of_a_reserved_word(self):
        assert lines('select "group" from t') == ["x", "y"]

    def test_quoted_name_in_upper_case(self):
        assert names('select "Unit Price" from t') == ["unit price"]

    def test_comment_goes_to_the_end_of_the_line(self):
        assert lines("select a -- , b from u\nfrom t -- where a = 1") == ["1", "2"]

    def test_quote_within_a_text(self):
        assert value("'it''s'") == "it's"

    def test_dashes_within_a_text_are_no_comment(self):
        assert value("'a--b'") == "a--b"

    def test_other_sign_of_unequal(self):
        assert lines("select a from t where a != 1") == ["2"]

    def test_semicolon_at_the_end(self):
        assert lines("select b from t;") == ["10", "20"]

    def test_names_of_items(self):
        found = names("select a, b x, a + 1, lower('A'), t.b, 7 as seven from t")
        assert found == ["a", "x", "expr3", "lower", "b", "seven"]

    def test_star_among_items(self):
        assert names("select a as first, t.* from t") == ["first", "a", "b", "unit price", "group"]


class TestStrength:
    def test_and_is_stronger_than_or(self):
        assert value("true or true and false") == "true"

    def test_not_is_stronger_than_and(self):
        assert value("not true and false") == "false"

    def test_not_is_weaker_than_a_comparison(self):
        assert value("not 1 = 2") == "true"

    def test_product_is_stronger_than_sum(self):
        assert value("2 + 3 * 4") == "14"

    def test_parentheses(self):
        assert value("(2 + 3) * 4") == "20"

    def test_differences_from_left_to_right(self):
        assert value("10 - 3 - 2") == "5"

    def test_quotients_from_left_to_right(self):
        assert value("8 % 5 % 2") == "1"

    def test_sign_is_strongest(self):
        assert value("-2 * 3 + 10") == "4"

    def test_sign_of_a_sign(self):
        assert value("3 - -2") == "5"

    def test_between_takes_its_own_and(self):
        assert value("5 between 1 and 4 or 5 between 4 and 5 and true") == "true"

    def test_sum_is_stronger_than_comparison(self):
        assert value("1 + 1 = 2") == "true"


class TestFaults:
    def test_place_in_the_first_line(self):
        assert place("select a fro t") == [1, 14]

    def test_place_in_a_later_line(self):
        assert place("select a\nfrom t\n  where )") == [3, 9]

    def test_place_after_a_text_over_two_lines(self):
        assert place("select 'x\ny', ) from t") == [2, 5]

    def test_end_of_the_text(self):
        assert place("select a from") == [1, 14]

    def test_comparisons_do_not_chain(self):
        assert place("select 1 < 2 < 3 from t") == [1, 14]

    def test_number_that_runs_into_a_word(self):
        assert place("select 12abc from t") == [1, 8]

    def test_text_without_end(self):
        assert place("select a from t where 'x") == [1, 23]

    def test_unknown_character(self):
        assert place("select a ? from t") == [1, 10]

    def test_reserved_word_as_a_name(self):
        with pytest.raises(SyntaxFault):
            database().query("select group from t")

    def test_two_queries(self):
        assert place("select a from t; select b from t") == [1, 18]

    def test_too_many_decimal_places(self):
        assert place("select 0.1234567 from t") == [1, 8]

    def test_date_that_is_none(self):
        assert place("select date '2024-02-30' from t") == [1, 13]

    def test_not_before_nothing(self):
        assert place("select a from t where a not 5") == [1, 29]

    def test_case_without_branches(self):
        assert place("select case else 1 end from t") == [1, 13]

    def test_case_without_end(self):
        with pytest.raises(SyntaxFault):
            database().query("select case when a = 1 then 2 from t")

    def test_escape_of_two_characters(self):
        with pytest.raises(SyntaxFault):
            database().query("select a from t where 'x' like 'y' escape '!!'")

    def test_kind_of_a_column_that_is_none(self):
        with pytest.raises(SyntaxFault):
            Database().create_table("u", "a number")

    def test_decimal_column_of_seven_places(self):
        with pytest.raises(SyntaxFault):
            Database().create_table("u", "a decimal(7)")

    def test_schema_with_a_comma_at_the_end(self):
        with pytest.raises(SyntaxFault):
            Database().create_table("u", "a int,")

    def test_nulls_neither_first_nor_last(self):
        assert place("select a from t order by a nulls maybe") == [1, 34]

    def test_unknown_function(self):
        with pytest.raises(NameFault):
            database().query("select sqrt(a) from t")
