"""Functions of dates."""

import calendar
from datetime import date, timedelta
from decimal import Decimal

from gridcalc.errors import ErrorValue, Fault
from gridcalc.registry import Arguments, function, require
from gridcalc.values import FIRST_DAY, Scalar, to_date

_SATURDAY = 5


def _month(year: int, month: int) -> tuple[int, int]:
    """A year and a month where the month may be any number; Fault outside 1900 to 9999."""
    year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
    require(FIRST_DAY.year <= year <= date.max.year, ErrorValue.NUM)
    return year, month


def _month_end(year: int, month: int) -> date:
    return date(year, month, calendar.monthrange(year, month)[1])


def _months_later(day: date, months: int) -> date:
    """The same day of another month, or its last day where that month is too short."""
    end = _month_end(*_month(day.year, day.month + months))
    return end.replace(day=min(day.day, end.day))


@function("TODAY", 0, 0)
def _today(arguments: Arguments) -> Scalar:
    return arguments.frame.today


@function("DATE", 3, 3)
def _date(arguments: Arguments) -> Scalar:
    year, month = _month(arguments.integer(0), arguments.integer(1))
    try:
        day = date(year, month, 1) + timedelta(days=arguments.integer(2) - 1)
    except OverflowError:
        raise Fault(ErrorValue.NUM) from None
    require(day >= FIRST_DAY, ErrorValue.NUM)
    return day


@function("YEAR", 1, 1)
def _year(arguments: Arguments) -> Scalar:
    return Decimal(arguments.day(0).year)


@function("MONTH", 1, 1)
def _month_of(arguments: Arguments) -> Scalar:
    return Decimal(arguments.day(0).month)


@function("DAY", 1, 1)
def _day(arguments: Arguments) -> Scalar:
    return Decimal(arguments.day(0).day)


@function("WEEKDAY", 1, 2)
def _weekday(arguments: Arguments) -> Scalar:
    number, kind = arguments.day(0).weekday(), arguments.integer(1, default=1)
    require(kind in (1, 2, 3), ErrorValue.NUM)
    if kind == 1:
        return Decimal((number + 1) % 7 + 1)
    return Decimal(number + 1 if kind == 2 else number)


@function("EDATE", 2, 2)
def _edate(arguments: Arguments) -> Scalar:
    return _months_later(arguments.day(0), arguments.integer(1))


@function("EOMONTH", 2, 2)
def _eomonth(arguments: Arguments) -> Scalar:
    day = arguments.day(0)
    return _month_end(*_month(day.year, day.month + arguments.integer(1)))


@function("DATEDIF", 3, 3)
def _datedif(arguments: Arguments) -> Scalar:
    start, end, unit = arguments.day(0), arguments.day(1), arguments.text(2).upper()
    require(start <= end, ErrorValue.NUM)
    if unit == "D":
        return Decimal((end - start).days)
    months = (end.year - start.year) * 12 + end.month - start.month
    if end.day < start.day:
        months -= 1
    require(unit in ("M", "Y"), ErrorValue.NUM)
    return Decimal(months if unit == "M" else months // 12)


@function("NETWORKDAYS", 2, 3)
def _networkdays(arguments: Arguments) -> Scalar:
    start, end = arguments.day(0), arguments.day(1)
    sign = 1 if start <= end else -1
    first, last = min(start, end), max(start, end)
    days = (last - first).days + 1
    weeks, rest = divmod(days, 7)
    count = weeks * 5 + sum((first.weekday() + n) % 7 < _SATURDAY for n in range(rest))
    free = _holidays(arguments) if arguments.given(2) else set()
    count -= sum(first <= day <= last and day.weekday() < _SATURDAY for day in free)
    return Decimal(sign * count)


def _holidays(arguments: Arguments) -> set[date]:
    """Each day once, however often it is listed."""
    return {to_date(value) for value in arguments.area(2) if value is not None}
