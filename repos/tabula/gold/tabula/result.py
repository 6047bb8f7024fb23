"""What a query gives, and how it is shown."""

from dataclasses import dataclass
from unicodedata import combining, east_asian_width

from tabula.csvtext import written
from tabula.kinds import Kind, Row, Value, shown

_ESCAPES = str.maketrans({"\n": "\\n", "\r": "\\r", "\t": "\\t"})


@dataclass(frozen=True, slots=True)
class Result:
    """Rows with the names and kinds of their columns."""

    names: tuple[str, ...]
    kinds: tuple[Kind, ...]
    rows: tuple[Row, ...]

    def records(self) -> list[dict[str, Value]]:
        """The rows as dictionaries."""
        return [dict(zip(self.names, row, strict=True)) for row in self.rows]

    def csv(self) -> str:
        """As CSV with a header; NULL is empty, an empty text is ``""``."""
        return written(self.names, self.rows)

    def text(self) -> str:
        """As a table for people, numbers to the right, with the count of rows below."""
        cells = [[_cell(value) for value in row] for row in self.rows]
        widths = [
            max(width(text) for text in column) for column in zip(self.names, *cells, strict=True)
        ]
        right = [kind.is_number for kind in self.kinds]
        lines = [
            " | ".join(
                _padded(text, size, numeric)
                for text, size, numeric in zip(row, widths, right, strict=True)
            ).rstrip()
            for row in [self.names, *cells]
        ]
        rule = "-+-".join("-" * size for size in widths)
        count = "1 row" if len(cells) == 1 else f"{len(cells)} rows"
        return "\n".join([lines[0], rule, *lines[1:], f"({count})"])


def width(text: str) -> int:
    """How many places a text takes in a terminal: wide characters two, combining ones none."""
    return sum(
        0 if combining(character) else 2 if east_asian_width(character) in "WF" else 1
        for character in text
    )


def _cell(value: Value) -> str:
    return "null" if value is None else shown(value).translate(_ESCAPES)


def _padded(text: str, size: int, right: bool) -> str:
    space = " " * (size - width(text))
    return space + text if right else text + space
