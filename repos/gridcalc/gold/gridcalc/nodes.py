"""Formulas as trees."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from gridcalc.addresses import Corner, ordered
from gridcalc.values import Scalar


@dataclass(frozen=True)
class Literal:
    """A constant; None where an argument was left empty."""

    value: Scalar


@dataclass(frozen=True)
class CellRef:
    """One cell; without a sheet, of the formula's own sheet."""

    corner: Corner
    sheet: str | None = None


@dataclass(frozen=True)
class RangeRef:
    """A rectangle from its top left to its bottom right corner."""

    first: Corner
    last: Corner
    sheet: str | None = None

    def respanned(self, one: Corner, two: Corner) -> "RangeRef":
        """The range between two other corners, in whichever order they lie."""
        return RangeRef(*ordered(one, two), self.sheet)


@dataclass(frozen=True)
class NameRef:
    """A named range, or a word that nobody has defined yet."""

    name: str


@dataclass(frozen=True)
class Unary:
    """`-x` or `+x`."""

    operator: str
    operand: "Node"


@dataclass(frozen=True)
class Percent:
    """`x%`."""

    operand: "Node"


@dataclass(frozen=True)
class Binary:
    """`left operator right`."""

    operator: str
    left: "Node"
    right: "Node"


@dataclass(frozen=True)
class Call:
    """A function by its upper case name."""

    name: str
    arguments: "tuple[Node, ...]"


Reference = CellRef | RangeRef
Node = Literal | CellRef | RangeRef | NameRef | Unary | Percent | Binary | Call


def walk(node: Node) -> Iterator[Node]:
    """The node and all below it, from left to right."""
    yield node
    if isinstance(node, Unary | Percent):
        yield from walk(node.operand)
    elif isinstance(node, Binary):
        yield from walk(node.left)
        yield from walk(node.right)
    elif isinstance(node, Call):
        for argument in node.arguments:
            yield from walk(argument)


def map_references(node: Node, change: Callable[[Reference], Node]) -> Node:
    """The formula with `change` of each reference in the reference's place."""
    if isinstance(node, CellRef | RangeRef):
        return change(node)
    if isinstance(node, Unary | Percent):
        return replace(node, operand=map_references(node.operand, change))
    if isinstance(node, Binary):
        left, right = map_references(node.left, change), map_references(node.right, change)
        return Binary(node.operator, left, right)
    if isinstance(node, Call):
        return Call(node.name, tuple(map_references(each, change) for each in node.arguments))
    return node
