"""Rate limits: buckets, windows, who shares them, what overrides them."""

import pytest
from tollgate import ManualClock, load
from tollgate.errors import LimitExceeded, ParseError, QuotaExceeded
from tollgate.limits import LimitTerms

PLAN = """
[organisation group]
[organisation acme]
parent = group
plan = basic
[organisation lab]
parent = acme
[key k1]
organisation = acme
[key k2]
organisation = lab
[plan basic]
meter.calls = 1000 unit 1
meter.few = 2 hard
"""


def gate_with(limits, more=""):
    clock = ManualClock("2024-03-01T00:00:00Z")
    return load(PLAN + limits + "\n" + more, clock), clock


def wait(gate, units, key="k1"):
    """Milliseconds that a refused request has to wait; -1: for ever, 0: it passes."""
    try:
        gate.admit(key, "calls", units)
    except LimitExceeded as refusal:
        return -1 if refusal.retry_after_ms is None else refusal.retry_after_ms
    return 0


def refusing(gate, units, key="k1"):
    """The name of the limit that refuses a request."""
    try:
        gate.admit(key, "calls", units)
    except LimitExceeded as refusal:
        return refusal.limit
    return "none"


class TestBucket:
    def test_starts_full(self):
        gate, _ = gate_with("limit.a = bucket 10/1s burst 20")
        assert gate.admit("k1", "calls", 20).remaining == 0

    def test_more_than_there_is_has_to_wait(self):
        gate, _ = gate_with("limit.a = bucket 10/1s burst 20")
        gate.admit("k1", "calls", 18)
        assert wait(gate, 5) == 300

    def test_a_refusal_takes_nothing(self):
        gate, _ = gate_with("limit.a = bucket 10/1s burst 20")
        gate.admit("k1", "calls", 18)
        wait(gate, 5)
        assert gate.admit("k1", "calls", 2).remaining == 0

    def test_passes_after_the_wait(self):
        gate, clock = gate_with("limit.a = bucket 10/1s burst 20")
        gate.admit("k1", "calls", 18)
        clock.advance("300ms")
        assert gate.admit("k1", "calls", 5).remaining == 0

    def test_wait_is_rounded_up(self):
        gate, _ = gate_with("limit.a = bucket 3/1s")
        gate.admit("k1", "calls", 3)
        assert wait(gate, 1) == 334

    def test_does_not_overflow(self):
        gate, clock = gate_with("limit.a = bucket 10/1s burst 20")
        gate.admit("k1", "calls", 5)
        clock.advance("1h")
        assert gate.admit("k1", "calls", 1).remaining == 19

    def test_fractions_are_not_lost(self):
        gate, clock = gate_with("limit.a = bucket 2/1s burst 4")
        gate.admit("k1", "calls", 4)
        clock.advance("750ms")
        gate.admit("k1", "calls", 1)
        clock.advance("250ms")
        assert wait(gate, 1) == 0

    def test_fractions_count_for_the_wait(self):
        gate, clock = gate_with("limit.a = bucket 1/1s burst 4")
        gate.admit("k1", "calls", 4)
        clock.advance("1500ms")
        gate.admit("k1", "calls", 1)
        assert wait(gate, 1) == 500

    def test_more_than_the_burst_never_passes(self):
        gate, _ = gate_with("limit.a = bucket 10/1s burst 20")
        assert wait(gate, 21) == -1

    def test_without_burst_it_holds_its_rate(self):
        gate, _ = gate_with("limit.a = bucket 10/m")
        assert gate.admit("k1", "calls", 10).remaining == 0

    def test_burst_below_the_rate(self):
        gate, _ = gate_with("limit.a = bucket 10/s burst 5")
        assert wait(gate, 6) == -1


class TestWindow:
    def test_full(self):
        gate, clock = gate_with("limit.a = window 5/10s")
        gate.admit("k1", "calls", 5)
        clock.advance("4s")
        assert wait(gate, 1) == 6000

    def test_counts_until_just_before_a_period_later(self):
        gate, clock = gate_with("limit.a = window 5/10s")
        gate.admit("k1", "calls", 5)
        clock.advance("9999ms")
        assert wait(gate, 1) == 1

    def test_no_longer_counts_a_period_later(self):
        gate, clock = gate_with("limit.a = window 5/10s")
        gate.admit("k1", "calls", 5)
        clock.advance("10s")
        assert wait(gate, 5) == 0

    def test_slides(self):
        gate, clock = gate_with("limit.a = window 5/10s")
        gate.admit("k1", "calls", 3)
        clock.advance("6s")
        gate.admit("k1", "calls", 2)
        clock.advance("5s")
        assert gate.admit("k1", "calls", 1).remaining == 2

    def test_waits_until_enough_has_gone(self):
        gate, clock = gate_with("limit.a = window 5/10s")
        gate.admit("k1", "calls", 1)
        clock.advance("2s")
        gate.admit("k1", "calls", 4)
        assert wait(gate, 3) == 10000

    def test_more_than_it_ever_allows(self):
        gate, _ = gate_with("limit.a = window 5/10s")
        assert wait(gate, 6) == -1

    def test_burst(self):
        gate, _ = gate_with("limit.a = window 50/60s burst 5/1s")
        gate.admit("k1", "calls", 4)
        assert wait(gate, 2) == 1000

    def test_burst_is_free_again(self):
        gate, clock = gate_with("limit.a = window 50/60s burst 5/1s")
        gate.admit("k1", "calls", 5)
        clock.advance("1s")
        assert gate.admit("k1", "calls", 5).remaining == 0

    def test_the_long_period_holds_besides_the_burst(self):
        gate, clock = gate_with("limit.a = window 8/60s burst 5/1s")
        gate.admit("k1", "calls", 5)
        clock.advance("1s")
        gate.admit("k1", "calls", 3)
        clock.advance("1s")
        assert wait(gate, 1) == 58000


