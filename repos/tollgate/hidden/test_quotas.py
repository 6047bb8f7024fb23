"""Allowances by month, caps, and the plans behind them."""

import pytest
from tollgate import ManualClock, load
from tollgate.errors import (
    BillingError,
    DuplicateName,
    NotSubscribed,
    ParseError,
    QuotaExceeded,
    UnknownName,
)
from tollgate.plans import Plan, PlanBook

TEXT = """
[plan basic]
fee = 31
meter.calls = 310 unit 0.10
meter.jobs = 10 hard
[plan pro]
like = basic
meter.calls = 620 unit 0.05
[plan small]
meter.calls = 31 unit 0.20
[organisation group]
[organisation acme]
parent = group
zone = +01:00/EU
plan = basic since 2024-01-01
[organisation lab]
parent = acme
[organisation bench]
parent = lab
[key k1]
organisation = acme
[key k2]
organisation = lab
[key k3]
organisation = bench
"""


def gate_at(moment="2024-01-10T12:00:00Z"):
    clock = ManualClock(moment)
    return load(TEXT, clock), clock


def figures(gate, month=None, meter="calls"):
    """Included, used, remaining, overage."""
    a = gate.quota("acme", meter, month)
    return [a.included, a.used, a.remaining, a.overage]


def shortage(gate, key, meter, units):
    """Holder and remaining units of what refuses a request."""
    try:
        gate.admit(key, meter, units)
    except QuotaExceeded as refusal:
        return [refusal.holder, refusal.remaining]
    return ["none", 0]


class TestAllowance:
    def test_unused(self):
        gate, _ = gate_at()
        assert figures(gate) == [310, 0, 310, 0]

    def test_used_below_the_payer(self):
        gate, _ = gate_at()
        gate.admit("k1", "calls", 10)
        gate.admit("k2", "calls", 20)
        assert figures(gate) == [310, 30, 280, 0]

    def test_seen_from_below(self):
        gate, _ = gate_at()
        gate.admit("k1", "calls", 10)
        assert gate.quota("lab", "calls").remaining == 300

    def test_overage(self):
        gate, _ = gate_at()
        gate.admit("k1", "calls", 315)
        assert figures(gate) == [310, 315, 0, 5]

    def test_hard_just_fits(self):
        gate, _ = gate_at()
        assert gate.admit("k1", "jobs", 10).remaining == 0

    def test_hard_refuses(self):
        gate, _ = gate_at()
        gate.admit("k2", "jobs", 7)
        assert shortage(gate, "k1", "jobs", 4) == ["acme", 3]

    def test_hard_is_new_each_month(self):
        gate, clock = gate_at()
        gate.admit("k2", "jobs", 10)
        clock.move_to("2024-01-31T23:00:00Z")
        assert gate.admit("k2", "jobs", 4).remaining == 6

    def test_month_ends_at_local_midnight(self):
        gate, clock = gate_at()
        gate.admit("k2", "jobs", 10)
        clock.move_to("2024-01-31T22:59:59Z")
        assert shortage(gate, "k1", "jobs", 1) == ["acme", 0]

    def test_summer_month_ends_an_hour_earlier(self):
        gate, _ = gate_at("2024-07-31T22:00:00Z")
        gate.admit("k1", "calls", 5)
        assert gate.quota("acme", "calls", "2024-08").used == 5

    def test_unknown_meter(self):
        gate, _ = gate_at()
        with pytest.raises(UnknownName):
            gate.admit("k1", "faxes")


class TestPlansOverTime:
    def test_part_of_a_month(self):
        gate, _ = gate_at()
        gate.change_plan("acme", "pro")
        assert figures(gate) == [530, 0, 530, 0]

    def test_begins_in_the_month(self):
        gate, _ = gate_at()
        gate.subscribe("acme", "basic", gate.today("acme"))
        gate.subscribe("group", "basic", gate.today("group"))
        assert gate.quota("group", "calls").included == 220

    def test_sum_is_rounded_down(self):
        gate, _ = gate_at("2024-02-10T12:00:00Z")
        gate.subscribe("group", "small", gate.today("group"))
        assert gate.quota("group", "calls").included == 21

    def test_rounded_down_once(self):
        gate, _ = gate_at("2024-02-16T12:00:00Z")
        gate.change_plan("acme", "small")
        assert gate.quota("acme", "calls").included == 175

    def test_last_change_of_a_day_wins(self):
        gate, _ = gate_at()
        gate.change_plan("acme", "pro")
        gate.change_plan("acme", "small")
        assert figures(gate) == [112, 0, 112, 0]

    def test_next_month_leaves_this_one(self):
        gate, _ = gate_at()
        gate.change_plan("acme", "pro", "next_month")
        assert figures(gate) == [310, 0, 310, 0]

    def test_a_change_now_ends_what_was_planned(self):
        gate, clock = gate_at()
        gate.change_plan("acme", "pro", "next_month")
        gate.change_plan("acme", "small")
        clock.move_to("2024-02-10T00:00:00Z")
        assert figures(gate) == [31, 0, 31, 0]

    def test_today_is_local(self):
        gate, _ = gate_at("2024-01-31T23:30:00Z")
        gate.change_plan("acme", "pro")
        assert figures(gate)[0] == 620

    def test_no_other_time_of_change(self):
        gate, _ = gate_at()
        with pytest.raises(ParseError):
            gate.change_plan("acme", "pro", "tomorrow")

    def test_unknown_plan(self):
        gate, _ = gate_at()
        with pytest.raises(UnknownName):
            gate.change_plan("acme", "gold")

    def test_invoiced_months_stay_as_they_are(self):
        gate, clock = gate_at()
        day = gate.today("acme")
        clock.move_to("2024-02-10T00:00:00Z")
        gate.invoice("acme", "2024-01")
        with pytest.raises(BillingError):
            gate.subscribe("acme", "pro", day)

    def test_own_plan_makes_a_payer(self):
        gate, _ = gate_at()
        gate.change_plan("lab", "small")
        gate.admit("k3", "calls", 9)
        assert figures(gate) == [310, 0, 310, 0]

    def test_own_plan_counts_its_own(self):
        gate, _ = gate_at()
        gate.change_plan("lab", "small")
        gate.admit("k3", "calls", 9)
        assert gate.quota("bench", "calls").used == 9

    def test_nobody_pays(self):
        gate, _ = gate_at()
        with pytest.raises(NotSubscribed):
            gate.quota("group", "calls")

    def test_before_the_plan_begins(self):
        gate, _ = gate_at("2023-12-31T22:59:59Z")
        with pytest.raises(NotSubscribed):
            gate.admit("k1", "calls")


