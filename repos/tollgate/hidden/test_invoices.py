"""Invoices: fees, overage, rounding, tax, credits, numbers; and revenue."""

import pytest
from tollgate import ManualClock, load
from tollgate.errors import BillingError, MoneyError, NotSubscribed
from tollgate.money import Money
from tollgate.reports import invoice_text, revenue_rows, showback_rows

TEXT = """
[plan basic]
fee = 31.00
meter.calls = 100 graduated 100@0.01 *@0.005
meter.jobs = 5 hard
[plan pro]
like = basic
fee = 50.00
meter.calls = 310 unit 0.02
[plan free]
meter.calls = 0 graduated 10@0 *@0.125+2.50
meter.mails = 10 package 100@1.50
[organisation acme]
plan = basic since 2024-01-01
{acme}
[organisation other]
plan = basic since 2024-01-01
currency = USD
[key k1]
organisation = acme
[key k2]
organisation = acme
[key k3]
organisation = acme
[key k9]
organisation = other
"""


def gate_at(moment="2024-01-10T12:00:00Z", acme=""):
    clock = ManualClock(moment)
    return load(TEXT.replace("{acme}", acme), clock), clock


def lines(invoice):
    return [[line.text, line.amount.plain()] for line in invoice.lines]


def sums(invoice):
    """Subtotal, tax, total, credit, due."""
    found = [invoice.subtotal, invoice.tax, invoice.total, invoice.credit, invoice.due]
    return [money.plain() for money in found]


def draws(invoice):
    return [[draw.grant, draw.amount.plain()] for draw in invoice.draws]


class TestLines:
    def test_fee_of_a_whole_month(self):
        gate, _ = gate_at()
        assert lines(gate.draft("acme", "2024-01")) == [["basic", "31.00"]]

    def test_change_of_plan(self):
        gate, _ = gate_at()
        gate.change_plan("acme", "pro")
        assert lines(gate.draft("acme", "2024-01")) == [
            ["basic, 1-9 (9 of 31 days)", "9.00"],
            ["pro, 10-31 (22 of 31 days)", "35.48"],
        ]

    def test_begins_in_the_month(self):
        gate, _ = gate_at(acme="[organisation new]\nplan = basic since 2024-01-10")
        assert lines(gate.draft("new", "2024-01")) == [["basic, 10-31 (22 of 31 days)", "22.00"]]

    def test_changed_back_and_forth(self):
        gate, clock = gate_at()
        gate.change_plan("acme", "free")
        clock.move_to("2024-01-12T00:00:00Z")
        gate.change_plan("acme", "basic")
        assert lines(gate.draft("acme", "2024-01")) == [
            ["basic, 1-9 (9 of 31 days)", "9.00"],
            ["basic, 12-31 (20 of 31 days)", "20.00"],
        ]

    def test_same_plan_again_is_one_line(self):
        gate, _ = gate_at()
        gate.change_plan("acme", "basic")
        assert lines(gate.draft("acme", "2024-01")) == [["basic", "31.00"]]

    def test_change_on_the_first_day(self):
        gate, clock = gate_at()
        clock.move_to("2024-02-01T00:00:00Z")
        gate.change_plan("acme", "pro")
        assert lines(gate.draft("acme", "2024-02")) == [["pro", "50.00"]]

    def test_next_month(self):
        gate, _ = gate_at()
        gate.change_plan("acme", "pro", "next_month")
        assert lines(gate.draft("acme", "2024-02")) == [["pro", "50.00"]]

    def test_change_on_the_last_day(self):
        gate, clock = gate_at()
        clock.move_to("2024-01-31T12:00:00Z")
        gate.change_plan("acme", "pro")
        assert lines(gate.draft("acme", "2024-01")) == [
            ["basic, 1-30 (30 of 31 days)", "30.00"],
            ["pro, 31-31 (1 of 31 days)", "1.61"],
        ]

    def test_overage_by_bands(self):
        gate, _ = gate_at()
        gate.record("k1", "calls", 387)
        assert lines(gate.draft("acme", "2024-01")) == [
            ["basic", "31.00"],
            ["calls, 100 x 0.01", "1.00"],
            ["calls, 187 x 0.005", "0.94"],
        ]

    def test_allowance_used_up(self):
        gate, _ = gate_at()
        gate.record("k1", "calls", 100)
        assert lines(gate.draft("acme", "2024-01")) == [["basic", "31.00"]]

    def test_hard_meters_cost_nothing(self):
        gate, _ = gate_at()
        gate.record("k1", "jobs", 20)
        assert lines(gate.draft("acme", "2024-01")) == [["basic", "31.00"]]

    def test_lines_of_nothing_are_left_out(self):
        gate, _ = gate_at()
        gate.subscribe("acme", "free", gate.today("acme").replace(day=1))
        gate.record("k1", "calls", 12)
        assert lines(gate.draft("acme", "2024-01")) == [["calls, 2 x 0.125 + 2.5", "2.75"]]

    def test_meters_in_order_of_the_plan(self):
        gate, _ = gate_at()
        gate.subscribe("acme", "free", gate.today("acme").replace(day=1))
        gate.record("k1", "mails", 211)
        gate.record("k1", "calls", 14)
        assert lines(gate.draft("acme", "2024-01")) == [
            ["calls, 4 x 0.125 + 2.5", "3.00"],
            ["mails, 3 x 1.5", "4.50"],
        ]

    def test_overage_at_the_price_of_the_last_plan(self):
        gate, _ = gate_at()
        gate.record("k1", "calls", 349)
        gate.change_plan("acme", "pro")
        assert lines(gate.draft("acme", "2024-01"))[2] == ["calls, 100 x 0.02", "2.00"]

    def test_meter_that_the_last_plan_does_not_have(self):
        gate, _ = gate_at()
        gate.subscribe("acme", "free", gate.today("acme").replace(day=1))
        gate.record("k1", "mails", 100)
        gate.change_plan("acme", "basic")
        assert lines(gate.draft("acme", "2024-01"))[1] == ["mails, 1 x 1.5", "1.50"]


