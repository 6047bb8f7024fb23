"""A workbook: sheets, named ranges and the day it is."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date

import gridcalc.functions  # noqa: F401  (registers all functions)
from gridcalc.addresses import Address, sheet_key
from gridcalc.calculator import Calculator
from gridcalc.errors import FormulaError, NamedRangeError, SheetError
from gridcalc.grid import Grid
from gridcalc.names import NameTable
from gridcalc.nodes import CellRef, Node, RangeRef
from gridcalc.parser import parse_formula
from gridcalc.rewrite import renamed_sheet, without_sheet
from gridcalc.sheet import Sheet, check_sheet_name
from gridcalc.values import Scalar


class Workbook:
    """Sheets whose formulas may refer to each other. `today` is what TODAY() gives."""

    def __init__(self, today: date = date(2024, 1, 1)) -> None:
        self._today = today
        self._sheets: dict[str, Sheet] = {}
        self._grids: dict[str, Grid] = {}
        self._names = NameTable()
        self.calculator = Calculator(self, self._grids)

    @property
    def today(self) -> date:
        return self._today

    def set_today(self, day: date) -> None:
        """Turn to another day; formulas with TODAY() are computed again."""
        self._today = day
        self.calculator.day_changed()

    @property
    def recalculated(self) -> list[str]:
        """The formulas that the last change made compute, in their order, such as "Data!B2"."""
        return [
            f"{self._sheets[address.sheet].name}!{address.label}"
            for address in self.calculator.recalculated
        ]

    @property
    def sheet_names(self) -> list[str]:
        """Names of all sheets, in the order in which they were added."""
        return [sheet.name for sheet in self._sheets.values()]

    def sheet(self, name: str) -> Sheet:
        """A sheet by its name. Raises SheetError."""
        found = self._sheets.get(sheet_key(name))
        if found is None:
            raise SheetError(f"there is no sheet {name!r}")
        return found

    def add_sheet(self, name: str) -> Sheet:
        """A new sheet. Raises SheetError for a name that is taken or impossible."""
        self._check_new(name)
        grid = Grid()
        sheet = Sheet(name, grid, self)
        self._sheets[sheet.key], self._grids[sheet.key] = sheet, grid
        self.calculator.rebuild()
        return sheet

    def rename_sheet(self, old: str, new: str) -> None:
        """Give a sheet another name; formulas and named ranges follow. Raises SheetError."""
        sheet = self.sheet(old)
        before, after = sheet.key, sheet_key(new)
        if after != before:
            self._check_new(new)
        check_sheet_name(new)
        sheet.name = new
        self._sheets = {sheet.key: sheet for sheet in self._sheets.values()}
        grids = {after if key == before else key: grid for key, grid in self._grids.items()}
        self._grids.clear()
        self._grids.update(grids)
        self.rewrite(lambda node, _: renamed_sheet(node, before, new))

    def remove_sheet(self, name: str) -> None:
        """Drop a sheet; what referred to it is #REF! from now on. Raises SheetError."""
        key = self.sheet(name).key
        del self._sheets[key], self._grids[key]
        self.rewrite(lambda node, _: without_sheet(node, key))

    def define_name(self, name: str, target: str) -> None:
        """Name a range, such as "Data!A2:B9". Raises NamedRangeError."""
        try:
            node = parse_formula(target)
        except FormulaError as error:
            raise NamedRangeError(f"{target!r} is no range: {error}") from None
        if not isinstance(node, CellRef | RangeRef) or node.sheet is None:
            raise NamedRangeError(f"{target!r} is no range of a sheet")
        sheet = self._sheets.get(sheet_key(node.sheet))
        if sheet is None:
            raise NamedRangeError(f"there is no sheet {node.sheet!r}")
        self._names.define(name, _fixed(node, sheet.name))
        self.calculator.rebuild()

    def remove_name(self, name: str) -> None:
        """Forget a name; formulas with it are #NAME?. Raises NamedRangeError."""
        self._names.remove(name)
        self.calculator.rebuild()

    @property
    def names(self) -> dict[str, str]:
        """Named ranges and what they stand for, such as "Data!$A$2:$B$9", sorted by name."""
        return self._names.listed()

    def rewrite(self, change: Callable[[Node, str], Node]) -> None:
        """Put `change(formula, key of its sheet)` in each formula's place and compute all."""
        for key, grid in self._grids.items():
            for _, cell in grid.formulas():
                assert cell.formula is not None
                cell.formula = change(cell.formula, key)
        self._names.rewrite(lambda node: change(node, ""))
        self.calculator.rebuild()

    def cell_value(self, address: Address) -> Scalar:
        """The present value of a cell; blank where there is none."""
        grid = self._grids.get(address.sheet)
        return None if grid is None else grid.at((address.row, address.column)).value

    def has_sheet(self, key: str) -> bool:
        return key in self._sheets

    def named_range(self, name: str) -> Node | None:
        return self._names.find(name)

    def _check_new(self, name: str) -> None:
        check_sheet_name(name)
        if sheet_key(name) in self._sheets:
            raise SheetError(f"there is a sheet {name!r} already")


def _fixed(node: CellRef | RangeRef, sheet: str) -> Node:
    if isinstance(node, CellRef):
        return replace(node, corner=node.corner.fixed(), sheet=sheet)
    return replace(node, first=node.first.fixed(), last=node.last.fixed(), sheet=sheet)
