"""Decimal money: exact until it is rounded by a declared rule."""

import decimal
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from tollgate.errors import MoneyError, ParseError

ROUNDING = {
    "half_up": decimal.ROUND_HALF_UP,
    "half_even": decimal.ROUND_HALF_EVEN,
    "up": decimal.ROUND_UP,
    "down": decimal.ROUND_DOWN,
}


@dataclass(frozen=True, slots=True)
class Currency:
    """How amounts are written. `pattern` holds `*` where the figures stand."""

    code: str
    digits: int
    pattern: str
    group: str = ","
    point: str = "."

    @property
    def coins(self) -> int:
        """Smallest coins in one unit."""
        return int(10**self.digits)


_CURRENCIES = {
    currency.code: currency
    for currency in (
        Currency("EUR", 2, "* €", ".", ","),
        Currency("USD", 2, "$*"),
        Currency("GBP", 2, "£*"),
        Currency("JPY", 0, "¥*"),
        Currency("CHF", 2, "CHF *", "'"),
        Currency("KWD", 3, "KWD *"),
    )
}


def currency(code: str) -> Currency:
    """The currency of an ISO code, in capital letters."""
    found = _CURRENCIES.get(code)
    if found is None:
        raise ParseError(f"unknown currency: {code!r}")
    return found


def parse_decimal(text: str) -> Decimal:
    """Read a plain decimal number, not negative: `12`, `0.005`."""
    whole, _, part = text.partition(".")
    digits = whole + part
    if not whole or not (digits.isascii() and digits.isdigit()) or text.endswith("."):
        raise ParseError(f"not an amount: {text!r}")
    return Decimal(text)


def show_decimal(number: Fraction) -> str:
    """A number that came of decimal text, as such: `0.005`, `12`."""
    return format(Decimal(number.numerator) / Decimal(number.denominator), "f")


def as_decimal(number: Fraction, digits: int, rule: str) -> Decimal:
    """A fraction rounded once, by one of the rules in `ROUNDING`."""
    with decimal.localcontext(prec=60):
        exact = Decimal(number.numerator) / Decimal(number.denominator)
        return exact.quantize(Decimal(1).scaleb(-digits), rounding=ROUNDING[rule])


@dataclass(frozen=True, slots=True)
class Money:
    """An exact amount of a currency."""

    amount: Fraction
    currency: Currency

    @classmethod
    def of(cls, amount: str | int | Decimal | Fraction, code: str) -> "Money":
        return cls(Fraction(amount), currency(code))

    @classmethod
    def zero(cls, code: str) -> "Money":
        return cls.of(0, code)

    def rounded(self, rule: str) -> "Money":
        """To the currency's digits."""
        value = as_decimal(self.amount, self.currency.digits, rule)
        return Money(Fraction(value), self.currency)

    @property
    def is_rounded(self) -> bool:
        return (self.amount * self.currency.coins).denominator == 1

    def __add__(self, other: "Money") -> "Money":
        return Money(self.amount + self._same(other).amount, self.currency)

    def __sub__(self, other: "Money") -> "Money":
        return Money(self.amount - self._same(other).amount, self.currency)

    def __mul__(self, factor: int | Fraction) -> "Money":
        return Money(self.amount * factor, self.currency)

    def __lt__(self, other: "Money") -> bool:
        return self.amount < self._same(other).amount

    def __bool__(self) -> bool:
        return self.amount != 0

    def plain(self) -> str:
        """The amount without symbol or grouping: `1234.50`."""
        if not self.is_rounded:
            raise MoneyError(f"finer than {self.currency.code} allows: {self.amount}")
        return str(as_decimal(self.amount, self.currency.digits, "down"))

    def format(self) -> str:
        """As the currency is written: `1.234,50 €`, `-$3.00`."""
        whole, _, part = self.plain().lstrip("-").partition(".")
        figures = f"{int(whole):,}".replace(",", self.currency.group)
        if part:
            figures += self.currency.point + part
        sign = "-" if self.amount < 0 else ""
        return sign + self.currency.pattern.replace("*", figures)

    def allocate(self, weights: Sequence[int]) -> list["Money"]:
        """Rounded parts in proportion to the weights that add up to the whole.

        Parts are rounded down; what is left goes, a smallest coin each, to the parts that lost
        most, the earlier one first where they lost the same.
        """
        total = sum(weights)
        if total == 0:
            raise MoneyError("nothing to allocate by: all weights are zero")
        coins = int(Fraction(self.plain()) * self.currency.coins)
        exact = [Fraction(coins * weight, total) for weight in weights]
        parts = [share.numerator // share.denominator for share in exact]
        losers = sorted(range(len(parts)), key=lambda i: parts[i] - exact[i])
        for index in losers[: coins - sum(parts)]:
            parts[index] += 1
        return [Money(Fraction(part, self.currency.coins), self.currency) for part in parts]

    def _same(self, other: "Money") -> "Money":
        if other.currency != self.currency:
            raise MoneyError(f"{self.currency.code} and {other.currency.code} do not mix")
        return other
