"""Access, usage records, idempotency keys, late arrivals."""

import pytest
from tollgate import ManualClock, load
from tollgate.accounts import ApiKey, Organisation
from tollgate.errors import (
    AccessDenied,
    DuplicateName,
    HierarchyError,
    IdempotencyConflict,
    LimitExceeded,
    NotSubscribed,
    UnknownName,
    UsageError,
)

TEXT = """
[plan basic]
meter.calls = 100 unit 1
meter.jobs = 10 hard
limit.rate = bucket 10/1s burst 20
[organisation group]
zone = -05:00/US
currency = USD
rounding = half_even
tax = GST 5%
[organisation acme]
parent = group
plan = basic since 2024-01-01
[organisation lab]
parent = acme
zone = +01:00
tax = none
[organisation other]
plan = basic since 2024-01-01
[key k1]
organisation = acme
[key k2]
organisation = lab
expires = 2024-01-20T00:00:00Z
[key k9]
organisation = other
"""


def gate_at(moment="2024-01-10T12:00:00Z"):
    clock = ManualClock(moment)
    return load(TEXT, clock), clock


def keys_under(gate, name):
    return [key.name for key in gate.directory.keys_under(name)]


def counted(record):
    """The record's own month, the month it is billed in, and whether it is late."""
    return [str(record.month), str(record.billed), "late" if record.late else "in time"]


class TestDirectory:
    def test_inherited_zone(self):
        gate, _ = gate_at()
        assert str(gate.directory.zone("acme")) == "-05:00/US"

    def test_own_zone(self):
        gate, _ = gate_at()
        assert str(gate.directory.zone("lab")) == "+01:00"

    def test_zone_of_nobody(self):
        gate, _ = gate_at()
        assert str(gate.directory.zone("other")) == "UTC"

    def test_inherited_currency(self):
        gate, _ = gate_at()
        assert gate.directory.currency("lab").code == "USD"

    def test_currency_of_nobody(self):
        gate, _ = gate_at()
        assert gate.directory.currency("other").code == "EUR"

    def test_inherited_rounding(self):
        gate, _ = gate_at()
        assert gate.directory.rounding("lab") == "half_even"

    def test_rounding_of_nobody(self):
        gate, _ = gate_at()
        assert gate.directory.rounding("other") == "half_up"

    def test_inherited_tax(self):
        gate, _ = gate_at()
        assert gate.directory.tax("acme").label == "GST"

    def test_no_tax_whatever_stands_above(self):
        gate, _ = gate_at()
        rules = [gate.directory.tax(name) for name in ("lab", "other")]
        assert [rule is None for rule in rules] == [True, True]

    def test_keys_under_an_organisation(self):
        gate, _ = gate_at()
        assert keys_under(gate, "group") == ["k1", "k2"]

    def test_keys_move_along(self):
        gate, _ = gate_at()
        gate.directory.move("lab", "other")
        assert keys_under(gate, "other") == ["k2", "k9"]

    def test_moved_to_the_top(self):
        gate, _ = gate_at()
        gate.directory.move("lab", None)
        assert str(gate.directory.currency("lab").code) == "EUR"

    def test_not_below_itself(self):
        gate, _ = gate_at()
        with pytest.raises(HierarchyError):
            gate.directory.move("group", "lab")

    def test_not_below_itself_at_once(self):
        gate, _ = gate_at()
        with pytest.raises(HierarchyError):
            gate.directory.move("lab", "lab")

    def test_one_set_of_names(self):
        gate, _ = gate_at()
        with pytest.raises(DuplicateName):
            gate.add_key(ApiKey("acme", "other"))

    def test_unknown_parent(self):
        gate, _ = gate_at()
        with pytest.raises(UnknownName):
            gate.add_organisation(Organisation("new", parent="nobody"))

    def test_unknown_key(self):
        gate, _ = gate_at()
        with pytest.raises(UnknownName):
            gate.admit("nobody", "calls")

    def test_added_later(self):
        gate, _ = gate_at()
        gate.add_organisation(Organisation("new", parent="lab"))
        gate.add_key(ApiKey("k5", "new"))
        assert gate.admit("k5", "calls", 4).record.payer == "acme"


class TestAccess:
    def test_revoked(self):
        gate, _ = gate_at()
        gate.revoke("k1")
        with pytest.raises(AccessDenied):
            gate.admit("k1", "calls")

    def test_expires_at_the_instant(self):
        gate, clock = gate_at()
        clock.move_to("2024-01-20T00:00:00Z")
        with pytest.raises(AccessDenied):
            gate.admit("k2", "calls")

    def test_good_until_just_before(self):
        gate, clock = gate_at()
        clock.move_to("2024-01-19T23:59:59Z")
        assert gate.admit("k2", "calls", 3).record.units == 3

    def test_suspended(self):
        gate, _ = gate_at()
        gate.suspend("acme")
        with pytest.raises(AccessDenied):
            gate.admit("k1", "calls")

    def test_suspended_far_above(self):
        gate, _ = gate_at()
        gate.suspend("group")
        with pytest.raises(AccessDenied):
            gate.admit("k2", "calls")

    def test_suspended_below(self):
        gate, _ = gate_at()
        gate.suspend("lab")
        assert gate.admit("k1", "calls", 2).record.units == 2

    def test_resumed(self):
        gate, _ = gate_at()
        gate.suspend("group")
        gate.resume("group")
        assert gate.admit("k2", "calls", 7).record.units == 7

    def test_what_has_happened_is_recorded(self):
        gate, _ = gate_at()
        gate.revoke("k1")
        assert gate.record("k1", "calls", 5).record.units == 5