class TestSums:
    def test_each_line_is_rounded(self):
        gate, clock = gate_at()
        gate.change_plan("acme", "pro")
        clock.move_to("2024-01-11T00:00:00Z")
        gate.change_plan("acme", "basic")
        assert sums(gate.draft("acme", "2024-01")) == ["31.61", "0.00", "31.61", "0.00", "31.61"]

    def test_declared_rounding(self):
        gate, _ = gate_at(acme="rounding = up")
        gate.change_plan("acme", "pro")
        assert sums(gate.draft("acme", "2024-01"))[0] == "44.49"

    def test_half_even(self):
        gate, _ = gate_at(acme="rounding = half_even")
        gate.record("k1", "calls", 201)
        assert lines(gate.draft("acme", "2024-01"))[1:] == [["calls, 100 x 0.01", "1.00"]]

    def test_tax_on_top(self):
        gate, _ = gate_at(acme="tax = VAT 19%")
        assert sums(gate.draft("acme", "2024-01")) == ["31.00", "5.89", "36.89", "0.00", "36.89"]

    def test_tax_is_reckoned_once(self):
        gate, _ = gate_at(acme="tax = VAT 8.5%")
        gate.change_plan("acme", "pro")
        assert sums(gate.draft("acme", "2024-01")) == ["44.48", "3.78", "48.26", "0.00", "48.26"]

    def test_tax_is_rounded_after_the_sum(self):
        gate, _ = gate_at(acme="tax = VAT 7.5%")
        gate.record("k1", "calls", 349)
        gate.change_plan("acme", "pro")
        assert sums(gate.draft("acme", "2024-01")) == ["46.48", "3.49", "49.97", "0.00", "49.97"]

    def test_included_tax_is_reckoned_once(self):
        gate, _ = gate_at(acme="tax = GST 10% included")
        gate.change_plan("acme", "pro")
        assert sums(gate.draft("acme", "2024-01")) == ["44.48", "4.04", "44.48", "0.00", "44.48"]

    def test_tax_is_on_the_rounded_lines(self):
        gate, _ = gate_at(acme="tax = VAT 19%")
        gate.record("k1", "calls", 387)
        assert sums(gate.draft("acme", "2024-01")) == ["32.94", "6.26", "39.20", "0.00", "39.20"]

    def test_tax_included(self):
        gate, _ = gate_at(acme="tax = GST 10% included")
        assert sums(gate.draft("acme", "2024-01")) == ["31.00", "2.82", "31.00", "0.00", "31.00"]

    def test_credit_with_tax_included(self):
        gate, _ = gate_at(acme="tax = GST 10% included")
        gate.grant("acme", "50.00")
        assert sums(gate.draft("acme", "2024-01")) == ["31.00", "2.82", "31.00", "31.00", "0.00"]

    def test_credit_pays_tax(self):
        gate, _ = gate_at(acme="tax = VAT 19%")
        gate.grant("acme", "50.00")
        assert sums(gate.draft("acme", "2024-01")) == ["31.00", "5.89", "36.89", "36.89", "0.00"]

    def test_currency_without_digits(self):
        gate, _ = gate_at(acme="currency = JPY\nrounding = down")
        gate.change_plan("acme", "pro")
        assert lines(gate.draft("acme", "2024-01"))[1] == ["pro, 10-31 (22 of 31 days)", "35"]


