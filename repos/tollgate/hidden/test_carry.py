"""What is left of a month, and how much of it the next month gets."""

from tollgate import ManualClock, load
from tollgate.reports import allowance_rows

TEXT = """
[plan basic]
meter.calls = 310 carry 100 unit 0.10
meter.jobs = 10 carry 50 hard
meter.mails = 10 hard
[plan pro]
like = basic
meter.calls = 620 carry 50 unit 0.05
[plan small]
meter.calls = 31 unit 0.20
[organisation acme]
zone = +01:00/EU
plan = basic since 2024-01-01
[key k1]
organisation = acme
"""


def gate_at(moment="2024-01-10T12:00:00Z"):
    clock = ManualClock(moment)
    return load(TEXT, clock), clock


def figures(gate, month=None, meter="calls"):
    """Included, carried, used, remaining, overage."""
    a = gate.quota("acme", meter, month)
    return [a.included, a.carried, a.used, a.remaining, a.overage]


class TestCarryOver:
    def test_what_is_left_is_carried(self):
        gate, clock = gate_at()
        gate.admit("k1", "calls", 250)
        clock.move_to("2024-02-10T00:00:00Z")
        assert figures(gate) == [310, 60, 0, 370, 0]

    def test_not_more_than_the_plan_allows(self):
        gate, clock = gate_at()
        gate.admit("k1", "calls", 10)
        clock.move_to("2024-02-10T00:00:00Z")
        assert figures(gate) == [310, 100, 0, 410, 0]

    def test_nothing_left_nothing_carried(self):
        gate, clock = gate_at()
        gate.admit("k1", "calls", 330)
        clock.move_to("2024-02-10T00:00:00Z")
        assert figures(gate) == [310, 0, 0, 310, 0]

    def test_carried_units_are_used_first(self):
        gate, clock = gate_at()
        gate.admit("k1", "calls", 250)
        clock.move_to("2024-02-10T00:00:00Z")
        gate.admit("k1", "calls", 300)
        clock.move_to("2024-03-10T00:00:00Z")
        assert figures(gate) == [310, 70, 0, 380, 0]

    def test_carried_units_are_not_carried_again(self):
        gate, clock = gate_at()
        gate.admit("k1", "calls", 210)
        clock.move_to("2024-02-10T00:00:00Z")
        gate.admit("k1", "calls", 390)
        clock.move_to("2024-03-10T00:00:00Z")
        assert figures(gate) == [310, 20, 0, 330, 0]

    def test_carry_of_the_plan_on_the_first_day(self):
        gate, clock = gate_at()
        gate.change_plan("acme", "pro", "next_month")
        clock.move_to("2024-02-10T00:00:00Z")
        assert figures(gate) == [620, 50, 0, 670, 0]

    def test_carry_of_the_first_day_outlasts_its_plan(self):
        gate, clock = gate_at()
        clock.move_to("2024-02-15T00:00:00Z")
        gate.change_plan("acme", "pro")
        assert gate.quota("acme", "calls").carried == 100

    def test_no_carry_of_a_plan_from_the_middle_of_the_month(self):
        gate, clock = gate_at()
        clock.move_to("2024-02-01T00:00:00Z")
        gate.change_plan("acme", "small")
        clock.move_to("2024-02-15T00:00:00Z")
        gate.change_plan("acme", "basic")
        assert gate.quota("acme", "calls").carried == 0

    def test_plan_without_carry(self):
        gate, clock = gate_at()
        gate.change_plan("acme", "small", "next_month")
        clock.move_to("2024-02-10T00:00:00Z")
        assert figures(gate) == [31, 0, 0, 31, 0]

    def test_overage_begins_after_the_carried_units(self):
        gate, clock = gate_at()
        gate.admit("k1", "calls", 270)
        clock.move_to("2024-02-10T00:00:00Z")
        gate.admit("k1", "calls", 355)
        assert figures(gate) == [310, 40, 355, 0, 5]

    def test_granted(self):
        gate, clock = gate_at()
        gate.admit("k1", "calls", 250)
        clock.move_to("2024-02-10T00:00:00Z")
        gate.admit("k1", "calls", 30)
        assert gate.quota("acme", "calls").granted == 370

    def test_months_back(self):
        gate, clock = gate_at()
        gate.admit("k1", "calls", 250)
        clock.move_to("2024-03-10T00:00:00Z")
        assert figures(gate, "2024-02") == [310, 60, 0, 370, 0]

    def test_hard_meter_without_carry(self):
        gate, clock = gate_at()
        clock.move_to("2024-02-10T00:00:00Z")
        assert figures(gate, meter="mails") == [10, 0, 0, 10, 0]

    def test_hard_meter_with_carry(self):
        gate, clock = gate_at()
        gate.admit("k1", "jobs", 4)
        clock.move_to("2024-02-10T00:00:00Z")
        assert gate.admit("k1", "jobs", 13).remaining == 3

    def test_months_do_not_pile_up(self):
        gate, clock = gate_at()
        clock.move_to("2024-04-10T00:00:00Z")
        assert figures(gate, meter="jobs") == [10, 10, 0, 20, 0]

    def test_what_is_left_of_carried_units_is_lost(self):
        gate, clock = gate_at()
        clock.move_to("2024-02-10T00:00:00Z")
        gate.admit("k1", "jobs", 4)
        clock.move_to("2024-03-10T00:00:00Z")
        assert figures(gate, meter="jobs") == [10, 10, 0, 20, 0]

    def test_nothing_into_the_first_month(self):
        gate, _ = gate_at("2024-01-01T00:00:00Z")
        assert figures(gate, meter="jobs") == [10, 0, 0, 10, 0]

    def test_usage_that_comes_late_lessens_what_was_carried(self):
        gate, clock = gate_at()
        gate.admit("k1", "calls", 250)
        clock.move_to("2024-02-10T00:00:00Z")
        gate.record("k1", "calls", 20, at="2024-01-15T00:00:00Z")
        assert figures(gate) == [310, 40, 0, 350, 0]

    def test_overage_on_the_invoice(self):
        gate, clock = gate_at()
        gate.admit("k1", "calls", 270)
        clock.move_to("2024-02-10T00:00:00Z")
        gate.admit("k1", "calls", 355)
        assert gate.draft("acme", "2024-02").subtotal.plain() == "0.50"

    def test_in_the_report(self):
        gate, clock = gate_at()
        gate.admit("k1", "calls", 285)
        clock.move_to("2024-02-10T00:00:00Z")
        assert allowance_rows(gate, "acme", "2024-02")[0] == ["calls", 310, 25, 0, 335, 0]

    def test_of_the_plan_in_the_book(self):
        gate, _ = gate_at()
        assert gate.plans.get("pro").meter("calls").carry == 50

    def test_none_told_none_carried(self):
        gate, _ = gate_at()
        assert gate.plans.get("small").meter("calls").carry == 0
