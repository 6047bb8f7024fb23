"""What people see: tables, CSV, plans."""

from tabula import Database


def prices() -> Database:
    db = Database()
    db.create_table("prices", "item text key, price decimal(2)")
    db.load_csv("prices", "item,price\npen,1.20\n")
    return db


def test_text_table() -> None:
    shown = prices().query("select item, price from prices").text()
    assert shown == "item | price\n-----+------\npen  |  1.20\n(1 row)"


def test_csv() -> None:
    assert prices().query("select * from prices").csv() == "item,price\npen,1.20\n"


def test_records() -> None:
    assert prices().query("select item from prices").records() == [{"item": "pen"}]


def test_plan_of_a_scan() -> None:
    shown = prices().explain("select item from prices where price > 1.00")
    assert shown == "Output prices.item\n  Filter prices.price > 1.00\n    Scan prices"


def test_plan_with_the_key() -> None:
    shown = prices().explain("select price from prices where item = 'pen'")
    assert shown == "Output prices.price\n  Index prices on prices.item = 'pen'"
