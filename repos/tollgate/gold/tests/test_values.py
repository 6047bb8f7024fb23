"""Money, prices, zones and months by themselves."""

from tollgate.clock import show_instant
from tollgate.money import Money
from tollgate.months import Month
from tollgate.pricing import parse_price
from tollgate.zones import Zone


def test_rounding() -> None:
    assert Money.of("0.125", "EUR").rounded("half_up").plain() == "0.13"
    assert Money.of("0.125", "EUR").rounded("half_even").plain() == "0.12"


def test_format() -> None:
    assert Money.of("1234.5", "EUR").format() == "1.234,50 €"
    assert Money.of("-3", "USD").format() == "-$3.00"


def test_allocation() -> None:
    parts = Money.of("10.00", "EUR").allocate([1, 3])
    assert [part.plain() for part in parts] == ["2.50", "7.50"]


def test_graduated_price() -> None:
    charges = parse_price(["graduated", "10@2", "*@1"]).charges(15)
    assert [charge.quantity for charge in charges] == [10, 5]


def test_midnight_in_winter() -> None:
    start = Month.parse("2024-01").span(Zone.parse("+01:00/EU")).start
    assert show_instant(start) == "2023-12-31T23:00:00Z"