class TestCredits:
    def test_balance(self):
        gate, _ = gate_at()
        gate.grant("acme", "20.00")
        gate.grant("acme", "7.50", "2024-02-01T00:00:00Z")
        assert gate.balance("acme").plain() == "27.50"

    def test_expired_credit_is_gone(self):
        gate, clock = gate_at()
        gate.grant("acme", "20.00")
        gate.grant("acme", "7.50", "2024-02-01T00:00:00Z")
        clock.move_to("2024-02-01T00:00:00Z")
        assert gate.balance("acme").plain() == "20.00"

    def test_good_until_just_before(self):
        gate, clock = gate_at()
        gate.grant("acme", "7.50", "2024-02-01T00:00:00Z")
        clock.move_to("2024-01-31T23:59:59Z")
        assert gate.balance("acme").plain() == "7.50"

    def test_expired_credit_pays_nothing(self):
        gate, clock = gate_at()
        gate.grant("acme", "7.50", "2024-02-01T00:00:00Z")
        clock.move_to("2024-02-01T00:00:00Z")
        assert draws(gate.invoice("acme", "2024-01")) == []

    def test_soonest_to_expire_first(self):
        gate, _ = gate_at()
        gate.grant("acme", "20.00", "2024-06-01T00:00:00Z")
        gate.grant("acme", "20.00", "2024-05-01T00:00:00Z")
        assert draws(gate.draft("acme", "2024-01")) == [[2, "20.00"], [1, "11.00"]]

    def test_without_end_last(self):
        gate, _ = gate_at()
        gate.grant("acme", "20.00")
        gate.grant("acme", "20.00", "2024-05-01T00:00:00Z")
        assert draws(gate.draft("acme", "2024-01")) == [[2, "20.00"], [1, "11.00"]]

    def test_older_first(self):
        gate, _ = gate_at()
        gate.grant("acme", "30.00")
        gate.grant("acme", "20.00")
        assert draws(gate.draft("acme", "2024-01")) == [[1, "30.00"], [2, "1.00"]]

    def test_of_equal_end_the_older_first(self):
        gate, _ = gate_at()
        gate.grant("acme", "30.00", "2024-05-01T00:00:00Z")
        gate.grant("acme", "20.00", "2024-05-01T00:00:00Z")
        assert draws(gate.draft("acme", "2024-01")) == [[1, "30.00"], [2, "1.00"]]

    def test_spent_once(self):
        gate, clock = gate_at()
        gate.grant("acme", "40.00")
        clock.move_to("2024-03-01T00:00:00Z")
        gate.invoice("acme", "2024-01")
        assert draws(gate.invoice("acme", "2024-02")) == [[1, "9.00"]]

    def test_left_after_an_invoice(self):
        gate, clock = gate_at()
        gate.grant("acme", "40.00")
        clock.move_to("2024-03-01T00:00:00Z")
        gate.invoice("acme", "2024-01")
        assert gate.balance("acme").plain() == "9.00"

    def test_a_draft_spends_nothing(self):
        gate, _ = gate_at()
        gate.grant("acme", "40.00")
        gate.draft("acme", "2024-01")
        assert gate.balance("acme").plain() == "40.00"

    def test_of_others(self):
        gate, _ = gate_at()
        gate.grant("other", "40.00")
        assert draws(gate.draft("acme", "2024-01")) == []

    def test_in_the_payers_currency(self):
        gate, _ = gate_at()
        gate.grant("other", "40")
        assert gate.balance("other").format() == "$40.00"

    def test_nothing_to_grant(self):
        gate, _ = gate_at()
        with pytest.raises(MoneyError):
            gate.grant("acme", "0")

    def test_finer_than_the_currency(self):
        gate, _ = gate_at()
        with pytest.raises(MoneyError):
            gate.grant("acme", "0.125")


