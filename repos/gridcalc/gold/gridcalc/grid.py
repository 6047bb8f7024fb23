"""The cells of one sheet, as they are stored."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from gridcalc.addresses import Box, Corner
from gridcalc.nodes import Node
from gridcalc.rewrite import Edit
from gridcalc.values import Scalar

Place = tuple[int, int]
"""Row and column, both from 1."""


@dataclass
class Cell:
    """`content` is what was typed as a constant, `value` what the cell comes to."""

    content: Scalar = None
    formula: Node | None = None
    value: Scalar = None
    format: str | None = None

    @property
    def blank(self) -> bool:
        return self.formula is None and self.content is None

    @property
    def empty(self) -> bool:
        """Nothing in it, not even a format."""
        return self.blank and self.format is None


@dataclass
class Grid:
    """Cells by place; a place without a cell is blank."""

    cells: dict[Place, Cell] = field(default_factory=dict)

    def at(self, place: Place) -> Cell:
        """The cell at a place, a blank one that is not stored where there is none."""
        return self.cells.get(place) or Cell()

    def put(self, place: Place, cell: Cell) -> None:
        """Store a cell; an empty one is dropped."""
        if cell.empty:
            self.cells.pop(place, None)
        else:
            self.cells[place] = cell

    def formulas(self) -> Iterator[tuple[Place, Cell]]:
        for place, cell in self.cells.items():
            if cell.formula is not None:
                yield place, cell

    def used(self) -> tuple[int, int]:
        """The last row and the last column with anything but formats in them; 0 for none."""
        places = [place for place, cell in self.cells.items() if not cell.blank]
        return (
            max((row for row, _ in places), default=0),
            max((column for _, column in places), default=0),
        )

    def pushed_off(self, edit: Edit) -> Place | None:
        """A cell with content that an insertion would push off the sheet."""
        if edit.count < 0:
            return None
        for place, cell in sorted(self.cells.items(), key=lambda item: item[0]):
            if not cell.blank and edit.corner(Corner(*place)) is None:
                return place
        return None

    def apply(self, edit: Edit) -> None:
        """Move cells as lines come and go."""
        moved: dict[Place, Cell] = {}
        for place, cell in self.cells.items():
            corner = edit.corner(Corner(*place))
            if corner is not None:
                moved[corner.row, corner.column] = cell
        self.cells = moved

    def take(self, box: Box) -> dict[Place, Cell]:
        """Remove the cells of a box; their places count from its top left, from 0."""
        taken: dict[Place, Cell] = {}
        for address in box:
            cell = self.cells.pop((address.row, address.column), None)
            if cell is not None:
                taken[address.row - box.top, address.column - box.left] = cell
        return taken