class TestRecords:
    def test_numbers(self):
        gate, _ = gate_at()
        gate.admit("k1", "calls")
        assert gate.admit("k9", "calls").record.number == 2

    def test_no_units(self):
        gate, _ = gate_at()
        with pytest.raises(UsageError):
            gate.admit("k1", "calls", 0)

    def test_a_minute_ahead(self):
        gate, _ = gate_at()
        gate.record("k1", "calls", 5, at="2024-01-10T12:01:00Z")
        assert gate.quota("acme", "calls").used == 5

    def test_more_than_a_minute_ahead(self):
        gate, _ = gate_at()
        with pytest.raises(UsageError):
            gate.record("k1", "calls", 5, at="2024-01-10T12:01:01Z")

    def test_before_the_plan(self):
        gate, _ = gate_at()
        with pytest.raises(NotSubscribed):
            gate.record("k1", "calls", 5, at="2024-01-01T04:59:59Z")

    def test_unknown_meter(self):
        gate, _ = gate_at()
        with pytest.raises(UnknownName):
            gate.record("k1", "faxes", 5)

    def test_whatever_a_hard_allowance_says(self):
        gate, _ = gate_at()
        gate.record("k1", "jobs", 25)
        assert gate.quota("acme", "jobs").used == 25

    def test_whatever_limits_say(self):
        gate, _ = gate_at()
        gate.record("k1", "calls", 50)
        assert gate.admit("k1", "calls", 2).remaining == 18

    def test_no_bounds_nothing_remaining(self):
        gate, _ = gate_at()
        gate.override("k1", limits={"rate": None})
        receipt = gate.admit("k1", "calls")
        assert [receipt.remaining, receipt.record.units] == [None, 1]


class TestIdempotency:
    def test_the_first_record_again(self):
        gate, _ = gate_at()
        gate.admit("k1", "calls", 3, token="t")
        gate.admit("k1", "calls", 3)
        assert gate.admit("k1", "calls", 3, token="t").record.number == 1

    def test_told_as_a_duplicate(self):
        gate, _ = gate_at()
        flags = [gate.admit("k1", "calls", 3, token="t").duplicate for _ in range(2)]
        assert flags == [False, True]

    def test_counts_once(self):
        gate, _ = gate_at()
        gate.admit("k1", "calls", 3, token="t")
        gate.admit("k1", "calls", 3, token="t")
        assert gate.quota("acme", "calls").used == 3

    def test_takes_nothing_from_a_limit(self):
        gate, _ = gate_at()
        gate.admit("k1", "calls", 8, token="t")
        gate.admit("k1", "calls", 8, token="t")
        assert gate.admit("k1", "calls", 2).remaining == 10

    def test_is_not_refused_by_a_limit(self):
        gate, _ = gate_at()
        gate.admit("k1", "calls", 15, token="t")
        assert gate.admit("k1", "calls", 15, token="t").record.number == 1

    def test_is_not_refused_by_an_allowance(self):
        gate, _ = gate_at()
        gate.admit("k1", "jobs", 6, token="t")
        assert gate.admit("k1", "jobs", 6, token="t").record.units == 6

    def test_other_units(self):
        gate, _ = gate_at()
        gate.admit("k1", "calls", 3, token="t")
        with pytest.raises(IdempotencyConflict):
            gate.admit("k1", "calls", 4, token="t")

    def test_other_meter(self):
        gate, _ = gate_at()
        gate.admit("k1", "calls", 3, token="t")
        with pytest.raises(IdempotencyConflict):
            gate.admit("k1", "jobs", 3, token="t")

    def test_other_time(self):
        gate, _ = gate_at()
        gate.record("k1", "calls", 3, at="2024-01-09T00:00:00Z", token="t")
        with pytest.raises(IdempotencyConflict):
            gate.record("k1", "calls", 3, at="2024-01-08T00:00:00Z", token="t")

    def test_the_same_time_written_otherwise(self):
        gate, _ = gate_at()
        gate.record("k1", "calls", 3, at="2024-01-09T00:00:00Z", token="t")
        gate.record("k1", "calls", 3, at="2024-01-09T01:00:00+01:00", token="t")
        assert gate.quota("acme", "calls").used == 3

    def test_much_later(self):
        gate, clock = gate_at()
        gate.record("k1", "calls", 3, token="t")
        clock.advance("3d")
        assert gate.record("k1", "calls", 3, token="t").record.number == 1

    def test_a_second_later(self):
        gate, clock = gate_at()
        gate.record("k1", "jobs", 3, token="t")
        clock.advance("1s")
        gate.record("k1", "jobs", 3, token="t")
        assert gate.quota("acme", "jobs").used == 3

    def test_much_later_counts_once(self):
        gate, clock = gate_at()
        gate.admit("k1", "calls", 3, token="t")
        clock.advance("40d")
        gate.admit("k1", "calls", 3, token="t")
        assert gate.quota("acme", "calls").used == 0

    def test_tokens_of_other_keys(self):
        gate, _ = gate_at()
        gate.admit("k1", "calls", 3, token="t")
        assert gate.admit("k9", "calls", 4, token="t").record.number == 2

    def test_same_request_with_the_token_of_another_key(self):
        gate, _ = gate_at()
        gate.admit("k1", "calls", 3, token="t")
        assert gate.admit("k9", "calls", 3, token="t").record.key == "k9"

    def test_a_refusal_does_not_use_the_token(self):
        gate, clock = gate_at()
        gate.admit("k1", "calls", 15)
        with pytest.raises(LimitExceeded):
            gate.admit("k1", "calls", 10, token="t")
        clock.advance("10s")
        assert gate.admit("k1", "calls", 12, token="t").record.number == 2


