"""Keeps the values of formulas up to date."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from gridcalc.addresses import Address, Box
from gridcalc.errors import ErrorValue
from gridcalc.evaluator import Evaluator, Surroundings, box_of
from gridcalc.graph import DependencyGraph
from gridcalc.grid import Cell, Grid
from gridcalc.nodes import Call, CellRef, NameRef, Node, RangeRef, walk

VOLATILE = frozenset({"TODAY"})


@dataclass
class Calculator:
    """Computes formulas of a workbook again when what they depend on has changed."""

    surroundings: Surroundings
    grids: dict[str, Grid]
    recalculated: list[Address] = field(default_factory=list)
    _graph: DependencyGraph = field(default_factory=DependencyGraph)
    _volatile: set[Address] = field(default_factory=set)

    def changed(self, cells: Iterable[Address]) -> None:
        """Take note of cells with new content, and bring all that depends on them up to date."""
        cells = list(cells)
        for address in cells:
            self._register(address, self._cell(address))
        self._compute(self._graph.affected(cells))

    def day_changed(self) -> None:
        """Compute formulas again that depend on the day."""
        self._compute(self._graph.affected(self._volatile))

    def rebuild(self) -> None:
        """Forget everything, and compute all formulas anew."""
        self._graph.clear()
        self._volatile.clear()
        cells: set[Address] = set()
        for sheet, grid in self.grids.items():
            for (row, column), cell in grid.formulas():
                address = Address(sheet, row, column)
                self._register(address, cell)
                cells.add(address)
        self._compute(cells)

    def _cell(self, address: Address) -> Cell:
        return self.grids[address.sheet].at((address.row, address.column))

    def _register(self, address: Address, cell: Cell) -> None:
        self._volatile.discard(address)
        if cell.formula is None:
            self._graph.remove(address)
            cell.value = cell.content
            return
        self._graph.record(address, self._boxes(cell.formula, address.sheet))
        if any(isinstance(node, Call) and node.name in VOLATILE for node in walk(cell.formula)):
            self._volatile.add(address)

    def _boxes(self, formula: Node, home: str) -> Iterator[Box]:
        for node in walk(formula):
            target = self.surroundings.named_range(node.name) if isinstance(node, NameRef) else node
            if isinstance(target, CellRef | RangeRef):
                yield box_of(target, home)

    def _compute(self, cells: set[Address]) -> None:
        self.recalculated = []
        for group in self._graph.ordered(cells):
            for address in group.cells:
                cell = self._cell(address)
                assert cell.formula is not None
                if group.circular:
                    cell.value = ErrorValue.CYCLE
                else:
                    evaluator = Evaluator(self.surroundings, address)
                    cell.value = evaluator.evaluate(cell.formula)
                self.recalculated.append(address)
