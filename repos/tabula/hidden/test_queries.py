"""Joins, groups, order, limits."""

import pytest
from tabula import Database, GroupFault, KindFault, NameFault, RunFault

CUSTOMERS = """id,name,city
1,Ann,Oslo
2,Bo,Bergen
3,Cy,
4,Dee,Oslo
5,Eve,
"""
ORDERS = """id,customer,total,status
10,2,30,open
11,1,12.5,paid
12,,99,open
13,1,7.5,open
14,4,,paid
15,2,30,paid
16,9,1,open
"""


def database():
    db = Database()
    db.create_table("customers", "id int key, name text, city text")
    db.create_table("orders", "id int key, customer int, total decimal(2), status text")
    db.create_table("nothing", "n int, t text")
    db.load_csv("customers", CUSTOMERS)
    db.load_csv("orders", ORDERS)
    return db


def lines(query, **params):
    return database().query(query, params).csv().splitlines()[1:]


JOINED = "from customers c join orders o on o.customer = c.id"
LEFT = "from customers c left join orders o on o.customer = c.id"


class TestJoins:
    def test_order_is_that_of_the_tables(self):
        assert lines(f"select c.name, o.id {JOINED}") == [
            "Ann,11",
            "Ann,13",
            "Bo,10",
            "Bo,15",
            "Dee,14",
        ]

    def test_order_is_that_of_the_first_table(self):
        found = lines("select o.id, c.name from orders o join customers c on c.id = o.customer")
        assert found == ["10,Bo", "11,Ann", "13,Ann", "14,Dee", "15,Bo"]

    def test_left_join_keeps_rows(self):
        assert lines(f"select c.name, o.id {LEFT}") == [
            "Ann,11",
            "Ann,13",
            "Bo,10",
            "Bo,15",
            "Cy,",
            "Dee,14",
            "Eve,",
        ]

    def test_null_is_no_partner(self):
        found = lines("select a.id from orders a join orders b on a.customer = b.customer")
        assert found == ["10", "10", "11", "11", "13", "13", "14", "15", "15", "16"]

    def test_null_is_no_partner_of_a_text(self):
        query = "select a.id, b.id from customers a join customers b on a.city = b.city"
        assert lines(f"{query} where a.id < b.id") == ["1,4"]

    def test_null_in_the_first_of_two_keys(self):
        query = "select a.id from orders a join orders b on a.customer = b.customer"
        assert lines(f"{query} and a.status = b.status") == ["10", "11", "13", "14", "15", "16"]

    def test_null_in_the_second_of_two_keys(self):
        query = "select a.id from customers a join customers b on a.id = b.id"
        assert lines(f"{query} and a.city = b.city") == ["1", "2", "4"]

    def test_condition_on_the_right_in_on(self):
        found = lines(f"select c.name, o.id {LEFT} and o.status = 'open'")
        assert found == ["Ann,13", "Bo,10", "Cy,", "Dee,", "Eve,"]

    def test_condition_on_the_right_in_where(self):
        found = lines(f"select c.name, o.id {LEFT} where o.status = 'open'")
        assert found == ["Ann,13", "Bo,10"]

    def test_condition_on_the_left_in_on(self):
        found = lines(f"select c.name, o.id {LEFT} and c.city = 'Oslo'")
        assert found == ["Ann,11", "Ann,13", "Bo,", "Cy,", "Dee,14", "Eve,"]

    def test_condition_on_the_left_in_where(self):
        found = lines(f"select c.name, o.id {LEFT} where c.city is null")
        assert found == ["Cy,", "Eve,"]

    def test_rows_without_partner(self):
        assert lines(f"select c.name {LEFT} where o.id is null") == ["Cy", "Eve"]

    def test_missing_total_may_be_of_a_partner(self):
        assert lines(f"select c.name {LEFT} where o.total is null") == ["Cy", "Dee", "Eve"]

    def test_coalesced_right_side_in_where(self):
        found = lines(f"select c.name {LEFT} where coalesce(o.total, 0) < 10")
        assert found == ["Ann", "Cy", "Dee", "Eve"]

    def test_either_side_in_where(self):
        found = lines(f"select c.name {LEFT} where o.total > 20 or c.city is null")
        assert found == ["Bo", "Bo", "Cy", "Eve"]

    def test_left_join_by_anything(self):
        query = "select c.name, o.id from customers c left join orders o on o.total > c.id * 10"
        assert lines(f"{query} and o.status = 'paid'") == [
            "Ann,11",
            "Ann,15",
            "Bo,15",
            "Cy,",
            "Dee,",
            "Eve,",
        ]

    def test_left_join_that_never_matches(self):
        found = lines("select c.name, o.id from customers c left join orders o on 1 = 2")
        assert found == ["Ann,", "Bo,", "Cy,", "Dee,", "Eve,"]

    def test_cross_join(self):
        query = "select a.id, b.id from customers a cross join customers b"
        assert lines(f"{query} where a.id > 3 and b.id < 3") == ["4,1", "4,2", "5,1", "5,2"]

    def test_three_tables(self):
        query = f"select c.name, p.id {JOINED} join orders p on p.total = o.total and p.id <> o.id"
        assert lines(query) == ["Bo,15", "Bo,10"]

    def test_inner_after_left(self):
        query = f"select c.name, d.name {LEFT} join customers d on d.id = o.customer + 2"
        assert lines(query) == ["Ann,Cy", "Ann,Cy", "Bo,Dee", "Bo,Dee"]

    def test_join_of_unlike_numbers(self):
        query = "select c.id from customers c join orders o on o.total = c.id + 6.5"
        assert lines(query) == ["1"]

    def test_star_of_one_side(self):
        assert lines(f"select c.* {JOINED} where o.id = 10") == ["2,Bo,Bergen"]

    def test_star_of_both_sides(self):
        assert lines(f"select * {JOINED} where o.id = 10") == ["2,Bo,Bergen,10,2,30.00,open"]

    def test_ambiguous_column(self):
        with pytest.raises(NameFault):
            lines(f"select id {JOINED}")

    def test_same_alias_twice(self):
        with pytest.raises(NameFault):
            lines("select 1 from orders join orders on true")

    def test_table_name_behind_an_alias(self):
        with pytest.raises(NameFault):
            lines("select customers.id from customers c")

    def test_condition_before_its_table(self):
        with pytest.raises(NameFault):
            lines("select 1 from customers c join orders o on d.id = c.id cross join orders d")

    def test_aggregate_in_on(self):
        with pytest.raises(GroupFault):
            lines("select 1 from customers c join orders o on count(*) = c.id")


