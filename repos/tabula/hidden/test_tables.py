"""Schemas, rows, CSV and indexes."""

from datetime import date
from decimal import Decimal

import pytest
from tabula import Database, DataFault, KindFault, NameFault


def goods():
    db = Database()
    db.create_table("goods", "id int key, name text not null, price decimal(2), day date, ok bool")
    return db


def lines(db, query="select * from goods"):
    return db.query(query).csv().splitlines()[1:]


def complaint(text):
    """What is said about a CSV text."""
    try:
        goods().load_csv("goods", text)
    except DataFault as fault:
        return str(fault)
    return ""


HEADER = "id,name,price,day,ok\n"


class TestCsv:
    def test_values_of_all_kinds(self):
        db = goods()
        db.load_csv("goods", HEADER + "1,pen,1.2,2024-01-31,true\n")
        assert lines(db) == ["1,pen,1.20,2024-01-31,true"]

    def test_count_of_rows(self):
        assert goods().load_csv("goods", HEADER + "1,a,,,\n2,b,,,\n") == 2

    def test_no_rows(self):
        assert goods().load_csv("goods", HEADER) == 0

    def test_empty_fields_are_null(self):
        db = goods()
        db.load_csv("goods", HEADER + "1,pen,,,\n")
        assert lines(db, "select id from goods where price is null and day is null") == ["1"]

    def test_quoted_empty_field_is_a_text(self):
        db = goods()
        db.load_csv("goods", HEADER + '1,"",2,,\n')
        assert lines(db, "select length(name) from goods") == ["0"]

    def test_columns_in_any_order(self):
        db = goods()
        db.load_csv("goods", "OK, name ,day,ID,price\nno,pen,,4,3\n")
        assert lines(db) == ["4,pen,3.00,,false"]

    def test_header_in_upper_case(self):
        db = goods()
        db.load_csv("goods", "ID,NAME,PRICE,DAY,OK\n7,ink,,,\n")
        assert lines(db, "select id, name from goods") == ["7,ink"]

    def test_space_in_a_quoted_header(self):
        db = Database()
        db.create_table("t", '"Unit Price" int')
        db.load_csv("t", ' "unit price"\n3\n')
        assert lines(db, "select * from t") == ["3"]

    def test_comma_and_quote_within_quotes(self):
        db = goods()
        db.load_csv("goods", HEADER + '1,"a ""b"", c",,,\n')
        assert list(db.query("select name from goods").rows[0]) == ['a "b", c']

    def test_line_end_within_quotes(self):
        db = goods()
        db.load_csv("goods", HEADER + '1,"a\nb",,,\n2,c,,,\n')
        assert lines(db, "select length(name) from goods") == ["3", "1"]

    def test_space_around_fields(self):
        db = goods()
        db.load_csv("goods", HEADER + ' 1 ,  pen , 1.20 ,, yes \n2, " x " ,,,\n')
        assert lines(db, "select length(name), ok from goods") == ["3,true", "3,"]

    def test_blank_lines_and_crlf(self):
        db = goods()
        db.load_csv("goods", "\ufeffid,name,price,day,ok\r\n\r\n1,pen,,,\r\n\r\n2,ink,,,")
        assert lines(db, "select name from goods") == ["pen", "ink"]

    def test_bools_in_any_case(self):
        db = goods()
        db.load_csv("goods", HEADER + "1,a,,,YES\n2,b,,,False\n")
        assert lines(db, "select ok from goods") == ["true", "false"]

    def test_signs(self):
        db = goods()
        db.load_csv("goods", HEADER + "-1,a,+2.5,,\n")
        assert lines(db, "select id, price from goods") == ["-1,2.50"]

    def test_bad_number(self):
        said = complaint(HEADER + "1,a,,,\nx2,b,,,\n")
        assert said == "line 3, column id: 'x2' is no int"

    def test_too_many_places(self):
        said = complaint(HEADER + "1,a,1.234,,\n")
        assert said == "line 2, column price: '1.234' has more than 2 decimal places"

    def test_thousands_have_no_separators(self):
        said = complaint(HEADER + '1,a,"1,234.50",,\n')
        assert said == "line 2, column price: '1,234.50' is no decimal"

    def test_bad_date(self):
        said = complaint(HEADER + "1,a,,2023-02-29,\n")
        assert said == "line 2, column day: '2023-02-29' is no date"

    def test_date_in_another_form(self):
        assert complaint(HEADER + "1,a,,20240131,\n")[:20] == "line 2, column day: "

    def test_bad_bool(self):
        assert complaint(HEADER + "1,a,,,maybe\n") == "line 2, column ok: 'maybe' is no bool"

    def test_line_after_a_record_of_two_lines(self):
        said = complaint(HEADER + '1,"a\nb",,,\n2,c,zz,,\n')
        assert said == "line 4, column price: 'zz' is no decimal"

    def test_line_on_which_a_record_begins(self):
        said = complaint(HEADER + '\n1,"a\nb",zz,,\n')
        assert said == "line 3, column price: 'zz' is no decimal"

    def test_line_after_several_records_of_two_lines(self):
        said = complaint(HEADER + '1,"a\n\nb",,,\n2,"c\nd",,,\n3,e,,,\n\n4,f,,,oh\n')
        assert said == "line 9, column ok: 'oh' is no bool"

    def test_too_few_fields(self):
        assert complaint(HEADER + "1,a,,,\n2,b\n")[:7] == "line 3:"

    def test_unknown_column(self):
        assert complaint("id,name,price,day,ok,extra\n")[:7] == "line 1:"

    def test_missing_column(self):
        assert complaint("id,name,price,day\n")[:7] == "line 1:"

    def test_column_twice(self):
        assert complaint("id,name,price,day,ok,id\n")[:7] == "line 1:"

    def test_quote_without_end(self):
        assert complaint(HEADER + '1,a,,,\n2,"b\n')[:7] == "line 3:"

    def test_text_after_a_quoted_field(self):
        assert complaint(HEADER + '1,"b"c,,,\n')[:7] == "line 2:"

    def test_text_after_a_quoted_field_in_a_later_line(self):
        assert complaint(HEADER + '1,a,,,\n2,"b\nc","d"e,,\n')[:7] == "line 3:"

    def test_no_header(self):
        with pytest.raises(DataFault):
            goods().load_csv("goods", "")

    def test_unknown_table(self):
        with pytest.raises(NameFault):
            goods().load_csv("bads", HEADER)

    def test_refused_text_adds_nothing(self):
        db = goods()
        with pytest.raises(DataFault):
            db.load_csv("goods", HEADER + "1,a,,,\n2,b,x,,\n")
        assert lines(db, "select count(*) from goods") == ["0"]


