"""Finding values in ranges."""

from collections.abc import Sequence
from decimal import Decimal

from gridcalc.criteria import Criterion
from gridcalc.errors import ErrorValue, Fault
from gridcalc.registry import Arguments, function, require
from gridcalc.values import Scalar, compare, is_numeric


def _exact(wanted: Scalar, line: Sequence[Scalar]) -> int | None:
    """Index of the first value that equals `wanted`; text may have wildcards."""
    criterion = Criterion("=", wanted)
    return next((index for index, value in enumerate(line) if criterion.matches(value)), None)


def _nearest(wanted: Scalar, line: Sequence[Scalar], direction: int) -> int | None:
    """Index of the last value not beyond `wanted` in a line sorted in that direction.

    Blanks, error values and values of another kind are passed over.
    """
    found = None
    for index, value in enumerate(line):
        if not _comparable(wanted, value):
            continue
        if compare(value, wanted) * direction > 0:
            break
        found = index
    return found


def _comparable(wanted: Scalar, value: Scalar) -> bool:
    if value is None or isinstance(value, ErrorValue):
        return False
    if is_numeric(wanted) or is_numeric(value):
        return is_numeric(wanted) and is_numeric(value)
    return type(wanted) is type(value)


def _wanted(arguments: Arguments) -> Scalar:
    value = arguments.scalar(0)
    if isinstance(value, ErrorValue):
        raise Fault(value)
    return Decimal(0) if value is None else value


@function("VLOOKUP", 3, 4)
def _vlookup(arguments: Arguments) -> Scalar:
    wanted, table = _wanted(arguments), arguments.area(1)
    column = arguments.integer(2)
    require(column >= 1)
    require(column <= table.width, ErrorValue.REF)
    keys = [row[0] for row in table.rows]
    nearest = arguments.flag(3, default=True)
    index = _nearest(wanted, keys, 1) if nearest else _exact(wanted, keys)
    if index is None:
        raise Fault(ErrorValue.NA)
    return table.rows[index][column - 1]


@function("MATCH", 2, 3)
def _match(arguments: Arguments) -> Scalar:
    wanted, area = _wanted(arguments), arguments.area(1)
    require(1 in (area.height, area.width))
    kind, line = arguments.integer(2, default=1), list(area)
    if kind == 0:
        index = _exact(wanted, line)
    else:
        index = _nearest(wanted, line, 1 if kind > 0 else -1)
    if index is None:
        raise Fault(ErrorValue.NA)
    return Decimal(index + 1)


@function("INDEX", 2, 3)
def _index(arguments: Arguments) -> Scalar:
    area, row = arguments.area(0), arguments.integer(1)
    column = arguments.integer(2, default=1)
    if area.height == 1 and not arguments.given(2):
        row, column = 1, row
    require(row >= 1 and column >= 1)
    require(row <= area.height and column <= area.width, ErrorValue.REF)
    return area.rows[row - 1][column - 1]
