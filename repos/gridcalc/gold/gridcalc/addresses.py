"""Where cells are: columns by letters, corners of references, boxes of cells."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from gridcalc.errors import AddressError

MAX_ROW = 9999
MAX_COLUMN = 702

_CELL = re.compile(r"(\$?)([A-Za-z]{1,2})(\$?)([0-9]{1,4})")
_PLAIN_SHEET = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def column_letters(number: int) -> str:
    """1 is A, 26 is Z, 27 is AA."""
    letters = ""
    while number:
        number, digit = divmod(number - 1, 26)
        letters = chr(ord("A") + digit) + letters
    return letters


def column_number(letters: str) -> int:
    """The reverse of `column_letters`; lower case will do."""
    if not re.fullmatch(r"[A-Za-z]{1,2}", letters):
        raise AddressError(f"{letters!r} is no column")
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def sheet_key(name: str) -> str:
    """What sheets are told apart by: case does not matter."""
    return name.casefold()


def quoted_sheet(name: str) -> str:
    """A sheet's name as formulas write it, in quotes where it could be misread."""
    if _PLAIN_SHEET.fullmatch(name) and not looks_like_cell(name):
        return name
    return "'" + name.replace("'", "''") + "'"


def looks_like_cell(text: str) -> bool:
    """Whether a word would be read as a cell."""
    return _CELL.fullmatch(text) is not None


@dataclass(frozen=True, order=True)
class Address:
    """One cell of a workbook; `sheet` is the sheet's key."""

    sheet: str
    row: int
    column: int

    @property
    def label(self) -> str:
        """The address within its sheet, such as B7."""
        return f"{column_letters(self.column)}{self.row}"


@dataclass(frozen=True)
class Corner:
    """A cell as a formula writes it; fixed coordinates carry a `$`."""

    row: int
    column: int
    row_fixed: bool = False
    column_fixed: bool = False

    @classmethod
    def parse(cls, text: str) -> "Corner":
        """Read `B7`, `$B7`, `B$7` or `$B$7`. Raises AddressError."""
        match = _CELL.fullmatch(text.strip())
        if match is None or int(match[4]) == 0:
            raise AddressError(f"{text!r} is no cell")
        return cls(int(match[4]), column_number(match[2]), bool(match[3]), bool(match[1]))

    def __str__(self) -> str:
        column = ("$" if self.column_fixed else "") + column_letters(self.column)
        return f"{column}{'$' if self.row_fixed else ''}{self.row}"

    @property
    def inside(self) -> bool:
        """Whether a sheet has such a cell."""
        return 1 <= self.row <= MAX_ROW and 1 <= self.column <= MAX_COLUMN

    def carried(self, rows: int, columns: int) -> "Corner":
        """The corner seen from a cell so many rows down and columns right."""
        return replace(
            self,
            row=self.row if self.row_fixed else self.row + rows,
            column=self.column if self.column_fixed else self.column + columns,
        )

    def fixed(self) -> "Corner":
        """The same cell with both coordinates fixed."""
        return Corner(self.row, self.column, True, True)


def ordered(one: Corner, two: Corner) -> tuple[Corner, Corner]:
    """Top left and bottom right of two opposite corners; each coordinate keeps its `$`."""
    rows = sorted([(one.row, one.row_fixed), (two.row, two.row_fixed)], key=lambda pair: pair[0])
    columns = sorted(
        [(one.column, one.column_fixed), (two.column, two.column_fixed)], key=lambda pair: pair[0]
    )
    (top, top_fixed), (bottom, bottom_fixed) = rows
    (left, left_fixed), (right, right_fixed) = columns
    return (
        Corner(top, left, top_fixed, left_fixed),
        Corner(bottom, right, bottom_fixed, right_fixed),
    )


def parse_range(text: str) -> tuple[Corner, Corner]:
    """Both corners of `A1:B3`; a single cell is a range of its own. Raises AddressError."""
    first, colon, last = text.partition(":")
    one = Corner.parse(first)
    return ordered(one, Corner.parse(last) if colon else one)


@dataclass(frozen=True)
class Box:
    """A rectangle of cells of one sheet, borders included."""

    sheet: str
    top: int
    left: int
    bottom: int
    right: int

    @classmethod
    def between(cls, sheet: str, first: Corner, last: Corner) -> "Box":
        """The box that two corners, top left and bottom right, span."""
        return cls(sheet, first.row, first.column, last.row, last.column)

    @property
    def height(self) -> int:
        return self.bottom - self.top + 1

    @property
    def width(self) -> int:
        return self.right - self.left + 1

    def __contains__(self, address: Address) -> bool:
        return (
            address.sheet == self.sheet
            and self.top <= address.row <= self.bottom
            and self.left <= address.column <= self.right
        )

    def __iter__(self) -> Iterator[Address]:
        """All cells, row by row."""
        for row in range(self.top, self.bottom + 1):
            for column in range(self.left, self.right + 1):
                yield Address(self.sheet, row, column)
