"""How queries are carried out, as EXPLAIN says."""

from tabula import Database


def database():
    db = Database()
    db.create_table("customers", "id int key, name text, city text, since date, age int")
    db.create_table("orders", "id int key, customer int, total decimal(2), status text")
    db.create_index("orders", "status")
    db.create_index("orders", "total")
    return db


def plan(query, **params):
    return database().explain(query, params).split("\n")


def condition(text):
    """The condition of a filter, as it is shown."""
    found = plan(f"select c.id from customers c where {text}")
    return found[1].strip().removeprefix("Filter ")


def output(text):
    return plan(f"select {text} as x from customers c")[0]


JOIN = "select c.name from customers c join orders o on o.customer = c.id"
LEFT = "select c.name from customers c left join orders o on o.customer = c.id"


class TestShowing:
    def test_no_more_parentheses_than_needed(self):
        found = condition("(c.id + 1) * 2 > 3 and ((c.id > 1) or (c.name = 'x'))")
        assert found == "(c.id + 1) * 2 > 3 and (c.id > 1 or c.name = 'x')"

    def test_parentheses_on_the_right(self):
        assert condition("c.id - (c.id - 1) = 1") == "c.id - (c.id - 1) = 1"

    def test_predicates(self):
        found = condition("city is null and name like 'a%' and city in ('x', 'y')")
        assert found == "c.city is null and c.name like 'a%' and c.city in ('x', 'y')"

    def test_negated_predicates(self):
        found = condition("city is not null and name not like '!%' escape '!'")
        assert found == "c.city is not null and not c.name like '!%' escape '!'"

    def test_between_is_two_comparisons(self):
        found = condition("since between '2024-01-01' and '2024-12-31'")
        assert found == "c.since >= date '2024-01-01' and c.since <= date '2024-12-31'"

    def test_quote_within_a_text(self):
        assert condition("name = 'it''s'") == "c.name = 'it''s'"

    def test_parameter_is_shown_by_its_value(self):
        found = plan("select c.id from customers c where name = :n", n="Ann")
        assert found == [
            "Output c.id",
            "  Filter c.name = 'Ann'",
            "    Scan customers as c",
        ]

    def test_case(self):
        found = output("case when id > 1 then 'a' when id > 0 then 'b' end")
        assert (
            found == "Output case when c.id > 1 then 'a' when c.id > 0 then 'b' else null end as x"
        )

    def test_calls_and_signs(self):
        found = output("coalesce(-c.id, abs(c.id - -1))")
        assert found == "Output coalesce(-c.id, abs(c.id - -1)) as x"

    def test_aggregates(self):
        found = plan("select count(*), sum(distinct total) as s from orders")
        assert found == [
            "Output count(*) as count, sum(distinct orders.total) as s",
            "  Group: count(*), sum(distinct orders.total)",
            "    Scan orders",
        ]

    def test_name_of_a_column_is_left_out(self):
        found = plan("select name, id as number from customers")[0]
        assert found == "Output customers.name, customers.id as number"


class TestFolding:
    def test_constants_are_worked_out(self):
        assert condition("age > 1 + 2 * 3") == "c.age > 7"

    def test_functions_of_constants(self):
        assert output("upper('a') || name") == "Output 'A' || c.name as x"

    def test_error_is_left_for_later(self):
        assert condition("id > 1 / 0") == "c.id > 1 / 0"

    def test_true_part_goes_away(self):
        assert condition("1 = 1 and age > 5") == "c.age > 5"

    def test_false_alternative_goes_away(self):
        assert condition("age > 5 or 'a' = 'b'") == "c.age > 5"

    def test_condition_that_always_holds(self):
        found = plan("select c.id from customers c where id > 3 or true")
        assert found == ["Output c.id", "  Scan customers as c"]

    def test_condition_that_never_holds(self):
        found = plan("select c.id from customers c where id > 3 and 1 = 2")
        assert found == ["Output c.id", "  Nothing"]

    def test_condition_that_is_never_known(self):
        found = plan("select c.id from customers c where id = null and name = 'x'")
        assert found == ["Output c.id", "  Nothing"]

    def test_negated_comparison(self):
        assert condition("not age < 5") == "c.age >= 5"

    def test_negated_equality(self):
        assert condition("not age = 5 and not age <> 6") == "c.age <> 5 and c.age = 6"

    def test_twice_negated(self):
        assert condition("not not city is null") == "c.city is null"

    def test_branches_that_cannot_be_taken(self):
        found = output(
            "case when 1 = 2 then 'a' when id = 1 then 'b' when true then 'c' else 'd' end"
        )
        assert found == "Output case when c.id = 1 then 'b' else 'c' end as x"

    def test_nothing_joined_is_nothing(self):
        found = plan(f"{JOIN} where o.total > 5 and 1 > 2")
        assert found == ["Output c.name", "  Nothing"]

    def test_left_join_with_nothing_stays(self):
        found = plan(f"{LEFT} and o.total < null")
        assert found == [
            "Output c.name",
            "  Left Hash join c.id = o.customer",
            "    Scan customers as c",
            "    Nothing",
        ]

    def test_group_of_nothing_stays(self):
        found = plan("select count(*) as n from customers where 1 = 2")
        assert found == ["Output count(*) as n", "  Group: count(*)", "    Nothing"]


