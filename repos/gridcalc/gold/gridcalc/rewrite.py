"""How references change when formulas are copied and when rows, columns or sheets come and go."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum

from gridcalc.addresses import MAX_COLUMN, MAX_ROW, Address, Box, Corner, sheet_key
from gridcalc.errors import ErrorValue
from gridcalc.nodes import CellRef, Literal, Node, Reference, map_references

LOST = Literal(ErrorValue.REF)


class Axis(Enum):
    """What is inserted or deleted."""

    ROWS = "rows"
    COLUMNS = "columns"


@dataclass(frozen=True)
class Edit:
    """Lines put in before line `at` (`count` above 0), or deleted from line `at` on (below 0)."""

    sheet: str
    axis: Axis
    at: int
    count: int

    @property
    def limit(self) -> int:
        return MAX_ROW if self.axis is Axis.ROWS else MAX_COLUMN

    def line(self, number: int) -> int | None:
        """Where a line goes; None when it is deleted or pushed off the sheet."""
        if number < self.at:
            return number
        if self.count < 0 and number < self.at - self.count:
            return None
        moved = number + self.count
        return moved if moved <= self.limit else None

    def span(self, first: int, last: int) -> tuple[int, int] | None:
        """Where the lines `first` to `last` go; what is left of them when some are deleted."""
        if self.count > 0:
            start, end = self.line(first), self.line(last)
            return None if start is None else (start, self.limit if end is None else end)
        after = self.at - self.count
        start = first if first < self.at else max(first, after) + self.count
        end = last + self.count if last >= after else min(last, self.at - 1)
        return (start, end) if start <= end else None

    def corner(self, corner: Corner) -> Corner | None:
        """Where a single cell goes."""
        if self.axis is Axis.ROWS:
            row = self.line(corner.row)
            return None if row is None else replace(corner, row=row)
        column = self.line(corner.column)
        return None if column is None else replace(corner, column=column)

    def corners(self, first: Corner, last: Corner) -> tuple[Corner, Corner] | None:
        """Where a rectangle goes."""
        if self.axis is Axis.ROWS:
            rows = self.span(first.row, last.row)
            if rows is None:
                return None
            return replace(first, row=rows[0]), replace(last, row=rows[1])
        columns = self.span(first.column, last.column)
        if columns is None:
            return None
        return replace(first, column=columns[0]), replace(last, column=columns[1])


def carried(node: Node, rows: int, columns: int) -> Node:
    """A formula as a copy of it reads, so many rows down and columns right."""

    def change(reference: Reference) -> Node:
        if isinstance(reference, CellRef):
            corner = reference.corner.carried(rows, columns)
            return replace(reference, corner=corner) if corner.inside else LOST
        first = reference.first.carried(rows, columns)
        last = reference.last.carried(rows, columns)
        if not (first.inside and last.inside):
            return LOST
        return reference.respanned(first, last)

    return map_references(node, change)


def edited(node: Node, edit: Edit, home: str) -> Node:
    """A formula of the sheet `home` (its key) after an edit of some sheet."""

    def change(reference: Reference) -> Node:
        if isinstance(reference, CellRef):
            corner = edit.corner(reference.corner)
            return LOST if corner is None else replace(reference, corner=corner)
        corners = edit.corners(reference.first, reference.last)
        if corners is None:
            return LOST
        return replace(reference, first=corners[0], last=corners[1])

    return map_references(node, _of_sheet(edit.sheet, home, change))


def moved(node: Node, box: Box, rows: int, columns: int, home: str) -> Node:
    """A formula of the sheet `home` after the cells of `box` were moved so many rows and columns.

    A range follows only when all of it was moved.
    """

    def shifted(corner: Corner) -> Corner:
        return replace(corner, row=corner.row + rows, column=corner.column + columns)

    def change(reference: Reference) -> Node:
        if isinstance(reference, CellRef):
            inside = _at(box.sheet, reference.corner) in box
            return replace(reference, corner=shifted(reference.corner)) if inside else reference
        first, last = reference.first, reference.last
        if _at(box.sheet, first) not in box or _at(box.sheet, last) not in box:
            return reference
        return replace(reference, first=shifted(first), last=shifted(last))

    return map_references(node, _of_sheet(box.sheet, home, change))


def _at(sheet: str, corner: Corner) -> Address:
    return Address(sheet, corner.row, corner.column)


def renamed_sheet(node: Node, old: str, name: str) -> Node:
    """A formula after the sheet with the key `old` got a new name."""

    def change(reference: Reference) -> Node:
        if reference.sheet is None or sheet_key(reference.sheet) != old:
            return reference
        return replace(reference, sheet=name)

    return map_references(node, change)


def without_sheet(node: Node, gone: str) -> Node:
    """A formula of another sheet after the sheet with the key `gone` was removed."""

    def change(reference: Reference) -> Node:
        lost = reference.sheet is not None and sheet_key(reference.sheet) == gone
        return LOST if lost else reference

    return map_references(node, change)


def _of_sheet(
    sheet: str, home: str, change: Callable[[Reference], Node]
) -> Callable[[Reference], Node]:
    """`change`, but only for references to one sheet."""

    def guarded(reference: Reference) -> Node:
        target = home if reference.sheet is None else sheet_key(reference.sheet)
        return change(reference) if target == sheet else reference

    return guarded
