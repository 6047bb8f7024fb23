"""Which plan an organisation is on, day by day, and what part of a month each plan has."""

from bisect import bisect_right
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from fractions import Fraction

from tollgate.accounts import Directory
from tollgate.clock import show_instant
from tollgate.errors import NotSubscribed
from tollgate.months import Month
from tollgate.plans import Plan, PlanBook


@dataclass(frozen=True, slots=True)
class Segment:
    """Days of one month, both ends included, on one plan."""

    plan: Plan
    first: date
    last: date

    @property
    def days(self) -> int:
        return (self.last - self.first).days + 1

    @property
    def share(self) -> Fraction:
        """Of the month, by days."""
        return Fraction(self.days, Month.of(self.first).days)


class Subscriptions:
    """Plan changes by organisation, each in force from a local day on."""

    def __init__(self, plans: PlanBook, directory: Directory) -> None:
        self._plans = plans
        self._directory = directory
        self._changes: dict[str, list[tuple[date, str]]] = {}

    def change(self, organisation: str, plan: str, day: date) -> None:
        """From `day` on; takes the place of changes planned for that day or later."""
        self._directory.organisation(organisation)
        self._plans.get(plan)
        kept = [change for change in self._changes.get(organisation, []) if change[0] < day]
        self._changes[organisation] = [*kept, (day, plan)]

    def payer(self, organisation: str, moment: datetime) -> str:
        """The nearest organisation, from this one up, that has a plan at that time."""
        for org in self._directory.lineage(organisation):
            day = self._directory.zone(org.name).day_of(moment)
            if self._on(org.name, day) is not None:
                return org.name
        raise NotSubscribed(f"{organisation} has no plan on {show_instant(moment)}")

    def plan_on(self, payer: str, day: date) -> Plan:
        name = self._on(payer, day)
        if name is None:
            raise NotSubscribed(f"{payer} has no plan on {day}")
        return self._plans.get(name)

    def since(self, payer: str) -> date:
        """The first day with a plan."""
        changes = self._changes.get(payer)
        if not changes:
            raise NotSubscribed(f"{payer} has no plan")
        return changes[0][0]

    def segments(self, payer: str, month: Month) -> list[Segment]:
        """The month's days with a plan; days in a row on the same plan are one segment."""
        found: list[Segment] = []
        starts = {day for day, _ in self._changes.get(payer, ())}
        for day in sorted({month.first, *(day for day in starts if Month.of(day) == month)}):
            name = self._on(payer, day)
            if name is None:
                continue
            if found and found[-1].plan.name == name:
                continue
            if found:
                found[-1] = Segment(found[-1].plan, found[-1].first, day - timedelta(days=1))
            found.append(Segment(self._plans.get(name), day, month.last))
        return found

    def _on(self, organisation: str, day: date) -> str | None:
        changes = self._changes.get(organisation, [])
        index = bisect_right([start for start, _ in changes], day)
        return changes[index - 1][1] if index else None