class TestCaps:
    def test_of_a_key(self):
        gate, _ = gate_at()
        gate.override("k2", caps={"calls": 50})
        gate.admit("k2", "calls", 45)
        assert shortage(gate, "k2", "calls", 6) == ["k2", 5]

    def test_of_a_key_is_for_that_key(self):
        gate, _ = gate_at()
        gate.override("k2", caps={"calls": 50})
        gate.admit("k1", "calls", 45)
        assert gate.admit("k2", "calls", 40).remaining == 10

    def test_of_an_organisation(self):
        gate, _ = gate_at()
        gate.override("lab", caps={"calls": 50})
        gate.admit("k2", "calls", 45)
        assert shortage(gate, "k2", "calls", 6) == ["lab", 5]

    def test_counts_all_keys_below(self):
        gate, _ = gate_at()
        gate.override("lab", caps={"calls": 50})
        gate.admit("k3", "calls", 30)
        gate.admit("k2", "calls", 10)
        assert shortage(gate, "k2", "calls", 11) == ["lab", 10]

    def test_holds_keys_far_below(self):
        gate, _ = gate_at()
        gate.override("group", caps={"calls": 50})
        gate.admit("k1", "calls", 48)
        assert shortage(gate, "k3", "calls", 3) == ["group", 2]

    def test_does_not_count_keys_above(self):
        gate, _ = gate_at()
        gate.override("lab", caps={"calls": 50})
        gate.admit("k1", "calls", 45)
        assert gate.admit("k3", "calls", 45).remaining == 5

    def test_the_first_that_has_too_little(self):
        gate, _ = gate_at()
        gate.override("k3", caps={"calls": 20})
        gate.override("lab", caps={"calls": 10})
        assert shortage(gate, "k3", "calls", 30) == ["k3", 20]

    def test_before_the_allowance(self):
        gate, _ = gate_at()
        gate.override("acme", caps={"jobs": 4})
        assert shortage(gate, "k3", "jobs", 11) == ["acme", 4]

    def test_new_each_month(self):
        gate, clock = gate_at()
        gate.override("lab", caps={"calls": 50})
        gate.admit("k2", "calls", 50)
        clock.move_to("2024-01-31T23:00:00Z")
        assert gate.admit("k2", "calls", 1).remaining == 49

    def test_overrides_add_up(self):
        gate, _ = gate_at()
        gate.override("k2", caps={"calls": 50})
        gate.override("k2", caps={"jobs": 3})
        assert shortage(gate, "k2", "calls", 51) == ["k2", 50]

    def test_overrides_of_an_organisation_add_up(self):
        gate, _ = gate_at()
        gate.override("lab", caps={"jobs": 3})
        gate.override("lab", caps={"calls": 50})
        assert shortage(gate, "k3", "jobs", 4) == ["lab", 3]

    def test_a_later_cap_takes_the_place(self):
        gate, _ = gate_at()
        gate.override("k2", caps={"calls": 50})
        gate.override("k2", caps={"calls": 60})
        assert gate.admit("k2", "calls", 51).remaining == 9

    def test_limits_leave_caps(self):
        gate, _ = gate_at()
        gate.override("lab", caps={"calls": 5})
        gate.override("lab", limits={"a": None})
        assert shortage(gate, "k2", "calls", 6) == ["lab", 5]


class TestPayers:
    def test_plan_book_has_one_of_a_name(self):
        book = PlanBook([Plan("basic")])
        with pytest.raises(DuplicateName):
            book.add(Plan("basic"))

    def test_plan_in_the_middle_of_a_tree(self):
        gate, _ = gate_at()
        gate.change_plan("bench", "small")
        payers = [gate.subscriptions.payer(name, gate.clock.now()) for name in ("lab", "bench")]
        assert payers == ["acme", "bench"]

    def test_own_plan_begins_later(self):
        gate, clock = gate_at()
        gate.change_plan("lab", "small", "next_month")
        before = gate.admit("k2", "calls", 3).record.payer
        clock.move_to("2024-01-31T23:00:00Z")
        assert [before, gate.admit("k2", "calls", 3).record.payer] == ["acme", "lab"]