class TestIssuing:
    def test_not_before_the_end(self):
        gate, clock = gate_at()
        clock.move_to("2024-01-31T23:59:59Z")
        with pytest.raises(BillingError):
            gate.invoice("acme", "2024-01")

    def test_at_the_end(self):
        gate, clock = gate_at()
        clock.move_to("2024-02-01T00:00:00Z")
        assert gate.invoice("acme", "2024-01").number == "2024-0001"

    def test_at_the_end_of_a_summer_month(self):
        sun = "zone = +01:00/EU\n[organisation sun]\nparent = acme\nplan = basic since 2024-07-10"
        gate, clock = gate_at(acme=sun)
        clock.move_to("2024-07-31T22:00:00Z")
        assert lines(gate.invoice("sun", "2024-07")) == [["basic, 10-31 (22 of 31 days)", "22.00"]]

    def test_once(self):
        gate, clock = gate_at()
        clock.move_to("2024-02-01T00:00:00Z")
        gate.invoice("acme", "2024-01")
        with pytest.raises(BillingError):
            gate.invoice("acme", "2024-01")

    def test_in_order(self):
        gate, clock = gate_at()
        clock.move_to("2024-03-01T00:00:00Z")
        with pytest.raises(BillingError):
            gate.invoice("acme", "2024-02")

    def test_without_a_plan(self):
        gate, clock = gate_at()
        clock.move_to("2024-02-01T00:00:00Z")
        with pytest.raises(BillingError):
            gate.draft("acme", "2023-12")

    def test_never_on_a_plan(self):
        gate, clock = gate_at(acme="[organisation idle]")
        clock.move_to("2024-02-01T00:00:00Z")
        with pytest.raises(NotSubscribed):
            gate.invoice("idle", "2024-01")

    def test_numbers_over_all_payers(self):
        gate, clock = gate_at()
        clock.move_to("2024-02-01T00:00:00Z")
        gate.invoice("acme", "2024-01")
        assert gate.invoice("other", "2024-01").number == "2024-0002"

    def test_numbers_begin_anew_each_year(self):
        gate, clock = gate_at(acme="[organisation new]\nplan = basic since 2024-11-05")
        clock.move_to("2024-12-20T00:00:00Z")
        gate.invoice("new", "2024-11")
        clock.move_to("2025-01-05T00:00:00Z")
        assert gate.invoice("new", "2024-12").number == "2025-0001"

    def test_year_of_issue(self):
        gate, clock = gate_at()
        clock.move_to("2025-02-01T00:00:00Z")
        assert gate.invoice("acme", "2024-01").number == "2025-0001"

    def test_year_in_local_time(self):
        gate, clock = gate_at(acme="zone = -05:00")
        clock.move_to("2025-01-01T04:59:59Z")
        assert gate.invoice("acme", "2024-01").number == "2024-0001"

    def test_a_draft_has_no_number(self):
        gate, _ = gate_at()
        assert gate.draft("acme", "2024-01").number == ""


