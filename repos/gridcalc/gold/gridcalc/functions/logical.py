"""Decisions, and questions about values. Arguments that are not needed are not evaluated."""

from collections.abc import Iterator

from gridcalc.errors import ErrorValue
from gridcalc.registry import Arguments, function
from gridcalc.values import Scalar, is_numeric, to_flag


@function("IF", 2, 3)
def _if(arguments: Arguments) -> Scalar:
    if arguments.flag(0):
        return arguments.scalar(1)
    return arguments.scalar(2) if len(arguments) > 2 else False


@function("IFERROR", 2, 2)
def _iferror(arguments: Arguments) -> Scalar:
    value = arguments.caught(0)
    return arguments.scalar(1) if isinstance(value, ErrorValue) else value


@function("AND", 1, None)
def _and(arguments: Arguments) -> Scalar:
    return all(list(_flags(arguments)))


@function("OR", 1, None)
def _or(arguments: Arguments) -> Scalar:
    return any(list(_flags(arguments)))


def _flags(arguments: Arguments) -> Iterator[bool]:
    """Truth values of all arguments; text and blanks in cells are passed over."""
    for index in range(len(arguments)):
        if not arguments.is_reference(index):
            yield arguments.flag(index)
            continue
        for value in arguments.area(index):
            if value is not None and not isinstance(value, str):
                yield to_flag(value)


@function("NOT", 1, 1)
def _not(arguments: Arguments) -> Scalar:
    return not arguments.flag(0)


@function("ISBLANK", 1, 1)
def _isblank(arguments: Arguments) -> Scalar:
    return arguments.caught(0) is None


@function("ISNUMBER", 1, 1)
def _isnumber(arguments: Arguments) -> Scalar:
    return is_numeric(arguments.caught(0))


@function("ISTEXT", 1, 1)
def _istext(arguments: Arguments) -> Scalar:
    return isinstance(arguments.caught(0), str)


@function("ISERROR", 1, 1)
def _iserror(arguments: Arguments) -> Scalar:
    return isinstance(arguments.caught(0), ErrorValue)
