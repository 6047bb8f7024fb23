"""The value of a formula, given the values of the cells it refers to."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Protocol

from gridcalc.addresses import Address, Box, sheet_key
from gridcalc.errors import ErrorValue, Fault
from gridcalc.nodes import Binary, Call, CellRef, Literal, NameRef, Node, Percent, RangeRef, Unary
from gridcalc.operators import binary, percent, unary
from gridcalc.registry import Area, Arguments, find
from gridcalc.values import Scalar


class Surroundings(Protocol):
    """What a formula can see of its workbook."""

    @property
    def today(self) -> date: ...

    def cell_value(self, address: Address) -> Scalar: ...

    def has_sheet(self, key: str) -> bool: ...

    def named_range(self, name: str) -> Node | None: ...


@dataclass(frozen=True)
class Evaluator:
    """Evaluates formulas of one cell."""

    surroundings: Surroundings
    home: Address

    @property
    def today(self) -> date:
        return self.surroundings.today

    def evaluate(self, node: Node) -> Scalar:
        """The formula's value, an error value where it has none; 0 for a blank."""
        try:
            value = self.scalar(node)
        except Fault as fault:
            return fault.error
        return Decimal(0) if value is None else value

    def scalar(self, node: Node) -> Scalar:
        """One value. Raises Fault where there is none, or where there are several."""
        if isinstance(node, Literal):
            return node.value
        if isinstance(node, Unary):
            return unary(node.operator, self.scalar(node.operand))
        if isinstance(node, Percent):
            return percent(self.scalar(node.operand))
        if isinstance(node, Binary):
            return binary(node.operator, self.scalar(node.left), self.scalar(node.right))
        if isinstance(node, Call):
            return self._call(node)
        area = self.area(node)
        if area.height != 1 or area.width != 1:
            raise Fault(ErrorValue.VALUE)
        return area.rows[0][0]

    def area(self, node: Node) -> Area:
        """The cells that a reference names; any other expression is an area of one value."""
        if isinstance(node, NameRef):
            named = self.surroundings.named_range(node.name)
            if named is None:
                raise Fault(ErrorValue.NAME)
            return self.area(named)
        if not isinstance(node, CellRef | RangeRef):
            return Area(((self.scalar(node),),))
        box = box_of(node, self.home.sheet)
        if not self.surroundings.has_sheet(box.sheet):
            raise Fault(ErrorValue.REF)
        values = [self.surroundings.cell_value(address) for address in box]
        starts = range(0, len(values), box.width)
        return Area(tuple(tuple(values[start : start + box.width]) for start in starts))

    def _call(self, node: Call) -> Scalar:
        function = find(node.name)
        if function is None:
            raise Fault(ErrorValue.NAME)
        if not function.accepts(len(node.arguments)):
            raise Fault(ErrorValue.VALUE)
        return function.body(Arguments(node.arguments, self))


def box_of(node: CellRef | RangeRef, home: str) -> Box:
    """The cells a reference of the sheet `home` (its key) names."""
    sheet = home if node.sheet is None else sheet_key(node.sheet)
    if isinstance(node, CellRef):
        return Box.between(sheet, node.corner, node.corner)
    return Box.between(sheet, node.first, node.last)