class TestGroups:
    def test_order_of_first_appearance(self):
        found = lines("select customer, count(*) from orders group by customer")
        assert found == ["2,2", "1,2", ",1", "4,1", "9,1"]

    def test_nulls_are_one_group(self):
        assert lines("select city, count(*) from customers group by city") == [
            "Oslo,2",
            "Bergen,1",
            ",2",
        ]

    def test_count_of_what_is_there(self):
        assert lines("select count(*), count(total), count(customer) from orders") == ["7,6,6"]

    def test_count_of_different_values(self):
        assert lines("select count(distinct customer), count(distinct status) from orders") == [
            "4,2"
        ]

    def test_sum_of_different_values(self):
        assert lines("select sum(distinct total) from orders where total = 30") == ["30.00"]

    def test_distinct_and_plain_beside_each_other(self):
        found = lines("select count(distinct total), count(total), sum(total) from orders")
        assert found == ["5,6,180.00"]

    def test_average_is_over_what_is_there(self):
        assert lines("select avg(total) from orders where status = 'paid'") == ["21.250000"]

    def test_average_of_each_group(self):
        found = lines("select status, avg(total) from orders group by status")
        assert found == ["open,34.375000", "paid,21.250000"]

    def test_average_is_rounded(self):
        assert lines("select avg(id) from customers where id in (1, 2, 5)") == ["2.666667"]

    def test_least_and_most(self):
        found = lines("select min(total), max(total), max(status) from orders")
        assert found == ["1.00,99.00,paid"]

    def test_sum_keeps_its_kind(self):
        assert lines("select sum(id), sum(total) from orders where id < 12") == ["21,42.50"]

    def test_aggregates_of_nothing(self):
        assert lines("select count(*), sum(n), avg(n), min(t) from nothing") == ["0,,,"]

    def test_groups_of_nothing(self):
        assert lines("select t, count(*) from nothing group by t") == []

    def test_aggregates_where_nothing_can_be(self):
        assert lines("select count(*), sum(total) from orders where 1 = 2") == ["0,"]

    def test_aggregates_of_null_only(self):
        assert lines("select count(total), sum(total) from orders where id = 14") == ["0,"]

    def test_having(self):
        query = "select customer from orders group by customer having sum(total) > 25"
        assert lines(query) == ["2", ""]

    def test_having_by_key(self):
        query = "select city, count(*) from customers group by city having city <> 'Bergen'"
        assert lines(query) == ["Oslo,2"]

    def test_having_without_groups(self):
        assert lines("select count(*) from orders having count(*) > 7") == []

    def test_having_that_never_holds_without_groups(self):
        assert lines("select 1 from nothing having 1 = 2") == []

    def test_having_without_groups_or_rows(self):
        assert lines("select count(*) from nothing having count(*) = 0") == ["0"]

    def test_having_makes_one_group(self):
        assert lines("select 1 from orders having 1 = 1") == ["1"]

    def test_having_drops_unknown(self):
        query = "select customer from orders group by customer having max(total) < 50"
        assert lines(query) == ["2", "1", "9"]

    def test_key_that_is_an_expression(self):
        query = (
            "select coalesce(city, 'none'), count(*) from customers group by coalesce(city, 'none')"
        )
        assert lines(query) == ["Oslo,2", "Bergen,1", "none,2"]

    def test_expression_of_a_key(self):
        query = "select upper(status) || '!', count(*) * 2 from orders group by status"
        assert lines(query) == ["OPEN!,8", "PAID!,6"]

    def test_key_by_position(self):
        assert lines("select status, max(id) from orders group by 1") == ["open,16", "paid,15"]

    def test_key_by_name_of_an_item(self):
        query = "select length(name) as size, count(*) from customers group by size"
        assert lines(query) == ["3,3", "2,2"]

    def test_column_goes_before_item_in_group_by(self):
        query = "select max(id) as city, count(*) from customers group by city"
        assert lines(query) == ["4,2", "2,1", "5,2"]

    def test_item_is_no_key_where_a_column_has_its_name(self):
        with pytest.raises(GroupFault):
            lines("select lower(status) as customer from orders group by customer")

    def test_key_that_is_a_condition(self):
        query = "select name like '%e%' as e, count(*) from customers group by e"
        assert lines(query) == ["false,3", "true,2"]

    def test_two_keys(self):
        query = (
            "select customer, status, count(*) from orders where id < 14 group by customer, status"
        )
        assert lines(query) == ["2,open,1", "1,paid,1", ",open,1", "1,open,1"]

    def test_order_by_an_aggregate_that_is_not_shown(self):
        query = "select status from orders group by status order by max(id) desc"
        assert lines(query) == ["open", "paid"]

    def test_groups_over_a_left_join(self):
        query = f"select c.name, count(o.id), count(*) {LEFT} group by c.name"
        assert lines(query) == ["Ann,2,2", "Bo,2,2", "Cy,0,1", "Dee,1,1", "Eve,0,1"]

    def test_sum_of_a_case(self):
        query = "select sum(case when status = 'paid' then total else 0 end) from orders"
        assert lines(query) == ["42.50"]

    def test_column_outside_its_group(self):
        with pytest.raises(GroupFault):
            lines("select status, total from orders group by status")

    def test_column_beside_an_aggregate(self):
        with pytest.raises(GroupFault):
            lines("select status, count(*) from orders")

    def test_star_beside_groups(self):
        with pytest.raises(GroupFault):
            lines("select * from orders group by status")

    def test_column_outside_its_group_in_order_by(self):
        with pytest.raises(GroupFault):
            lines("select status from orders group by status order by total")

    def test_aggregate_in_where(self):
        with pytest.raises(GroupFault):
            lines("select id from orders where sum(total) > 5")

    def test_aggregate_as_a_key(self):
        with pytest.raises(GroupFault):
            lines("select count(*) as n from orders group by n")

    def test_aggregate_in_an_aggregate(self):
        with pytest.raises(GroupFault):
            lines("select sum(count(*)) from orders")

    def test_sum_of_texts(self):
        with pytest.raises(KindFault):
            lines("select sum(status) from orders")

    def test_least_of_bools(self):
        with pytest.raises(KindFault):
            lines("select min(total > 5) from orders")

    def test_sum_of_a_star(self):
        with pytest.raises(KindFault):
            lines("select sum(*) from orders")

    def test_aggregate_of_two(self):
        with pytest.raises(KindFault):
            lines("select max(id, total) from orders")


