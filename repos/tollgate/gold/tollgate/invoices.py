"""Invoices: fees by days, overage by tiers, tax, credits; every line rounded."""

from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction

from tollgate.accounts import Directory
from tollgate.clock import show_instant
from tollgate.credits import CreditBook, Draw
from tollgate.errors import BillingError
from tollgate.money import Money, show_decimal
from tollgate.months import Month
from tollgate.pricing import Charge
from tollgate.quotas import Quotas
from tollgate.subscriptions import Segment, Subscriptions
from tollgate.taxes import TaxRule


@dataclass(frozen=True, slots=True)
class InvoiceLine:
    """`meter` is None for a fee."""

    text: str
    amount: Money
    meter: str | None = None


@dataclass(frozen=True, slots=True)
class Invoice:
    """A draft has neither number nor time of issue."""

    payer: str
    month: Month
    lines: tuple[InvoiceLine, ...]
    subtotal: Money
    tax_rule: TaxRule | None
    tax: Money
    draws: tuple[Draw, ...] = ()
    number: str = ""
    issued: datetime | None = None

    @property
    def total(self) -> Money:
        """With tax."""
        if self.tax_rule is None or self.tax_rule.included:
            return self.subtotal
        return self.subtotal + self.tax

    @property
    def credit(self) -> Money:
        """What credits paid."""
        paid = Money.zero(self.subtotal.currency.code)
        for draw in self.draws:
            paid += draw.amount
        return paid

    @property
    def due(self) -> Money:
        return self.total - self.credit


class Biller:
    """Drafts and issues invoices. A month that has one is closed."""

    def __init__(
        self,
        directory: Directory,
        subscriptions: Subscriptions,
        quotas: Quotas,
        credits: CreditBook,
    ) -> None:
        self._directory = directory
        self._subscriptions = subscriptions
        self._quotas = quotas
        self._credits = credits
        self.issued: list[Invoice] = []

    def is_closed(self, payer: str, month: Month) -> bool:
        return any(i.payer == payer and i.month == month for i in self.issued)

    def may_change(self, payer: str, month: Month) -> bool:
        """Whether neither the month nor a later one is closed."""
        return not any(i.payer == payer and i.month >= month for i in self.issued)

    def first_open(self, payer: str, month: Month) -> Month:
        """The month itself, or the first one after it that is not closed."""
        while self.is_closed(payer, month):
            month = month.following()
        return month

    def draft(self, payer: str, month: Month, now: datetime) -> Invoice:
        """The invoice as it would be if it were issued now. Changes nothing."""
        segments = self._subscriptions.segments(payer, month)
        if not segments:
            raise BillingError(f"{payer} had no plan in {month}")
        lines = self._fees(payer, segments) + self._overages(payer, month, segments)
        subtotal = self._money(payer, Fraction(0))
        for line in lines:
            subtotal += line.amount
        rule = self._directory.tax(payer)
        rounding = self._directory.rounding(payer)
        tax = rule.tax_on(subtotal, rounding) if rule else subtotal * 0
        plain = Invoice(payer, month, tuple(lines), subtotal, rule, tax)
        draws = self._credits.plan_draws(payer, plain.total, now)
        return Invoice(payer, month, plain.lines, subtotal, rule, tax, tuple(draws))

    def issue(self, payer: str, month: Month, now: datetime) -> Invoice:
        """Close a month that is over; the months before it must be closed."""
        zone = self._directory.zone(payer)
        end = month.span(zone).end
        if now < end:
            raise BillingError(f"{month} is not over before {show_instant(end)}")
        if self.is_closed(payer, month):
            raise BillingError(f"{month} of {payer} is invoiced already")
        oldest = self.first_open(payer, Month.of(self._subscriptions.since(payer)))
        if oldest < month:
            raise BillingError(f"{oldest} of {payer} is to be invoiced first")
        draft = self.draft(payer, month, now)
        year = zone.day_of(now).year
        invoice = Invoice(
            payer,
            month,
            draft.lines,
            draft.subtotal,
            draft.tax_rule,
            draft.tax,
            draft.draws,
            self._next_number(year),
            now,
        )
        self._credits.spend(draft.draws)
        self.issued.append(invoice)
        return invoice

    def _next_number(self, year: int) -> str:
        prefix = f"{year:04}-"
        taken = sum(invoice.number.startswith(prefix) for invoice in self.issued)
        return f"{prefix}{taken + 1:04}"

    def _fees(self, payer: str, segments: list[Segment]) -> list[InvoiceLine]:
        lines: list[InvoiceLine] = []
        for segment in segments:
            amount = self._money(payer, segment.plan.fee * segment.share)
            if amount:
                lines.append(InvoiceLine(_fee_text(segment), amount))
        return lines

    def _overages(self, payer: str, month: Month, segments: list[Segment]) -> list[InvoiceLine]:
        terms = {name: meter for s in segments for name, meter in s.plan.meters.items()}
        lines: list[InvoiceLine] = []
        for meter, agreed in terms.items():
            if agreed.price is None:
                continue
            overage = self._quotas.allowance(payer, meter, month).overage
            for charge in agreed.price.charges(overage):
                amount = self._money(payer, charge.amount)
                if amount:
                    lines.append(InvoiceLine(f"{meter}, {_charge_text(charge)}", amount, meter))
        return lines

    def _money(self, payer: str, amount: Fraction) -> Money:
        exact = Money(amount, self._directory.currency(payer))
        return exact.rounded(self._directory.rounding(payer))


def _fee_text(segment: Segment) -> str:
    whole = Month.of(segment.first).days
    if segment.days == whole:
        return segment.plan.name
    days = f"{segment.first.day}-{segment.last.day}"
    return f"{segment.plan.name}, {days} ({segment.days} of {whole} days)"


def _charge_text(charge: Charge) -> str:
    fee = f" + {show_decimal(charge.fee)}" if charge.fee else ""
    return f"{charge.quantity} x {show_decimal(charge.price)}{fee}"