class TestLateArrivals:
    def test_month_still_open(self):
        gate, clock = gate_at()
        clock.move_to("2024-02-10T00:00:00Z")
        record = gate.record("k1", "calls", 5, at="2024-01-15T00:00:00Z").record
        assert counted(record) == ["2024-01", "2024-01", "in time"]

    def test_month_invoiced(self):
        gate, clock = gate_at()
        clock.move_to("2024-02-10T00:00:00Z")
        gate.invoice("acme", "2024-01")
        record = gate.record("k1", "calls", 5, at="2024-01-15T00:00:00Z").record
        assert counted(record) == ["2024-01", "2024-02", "late"]

    def test_two_months_invoiced(self):
        gate, clock = gate_at()
        clock.move_to("2024-03-10T00:00:00Z")
        gate.invoice("acme", "2024-01")
        gate.invoice("acme", "2024-02")
        record = gate.record("k1", "calls", 5, at="2024-01-15T00:00:00Z").record
        assert counted(record) == ["2024-01", "2024-03", "late"]

    def test_month_of_another_payer_invoiced(self):
        gate, clock = gate_at()
        clock.move_to("2024-02-10T00:00:00Z")
        gate.invoice("other", "2024-01")
        record = gate.record("k1", "calls", 5, at="2024-01-15T00:00:00Z").record
        assert counted(record) == ["2024-01", "2024-01", "in time"]

    def test_counts_for_the_allowance(self):
        gate, clock = gate_at()
        clock.move_to("2024-02-10T00:00:00Z")
        gate.invoice("acme", "2024-01")
        gate.record("k1", "calls", 30, at="2024-01-15T00:00:00Z")
        assert gate.quota("acme", "calls").remaining == 70

    def test_counts_for_caps(self):
        gate, clock = gate_at()
        clock.move_to("2024-02-10T00:00:00Z")
        gate.override("k1", caps={"calls": 40})
        gate.invoice("acme", "2024-01")
        gate.record("k1", "calls", 30, at="2024-01-15T00:00:00Z")
        assert gate.admit("k1", "calls", 4).remaining == 6

    def test_counts_for_caps_of_organisations(self):
        gate, clock = gate_at()
        clock.move_to("2024-02-10T00:00:00Z")
        gate.override("group", caps={"calls": 45})
        gate.invoice("acme", "2024-01")
        gate.record("k1", "calls", 30, at="2024-01-15T00:00:00Z")
        assert gate.admit("k1", "calls", 8).remaining == 7

    def test_does_not_count_twice_for_caps(self):
        gate, clock = gate_at()
        gate.override("k1", caps={"calls": 40})
        gate.record("k1", "calls", 30)
        clock.move_to("2024-02-10T00:00:00Z")
        assert gate.admit("k1", "calls", 15).remaining == 5

    def test_invoiced_with_its_month(self):
        gate, clock = gate_at()
        clock.move_to("2024-03-10T00:00:00Z")
        gate.invoice("acme", "2024-01")
        gate.record("k1", "calls", 130, at="2024-01-15T00:00:00Z")
        assert gate.invoice("acme", "2024-02").subtotal.plain() == "30.00"

    def test_month_of_the_payer(self):
        gate, clock = gate_at()
        clock.move_to("2024-02-10T00:00:00Z")
        record = gate.record("k2", "calls", 5, at="2024-02-01T04:59:59Z").record
        assert counted(record) == ["2024-01", "2024-01", "in time"]