class TestMoving:
    def test_both_sides_of_an_inner_join(self):
        found = plan(f"{JOIN} where c.city = 'Oslo' and o.customer > 3")
        assert found == [
            "Output c.name",
            "  Hash join c.id = o.customer",
            "    Filter c.city = 'Oslo'",
            "      Scan customers as c",
            "    Filter o.customer > 3",
            "      Scan orders as o",
        ]

    def test_conditions_of_on_move_too(self):
        found = plan(f"{JOIN} and c.city = 'Oslo'")
        assert found == [
            "Output c.name",
            "  Hash join c.id = o.customer",
            "    Filter c.city = 'Oslo'",
            "      Scan customers as c",
            "    Scan orders as o",
        ]

    def test_condition_of_both_sides_joins_on(self):
        found = plan("select 1 as x from customers c cross join orders o where c.id = o.customer")
        assert found == [
            "Output 1 as x",
            "  Hash join c.id = o.customer",
            "    Scan customers as c",
            "    Scan orders as o",
        ]

    def test_rest_of_a_hash_join(self):
        found = plan(f"{JOIN} where o.total > c.id")[1]
        assert found == "  Hash join c.id = o.customer if o.total > c.id"

    def test_two_keys_of_a_hash_join(self):
        found = plan(f"{JOIN} and c.name = o.status")[1]
        assert found == "  Hash join c.id = o.customer and c.name = o.status"

    def test_loop_join(self):
        found = plan("select 1 as x from customers c join orders o on o.total > c.id")[1]
        assert found == "  Loop join o.total > c.id"

    def test_cross_join(self):
        found = plan("select 1 as x from customers c cross join orders o")[1]
        assert found == "  Loop join true"

    def test_left_side_of_a_left_join(self):
        found = plan(f"{LEFT} where c.city = 'Oslo'")
        assert found == [
            "Output c.name",
            "  Left Hash join c.id = o.customer",
            "    Filter c.city = 'Oslo'",
            "      Scan customers as c",
            "    Scan orders as o",
        ]

    def test_right_side_in_on_of_a_left_join(self):
        found = plan(f"{LEFT} and o.customer > 5")
        assert found == [
            "Output c.name",
            "  Left Hash join c.id = o.customer",
            "    Scan customers as c",
            "    Filter o.customer > 5",
            "      Scan orders as o",
        ]

    def test_left_side_in_on_of_a_left_join_stays(self):
        found = plan(f"{LEFT} and c.city = 'Oslo'")
        assert found == [
            "Output c.name",
            "  Left Hash join c.id = o.customer if c.city = 'Oslo'",
            "    Scan customers as c",
            "    Scan orders as o",
        ]

    def test_test_for_null_stays_above_a_left_join(self):
        found = plan(f"{LEFT} where o.id is null")
        assert found == [
            "Output c.name",
            "  Filter o.id is null",
            "    Left Hash join c.id = o.customer",
            "      Scan customers as c",
            "      Scan orders as o",
        ]

    def test_left_join_becomes_inner(self):
        found = plan(f"{LEFT} where o.customer > 5")
        assert found == [
            "Output c.name",
            "  Hash join c.id = o.customer",
            "    Scan customers as c",
            "    Filter o.customer > 5",
            "      Scan orders as o",
        ]

    def test_left_join_becomes_inner_by_not_null(self):
        found = plan(f"{LEFT} where o.status is not null")[1]
        assert found == "  Hash join c.id = o.customer"

    def test_left_join_stays_left_where_null_may_be(self):
        found = plan(f"{LEFT} where coalesce(o.total, 0) < 10")[2]
        assert found == "    Left Hash join c.id = o.customer"

    def test_three_tables(self):
        query = f"{JOIN} join customers d on d.id = o.id where d.city = c.city and d.name = 'x'"
        assert plan(query) == [
            "Output c.name",
            "  Hash join o.id = d.id and c.city = d.city",
            "    Hash join c.id = o.customer",
            "      Scan customers as c",
            "      Scan orders as o",
            "    Filter d.name = 'x'",
            "      Scan customers as d",
        ]

    def test_keys_below_groups(self):
        query = "select city from customers group by city having city > 'M' and count(*) > 1"
        assert plan(query) == [
            "Output customers.city",
            "  Filter count(*) > 1",
            "    Group by customers.city: count(*)",
            "      Filter customers.city > 'M'",
            "        Scan customers",
        ]

    def test_key_that_is_an_expression_below_groups(self):
        query = "select upper(city) as u from customers group by u having upper(city) = 'OSLO'"
        assert plan(query) == [
            "Output upper(customers.city) as u",
            "  Group by upper(customers.city)",
            "    Filter upper(customers.city) = 'OSLO'",
            "      Scan customers",
        ]

    def test_having_without_keys_stays(self):
        found = plan("select count(*) as n from customers having 1 = 2")
        assert found == ["Output count(*) as n", "  Nothing"]