class TestOrder:
    def test_nulls_last(self):
        assert lines("select id from orders order by total") == [
            "16",
            "13",
            "11",
            "10",
            "15",
            "12",
            "14",
        ]

    def test_nulls_last_when_descending(self):
        found = lines("select id from orders order by total desc")
        assert found == ["12", "10", "15", "11", "13", "16", "14"]

    def test_nulls_first(self):
        found = lines("select name from customers order by city nulls first")
        assert found == ["Cy", "Eve", "Bo", "Ann", "Dee"]

    def test_nulls_first_when_descending(self):
        found = lines("select name from customers order by city desc nulls first, id desc")
        assert found == ["Eve", "Cy", "Dee", "Ann", "Bo"]

    def test_nulls_last_said(self):
        found = lines("select name from customers order by city asc nulls last")
        assert found == ["Bo", "Ann", "Dee", "Cy", "Eve"]

    def test_equal_rows_keep_their_order_when_descending(self):
        found = lines("select id from orders order by status desc")
        assert found == ["11", "14", "15", "10", "12", "13", "16"]

    def test_two_keys(self):
        found = lines("select id from orders order by status, customer desc")
        assert found == ["16", "10", "13", "12", "14", "15", "11"]

    def test_position(self):
        assert lines("select name, id from customers order by 2 desc limit 1") == ["Eve,5"]

    def test_item_goes_before_column_in_order_by(self):
        found = lines("select -id as id from customers order by id")
        assert found == ["-5", "-4", "-3", "-2", "-1"]

    def test_key_that_is_not_shown(self):
        found = lines("select name from customers order by length(name), name desc limit 3")
        assert found == ["Cy", "Bo", "Eve"]

    def test_position_that_is_not_there(self):
        with pytest.raises(NameFault):
            lines("select name from customers order by 2")

    def test_name_of_two_items(self):
        with pytest.raises(NameFault):
            lines("select id as x, name as x from customers order by x")

    def test_first_rows(self):
        assert lines("select id from orders order by total desc limit 3") == ["12", "10", "15"]

    def test_first_rows_among_equals(self):
        assert lines("select id from orders order by status limit 3") == ["10", "12", "13"]

    def test_rows_after_the_first(self):
        found = lines("select id from orders order by total limit 2 offset 3")
        assert found == ["10", "15"]

    def test_one_row_after_others(self):
        assert lines("select id from orders order by id desc limit 1 offset 2") == ["14"]

    def test_offset_beyond_the_end(self):
        assert lines("select id from orders limit 5 offset 7") == []

    def test_offset_without_limit(self):
        assert lines("select id from customers offset 3") == ["4", "5"]

    def test_offset_without_limit_in_order(self):
        assert lines("select id from customers order by id desc offset 3") == ["2", "1"]

    def test_offset_without_limit_in_order_of_nulls(self):
        assert lines("select id from customers order by city offset 3") == ["3", "5"]

    def test_limit_of_none(self):
        assert lines("select id from customers order by id limit 0") == []

    def test_limit_by_parameters(self):
        found = lines("select id from customers limit :n offset :skip", n=2, skip=1)
        assert found == ["2", "3"]

    def test_negative_limit(self):
        with pytest.raises(KindFault):
            lines("select id from customers limit :n", n=-1)

    def test_limit_that_is_no_number(self):
        with pytest.raises(KindFault):
            lines("select id from customers limit 'x'")

    def test_limit_that_is_calculated(self):
        with pytest.raises(KindFault):
            lines("select id from customers limit 1 + 1")

    def test_limit_stops_before_an_error(self):
        assert lines("select 10 / (id - 3) from customers limit 2") == ["-5.000000", "-10.000000"]

    def test_error_that_is_reached(self):
        with pytest.raises(RunFault):
            lines("select 10 / (id - 3) from customers limit 3")


