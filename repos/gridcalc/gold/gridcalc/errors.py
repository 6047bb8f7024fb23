"""Error values that a cell can hold, and exceptions for calls that cannot be carried out."""

from enum import Enum


class ErrorValue(Enum):
    """What a cell shows when its formula has no result."""

    DIV0 = "#DIV/0!"
    NA = "#N/A"
    NAME = "#NAME?"
    NUM = "#NUM!"
    REF = "#REF!"
    VALUE = "#VALUE!"
    CYCLE = "#CYCLE!"

    def __str__(self) -> str:
        return self.value


class Fault(Exception):
    """Ends the evaluation of an expression with an error value; never leaves the engine."""

    def __init__(self, error: ErrorValue) -> None:
        super().__init__(error.value)
        self.error = error


class GridError(Exception):
    """A call that was refused; the workbook is as it was before."""


class AddressError(GridError):
    """A cell or range that is written wrongly or lies outside a sheet."""


class FormulaError(GridError):
    """A formula that cannot be read; `position` counts characters from 0, after the `=`."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__(f"{message} (at {position})")
        self.position = position


class SheetError(GridError):
    """A sheet that does not exist, exists already or has an impossible name."""


class NamedRangeError(GridError):
    """A name that cannot be given to a range, or that nobody has defined."""


class FormatError(GridError):
    """A number format that means nothing."""


class CsvError(GridError):
    """CSV text that cannot be read; `line` counts from 1."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line
