"""The common cases, from a configuration to an invoice."""

import pytest

from tollgate import ManualClock, Tollgate, load
from tollgate.errors import AccessDenied, ConfigError, LimitExceeded, QuotaExceeded
from tollgate.reports import allowance_rows, key_rows

CONFIG = """
[plan basic]
fee = 29.00
meter.requests = 1000 unit 0.01
meter.exports = 20 hard
limit.burst = bucket 10/1s burst 20

[organisation acme]
currency = EUR
tax = VAT 20%
plan = basic since 2024-03-01

[key k-web]
organisation = acme
"""


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock("2024-03-10T09:00:00Z")


@pytest.fixture
def gate(clock: ManualClock) -> Tollgate:
    return load(CONFIG, clock)


def test_admits_a_request(gate: Tollgate) -> None:
    receipt = gate.admit("k-web", "requests", 3)
    assert receipt.record.units == 3
    assert receipt.remaining == 17


def test_bucket_runs_empty(gate: Tollgate) -> None:
    gate.admit("k-web", "requests", 20)
    with pytest.raises(LimitExceeded):
        gate.admit("k-web", "requests", 1)


def test_bucket_fills(gate: Tollgate, clock: ManualClock) -> None:
    gate.admit("k-web", "requests", 20)
    clock.advance("1s")
    assert gate.admit("k-web", "requests", 10).remaining == 0


def test_hard_allowance(gate: Tollgate, clock: ManualClock) -> None:
    gate.admit("k-web", "exports", 15)
    clock.advance("5s")
    with pytest.raises(QuotaExceeded):
        gate.admit("k-web", "exports", 6)


def test_allowance(gate: Tollgate) -> None:
    gate.admit("k-web", "requests", 12)
    assert gate.quota("acme", "requests").remaining == 988


def test_same_token_counts_once(gate: Tollgate) -> None:
    first = gate.admit("k-web", "requests", 3, token="a")
    again = gate.admit("k-web", "requests", 3, token="a")
    assert again.duplicate
    assert again.record == first.record


def test_revoked_key(gate: Tollgate) -> None:
    gate.revoke("k-web", "leaked")
    with pytest.raises(AccessDenied):
        gate.admit("k-web", "requests")


def test_reservation(gate: Tollgate) -> None:
    held = gate.reserve("k-web", "exports", 8, "10m")
    assert gate.quota("acme", "exports").held == 8
    gate.commit(held.number, 8)
    assert gate.quota("acme", "exports").used == 8


def test_release(gate: Tollgate) -> None:
    gate.release(gate.reserve("k-web", "exports", 8, "10m").number)
    assert gate.quota("acme", "exports").remaining == 20


def test_cap_of_a_key(gate: Tollgate) -> None:
    gate.override("k-web", caps={"requests": 5})
    with pytest.raises(QuotaExceeded):
        gate.admit("k-web", "requests", 6)


def test_invoice(gate: Tollgate, clock: ManualClock) -> None:
    gate.record("k-web", "requests", 1100)
    clock.move_to("2024-04-02T00:00:00Z")
    invoice = gate.invoice("acme", "2024-03")
    assert [line.text for line in invoice.lines] == ["basic", "requests, 100 x 0.01"]
    assert invoice.total.format() == "36,00 €"


def test_credit(gate: Tollgate, clock: ManualClock) -> None:
    gate.grant("acme", "10.00", "2024-12-31T00:00:00Z")
    clock.move_to("2024-04-02T00:00:00Z")
    assert gate.invoice("acme", "2024-03").due.plain() == "24.80"


def test_reports(gate: Tollgate) -> None:
    gate.admit("k-web", "requests", 12)
    assert key_rows(gate, "acme", "requests", "2024-03") == [["k-web", 12, 0]]
    assert [row[0] for row in allowance_rows(gate, "acme", "2024-03")] == ["exports", "requests"]


def test_journal(gate: Tollgate) -> None:
    gate.admit("k-web", "requests", 12)
    assert [entry.subject for entry in gate.journal.find("usage")] == ["k-web"]
    assert gate.journal.first_broken() is None


def test_faulty_configuration(clock: ManualClock) -> None:
    with pytest.raises(ConfigError):
        load("[plan basic]\nfee = much\n", clock)
