"""Money: rounding, writing, allocating; and prices."""

from fractions import Fraction

import pytest
from tollgate.errors import MoneyError, ParseError
from tollgate.money import Money, currency, parse_decimal
from tollgate.pricing import parse_price
from tollgate.taxes import TaxRule


def rounded(amount, rule, code="EUR"):
    return Money.of(amount, code).rounded(rule).plain()


def parts(amount, weights, code="EUR"):
    return [part.plain() for part in Money.of(amount, code).allocate(weights)]


def charges(text, units):
    found = parse_price(text.split()).charges(units)
    return [(charge.quantity, str(charge.price), str(charge.amount)) for charge in found]


class TestRounding:
    def test_half_up(self):
        assert rounded("0.125", "half_up") == "0.13"

    def test_half_up_of_a_negative_amount(self):
        assert rounded("-0.125", "half_up") == "-0.13"

    def test_half_even(self):
        assert rounded("0.125", "half_even") == "0.12"

    def test_half_even_to_the_next(self):
        assert rounded("0.135", "half_even") == "0.14"

    def test_down(self):
        assert rounded("-0.129", "down") == "-0.12"

    def test_up(self):
        assert rounded("0.121", "up") == "0.13"

    def test_a_third_is_exact_until_rounded(self):
        assert (Money.of(Fraction(1, 3), "EUR") * 3).plain() == "1.00"

    def test_no_digits(self):
        assert rounded("99.5", "half_up", "JPY") == "100"

    def test_three_digits(self):
        assert rounded("0.0005", "half_up", "KWD") == "0.001"

    def test_plain_refuses_what_is_too_fine(self):
        with pytest.raises(MoneyError):
            Money.of("0.125", "EUR").plain()

    def test_currencies_do_not_mix(self):
        with pytest.raises(MoneyError):
            Money.of(1, "EUR") + Money.of(1, "USD")

    def test_difference(self):
        assert (Money.of("5.00", "EUR") - Money.of("7.50", "EUR")).plain() == "-2.50"

    def test_unknown_currency(self):
        with pytest.raises(ParseError):
            currency("XXX")

    def test_amounts_are_plain_decimals(self):
        assert str(parse_decimal("0.005")) == "0.005"

    def test_no_exponents(self):
        with pytest.raises(ParseError):
            parse_decimal("1e3")


class TestFormat:
    def test_eur(self):
        assert Money.of("-1234.50", "EUR").format() == "-1.234,50 €"

    def test_usd(self):
        assert Money.of("1234567.8", "USD").format() == "$1,234,567.80"

    def test_negative_usd(self):
        assert Money.of("-3", "USD").format() == "-$3.00"

    def test_gbp(self):
        assert Money.of("0.05", "GBP").format() == "£0.05"

    def test_jpy(self):
        assert Money.of("1234", "JPY").format() == "¥1,234"

    def test_chf(self):
        assert Money.of("-1234.5", "CHF").format() == "-CHF 1'234.50"

    def test_kwd(self):
        assert Money.of("1234.5", "KWD").format() == "KWD 1,234.500"

    def test_too_fine(self):
        with pytest.raises(MoneyError):
            Money.of("1.5", "JPY").format()


class TestAllocation:
    def test_in_proportion(self):
        assert parts("10.00", [1, 3]) == ["2.50", "7.50"]

    def test_the_earlier_gets_the_coin(self):
        assert parts("0.10", [1, 1, 1]) == ["0.04", "0.03", "0.03"]

    def test_who_lost_most_gets_the_coin(self):
        assert parts("1.00", [1, 5]) == ["0.17", "0.83"]

    def test_coins_go_to_the_greatest_losses(self):
        assert parts("0.10", [10, 32, 58]) == ["0.01", "0.03", "0.06"]

    def test_two_coins(self):
        assert parts("0.05", [10, 40, 50]) == ["0.01", "0.02", "0.02"]

    def test_no_weight_no_part(self):
        assert parts("7", [0, 2, 1], "JPY") == ["0", "5", "2"]

    def test_nothing_to_go_by(self):
        with pytest.raises(MoneyError):
            Money.of(1, "EUR").allocate([0, 0])


class TestPrices:
    def test_unit(self):
        assert charges("unit 0.02", 7) == [(7, "1/50", "7/50")]

    def test_no_units_no_charge(self):
        assert charges("volume 10@1+5 *@2", 0) == []

    def test_graduated_within_the_first_band(self):
        assert charges("graduated 10@2 20@1 *@0.5", 10) == [(10, "2", "20")]

    def test_graduated_over_all_bands(self):
        assert charges("graduated 10@2 20@1 *@0.5", 25) == [
            (10, "2", "20"),
            (10, "1", "10"),
            (5, "1/2", "5/2"),
        ]

    def test_fee_of_a_band_that_is_reached(self):
        assert charges("graduated 10@2 *@1+5", 11) == [(10, "2", "20"), (1, "1", "6")]

    def test_fee_of_a_band_that_is_not_reached(self):
        assert charges("graduated 10@2+3 *@1+5", 9) == [(9, "2", "21")]

    def test_volume_at_the_top_of_a_band(self):
        assert charges("volume 10@2 20@1 *@0.5", 20) == [(20, "1", "20")]

    def test_volume_over_the_top_of_a_band(self):
        assert charges("volume 10@2 20@1 *@0.5", 21) == [(21, "1/2", "21/2")]

    def test_package_begun(self):
        assert charges("package 1000@5.00", 1001) == [(2, "5", "10")]

    def test_package_full(self):
        assert charges("package 1000@5.00", 2000) == [(2, "5", "10")]

    def test_no_package(self):
        assert charges("package 1000@5.00", 0) == []

    def test_bands_must_rise(self):
        with pytest.raises(ParseError):
            parse_price(["graduated", "10@2", "10@1", "*@1"])

    def test_the_last_band_is_open(self):
        with pytest.raises(ParseError):
            parse_price(["volume", "10@2", "20@1"])

    def test_only_the_last_band_is_open(self):
        with pytest.raises(ParseError):
            parse_price(["graduated", "*@2", "20@1", "*@1"])

    def test_package_of_nothing(self):
        with pytest.raises(ParseError):
            parse_price(["package", "0@2"])

    def test_unknown_kind_of_price(self):
        with pytest.raises(ParseError):
            parse_price(["flat", "2"])


class TestTaxRules:
    def test_on_top(self):
        tax = TaxRule.parse("VAT 19%").tax_on(Money.of("10.50", "EUR"), "half_up")
        assert tax.plain() == "2.00"

    def test_by_the_rule_of_rounding(self):
        tax = TaxRule.parse("VAT 19%").tax_on(Money.of("10.50", "EUR"), "down")
        assert tax.plain() == "1.99"

    def test_included(self):
        tax = TaxRule.parse("GST 10% included").tax_on(Money.of("110.00", "EUR"), "half_up")
        assert tax.plain() == "10.00"

    def test_rate_as_written(self):
        assert TaxRule.parse("VAT 5.50%").show_percent() == "5.5"

    def test_label(self):
        assert TaxRule.parse("MwSt 7%").label == "MwSt"

    def test_nonsense(self):
        with pytest.raises(ParseError):
            TaxRule.parse("19%")
