"""What the operators of formulas do with values."""

from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal, DivisionByZero, InvalidOperation, Overflow

from gridcalc.errors import ErrorValue, Fault
from gridcalc.values import ARITHMETIC, FIRST_DAY, Scalar, compare, to_number, to_text

MOST_DIGITS = 300
"""Digits before the point of the largest result."""


def guarded(compute: Callable[[], Decimal]) -> Decimal:
    """A result of arithmetic. Raises Fault where there is none."""
    try:
        result = compute()
    except DivisionByZero:
        raise Fault(ErrorValue.DIV0) from None
    except (InvalidOperation, Overflow):
        raise Fault(ErrorValue.NUM) from None
    if result and result.adjusted() >= MOST_DIGITS:
        raise Fault(ErrorValue.NUM)
    return result


def plus(one: Decimal, two: Decimal) -> Decimal:
    return guarded(lambda: ARITHMETIC.add(one, two))


def times(one: Decimal, two: Decimal) -> Decimal:
    return guarded(lambda: ARITHMETIC.multiply(one, two))


def divide(dividend: Decimal, divisor: Decimal) -> Decimal:
    """Raises Fault for a divisor of 0."""
    if divisor == 0:
        raise Fault(ErrorValue.DIV0)
    return guarded(lambda: ARITHMETIC.divide(dividend, divisor))


def power(base: Decimal, exponent: Decimal) -> Decimal:
    """Raises Fault for powers that have no real value."""
    if base == 0 and exponent < 0:
        raise Fault(ErrorValue.DIV0)
    return guarded(lambda: ARITHMETIC.power(base, exponent))


def unary(operator: str, value: Scalar) -> Scalar:
    """A sign before a value."""
    number = to_number(value)
    if operator == "-":
        return -number
    return value if isinstance(value, date) else number


def percent(value: Scalar) -> Scalar:
    """A hundredth of a value."""
    return ARITHMETIC.divide(to_number(value), Decimal(100))


def binary(operator: str, left: Scalar, right: Scalar) -> Scalar:
    """Two values joined by an operator; an error on the left comes first."""
    for value in (left, right):
        if isinstance(value, ErrorValue):
            raise Fault(value)
    if operator in _COMPARISONS:
        return _COMPARISONS[operator](compare(left, right))
    if operator == "&":
        return to_text(left) + to_text(right)
    if operator in ("+", "-") and isinstance(left, date) and not isinstance(right, date):
        return _days_later(left, to_number(right) if operator == "+" else -to_number(right))
    if operator == "+" and isinstance(right, date) and not isinstance(left, date):
        return _days_later(right, to_number(left))
    return _ARITHMETIC[operator](to_number(left), to_number(right))


def _days_later(day: date, days: Decimal) -> date:
    try:
        moved = day + timedelta(days=int(days))
    except OverflowError:
        raise Fault(ErrorValue.NUM) from None
    if moved < FIRST_DAY:
        raise Fault(ErrorValue.NUM)
    return moved


_COMPARISONS: dict[str, Callable[[int], bool]] = {
    "=": lambda order: order == 0,
    "<>": lambda order: order != 0,
    "<": lambda order: order < 0,
    "<=": lambda order: order <= 0,
    ">": lambda order: order > 0,
    ">=": lambda order: order >= 0,
}
_ARITHMETIC: dict[str, Callable[[Decimal, Decimal], Decimal]] = {
    "+": plus,
    "-": lambda one, two: plus(one, -two),
    "*": times,
    "/": divide,
    "^": power,
}