class TestRows:
    def test_insert_counts(self):
        assert goods().insert("goods", [(1, "a", None, None, None), (2, "b", 3, None, True)]) == 2

    def test_int_in_a_decimal_column(self):
        db = goods()
        db.insert("goods", [(1, "a", 3, date(2024, 5, 1), False)])
        assert lines(db) == ["1,a,3.00,2024-05-01,false"]

    def test_text_in_a_date_column(self):
        db = goods()
        db.insert("GOODS", [(1, "a", Decimal("1.5"), "2024-05-01", None)])
        assert lines(db, "select price, day + 1 from goods") == ["1.50,2024-05-02"]

    def test_decimal_with_too_many_places(self):
        with pytest.raises(KindFault):
            goods().insert("goods", [(1, "a", Decimal("1.125"), None, None)])

    def test_text_in_an_int_column(self):
        with pytest.raises(KindFault):
            goods().insert("goods", [("1", "a", None, None, None)])

    def test_bool_in_an_int_column(self):
        with pytest.raises(KindFault):
            goods().insert("goods", [(True, "a", None, None, None)])

    def test_text_that_is_no_date(self):
        with pytest.raises(KindFault):
            goods().insert("goods", [(1, "a", None, "soon", None)])

    def test_too_few_values(self):
        with pytest.raises(DataFault):
            goods().insert("goods", [(1, "a")])

    def test_null_where_there_must_be_none(self):
        with pytest.raises(DataFault):
            goods().insert("goods", [(1, None, None, None, None)])

    def test_null_as_a_key(self):
        with pytest.raises(DataFault):
            goods().insert("goods", [(None, "a", None, None, None)])

    def test_key_twice_in_one_call(self):
        with pytest.raises(DataFault):
            goods().insert("goods", [(1, "a", None, None, None), (1, "b", None, None, None)])

    def test_key_that_is_there(self):
        db = goods()
        db.insert("goods", [(1, "a", None, None, None)])
        with pytest.raises(DataFault):
            db.insert("goods", [(2, "b", None, None, None), (1, "c", None, None, None)])
        assert lines(db, "select id from goods") == ["1"]

    def test_key_that_is_there_in_csv(self):
        db = goods()
        db.insert("goods", [(5, "a", None, None, None)])
        with pytest.raises(DataFault):
            db.load_csv("goods", HEADER + "5,b,,,\n")
        assert lines(db, "select name from goods") == ["a"]


