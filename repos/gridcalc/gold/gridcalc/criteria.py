"""Criteria such as ">=10" or "north*", as conditional functions and lookups take them."""

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass

from gridcalc.entry import read_scalar
from gridcalc.errors import ErrorValue
from gridcalc.values import Scalar, compare, is_numeric

_OPERATORS = ("<=", ">=", "<>", "<", ">", "=")
_ORDERS: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def wildcard_pattern(text: str) -> re.Pattern[str]:
    """`?` is any character, `*` any number of them, `~` takes the next one as it is."""
    pattern, position = "", 0
    while position < len(text):
        character = text[position]
        if character == "~" and position + 1 < len(text):
            position += 1
            pattern += re.escape(text[position])
        else:
            pattern += {"?": ".", "*": ".*"}.get(character) or re.escape(character)
        position += 1
    return re.compile(pattern, re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True)
class Criterion:
    """An operator and what cells are held against."""

    operator: str
    operand: Scalar

    @classmethod
    def of(cls, value: Scalar) -> "Criterion":
        """A criterion as the argument of a function gives it."""
        if not isinstance(value, str):
            return cls("=", value)
        sign = next((each for each in _OPERATORS if value.startswith(each)), "")
        return cls(sign or "=", read_scalar(value[len(sign) :]))

    def matches(self, value: Scalar) -> bool:
        """Whether a cell's value meets the criterion; an error value never does."""
        if isinstance(value, ErrorValue):
            return False
        if self.operator == "<>":
            return not self._equals(value)
        if self.operator == "=":
            return self._equals(value)
        if value is None or not _same_kind(value, self.operand):
            return False
        return _ORDERS[self.operator](compare(value, self.operand), 0)

    def _equals(self, value: Scalar) -> bool:
        if self.operand is None or value is None:
            return value in (None, "") and self.operand in (None, "")
        if isinstance(self.operand, str):
            pattern = wildcard_pattern(self.operand)
            return isinstance(value, str) and pattern.fullmatch(value) is not None
        return _same_kind(value, self.operand) and compare(value, self.operand) == 0


def _same_kind(one: Scalar, two: Scalar) -> bool:
    if is_numeric(one) or is_numeric(two):
        return is_numeric(one) and is_numeric(two)
    return type(one) is type(two)
