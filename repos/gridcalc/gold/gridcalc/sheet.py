"""One sheet, as its users see it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import Protocol

from gridcalc.addresses import Address, Box, Corner, column_number, parse_range, sheet_key
from gridcalc.calculator import Calculator
from gridcalc.entry import Entry, read_entry, write_entry
from gridcalc.errors import AddressError, SheetError
from gridcalc.formats import parse_format, show
from gridcalc.grid import Cell, Grid, Place
from gridcalc.nodes import Node
from gridcalc.printer import print_formula
from gridcalc.rewrite import Axis, Edit, carried, edited, moved
from gridcalc.values import Scalar

Typed = str | int | Decimal | date | bool | None
"""What a cell can be set to: text is read as if somebody typed it."""


class Book(Protocol):
    """What a sheet needs of its workbook."""

    @property
    def calculator(self) -> Calculator: ...

    def rewrite(self, change: Callable[[Node, str], Node]) -> None: ...


@dataclass
class Sheet:
    """Cells of a workbook under a name; cells and ranges are given as text, such as "B2:C7"."""

    name: str
    grid: Grid
    book: Book

    @property
    def key(self) -> str:
        return sheet_key(self.name)

    def set(self, cell: str, entry: Typed) -> None:
        """Fill a cell. Raises FormulaError, AddressError."""
        self.enter({cell: entry})

    def enter(self, entries: Mapping[str, Typed]) -> None:
        """Fill several cells and compute once; all of them or, after an exception, none."""
        read = {_place(cell): _read(entry) for cell, entry in entries.items()}
        for place, entry in read.items():
            shape = self.grid.at(place).format or entry.format
            self.grid.put(place, Cell(entry.value, entry.formula, entry.value, shape))
        self.book.calculator.changed(self._address(place) for place in read)

    def value(self, cell: str) -> Scalar:
        """What a cell comes to."""
        return self.grid.at(_place(cell)).value

    def text(self, cell: str) -> str:
        """What a cell shows."""
        found = self.grid.at(_place(cell))
        return show(found.value, found.format)

    def formula(self, cell: str) -> str | None:
        """The formula of a cell in its canonical form, with its `=`; None for a constant."""
        node = self.grid.at(_place(cell)).formula
        return None if node is None else "=" + print_formula(node)

    def entry(self, cell: str) -> str:
        """What to type into a cell to get the same content."""
        return self.formula(cell) or write_entry(self.grid.at(_place(cell)).content)

    def format(self, cell: str) -> str | None:
        """The format of a cell, None for General."""
        return self.grid.at(_place(cell)).format

    def set_format(self, cells: str, code: str | None) -> None:
        """Give all cells of a range a format. Raises FormatError."""
        if code is not None:
            parse_format(code)
        for address in self.box(cells):
            place = (address.row, address.column)
            self.grid.put(place, replace(self.grid.at(place), format=code))

    def clear(self, cells: str) -> None:
        """Empty all cells of a range; their formats stay."""
        box = self.box(cells)
        for address in box:
            place = (address.row, address.column)
            self.grid.put(place, Cell(format=self.grid.at(place).format))
        self.book.calculator.changed(box)

    def copy(self, cells: str, target: str, to: "Sheet | None" = None) -> None:
        """Copy a range, formats too; a larger target is filled with copies.

        Raises AddressError when the copy would not fit.
        """
        other = self if to is None else to
        source = self.box(cells)
        area = other.box(target)
        area = _tiled(source, area) if ":" in target else _placed(source, area)
        originals = {
            (address.row - source.top, address.column - source.left): self._cell(address)
            for address in source
        }
        for address in area:
            row, column = address.row - area.top, address.column - area.left
            origin = (row % source.height, column % source.width)
            original = originals[origin]
            formula = original.formula
            if formula is not None:
                down = address.row - (source.top + origin[0])
                right = address.column - (source.left + origin[1])
                formula = carried(formula, down, right)
            copied = replace(original, formula=formula)
            other.grid.put((address.row, address.column), copied)
        self.book.calculator.changed(area)

    def move(self, cells: str, target: str) -> None:
        """Move a range within the sheet; references to its cells follow, wherever they are."""
        source = self.box(cells)
        area = _placed(source, self.box(target))
        down, right = area.top - source.top, area.left - source.left
        taken = self.grid.take(source)
        self.grid.take(area)
        for (row, column), cell in taken.items():
            self.grid.put((area.top + row, area.left + column), cell)
        self.book.rewrite(lambda node, home: moved(node, source, down, right, home))

    def insert_rows(self, before: int, count: int = 1) -> None:
        """Put blank rows in before a row. Raises AddressError."""
        self._edit(Axis.ROWS, before, count)

    def delete_rows(self, first: int, count: int = 1) -> None:
        """Take rows out. Raises AddressError."""
        self._edit(Axis.ROWS, first, -count)

    def insert_columns(self, before: str, count: int = 1) -> None:
        """Put blank columns in before a column, given by its letters. Raises AddressError."""
        self._edit(Axis.COLUMNS, column_number(before), count)

    def delete_columns(self, first: str, count: int = 1) -> None:
        """Take columns out. Raises AddressError."""
        self._edit(Axis.COLUMNS, column_number(first), -count)

    def box(self, cells: str) -> Box:
        """The cells that a text such as "A1:B2" names. Raises AddressError."""
        return Box.between(self.key, *parse_range(cells))

    def used(self) -> Box | None:
        """From A1 to the last row and column with content; None for a blank sheet."""
        row, column = self.grid.used()
        return Box(self.key, 1, 1, row, column) if row else None

    def _edit(self, axis: Axis, at: int, count: int) -> None:
        edit = Edit(self.key, axis, at, count)
        if count == 0 or not 1 <= at <= edit.limit:
            raise AddressError(f"no {axis.value} can be changed at {at}")
        lost = self.grid.pushed_off(edit)
        if lost is not None:
            raise AddressError(f"{self._address(lost).label} would be pushed off the sheet")
        self.grid.apply(edit)
        self.book.rewrite(lambda node, home: edited(node, edit, home))

    def _address(self, place: Place) -> Address:
        return Address(self.key, *place)

    def _cell(self, address: Address) -> Cell:
        return self.grid.at((address.row, address.column))


def check_sheet_name(name: str) -> None:
    """Raises SheetError for a name that formulas could not write."""
    if not name.strip() or name != name.strip() or set(name) & set("!:[]"):
        raise SheetError(f"{name!r} cannot be the name of a sheet")


def _place(cell: str) -> Place:
    corner = Corner.parse(cell)
    return corner.row, corner.column


def _read(entry: Typed) -> Entry:
    if isinstance(entry, str):
        return read_entry(entry)
    if isinstance(entry, int) and not isinstance(entry, bool):
        return Entry(Decimal(entry))
    return Entry(entry)


def _placed(source: Box, target: Box) -> Box:
    """The box of the source's size that begins where the target does."""
    last = Corner(target.top + source.height - 1, target.left + source.width - 1)
    if not last.inside:
        raise AddressError("the range does not fit on the sheet there")
    return Box(target.sheet, target.top, target.left, last.row, last.column)


def _tiled(source: Box, target: Box) -> Box:
    """The target, if it can be filled with whole copies of the source."""
    if target.height % source.height or target.width % source.width:
        raise AddressError("the target is no multiple of what is copied")
    return target
