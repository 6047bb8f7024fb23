"""Credits: money granted in advance, spent on invoices, some of it only until a day."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from tollgate.errors import MoneyError
from tollgate.money import Money


@dataclass(frozen=True, slots=True)
class Grant:
    """Good until just before `expires`."""

    number: int
    payer: str
    amount: Money
    granted: datetime
    expires: datetime | None = None

    def good(self, now: datetime) -> bool:
        return self.expires is None or now < self.expires


@dataclass(frozen=True, slots=True)
class Draw:
    """What an invoice took from a grant."""

    grant: int
    amount: Money


class CreditBook:
    """Grants by number, from 1 on, and what is left of each."""

    def __init__(self) -> None:
        self._grants: list[Grant] = []
        self._spent: dict[int, Money] = {}

    def grant(
        self, payer: str, amount: Money, now: datetime, expires: datetime | None = None
    ) -> Grant:
        if amount.amount <= 0 or not amount.is_rounded:
            raise MoneyError(f"not an amount to grant: {amount.amount}")
        made = Grant(len(self._grants) + 1, payer, amount, now, expires)
        self._grants.append(made)
        return made

    def left(self, grant: Grant) -> Money:
        return grant.amount - self._spent.get(grant.number, Money.zero(grant.amount.currency.code))

    def balance(self, payer: str, code: str, now: datetime) -> Money:
        """All that could be spent now in a currency."""
        total = Money.zero(code)
        for grant in self._usable(payer, code, now):
            total += self.left(grant)
        return total

    def plan_draws(self, payer: str, due: Money, now: datetime) -> list[Draw]:
        """What would be taken to pay `due`: soonest to expire first, then the oldest grant."""
        draws: list[Draw] = []
        for grant in sorted(self._usable(payer, due.currency.code, now), key=_order):
            part = min(self.left(grant), due)
            if part:
                draws.append(Draw(grant.number, part))
                due -= part
        return draws

    def spend(self, draws: Sequence[Draw]) -> None:
        for draw in draws:
            before = self._spent.get(draw.grant, Money.zero(draw.amount.currency.code))
            self._spent[draw.grant] = before + draw.amount

    def _usable(self, payer: str, code: str, now: datetime) -> list[Grant]:
        return [
            grant
            for grant in self._grants
            if grant.payer == payer and grant.amount.currency.code == code and grant.good(now)
        ]


def _order(grant: Grant) -> tuple[bool, float, int]:
    if grant.expires is None:
        return True, 0.0, grant.number
    return False, grant.expires.timestamp(), grant.number
