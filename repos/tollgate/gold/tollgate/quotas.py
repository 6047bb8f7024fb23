"""Monthly allowances and caps."""

from dataclasses import dataclass

from tollgate.accounts import ApiKey, Directory
from tollgate.errors import QuotaExceeded
from tollgate.months import Month
from tollgate.plans import MeterTerms
from tollgate.reservations import ReservationBook
from tollgate.subscriptions import Subscriptions
from tollgate.usage import UsageStore


@dataclass(frozen=True, slots=True)
class Allowance:
    """Of one payer, meter and month, in units."""

    included: int
    carried: int
    used: int
    held: int = 0

    @property
    def granted(self) -> int:
        return self.included + self.carried

    @property
    def remaining(self) -> int:
        return max(0, self.granted - self.used - self.held)

    @property
    def overage(self) -> int:
        return max(0, self.used - self.granted)

    @property
    def unused(self) -> int:
        """What is left of the included units; carried ones are used first."""
        return max(0, self.included - max(0, self.used - self.carried))


class Quotas:
    """Works allowances out, and guards them and the caps."""

    def __init__(
        self,
        directory: Directory,
        subscriptions: Subscriptions,
        usage: UsageStore,
        reservations: ReservationBook,
    ) -> None:
        self._directory = directory
        self._subscriptions = subscriptions
        self._usage = usage
        self._reservations = reservations

    def allowance(self, payer: str, meter: str, month: Month, held: int = 0) -> Allowance:
        """What a payer has of a meter in a month, `held` of it by reservations."""
        current = Month.of(self._subscriptions.since(payer))
        carried = 0
        while current < month:
            unused = self._plain(payer, meter, current, carried).unused
            current = current.following()
            carried = min(unused, self._carry_into(payer, meter, current))
        plain = self._plain(payer, meter, month, carried)
        return Allowance(plain.included, plain.carried, plain.used, held)

    def held(self, payer: str, meter: str) -> int:
        return self._reservations.held(payer, meter)

    def guard(
        self, key: ApiKey, payer: str, meter: str, month: Month, terms: MeterTerms, units: int
    ) -> int | None:
        """QuotaExceeded unless the caps above the key and a hard allowance have so much left.

        Returns what remains after it of the tightest of them, None where there is none.
        """
        left: list[int] = []
        for holder, remaining in self._boundaries(key, payer, meter, month, terms):
            if units > remaining:
                raise QuotaExceeded(holder, meter, units, remaining)
            left.append(remaining - units)
        return min(left, default=None)

    def _boundaries(
        self, key: ApiKey, payer: str, meter: str, month: Month, terms: MeterTerms
    ) -> list[tuple[str, int]]:
        found: list[tuple[str, int]] = []
        for holder, overrides in self._directory.chain(key):
            cap = overrides.caps.get(meter)
            if cap is None:
                continue
            keys = [key.name]
            if holder != key.name:
                keys = [below.name for below in self._directory.keys_under(holder)]
            used = self._usage.units_of_keys(keys, meter, month)
            held = self._reservations.held_by_keys(keys, meter)
            found.append((holder, max(0, cap - used - held)))
        if terms.hard:
            held = self.held(payer, meter)
            found.append((payer, self.allowance(payer, meter, month, held).remaining))
        return found

    def _plain(self, payer: str, meter: str, month: Month, carried: int) -> Allowance:
        segments = self._subscriptions.segments(payer, month)
        included = sum(
            segment.plan.meters[meter].included * segment.share
            for segment in segments
            if meter in segment.plan.meters
        )
        return Allowance(int(included), carried, self._usage.units(payer, meter, month))

    def _carry_into(self, payer: str, meter: str, month: Month) -> int:
        terms = self._subscriptions.plan_on(payer, month.first).meters.get(meter)
        return terms.carry if terms else 0