class TestDistinct:
    def test_first_of_equal_rows(self):
        assert lines("select distinct status from orders") == ["open", "paid"]

    def test_nulls_are_equal(self):
        assert lines("select distinct city from customers") == ["Oslo", "Bergen", ""]

    def test_rows_as_a_whole(self):
        found = lines("select distinct customer, total from orders where customer < 3")
        assert found == ["2,30.00", "1,12.50", "1,7.50"]

    def test_order(self):
        found = lines("select distinct city from customers order by city desc")
        assert found == ["Oslo", "Bergen", ""]

    def test_limit_counts_different_rows(self):
        found = lines("select distinct city from customers order by city limit 2")
        assert found == ["Bergen", "Oslo"]

    def test_limit_counts_different_rows_when_descending(self):
        found = lines("select distinct city from customers order by city desc limit 2")
        assert found == ["Oslo", "Bergen"]

    def test_offset_counts_different_rows(self):
        found = lines("select distinct status from orders order by status limit 1 offset 1")
        assert found == ["paid"]

    def test_order_by_what_is_not_shown(self):
        with pytest.raises(GroupFault):
            lines("select distinct city from customers order by name")

    def test_distinct_groups(self):
        found = lines("select distinct count(*) from orders group by customer")
        assert found == ["2", "1"]


