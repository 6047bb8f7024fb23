"""Sums, counts, averages; all of them or only where criteria hold."""

from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal

from gridcalc.criteria import Criterion
from gridcalc.errors import ErrorValue, Fault
from gridcalc.operators import divide, plus
from gridcalc.registry import Area, Arguments, function, require
from gridcalc.values import Scalar, is_numeric, to_number


def _numerics(arguments: Arguments, start: int = 0) -> Iterator[Decimal | date]:
    """Numbers and dates of all arguments.

    In cells only numbers and dates count; a value written into the call counts as what it
    spells. Error values raise Fault wherever they stand.
    """
    for index in range(start, len(arguments)):
        if not arguments.is_reference(index):
            value = arguments.scalar(index)
            yield value if isinstance(value, date) else to_number(value)
            continue
        for value in arguments.area(index):
            if isinstance(value, ErrorValue):
                raise Fault(value)
            if isinstance(value, Decimal | date):
                yield value


def _numbers(arguments: Arguments, start: int = 0) -> list[Decimal]:
    return [to_number(value) for value in _numerics(arguments, start)]


def _total(numbers: list[Decimal]) -> Decimal:
    total = Decimal(0)
    for number in numbers:
        total = plus(total, number)
    return total


def _mean(numbers: list[Decimal]) -> Decimal:
    return divide(_total(numbers), Decimal(len(numbers)))


@function("SUM", 1, None)
def _sum(arguments: Arguments) -> Scalar:
    return _total(_numbers(arguments))


@function("AVERAGE", 1, None)
def _average(arguments: Arguments) -> Scalar:
    return _mean(_numbers(arguments))


@function("MIN", 1, None)
def _min(arguments: Arguments) -> Scalar:
    return _extreme(arguments, min)


@function("MAX", 1, None)
def _max(arguments: Arguments) -> Scalar:
    return _extreme(arguments, max)


def _extreme(arguments: Arguments, choose: Callable[[list[Decimal]], Decimal]) -> Decimal | date:
    """A date where all are dates; 0 where there are none."""
    found = list(_numerics(arguments))
    if not found:
        return Decimal(0)
    numbers = [to_number(value) for value in found]
    chosen = choose(numbers)
    if all(isinstance(value, date) for value in found):
        return found[numbers.index(chosen)]
    return chosen


@function("MEDIAN", 1, None)
def _median(arguments: Arguments) -> Scalar:
    numbers = sorted(_numbers(arguments))
    require(bool(numbers), ErrorValue.NUM)
    middle = len(numbers) // 2
    if len(numbers) % 2:
        return numbers[middle]
    return _mean(numbers[middle - 1 : middle + 1])


@function("COUNT", 1, None)
def _count(arguments: Arguments) -> Scalar:
    return Decimal(sum(is_numeric(value) for value in _all(arguments)))


@function("COUNTA", 1, None)
def _counta(arguments: Arguments) -> Scalar:
    return Decimal(sum(value is not None for value in _all(arguments)))


def _all(arguments: Arguments) -> Iterator[Scalar]:
    """All values, errors too."""
    for index in range(len(arguments)):
        if arguments.is_reference(index):
            yield from arguments.area(index)
        else:
            yield arguments.caught(index)


def _same_shape(one: Area, two: Area) -> bool:
    return (one.height, one.width) == (two.height, two.width)


@function("COUNTIF", 2, 2)
def _countif(arguments: Arguments) -> Scalar:
    return Decimal(sum(_hits(arguments, 0)))


@function("SUMIF", 2, 3)
def _sumif(arguments: Arguments) -> Scalar:
    return _total(_picked(_values_beside(arguments), _hits(arguments, 0)))


@function("AVERAGEIF", 2, 3)
def _averageif(arguments: Arguments) -> Scalar:
    return _mean(_picked(_values_beside(arguments), _hits(arguments, 0)))


@function("COUNTIFS", 2, None)
def _countifs(arguments: Arguments) -> Scalar:
    return Decimal(sum(_all_hits(arguments, 0)))


@function("SUMIFS", 3, None)
def _sumifs(arguments: Arguments) -> Scalar:
    return _total(_picked(arguments.area(0), _all_hits(arguments, 1)))


def _values_beside(arguments: Arguments) -> Area:
    """The third argument, or the range that the criterion looks at."""
    return arguments.area(2) if arguments.given(2) else arguments.area(0)


def _hits(arguments: Arguments, index: int) -> list[bool]:
    """Where the range `index` meets the criterion behind it."""
    wanted = arguments.scalar(index + 1)
    if isinstance(wanted, ErrorValue):
        raise Fault(wanted)
    criterion = Criterion.of(wanted)
    return [criterion.matches(value) for value in arguments.area(index)]


def _all_hits(arguments: Arguments, start: int) -> list[bool]:
    """Where all pairs of a range and a criterion from `start` on hold."""
    require((len(arguments) - start) % 2 == 0)
    pairs = range(start, len(arguments), 2)
    shape = arguments.area(start)
    require(all(_same_shape(arguments.area(index), shape) for index in pairs))
    return [all(hits) for hits in zip(*(_hits(arguments, index) for index in pairs), strict=True)]


def _picked(values: Area, hits: list[bool]) -> list[Decimal]:
    """Numbers of the cells that were hit; error values among them raise Fault."""
    require(values.height * values.width == len(hits))
    picked: list[Decimal] = []
    for value, hit in zip(values, hits, strict=True):
        if hit and isinstance(value, ErrorValue):
            raise Fault(value)
        if hit and is_numeric(value):
            picked.append(to_number(value))
    return picked
