"""What a result gives and how it looks."""

from datetime import date
from decimal import Decimal

from tabula import Database


def database():
    db = Database()
    db.create_table("t", "n int, p decimal(2), s text, d date, b bool")
    return db


def result(rows, query="select * from t"):
    db = database()
    db.insert("t", rows)
    return db.query(query)


ROWS = [(1, Decimal("2.50"), "a", date(2024, 1, 31), True), (20, None, None, None, None)]


class TestText:
    def test_numbers_to_the_right(self):
        assert result(ROWS, "select n, p, s from t").text().split("\n") == [
            " n |    p | s",
            "---+------+-----",
            " 1 | 2.50 | a",
            "20 | null | null",
            "(2 rows)",
        ]

    def test_one_row(self):
        assert result(ROWS[:1], "select d, b from t").text().split("\n") == [
            "d          | b",
            "-----------+-----",
            "2024-01-31 | true",
            "(1 row)",
        ]

    def test_no_rows(self):
        assert result([], "select s from t").text() == "s\n-\n(0 rows)"

    def test_no_space_at_line_ends(self):
        rows = [(None, None, "long text", None, None), (None, None, "x", None, None)]
        assert result(rows, "select s from t").text().split("\n") == [
            "s",
            "---------",
            "long text",
            "x",
            "(2 rows)",
        ]

    def test_line_ends_and_tabs(self):
        rows = [(None, None, "a\nb\tc\rd", None, None)]
        assert result(rows, "select s from t").text().split("\n")[2] == "a\\nb\\tc\\rd"

    def test_wide_characters(self):
        rows = [(1, None, "日本", None, None), (2, None, "abc", None, None)]
        assert result(rows, "select s, n from t").text().split("\n")[2:4] == [
            "日本 | 1",
            "abc  | 2",
        ]

    def test_width_of_the_rule_for_wide_characters(self):
        rows = [(1, None, "日本", None, None)]
        assert result(rows, "select s, n from t").text().split("\n")[:2] == ["s    | n", "-----+--"]

    def test_combining_characters(self):
        rows = [(1, None, "e\u0301", None, None), (2, None, "ab", None, None)]
        assert result(rows, "select s, n from t").text().split("\n")[2:4] == [
            "e\u0301  | 1",
            "ab | 2",
        ]


class TestCsv:
    def test_null_and_empty_text(self):
        rows = [(1, None, "", None, None), (2, None, None, None, False)]
        assert result(rows).csv() == 'n,p,s,d,b\n1,,"",,\n2,,,,false\n'

    def test_quotes_where_they_must_be(self):
        rows = [(1, None, 'a "b", c', None, None), (2, None, "x\ny", None, None)]
        assert result(rows, "select s, n from t").csv() == 's,n\n"a ""b"", c",1\n"x\ny",2\n'

    def test_space_at_the_ends_is_quoted(self):
        rows = [(1, None, " x", None, None), (2, None, "y z", None, None)]
        assert result(rows, "select s from t").csv() == 's\n" x"\ny z\n'

    def test_can_be_read_back(self):
        rows = [(1, Decimal("0.50"), ' "', None, True), (2, None, "", date(2024, 2, 29), None)]
        text = result(rows).csv()
        db = database()
        db.load_csv("t", text)
        assert [list(row) for row in db.query("select s, d, b, p from t").rows] == [
            [' "', None, True, Decimal("0.50")],
            ["", date(2024, 2, 29), None, None],
        ]


class TestRows:
    def test_names(self):
        assert list(result(ROWS).names) == ["n", "p", "s", "d", "b"]

    def test_kinds(self):
        assert [str(kind) for kind in result(ROWS).kinds] == [
            "int",
            "decimal(2)",
            "text",
            "date",
            "bool",
        ]

    def test_values(self):
        assert list(result(ROWS).rows[0]) == [1, Decimal("2.50"), "a", date(2024, 1, 31), True]

    def test_records(self):
        assert result(ROWS, "select n, s as word from t").records() == [
            {"n": 1, "word": "a"},
            {"n": 20, "word": None},
        ]