class TestOnPaper:
    def test_page(self):
        gate, clock = gate_at(acme="tax = VAT 19%")
        gate.record("k1", "calls", 387)
        gate.grant("acme", "20.00")
        clock.move_to("2024-02-01T00:00:00Z")
        assert invoice_text(gate.invoice("acme", "2024-01")).splitlines() == [
            "Invoice 2024-0001 for acme, 2024-01",
            "",
            "basic                31,00 €",
            "calls, 100 x 0.01     1,00 €",
            "calls, 187 x 0.005    0,94 €",
            "----------------------------",
            "Subtotal             32,94 €",
            "VAT 19%               6,26 €",
            "Total                39,20 €",
            "Credit              -20,00 €",
            "Due                  19,20 €",
        ]

    def test_draft_without_tax(self):
        gate, _ = gate_at()
        assert invoice_text(gate.draft("other", "2024-01")).splitlines() == [
            "Draft for other, 2024-01",
            "",
            "basic     $31.00",
            "----------------",
            "Subtotal  $31.00",
            "Total     $31.00",
            "Due       $31.00",
        ]

    def test_tax_included(self):
        gate, _ = gate_at(acme="tax = GST 10% included")
        page = invoice_text(gate.draft("acme", "2024-01"))
        assert page.splitlines()[5] == "of which GST 10%   2,82 €"


class TestRevenue:
    def test_by_currency(self):
        gate, clock = gate_at(acme="tax = VAT 19%")
        clock.move_to("2024-02-01T00:00:00Z")
        gate.invoice("other", "2024-01")
        gate.invoice("acme", "2024-01")
        assert revenue_rows(gate, "2024-01") == [
            ["EUR", 1, "31.00", "5.89"],
            ["USD", 1, "31.00", "0.00"],
        ]

    def test_net_of_included_tax(self):
        gate, clock = gate_at(acme="tax = GST 10% included")
        clock.move_to("2024-02-01T00:00:00Z")
        gate.invoice("acme", "2024-01")
        assert revenue_rows(gate, "2024-01") == [["EUR", 1, "28.18", "2.82"]]

    def test_credit_does_not_lessen_it(self):
        gate, clock = gate_at()
        gate.grant("acme", "10.00")
        clock.move_to("2024-02-01T00:00:00Z")
        gate.invoice("acme", "2024-01")
        assert revenue_rows(gate, "2024-01") == [["EUR", 1, "31.00", "0.00"]]

    def test_other_months(self):
        gate, clock = gate_at()
        clock.move_to("2024-02-01T00:00:00Z")
        gate.invoice("acme", "2024-01")
        assert revenue_rows(gate, "2024-02") == []


class TestShowback:
    def test_by_units_of_each_key(self):
        gate, _ = gate_at()
        gate.record("k1", "calls", 50)
        gate.record("k2", "calls", 150)
        assert showback_rows(gate, gate.draft("acme", "2024-01")) == [
            ["calls", "k1", "0.25"],
            ["calls", "k2", "0.75"],
        ]

    def test_bands_of_a_meter_together(self):
        gate, _ = gate_at()
        gate.record("k2", "calls", 250)
        gate.record("k1", "calls", 150)
        assert showback_rows(gate, gate.draft("acme", "2024-01")) == [
            ["calls", "k1", "0.75"],
            ["calls", "k2", "1.25"],
        ]

    def test_adds_up(self):
        gate, _ = gate_at()
        gate.record("k1", "calls", 15)
        gate.record("k2", "calls", 31)
        gate.record("k3", "calls", 64)
        assert showback_rows(gate, gate.draft("acme", "2024-01")) == [
            ["calls", "k1", "0.01"],
            ["calls", "k2", "0.03"],
            ["calls", "k3", "0.06"],
        ]

    def test_nothing_charged(self):
        gate, _ = gate_at()
        gate.record("k1", "calls", 15)
        assert showback_rows(gate, gate.draft("acme", "2024-01")) == []

    def test_usage_of_others(self):
        gate, _ = gate_at()
        gate.record("k9", "calls", 500)
        gate.record("k1", "calls", 300)
        assert showback_rows(gate, gate.draft("acme", "2024-01")) == [["calls", "k1", "1.50"]]

    def test_currency_of_the_invoice(self):
        gate, _ = gate_at()
        gate.record("k9", "calls", 300)
        part = showback_rows(gate, gate.draft("other", "2024-01"))[0]
        assert Money.of(part[2], "USD").format() == "$1.50"
