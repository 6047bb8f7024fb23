"""Tax on an invoice."""

import re
from dataclasses import dataclass
from fractions import Fraction

from tollgate.errors import ParseError
from tollgate.money import Money, show_decimal

_TAX = re.compile(r"(\S+) (\d+(?:\.\d+)?)%( included)?")


@dataclass(frozen=True, slots=True)
class TaxRule:
    """`VAT 19%` on top, `GST 10% included`; the rate is in percent."""

    label: str
    percent: Fraction
    included: bool = False

    @classmethod
    def parse(cls, text: str) -> "TaxRule | None":
        """None for `none`."""
        if text == "none":
            return None
        match = _TAX.fullmatch(text)
        if match is None:
            raise ParseError(f"not a tax (VAT 19%, GST 10% included, none): {text!r}")
        return cls(match.group(1), Fraction(match.group(2)), match.group(3) is not None)

    def tax_on(self, subtotal: Money, rounding: str) -> Money:
        """The tax on top of a subtotal, or the part of it that is tax; rounded once."""
        base = 100 + self.percent if self.included else Fraction(100)
        return (subtotal * (self.percent / base)).rounded(rounding)

    def show_percent(self) -> str:
        """The rate as it was written, without zeros at the end: `19`, `5.5`."""
        return show_decimal(self.percent)