class TestConditions:
    def test_first_condition_guards_the_second(self):
        query = "select id from customers where id <> 3 and 10 / (id - 3) < 0"
        assert lines(query) == ["1", "2"]

    def test_rest_of_and_is_not_evaluated(self):
        query = "select id from customers where (id < 3 and 1 / (id - 4) < 0) or id = 5"
        assert lines(query) == ["1", "2", "5"]

    def test_constant_error_that_is_not_reached(self):
        assert lines("select id from customers where id > 9 and 1 / 0 = 1") == []

    def test_constant_error_that_is_reached(self):
        with pytest.raises(RunFault):
            lines("select id from customers where id > 4 and 1 / 0 = 1")

    def test_not_of_an_unknown_comparison(self):
        assert lines("select name from customers where not city = 'Oslo'") == ["Bo"]

    def test_not_less(self):
        assert lines("select id from customers where not id < 3") == ["3", "4", "5"]

    def test_not_more(self):
        assert lines("select id from orders where not total > 7.50") == ["13", "16"]

    def test_not_of_and(self):
        query = "select name from customers where not (city = 'Oslo' and id > 1)"
        assert lines(query) == ["Ann", "Bo"]

    def test_not_of_not(self):
        assert lines("select id from customers where not not id = 2") == ["2"]
