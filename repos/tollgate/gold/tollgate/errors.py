"""What Tollgate raises on purpose; everything derives from `TollgateError`."""


class TollgateError(Exception):
    """Base of all errors of this package."""


class ParseError(TollgateError):
    """A piece of text (instant, zone, price, limit, ...) that cannot be read."""


class ConfigError(TollgateError):
    """A configuration that cannot be used; `line` is where, counted from 1."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line
        self.message = message


class UnknownName(TollgateError):
    """No plan, meter, organisation, key, grant or reservation of that name."""


class DuplicateName(TollgateError):
    """The name is taken."""


class HierarchyError(TollgateError):
    """An organisation would come to stand below itself."""


class MoneyError(TollgateError):
    """Amounts of different currencies mixed, or an amount finer than its currency."""


class AccessDenied(TollgateError):
    """The key may not be used: revoked, expired, or an organisation above is suspended."""


class NotSubscribed(TollgateError):
    """Neither the organisation nor one above it has a plan at that time."""


class LimitExceeded(TollgateError):
    """A rate limit says no. `retry_after_ms` is None when waiting will not help."""

    def __init__(self, limit: str, retry_after_ms: int | None) -> None:
        wait = "never" if retry_after_ms is None else f"in {retry_after_ms} ms"
        super().__init__(f"limit {limit!r} exceeded; retry {wait}")
        self.limit = limit
        self.retry_after_ms = retry_after_ms


class QuotaExceeded(TollgateError):
    """A hard allowance or a cap has too little left. `holder` is whose it is."""

    def __init__(self, holder: str, meter: str, wanted: int, remaining: int) -> None:
        super().__init__(f"{holder}: {wanted} {meter} wanted, {remaining} remaining")
        self.holder = holder
        self.meter = meter
        self.wanted = wanted
        self.remaining = remaining


class UsageError(TollgateError):
    """Usage that cannot be: no units, or in the future."""


class IdempotencyConflict(TollgateError):
    """An idempotency key used again for something else."""


class ReservationError(TollgateError):
    """The reservation is not in a state that allows this."""


class ReservationExpired(ReservationError):
    """The reservation ran out before it was committed."""


class BillingError(TollgateError):
    """The month cannot be invoiced now."""
