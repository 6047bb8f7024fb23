"""Rounding and other functions of single numbers."""

from decimal import ROUND_DOWN, ROUND_FLOOR, ROUND_HALF_UP, ROUND_UP, Context, Decimal

from gridcalc.errors import ErrorValue
from gridcalc.operators import divide, guarded
from gridcalc.registry import Arguments, function, require
from gridcalc.values import ARITHMETIC, Scalar

_MOST_DIGITS = 20


def _rounded(arguments: Arguments, rounding: str) -> Decimal:
    """The first argument, to as many decimals as the second says; below 0 to tens, hundreds."""
    number, digits = arguments.number(0), arguments.integer(1, default=0)
    require(abs(digits) <= _MOST_DIGITS, ErrorValue.NUM)
    wide = Context(prec=400)
    return number.quantize(Decimal(1).scaleb(-digits), rounding=rounding, context=wide)


@function("ROUND", 1, 2)
def _round(arguments: Arguments) -> Scalar:
    return _rounded(arguments, ROUND_HALF_UP)


@function("ROUNDUP", 1, 2)
def _roundup(arguments: Arguments) -> Scalar:
    return _rounded(arguments, ROUND_UP)


@function("ROUNDDOWN", 1, 2)
def _rounddown(arguments: Arguments) -> Scalar:
    return _rounded(arguments, ROUND_DOWN)


def _floor(number: Decimal) -> Decimal:
    return number.to_integral_value(ROUND_FLOOR)


@function("INT", 1, 1)
def _int(arguments: Arguments) -> Scalar:
    return _floor(arguments.number(0))


@function("MOD", 2, 2)
def _mod(arguments: Arguments) -> Scalar:
    dividend, divisor = arguments.number(0), arguments.number(1)
    return dividend - divisor * _floor(divide(dividend, divisor))


@function("ABS", 1, 1)
def _abs(arguments: Arguments) -> Scalar:
    return abs(arguments.number(0))


@function("SQRT", 1, 1)
def _sqrt(arguments: Arguments) -> Scalar:
    number = arguments.number(0)
    return guarded(lambda: ARITHMETIC.sqrt(number))