class TestSteps:
    def test_index_for_a_value(self):
        found = plan("select id from orders where customer = 1 and status = 'open'")
        assert found == [
            "Output orders.id",
            "  Filter orders.customer = 1",
            "    Index orders on orders.status = 'open'",
        ]

    def test_index_for_a_list(self):
        found = plan("select o.id from orders o where status in ('open', 'paid')")
        assert found == [
            "Output o.id",
            "  Index orders as o on o.status in ('open', 'paid')",
        ]

    def test_index_for_a_range(self):
        found = plan("select id from orders where total >= 5 and total < 7.50")
        assert found == [
            "Output orders.id",
            "  Index orders on orders.total >= 5 and orders.total < 7.50",
        ]

    def test_value_goes_before_range(self):
        found = plan("select id from orders where total > 5 and status = 'open'")
        assert found == [
            "Output orders.id",
            "  Filter orders.total > 5",
            "    Index orders on orders.status = 'open'",
        ]

    def test_one_bound_at_each_end(self):
        found = plan("select id from orders where total > 5 and total > 6 and 9 > total")
        assert found == [
            "Output orders.id",
            "  Filter orders.total > 6",
            "    Index orders on orders.total > 5 and 9 > orders.total",
        ]

    def test_no_index_for_unequal(self):
        found = plan("select id from orders where status <> 'open'")
        assert found == [
            "Output orders.id",
            "  Filter orders.status <> 'open'",
            "    Scan orders",
        ]

    def test_no_index_for_an_alternative(self):
        found = plan("select id from orders where status = 'open' or total > 5")[2]
        assert found == "    Scan orders"

    def test_no_index_for_a_list_with_columns(self):
        found = plan("select o.id from orders o where id in (1, customer)")[2]
        assert found == "    Scan orders as o"

    def test_index_within_a_join(self):
        found = plan(f"{LEFT} and o.status = 'open' where c.id = 7")
        assert found == [
            "Output c.name",
            "  Left Hash join c.id = o.customer",
            "    Index customers as c on c.id = 7",
            "    Index orders as o on o.status = 'open'",
        ]

    def test_sort(self):
        found = plan("select id from orders order by total desc, status nulls first")
        assert found == [
            "Output orders.id",
            "  Sort by orders.total desc, orders.status nulls first",
            "    Scan orders",
        ]

    def test_top(self):
        found = plan("select id from orders order by total limit 3 offset 6")
        assert found == [
            "Output orders.id",
            "  Top 3 offset 6 by orders.total",
            "    Scan orders",
        ]

    def test_no_top_with_distinct(self):
        found = plan("select distinct status from orders order by status limit 3")
        assert found == [
            "Limit 3",
            "  Distinct",
            "    Output orders.status",
            "      Sort by orders.status",
            "        Scan orders",
        ]

    def test_offset_without_limit(self):
        found = plan("select id from orders order by id offset 4")
        assert found == [
            "Limit all offset 4",
            "  Output orders.id",
            "    Sort by orders.id",
            "      Scan orders",
        ]

    def test_limit(self):
        assert plan("select id from orders limit 8")[0] == "Limit 8"
