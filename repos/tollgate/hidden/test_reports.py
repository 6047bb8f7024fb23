"""Usage reports, tables, and the journal."""

from dataclasses import replace

import pytest
from tollgate import ManualClock, load
from tollgate.errors import AccessDenied, LimitExceeded, QuotaExceeded
from tollgate.reports import allowance_rows, daily_rows, key_rows, table

TEXT = """
[plan basic]
meter.calls = 100 unit 1
meter.apples = 10 hard
limit.rate = bucket 10/1s burst 500
[organisation acme]
zone = -05:00/US
plan = basic since 2024-01-01
[organisation lab]
parent = acme
[key k1]
organisation = acme
[key k2]
organisation = lab
[key k3]
organisation = lab
"""


def gate_at(moment="2024-01-10T12:00:00Z"):
    clock = ManualClock(moment)
    return load(TEXT, clock), clock


def kinds(gate):
    return [entry.kind for entry in gate.journal.entries]


def last_line(gate):
    return gate.journal.text().splitlines()[-1]


class TestAllowanceRows:
    def test_meters_by_name(self):
        gate, _ = gate_at()
        gate.admit("k1", "calls", 130)
        gate.admit("k2", "apples", 3)
        assert allowance_rows(gate, "lab", "2024-01") == [
            ["apples", 10, 0, 3, 7, 0],
            ["calls", 100, 0, 130, 0, 30],
        ]


class TestKeyRows:
    def test_most_units_first(self):
        gate, _ = gate_at()
        gate.admit("k1", "calls", 5)
        gate.admit("k2", "calls", 7)
        gate.admit("k2", "calls", 4)
        assert key_rows(gate, "acme", "calls", "2024-01") == [["k2", 11, 0], ["k1", 5, 0]]

    def test_then_by_name(self):
        gate, _ = gate_at()
        gate.admit("k3", "calls", 5)
        gate.admit("k1", "calls", 5)
        assert key_rows(gate, "acme", "calls", "2024-01") == [["k1", 5, 0], ["k3", 5, 0]]

    def test_below_an_organisation(self):
        gate, _ = gate_at()
        gate.admit("k1", "calls", 5)
        gate.admit("k3", "calls", 6)
        assert key_rows(gate, "lab", "calls", "2024-01") == [["k3", 6, 0]]

    def test_late_units(self):
        gate, clock = gate_at()
        clock.move_to("2024-02-10T00:00:00Z")
        gate.invoice("acme", "2024-01")
        gate.record("k1", "calls", 5)
        gate.record("k1", "calls", 2, at="2024-01-20T00:00:00Z")
        assert key_rows(gate, "acme", "calls", "2024-02") == [["k1", 7, 2]]

    def test_told_later_is_not_late(self):
        gate, clock = gate_at()
        clock.move_to("2024-02-10T00:00:00Z")
        gate.record("k1", "calls", 2, at="2024-01-20T00:00:00Z")
        assert key_rows(gate, "acme", "calls", "2024-01") == [["k1", 2, 0]]


class TestDailyRows:
    def test_every_day(self):
        gate, _ = gate_at()
        gate.admit("k1", "calls", 5)
        gate.admit("k2", "calls", 6)
        assert daily_rows(gate, "acme", "calls", "2024-01")[8:11] == [
            ["2024-01-09", 0],
            ["2024-01-10", 11],
            ["2024-01-11", 0],
        ]

    def test_local_days(self):
        gate, _ = gate_at()
        gate.record("k1", "calls", 5, at="2024-01-09T04:59:59Z")
        gate.record("k1", "calls", 6, at="2024-01-09T05:00:00Z")
        assert daily_rows(gate, "acme", "calls", "2024-01")[7:9] == [
            ["2024-01-08", 5],
            ["2024-01-09", 6],
        ]

    def test_days_of_the_month_only(self):
        gate, clock = gate_at()
        clock.move_to("2024-02-01T05:00:00Z")
        gate.record("k1", "calls", 5, at="2024-02-01T04:00:00Z")
        gate.record("k1", "calls", 6)
        rows = daily_rows(gate, "acme", "calls", "2024-01")
        assert [len(rows), rows[30]] == [31, ["2024-01-31", 5]]

    def test_late_units_on_their_own_day(self):
        gate, clock = gate_at()
        clock.move_to("2024-02-10T00:00:00Z")
        gate.invoice("acme", "2024-01")
        gate.record("k1", "calls", 2, at="2024-01-20T12:00:00Z")
        assert daily_rows(gate, "acme", "calls", "2024-01")[19] == ["2024-01-20", 2]


