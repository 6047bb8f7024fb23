"""The service: every request from outside comes through here, and leaves a trace."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from tollgate.accounts import ApiKey, Directory, Organisation
from tollgate.clock import Clock, instant, parse_duration, show_instant
from tollgate.credits import CreditBook, Grant
from tollgate.errors import (
    BillingError,
    LimitExceeded,
    ParseError,
    QuotaExceeded,
    ReservationError,
    UsageError,
)
from tollgate.invoices import Biller, Invoice
from tollgate.journal import AuditJournal
from tollgate.limits import BoundLimit, LimitBoard, LimitTerms
from tollgate.money import Money, parse_decimal
from tollgate.months import Month
from tollgate.plans import Plan, PlanBook
from tollgate.quotas import Allowance, Quotas
from tollgate.reservations import Reservation, ReservationBook
from tollgate.subscriptions import Subscriptions
from tollgate.usage import IdempotencyRegister, Request, UsageLedger, UsageRecord

AHEAD = timedelta(seconds=60)


@dataclass(frozen=True, slots=True)
class Receipt:
    """Of usage that was taken down. `remaining`: of the tightest limit, cap or hard allowance."""

    record: UsageRecord
    duplicate: bool = False
    remaining: int | None = None


class Tollgate:
    """Quotas, limits and billing of a set of organisations."""

    def __init__(self, clock: Clock, plans: PlanBook) -> None:
        self.clock = clock
        self.plans = plans
        self.directory = Directory()
        self.journal = AuditJournal()
        self.usage = UsageLedger()
        self.credits = CreditBook()
        self.reservations = ReservationBook()
        self.subscriptions = Subscriptions(plans, self.directory)
        self.quotas = Quotas(self.directory, self.subscriptions, self.usage, self.reservations)
        self.biller = Biller(self.directory, self.subscriptions, self.quotas, self.credits)
        self._board = LimitBoard()
        self._register = IdempotencyRegister()

    # Organisations, keys and plans

    def add_organisation(self, organisation: Organisation) -> None:
        self.directory.add_organisation(organisation)
        details = {} if organisation.parent is None else {"parent": organisation.parent}
        self._note("organisation.added", organisation.name, **details)

    def add_key(self, key: ApiKey) -> None:
        self.directory.add_key(key)
        self._note("key.added", key.name, organisation=key.organisation)

    def revoke(self, key: str, reason: str = "unknown") -> None:
        self.directory.revoke(key)
        self._note("key.revoked", key, reason=reason)

    def suspend(self, organisation: str) -> None:
        self.directory.suspend(organisation)
        self._note("organisation.suspended", organisation)

    def resume(self, organisation: str) -> None:
        self.directory.suspend(organisation, suspended=False)
        self._note("organisation.resumed", organisation)

    def override(
        self,
        holder: str,
        limits: Mapping[str, LimitTerms | None] | None = None,
        caps: Mapping[str, int] | None = None,
    ) -> None:
        """Add limits and caps to a key or an organisation."""
        self.directory.override(holder, limits, caps)
        self._note("override.set", holder, names=",".join([*(limits or {}), *(caps or {})]))

    def change_plan(self, organisation: str, plan: str, when: str = "now") -> None:
        """From today on, or from the first day of the `next_month` on."""
        if when not in ("now", "next_month"):
            raise ParseError(f"a plan changes now or next_month, not {when!r}")
        today = self.today(organisation)
        day = today if when == "now" else Month.of(today).following().first
        self.subscribe(organisation, plan, day)

    def subscribe(self, organisation: str, plan: str, since: date) -> None:
        """On a plan from a local day on, which may be past but not invoiced."""
        if not self.biller.may_change(organisation, Month.of(since)):
            raise BillingError(f"{Month.of(since)} of {organisation} is invoiced already")
        self.subscriptions.change(organisation, plan, since)
        self._note("plan.changed", organisation, plan=plan, since=since)

    def today(self, organisation: str) -> date:
        """The local day."""
        return self.directory.zone(organisation).day_of(self.clock.now())

    # Usage

    def admit(self, key: str, meter: str, units: int = 1, token: str | None = None) -> Receipt:
        """Let a request through and take its usage down, or refuse it.

        Raises AccessDenied, QuotaExceeded, LimitExceeded, IdempotencyConflict.
        """
        self._sweep()
        known = self._usable(key)
        request = _request(meter, units, None)
        before = self._register.recall(key, token, request)
        if before is not None:
            return self._again(before)
        remaining = self._pass(known, meter, units)
        record = self._take_down(known, request, self.clock.now())
        self._register.remember(key, token, request, record)
        return Receipt(record, remaining=remaining)

    def record(
        self,
        key: str,
        meter: str,
        units: int,
        at: str | datetime | None = None,
        token: str | None = None,
    ) -> Receipt:
        """Take usage down that has happened, whatever limits and allowances say."""
        self._sweep()
        now = self.clock.now()
        known = self.directory.key(key)
        request = _request(meter, units, None if at is None else instant(at))
        before = self._register.recall(key, token, request)
        if before is not None:
            return self._again(before)
        moment = request.at or now
        if moment > now + AHEAD:
            raise UsageError(f"usage at {show_instant(moment)} is in the future")
        record = self._take_down(known, request, moment)
        self._register.remember(key, token, request, record)
        return Receipt(record)

    # Reservations

    def reserve(self, key: str, meter: str, units: int, ttl: str) -> Reservation:
        """Hold units for a duration. They pass limits, caps and allowances now."""
        self._sweep()
        known = self._usable(key)
        expires = self.clock.now() + parse_duration(ttl)
        _request(meter, units, None)
        self._pass(known, meter, units)
        payer = self._payer(known, self.clock.now())
        made = self.reservations.hold(key, payer, meter, units, expires)
        self._note("reservation.made", key, number=made.number, meter=meter, units=units)
        return made

    def commit(self, number: int, units: int | None = None) -> Receipt:
        """Turn a reservation into usage of now: all of it, or less."""
        self._sweep()
        held = self.reservations.open(number)
        taken = held.units if units is None else units
        if not 0 < taken <= held.units:
            raise ReservationError(f"{taken} of {held.units} reserved units cannot be committed")
        request = _request(held.meter, taken, None)
        key = self.directory.key(held.key)
        record = self._take_down(key, request, self.clock.now())
        self.reservations.close(number, "committed")
        self._note("reservation.committed", held.key, number=number, units=taken)
        return Receipt(record)

    def release(self, number: int) -> None:
        """Give a reservation up."""
        self._sweep()
        held = self.reservations.close(number, "released")
        self._note("reservation.released", held.key, number=number)

    # Allowances, credits, invoices

    def quota(self, organisation: str, meter: str, month: str | None = None) -> Allowance:
        """What the payer of an organisation has in a month, this one unless told."""
        self._sweep()
        now = self.clock.now()
        payer = self.subscriptions.payer(organisation, now)
        current = Month.at(now, self.directory.zone(payer))
        wanted = current if month is None else Month.parse(month)
        held = self.quotas.held(payer, meter) if wanted == current else 0
        return self.quotas.allowance(payer, meter, wanted, held)

    def grant(self, organisation: str, amount: str, expires: str | None = None) -> Grant:
        """Credit, in the currency of the organisation."""
        money = Money.of(parse_decimal(amount), self.directory.currency(organisation).code)
        until = None if expires is None else instant(expires)
        made = self.credits.grant(organisation, money, self.clock.now(), until)
        self._note("credit.granted", organisation, number=made.number, amount=money.plain())
        return made

    def balance(self, organisation: str) -> Money:
        """Credit that could be spent now."""
        code = self.directory.currency(organisation).code
        return self.credits.balance(organisation, code, self.clock.now())

    def draft(self, payer: str, month: str) -> Invoice:
        return self.biller.draft(payer, Month.parse(month), self.clock.now())

    def invoice(self, payer: str, month: str) -> Invoice:
        """Issue the invoice of a month and so close it."""
        issued = self.biller.issue(payer, Month.parse(month), self.clock.now())
        self._note("invoice.issued", payer, number=issued.number, due=issued.due.plain())
        return issued

    # Inside

    def bound_limits(self, key: ApiKey, payer: str, plan: Plan) -> list[BoundLimit]:
        """The limits that a key is under: the nearest override of each, else the plan's."""
        found: dict[str, BoundLimit | None] = {}
        for holder, overrides in self.directory.chain(key, top=payer):
            for name, terms in overrides.limits.items():
                if name not in found:
                    found[name] = _bind(name, terms, holder, key)
        for name, agreed in plan.limits.items():
            if name not in found:
                found[name] = _bind(name, agreed, payer, key)
        return [limit for _, limit in sorted(found.items()) if limit is not None]

    def _usable(self, name: str) -> ApiKey:
        key = self.directory.key(name)
        self.directory.check_access(key, self.clock.now())
        return key

    def _pass(self, key: ApiKey, meter: str, units: int) -> int | None:
        """Allowances and caps first: what they refuse takes nothing from a limit."""
        now = self.clock.now()
        payer = self._payer(key, now)
        zone = self.directory.zone(payer)
        plan = self.subscriptions.plan_on(payer, zone.day_of(now))
        month = Month.at(now, zone)
        try:
            left = self.quotas.guard(key, payer, meter, month, plan.meter(meter), units)
            free = self._board.pass_through(self.bound_limits(key, payer, plan), now, units)
        except QuotaExceeded as refusal:
            self._note("quota.refused", key.name, holder=refusal.holder, meter=meter, units=units)
            raise
        except LimitExceeded as refusal:
            self._note("limit.refused", key.name, limit=refusal.limit, meter=meter, units=units)
            raise
        return min((room for room in (left, free) if room is not None), default=None)

    def _take_down(self, key: ApiKey, request: Request, moment: datetime) -> UsageRecord:
        payer = self._payer(key, moment)
        zone = self.directory.zone(payer)
        self.subscriptions.plan_on(payer, zone.day_of(moment)).meter(request.meter)
        month = Month.at(moment, zone)
        record = UsageRecord(
            number=len(self.usage) + 1,
            key=key.name,
            meter=request.meter,
            units=request.units,
            at=moment,
            received=self.clock.now(),
            payer=payer,
            month=month,
            billed=self.biller.first_open(payer, month),
        )
        self.usage.append(record)
        self._note(
            "usage.recorded",
            key.name,
            number=record.number,
            meter=record.meter,
            units=record.units,
            billed=record.billed,
        )
        return record

    def _again(self, record: UsageRecord) -> Receipt:
        self._note("usage.repeated", record.key, number=record.number)
        return Receipt(record, duplicate=True)

    def _payer(self, key: ApiKey, moment: datetime) -> str:
        return self.subscriptions.payer(key.organisation, moment)

    def _sweep(self) -> None:
        for reservation in self.reservations.expire(self.clock.now()):
            self._note(
                "reservation.expired",
                reservation.key,
                number=reservation.number,
                expired=show_instant(reservation.expires),
            )

    def _note(self, kind: str, subject: str, **details: object) -> None:
        self.journal.note(self.clock.now(), kind, subject, details)


def _request(meter: str, units: int, at: datetime | None) -> Request:
    if units < 1:
        raise UsageError(f"units are 1 or more, not {units}")
    return Request(meter, units, at)


def _bind(name: str, terms: LimitTerms | None, holder: str, key: ApiKey) -> BoundLimit | None:
    """A shared limit is kept by whoever declares it, any other by the key."""
    if terms is None:
        return None
    return BoundLimit(name, terms, holder if terms.shared else key.name)
