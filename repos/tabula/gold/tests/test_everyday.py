"""Everyday queries."""

from datetime import date
from decimal import Decimal

import pytest

from tabula import Database, NameFault, SyntaxFault


@pytest.fixture
def db() -> Database:
    shop = Database()
    shop.create_table("customers", "id int key, name text not null, city text")
    shop.create_table("orders", "id int key, customer int, total decimal(2), day date")
    shop.load_csv("customers", "id,name,city\n1,Ann,Oslo\n2,Bo,Bergen\n3,Cy,Oslo\n")
    shop.load_csv(
        "orders",
        "id,customer,total,day\n"
        "10,1,12.50,2024-01-31\n"
        "11,1,7.50,2024-02-01\n"
        "12,2,30.00,2024-02-15\n",
    )
    return shop


def test_columns_of_a_table(db: Database) -> None:
    assert db.query("select name, city from customers").rows == (
        ("Ann", "Oslo"),
        ("Bo", "Bergen"),
        ("Cy", "Oslo"),
    )


def test_condition(db: Database) -> None:
    assert db.query("select id from orders where total > 10").rows == ((10,), (12,))


def test_conditions_together(db: Database) -> None:
    text = "select id from orders where total > 10 and day < '2024-02-01'"
    assert db.query(text).rows == ((10,),)


def test_parameter(db: Database) -> None:
    found = db.query("select id from orders where day >= :since", {"since": date(2024, 2, 1)})
    assert found.rows == ((11,), (12,))


def test_inner_join(db: Database) -> None:
    text = "select c.name, o.total from customers c join orders o on o.customer = c.id"
    assert db.query(text).rows == (
        ("Ann", Decimal("12.50")),
        ("Ann", Decimal("7.50")),
        ("Bo", Decimal("30.00")),
    )


def test_left_join(db: Database) -> None:
    text = "select c.name, o.id from customers c left join orders o on o.customer = c.id"
    assert db.query(text).rows == (("Ann", 10), ("Ann", 11), ("Bo", 12), ("Cy", None))


def test_groups(db: Database) -> None:
    text = "select city, count(*) from customers group by city"
    assert db.query(text).rows == (("Oslo", 2), ("Bergen", 1))


def test_sum(db: Database) -> None:
    assert db.query("select sum(total) from orders").rows == ((Decimal("50.00"),),)


def test_having(db: Database) -> None:
    text = "select customer from orders group by customer having count(*) > 1"
    assert db.query(text).rows == ((1,),)


def test_order_and_limit(db: Database) -> None:
    text = "select id from orders order by total desc limit 2"
    assert db.query(text).rows == ((12,), (10,))


def test_distinct(db: Database) -> None:
    assert db.query("select distinct city from customers").rows == (("Oslo",), ("Bergen",))


def test_like(db: Database) -> None:
    assert db.query("select name from customers where name like '%n'").rows == (("Ann",),)


def test_unknown_column(db: Database) -> None:
    with pytest.raises(NameFault):
        db.query("select nothing from orders")


def test_no_query(db: Database) -> None:
    with pytest.raises(SyntaxFault):
        db.query("select from where")