class TestTables:
    def test_table_that_is_there(self):
        with pytest.raises(NameFault):
            goods().create_table("Goods", "a int")

    def test_column_twice(self):
        with pytest.raises(NameFault):
            goods().create_table("t", "a int, A text")

    def test_dropped_table(self):
        db = goods()
        db.drop_table("Goods")
        with pytest.raises(NameFault):
            db.query("select * from goods")

    def test_dropped_table_can_be_made_again(self):
        db = goods()
        db.drop_table("goods")
        db.create_table("goods", "n int")
        db.insert("goods", [(4,)])
        assert lines(db) == ["4"]

    def test_drop_of_no_table(self):
        with pytest.raises(NameFault):
            goods().drop_table("bads")

    def test_unknown_table_in_a_query(self):
        with pytest.raises(NameFault):
            goods().query("select 1 from bads")

    def test_reserved_word_in_a_schema_is_quoted(self):
        db = Database()
        db.create_table("t", '"order" int, key text key')
        db.insert("t", [(3, "k")])
        assert lines(db, "select * from t") == ["3,k"]


def indexed():
    db = Database()
    db.create_table("t", "id int key, n int, p decimal(1), s text, d date")
    db.load_csv(
        "t",
        "id,n,p,s,d\n1,5,1.5,b,2024-01-01\n2,3,2,a,2024-01-02\n3,5,,b,\n4,,1.5,c,2024-01-03\n"
        "5,9,7,a,2024-01-02\n",
    )
    for column in ("n", "p", "s", "d"):
        db.create_index("t", column)
    return db


def found(condition, db=None):
    query = f"select id from t where {condition}"
    return [row[0] for row in (db or indexed()).query(query).rows]


class TestIndexes:
    def test_equal(self):
        assert found("n = 5") == [1, 3]

    def test_equal_the_other_way_round(self):
        assert found("3 = n") == [2]

    def test_equal_to_a_decimal(self):
        assert found("n = 5.0") == [1, 3]

    def test_nothing_found(self):
        assert found("n = 4") == []

    def test_equal_to_null(self):
        assert found("n = null") == []

    def test_in_a_list_comes_in_order_of_the_table(self):
        assert found("n in (9, 5)") == [1, 3, 5]

    def test_in_a_list_that_names_a_value_twice(self):
        assert found("n in (3, 9, 3)") == [2, 5]

    def test_in_a_list_with_null(self):
        assert found("s in ('c', null)") == [4]

    def test_not_in_a_list(self):
        assert found("s not in ('a', 'b')") == [4]

    def test_range_comes_in_order_of_the_table(self):
        assert found("n >= 3") == [1, 2, 3, 5]

    def test_range_without_its_end(self):
        assert found("n > 3") == [1, 3, 5]

    def test_upper_end(self):
        assert found("n <= 5") == [1, 2, 3]

    def test_upper_end_excluded(self):
        assert found("n < 5") == [2]

    def test_range_the_other_way_round(self):
        assert found("3 < n and 9 > n") == [1, 3]

    def test_range_of_dates(self):
        assert found("d between '2024-01-02' and '2024-01-03'") == [2, 4, 5]

    def test_range_with_two_lower_ends(self):
        assert found("n > 2 and n > 5") == [5]

    def test_range_of_nothing(self):
        assert found("n > 5 and n < 5") == []

    def test_two_indexes(self):
        assert found("s = 'a' and n = 9") == [5]

    def test_rest_of_the_condition(self):
        assert found("s = 'b' and p is null") == [3]

    def test_later_rows_are_found(self):
        db = indexed()
        db.insert("t", [(6, 5, None, None, None)])
        assert found("n = 5", db) == [1, 3, 6]

    def test_later_rows_of_csv_are_found_in_a_range(self):
        db = indexed()
        db.load_csv("t", "id,n,p,s,d\n6,7,,,\n")
        assert found("n > 5", db) == [5, 6]

    def test_key_of_later_rows_is_found(self):
        db = indexed()
        db.insert("t", [(7, 1, None, None, None)])
        assert found("id = 7", db) == [7]

    def test_smaller_later_rows_are_found(self):
        db = indexed()
        db.insert("t", [(6, 1, None, None, None)])
        assert found("n < 5", db) == [2, 6]

    def test_later_rows_do_not_hide_earlier_ones(self):
        db = indexed()
        db.insert("t", [(6, 4, None, "b", None), (7, 3, None, "a", None)])
        assert found("n = 9", db) == [5]

    def test_smaller_key_of_later_rows_is_found(self):
        db = indexed()
        db.insert("t", [(0, 2, None, None, None)])
        assert found("id in (0, 4)", db) == [4, 0]

    def test_index_twice(self):
        db = indexed()
        db.create_index("T", "N")
        assert found("n = 9", db) == [5]

    def test_index_of_no_column(self):
        with pytest.raises(NameFault):
            indexed().create_index("t", "x")
