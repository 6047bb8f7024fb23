"""Reservations: held, committed, released, expired."""

import pytest
from tollgate import ManualClock, load
from tollgate.errors import (
    AccessDenied,
    LimitExceeded,
    QuotaExceeded,
    ReservationError,
    ReservationExpired,
    UnknownName,
    UsageError,
)

TEXT = """
[plan basic]
meter.calls = 100 unit 1
meter.jobs = 10 hard
limit.rate = bucket 10/1s burst 20
[organisation acme]
plan = basic since 2024-01-01
[organisation lab]
parent = acme
[key k1]
organisation = acme
[key k2]
organisation = lab
"""


def gate_at(moment="2024-01-10T12:00:00Z"):
    clock = ManualClock(moment)
    return load(TEXT, clock), clock


def left(gate, meter="jobs"):
    """Used, held, remaining."""
    a = gate.quota("acme", meter)
    return [a.used, a.held, a.remaining]


def states(gate):
    return [gate.reservations.get(number).state for number in (1, 2)]


class TestHolding:
    def test_is_held(self):
        gate, _ = gate_at()
        gate.reserve("k1", "jobs", 4, "10m")
        assert left(gate) == [0, 4, 6]

    def test_holds_against_others(self):
        gate, _ = gate_at()
        gate.reserve("k1", "jobs", 4, "10m")
        with pytest.raises(QuotaExceeded):
            gate.admit("k2", "jobs", 7)

    def test_holds_against_reservations(self):
        gate, _ = gate_at()
        gate.reserve("k1", "jobs", 4, "10m")
        with pytest.raises(QuotaExceeded):
            gate.reserve("k2", "jobs", 7, "10m")

    def test_just_fits(self):
        gate, _ = gate_at()
        gate.reserve("k1", "jobs", 4, "10m")
        gate.reserve("k2", "jobs", 6, "10m")
        assert left(gate) == [0, 10, 0]

    def test_counts_for_caps(self):
        gate, _ = gate_at()
        gate.override("lab", caps={"calls": 15})
        gate.reserve("k2", "calls", 6, "10m")
        assert gate.admit("k2", "calls", 4).remaining == 5

    def test_other_meters_are_free(self):
        gate, _ = gate_at()
        gate.reserve("k1", "jobs", 4, "10m")
        assert left(gate, "calls") == [0, 0, 100]

    def test_takes_from_limits(self):
        gate, _ = gate_at()
        gate.reserve("k1", "calls", 15, "10m")
        with pytest.raises(LimitExceeded):
            gate.admit("k1", "calls", 6)

    def test_revoked_key(self):
        gate, _ = gate_at()
        gate.revoke("k1")
        with pytest.raises(AccessDenied):
            gate.reserve("k1", "jobs", 4, "10m")

    def test_nothing(self):
        gate, _ = gate_at()
        with pytest.raises(UsageError):
            gate.reserve("k1", "jobs", 0, "10m")

    def test_not_in_other_months(self):
        gate, _ = gate_at()
        gate.reserve("k1", "calls", 4, "10m")
        assert gate.quota("acme", "calls", "2024-02").held == 0

    def test_over_the_end_of_the_month(self):
        gate, clock = gate_at("2024-01-31T23:59:00Z")
        gate.reserve("k1", "jobs", 4, "10m")
        clock.advance("2m")
        assert left(gate) == [0, 4, 6]