class TestSeveralLimits:
    def test_the_longest_wait_is_named(self):
        gate, _ = gate_with("limit.a = bucket 4/1s\nlimit.b = window 4/1m")
        gate.admit("k1", "calls", 4)
        assert refusing(gate, 1) == "b"

    def test_never_is_the_longest_wait(self):
        gate, _ = gate_with("limit.a = bucket 4/1s\nlimit.b = window 5/1m")
        gate.admit("k1", "calls", 4)
        assert refusing(gate, 5) == "a"

    def test_from_all_or_from_none(self):
        gate, clock = gate_with("limit.a = bucket 10/1s\nlimit.b = window 4/1s")
        wait(gate, 5)
        assert gate.admit("k1", "calls", 4).remaining == 0
        clock.advance("400ms")
        assert refusing(gate, 1) == "b"

    def test_remaining_of_the_tightest(self):
        gate, _ = gate_with("limit.a = bucket 10/1s\nlimit.b = window 7/1s")
        assert gate.admit("k1", "calls", 2).remaining == 5

    def test_what_an_allowance_refuses_takes_nothing(self):
        gate, _ = gate_with("limit.a = bucket 4/1s")
        with pytest.raises(QuotaExceeded):
            gate.admit("k1", "few", 3)
        assert gate.admit("k1", "calls", 4).remaining == 0


class TestHolders:
    def test_each_key_has_its_own(self):
        gate, _ = gate_with("limit.a = bucket 4/1s")
        gate.admit("k1", "calls", 4)
        assert wait(gate, 4, "k2") == 0

    def test_per_key_may_be_said(self):
        gate, _ = gate_with("limit.a = bucket 4/1s per key")
        gate.admit("k1", "calls", 4)
        assert wait(gate, 5, "k2") == -1

    def test_per_org_is_shared_below_the_payer(self):
        gate, _ = gate_with("limit.a = bucket 4/1s burst 8 per org")
        gate.admit("k1", "calls", 6)
        assert wait(gate, 4, "k2") == 500

    def test_shared_by_those_under_whoever_declares_it(self):
        gate, _ = gate_with("limit.a = bucket 4/1s per org")
        gate.override("lab", limits={"a": LimitTerms.parse("bucket 6/1s per org")})
        gate.admit("k1", "calls", 4)
        assert gate.admit("k2", "calls", 4).remaining == 2

    def test_limit_of_the_organisation(self):
        gate, _ = gate_with("limit.a = bucket 4/1s")
        gate.override("lab", limits={"a": LimitTerms.parse("bucket 7/1s")})
        assert gate.admit("k2", "calls", 5).remaining == 2

    def test_limit_of_an_organisation_above(self):
        gate, _ = gate_with("limit.a = bucket 4/1s")
        gate.override("acme", limits={"a": LimitTerms.parse("bucket 9/1s")})
        assert gate.admit("k2", "calls", 5).remaining == 4

    def test_limit_of_the_key_comes_first(self):
        gate, _ = gate_with("limit.a = bucket 4/1s")
        gate.override("lab", limits={"a": LimitTerms.parse("bucket 7/1s")})
        gate.override("k2", limits={"a": LimitTerms.parse("bucket 2/1s")})
        assert wait(gate, 3, "k2") == -1

    def test_lifted_for_a_key(self):
        gate, _ = gate_with("limit.a = bucket 4/1s")
        gate.override("k1", limits={"a": None})
        assert wait(gate, 400) == 0

    def test_lifted_for_an_organisation(self):
        gate, _ = gate_with("limit.a = bucket 4/1s\nlimit.b = bucket 50/1s")
        gate.override("lab", limits={"a": None})
        assert gate.admit("k2", "calls", 20).remaining == 30

    def test_lifted_in_the_configuration(self):
        gate, _ = gate_with(
            "limit.a = window 4/1s", "[key vip]\norganisation = lab\nlimit.a = none"
        )
        assert wait(gate, 50, "vip") == 0

    def test_lifted_above_and_set_below(self):
        gate, _ = gate_with("limit.a = bucket 4/1s")
        gate.override("acme", limits={"a": None})
        gate.override("k2", limits={"a": LimitTerms.parse("bucket 2/2s")})
        gate.admit("k2", "calls", 2)
        assert wait(gate, 1, "k2") == 1000

    def test_above_the_payer_does_not_count(self):
        gate, _ = gate_with("limit.a = bucket 4/1s")
        gate.override("group", limits={"a": None})
        assert wait(gate, 5) == -1

    def test_one_that_the_plan_does_not_have(self):
        gate, _ = gate_with("")
        gate.override("acme", limits={"extra": LimitTerms.parse("bucket 3/1s")})
        assert refusing(gate, 4, "k2") == "extra"

    def test_changed_terms_start_afresh(self):
        gate, _ = gate_with("limit.a = bucket 4/1s")
        gate.admit("k1", "calls", 4)
        gate.override("k1", limits={"a": LimitTerms.parse("bucket 5/1s")})
        assert gate.admit("k1", "calls", 1).remaining == 4


class TestTerms:
    def test_unknown_kind(self):
        with pytest.raises(ParseError):
            LimitTerms.parse("leaky 10/1s")

    def test_no_burst_of_nothing(self):
        with pytest.raises(ParseError):
            LimitTerms.parse("bucket 10/1s burst 0")

    def test_no_rate_of_nothing(self):
        with pytest.raises(ParseError):
            LimitTerms.parse("window 0/1s")
