"""Sheets from CSV text and back."""

from dataclasses import dataclass
from enum import Enum

from gridcalc.addresses import Corner
from gridcalc.entry import read_entry
from gridcalc.errors import CsvError, FormulaError
from gridcalc.sheet import Sheet


class Content(Enum):
    """What of each cell is written."""

    SHOWN = "shown"
    ENTRIES = "entries"


@dataclass
class _Reader:
    """Cuts text into records of fields."""

    text: str
    delimiter: str
    position: int = 0
    line: int = 1

    def records(self) -> list[tuple[int, list[str]]]:
        """Each record with the number of its first line; blank lines are records of one field."""
        found: list[tuple[int, list[str]]] = []
        while self.position < len(self.text):
            found.append((self.line, self._record()))
        return found

    def _record(self) -> list[str]:
        fields = [self._field()]
        while self._peek() == self.delimiter:
            self.position += 1
            fields.append(self._field())
        if self._peek():
            self.position += 1
            self.line += 1
        return fields

    def _field(self) -> str:
        if self._peek() == '"':
            return self._quoted()
        start = self.position
        while self._peek() not in ("", "\n", self.delimiter):
            if self._peek() == '"':
                raise CsvError("a quote inside a field that does not begin with one", self.line)
            self.position += 1
        return self.text[start : self.position]

    def _quoted(self) -> str:
        opened, value = self.line, ""
        while True:
            self.position += 1
            character = self._peek()
            if character == "":
                raise CsvError("a quoted field is not closed", opened)
            if character == '"':
                self.position += 1
                if self._peek() != '"':
                    break
            self.line += character == "\n"
            value += character
        if self._peek() not in ("", "\n", self.delimiter):
            raise CsvError("text behind the closing quote of a field", self.line)
        return value

    def _peek(self) -> str:
        return self.text[self.position : self.position + 1]


def import_csv(
    sheet: Sheet, text: str, at: str = "A1", *, delimiter: str = ",", formulas: bool = True
) -> None:
    """Enter records from the cell `at` on; all of them or, after an exception, none.

    Fields are read as if typed; without `formulas` those that begin with `=` become text. Empty
    fields leave their cells as they are. Raises CsvError.
    """
    corner = Corner.parse(at)
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    entries: dict[str, str] = {}
    for down, (line, fields) in enumerate(_Reader(plain, delimiter).records()):
        for right, field in enumerate(fields):
            if field == "":
                continue
            cell = Corner(corner.row + down, corner.column + right)
            if not cell.inside:
                raise CsvError("there is no room for it on the sheet", line)
            entries[str(cell)] = _checked(field, line, formulas)
    sheet.enter(entries)


def _checked(field: str, line: int, formulas: bool) -> str:
    """What to enter for a field. Raises CsvError for a formula that cannot be read."""
    if not formulas and field.startswith("="):
        return "'" + field
    try:
        read_entry(field)
    except FormulaError as error:
        raise CsvError(str(error), line) from None
    return field


def export_csv(
    sheet: Sheet,
    *,
    delimiter: str = ",",
    content: Content = Content.SHOWN,
    cells: str | None = None,
) -> str:
    """The used part of a sheet from A1 on; each line ends in a newline."""
    box = sheet.used()
    if box is None:
        return ""
    lines: list[str] = []
    for row in range(1, box.bottom + 1):
        fields: list[str] = []
        for column in range(1, box.right + 1):
            cell = str(Corner(row, column))
            written = sheet.text(cell) if content is Content.SHOWN else sheet.entry(cell)
            fields.append(_field(written, delimiter))
        lines.append(delimiter.join(fields) + "\n")
    return "".join(lines)


def _field(text: str, delimiter: str) -> str:
    special = any(character in text for character in (delimiter, '"', "\n", "\r"))
    if special or text != text.strip():
        return '"' + text.replace('"', '""') + '"'
    return text