class TestCommitting:
    def test_becomes_usage(self):
        gate, _ = gate_at()
        gate.commit(gate.reserve("k1", "jobs", 4, "10m").number)
        assert left(gate) == [4, 0, 6]

    def test_fewer(self):
        gate, _ = gate_at()
        gate.commit(gate.reserve("k1", "jobs", 4, "10m").number, 3)
        assert left(gate) == [3, 0, 7]

    def test_just_as_many(self):
        gate, _ = gate_at()
        receipt = gate.commit(gate.reserve("k1", "jobs", 4, "10m").number, 4)
        assert receipt.record.units == 4

    def test_not_more(self):
        gate, _ = gate_at()
        made = gate.reserve("k1", "jobs", 4, "10m")
        with pytest.raises(ReservationError):
            gate.commit(made.number, 5)

    def test_not_none(self):
        gate, _ = gate_at()
        made = gate.reserve("k1", "jobs", 4, "10m")
        with pytest.raises(ReservationError):
            gate.commit(made.number, 0)

    def test_refused_commit_leaves_it_held(self):
        gate, _ = gate_at()
        made = gate.reserve("k1", "jobs", 4, "10m")
        with pytest.raises(ReservationError):
            gate.commit(made.number, 5)
        assert left(gate) == [0, 4, 6]

    def test_once(self):
        gate, _ = gate_at()
        made = gate.reserve("k1", "jobs", 4, "10m")
        gate.commit(made.number)
        with pytest.raises(ReservationError):
            gate.commit(made.number)

    def test_takes_nothing_more_from_limits(self):
        gate, _ = gate_at()
        gate.commit(gate.reserve("k1", "calls", 15, "10m").number)
        assert gate.admit("k1", "calls", 4).remaining == 1

    def test_in_the_month_of_the_commit(self):
        gate, clock = gate_at("2024-01-31T23:59:00Z")
        made = gate.reserve("k1", "jobs", 4, "10m")
        clock.advance("2m")
        assert str(gate.commit(made.number).record.billed) == "2024-02"

    def test_by_a_key_revoked_since(self):
        gate, _ = gate_at()
        made = gate.reserve("k1", "jobs", 4, "10m")
        gate.revoke("k1")
        assert gate.commit(made.number, 2).record.units == 2

    def test_unknown(self):
        gate, _ = gate_at()
        with pytest.raises(UnknownName):
            gate.commit(7)


class TestEnding:
    def test_released(self):
        gate, _ = gate_at()
        gate.release(gate.reserve("k1", "jobs", 4, "10m").number)
        assert left(gate) == [0, 0, 10]

    def test_released_once(self):
        gate, _ = gate_at()
        made = gate.reserve("k1", "jobs", 4, "10m")
        gate.release(made.number)
        with pytest.raises(ReservationError):
            gate.release(made.number)

    def test_held_until_just_before_the_end(self):
        gate, clock = gate_at()
        gate.reserve("k1", "jobs", 4, "10m")
        clock.advance("599s")
        assert left(gate) == [0, 4, 6]

    def test_committed_just_before_the_end(self):
        gate, clock = gate_at()
        made = gate.reserve("k1", "jobs", 4, "10m")
        clock.advance("599s")
        assert gate.commit(made.number).record.units == 4

    def test_free_at_the_end(self):
        gate, clock = gate_at()
        gate.reserve("k1", "jobs", 4, "10m")
        clock.advance("10m")
        assert left(gate) == [0, 0, 10]

    def test_free_for_an_admission(self):
        gate, clock = gate_at()
        gate.reserve("k1", "jobs", 4, "10m")
        clock.advance("10m")
        assert gate.admit("k2", "jobs", 9).remaining == 1

    def test_free_for_caps(self):
        gate, clock = gate_at()
        gate.override("lab", caps={"calls": 15})
        gate.reserve("k2", "calls", 6, "10m")
        clock.advance("11m")
        assert gate.admit("k2", "calls", 4).remaining == 11

    def test_committed_counts_once_for_caps(self):
        gate, _ = gate_at()
        gate.override("k2", caps={"jobs": 9})
        gate.commit(gate.reserve("k2", "jobs", 4, "10m").number)
        assert gate.admit("k2", "jobs", 2).remaining == 3

    def test_released_is_free_for_caps(self):
        gate, _ = gate_at()
        gate.override("lab", caps={"calls": 15})
        gate.release(gate.reserve("k2", "calls", 6, "10m").number)
        assert gate.admit("k2", "calls", 4).remaining == 10

    def test_no_commit_at_the_end(self):
        gate, clock = gate_at()
        made = gate.reserve("k1", "jobs", 4, "10m")
        clock.advance("10m")
        with pytest.raises(ReservationExpired):
            gate.commit(made.number)

    def test_each_has_its_own_end(self):
        gate, clock = gate_at()
        gate.reserve("k1", "jobs", 2, "10m")
        gate.reserve("k1", "jobs", 2, "20m")
        clock.advance("15m")
        assert left(gate) == [0, 2, 8]

    def test_states(self):
        gate, _ = gate_at()
        gate.release(gate.reserve("k1", "jobs", 2, "10m").number)
        gate.commit(gate.reserve("k1", "jobs", 2, "20m").number)
        assert states(gate) == ["released", "committed"]

    def test_state_of_what_ran_out(self):
        gate, clock = gate_at()
        gate.reserve("k1", "jobs", 2, "10m")
        gate.reserve("k1", "jobs", 2, "20m")
        clock.advance("15m")
        gate.quota("acme", "jobs")
        assert states(gate) == ["expired", "held"]