class TestTable:
    def test_numbers_flush_right(self):
        assert table(["key", "units"], [["k1", 5], ["long-key", 1200]]).splitlines() == [
            "key       units",
            "k1            5",
            "long-key   1200",
        ]

    def test_no_spaces_at_the_end(self):
        assert table(["a", "name"], [["x", "y"]]).splitlines() == ["a  name", "x  y"]

    def test_no_rows(self):
        assert table(["a", "b"], []) == "a  b\n"


class TestJournal:
    def test_kinds_of_the_configuration(self):
        gate, _ = gate_at()
        assert kinds(gate)[:4] == [
            "organisation.added",
            "plan.changed",
            "organisation.added",
            "key.added",
        ]

    def test_line(self):
        gate, _ = gate_at()
        gate.revoke("k1", "leaked")
        assert last_line(gate) == "7 2024-01-10T12:00:00Z key.revoked k1 reason=leaked"

    def test_details_by_name(self):
        gate, _ = gate_at()
        gate.admit("k1", "calls", 5)
        assert last_line(gate) == (
            "7 2024-01-10T12:00:00Z usage.recorded k1 billed=2024-01 meter=calls number=1 units=5"
        )

    def test_repeated_request(self):
        gate, _ = gate_at()
        gate.admit("k1", "calls", 5, token="t")
        gate.admit("k1", "calls", 5, token="t")
        assert kinds(gate)[6:] == ["usage.recorded", "usage.repeated"]

    def test_refusal_by_a_limit(self):
        gate, _ = gate_at()
        with pytest.raises(LimitExceeded):
            gate.admit("k1", "calls", 501)
        assert kinds(gate)[6:] == ["limit.refused"]

    def test_refusal_by_an_allowance(self):
        gate, _ = gate_at()
        with pytest.raises(QuotaExceeded):
            gate.admit("k1", "apples", 11)
        assert kinds(gate)[6:] == ["quota.refused"]

    def test_no_access_no_entry(self):
        gate, _ = gate_at()
        gate.revoke("k1")
        with pytest.raises(AccessDenied):
            gate.admit("k1", "apples", 11)
        assert kinds(gate)[6:] == ["key.revoked"]

    def test_reservations(self):
        gate, clock = gate_at()
        gate.reserve("k1", "apples", 4, "5m")
        gate.release(gate.reserve("k1", "apples", 4, "10m").number)
        clock.advance("7m")
        gate.quota("acme", "apples")
        assert kinds(gate)[6:] == [
            "reservation.made",
            "reservation.made",
            "reservation.released",
            "reservation.expired",
        ]

    def test_invoice(self):
        gate, clock = gate_at()
        gate.record("k1", "calls", 109)
        clock.move_to("2024-02-10T00:00:00Z")
        gate.invoice("acme", "2024-01")
        assert last_line(gate) == (
            "8 2024-02-10T00:00:00Z invoice.issued acme due=9.00 number=2024-0001"
        )

    def test_family_of_kinds(self):
        gate, _ = gate_at()
        gate.revoke("k1")
        assert [entry.number for entry in gate.journal.find("key")] == [4, 5, 6, 7]

    def test_one_kind(self):
        gate, _ = gate_at()
        gate.revoke("k1")
        assert [entry.number for entry in gate.journal.find("key.revoked")] == [7]

    def test_of_a_subject(self):
        gate, _ = gate_at()
        gate.revoke("k2")
        assert [entry.number for entry in gate.journal.find(subject="k2")] == [5, 7]

    def test_untouched(self):
        gate, _ = gate_at()
        broken = gate.journal.first_broken()
        assert [broken, len(gate.journal.entries)] == [None, 6]

    def test_changed(self):
        gate, _ = gate_at()
        gate.journal.entries[3] = replace(gate.journal.entries[3], subject="k7")
        assert gate.journal.first_broken() == 4

    def test_left_out(self):
        gate, _ = gate_at()
        del gate.journal.entries[1]
        assert gate.journal.first_broken() == 2
