"""Functions by name, and the arguments that they are called with."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Protocol

from gridcalc.errors import ErrorValue, Fault
from gridcalc.nodes import CellRef, Literal, NameRef, Node, RangeRef
from gridcalc.values import Scalar, to_date, to_flag, to_integer, to_number, to_text


@dataclass(frozen=True)
class Area:
    """Values of a rectangle of cells, row by row."""

    rows: tuple[tuple[Scalar, ...], ...]

    @property
    def height(self) -> int:
        return len(self.rows)

    @property
    def width(self) -> int:
        return len(self.rows[0])

    def __iter__(self) -> Iterator[Scalar]:
        for row in self.rows:
            yield from row


class Frame(Protocol):
    """What evaluates arguments."""

    @property
    def today(self) -> date: ...

    def scalar(self, node: Node) -> Scalar: ...

    def area(self, node: Node) -> Area: ...


@dataclass(frozen=True)
class Arguments:
    """Arguments of a call, by their number from 0; each is evaluated only when asked for.

    Where a default is given it stands in for an argument that is missing or left empty.
    """

    nodes: tuple[Node, ...]
    frame: Frame

    def __len__(self) -> int:
        return len(self.nodes)

    def given(self, index: int) -> bool:
        """Whether there is such an argument and it was not left empty."""
        return index < len(self.nodes) and self.nodes[index] != Literal(None)

    def is_reference(self, index: int) -> bool:
        """Whether the argument names cells."""
        return isinstance(self.nodes[index], CellRef | RangeRef | NameRef)

    def scalar(self, index: int) -> Scalar:
        """One value; it may be an error value. Raises Fault for a range of several cells."""
        return self.frame.scalar(self.nodes[index])

    def number(self, index: int, default: int | None = None) -> Decimal:
        if default is not None and not self.given(index):
            return Decimal(default)
        return to_number(self.scalar(index))

    def integer(self, index: int, default: int | None = None) -> int:
        if default is not None and not self.given(index):
            return default
        return to_integer(self.scalar(index))

    def text(self, index: int) -> str:
        return to_text(self.scalar(index))

    def flag(self, index: int, default: bool | None = None) -> bool:
        if default is not None and not self.given(index):
            return default
        return to_flag(self.scalar(index))

    def day(self, index: int) -> date:
        return to_date(self.scalar(index))

    def area(self, index: int) -> Area:
        return self.frame.area(self.nodes[index])

    def caught(self, index: int) -> Scalar:
        """One value, with a failure to evaluate it as an error value."""
        try:
            return self.scalar(index)
        except Fault as fault:
            return fault.error


@dataclass(frozen=True)
class Function:
    """A function of formulas; `most` is None where any number of arguments will do."""

    name: str
    least: int
    most: int | None
    body: Callable[[Arguments], Scalar]

    def accepts(self, count: int) -> bool:
        return self.least <= count and (self.most is None or count <= self.most)


_functions: dict[str, Function] = {}


def function(
    name: str, least: int, most: int | None
) -> Callable[[Callable[[Arguments], Scalar]], Callable[[Arguments], Scalar]]:
    """Make a function known to formulas under its upper case name."""

    def register(body: Callable[[Arguments], Scalar]) -> Callable[[Arguments], Scalar]:
        _functions[name] = Function(name, least, most, body)
        return body

    return register


def find(name: str) -> Function | None:
    """The function of that upper case name."""
    return _functions.get(name)


def require(condition: bool, error: ErrorValue = ErrorValue.VALUE) -> None:
    """Raises Fault unless the condition holds."""
    if not condition:
        raise Fault(error)
