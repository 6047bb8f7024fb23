"""Tables: how wide columns are, and how rows are drawn."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from galley.breaking import Word, greedy, pieces
from galley.errors import LayoutError
from galley.hyphen import Hyphenator
from galley.lines import Line
from galley.setting import SetLine, set_text
from galley.styles import Style
from galley.width import pad, width

ENDLESS = 1_000_000


class TableCell(NamedTuple):
    words: list[Word]
    span: int
    align: str


Cells = Sequence[TableCell]


class _Frame(NamedTuple):
    """What stands between cells and at the ends of a line."""

    left: str
    between: str
    right: str


_FRAMES = {
    "rule": _Frame("", "  ", ""),
    "none": _Frame("", "  ", ""),
    "grid": _Frame("| ", " | ", " |"),
}


def draw(
    head: Cells, rows: Sequence[Cells], style: Style, room: int, hyphenator: Hyphenator | None
) -> list[Line]:
    """The table as lines. Raises LayoutError when the columns do not fit."""
    every = [head, *rows] if head else list(rows)
    columns = sum(cell.span for cell in every[0])
    frame = _FRAMES[style.border]
    taken = width(frame.left + frame.right) + width(frame.between) * (columns - 1)
    gap = width(frame.between)
    hyphens = hyphenator if style.hyphenate else None
    widths = column_widths(every, columns, room - taken, gap, hyphens)
    drawn = [_row(row, widths, frame, style, hyphenator) for row in every]
    if style.border == "grid":
        return _grid(every, drawn, widths, bool(head))
    top: list[Line] = []
    if head:
        top = drawn.pop(0)
        if style.border == "rule":
            line = frame.between.join("-" * column for column in widths)
            top.append(Line(line))
    return _joined(top, drawn)


def column_widths(
    rows: Sequence[Cells], columns: int, room: int, gap: int, hyphenator: Hyphenator | None = None
) -> list[int]:
    """As wide as the cells would like, or narrower where that does not fit.

    Each column has at least its longest word; what is left is given in proportion to what the
    columns lack. If even the words do not fit, the widest column gives way, again and again.
    """
    least = _measured(rows, columns, gap, lambda cell: _longest_piece(cell, hyphenator))
    most = _measured(rows, columns, gap, _longest_line)
    if sum(most) <= room:
        return most
    if sum(least) <= room:
        return _grown(least, [max(pair) for pair in zip(least, most, strict=True)], room)
    while sum(least) > room:
        widest = max(range(columns), key=lambda column: (least[column], column))
        if least[widest] == 1:
            raise LayoutError(f"no room for a table of {columns} columns")
        least[widest] -= 1
    return least


def _measured(
    rows: Sequence[Cells], columns: int, gap: int, measure: Callable[[TableCell], int]
) -> list[int]:
    widths = [1] * columns
    placed = [place for row in rows for place in _placed(row)]
    for at, cell in placed:
        if cell.span == 1:
            widths[at] = max(widths[at], measure(cell))
    for at, cell in placed:
        lacking = measure(cell) - _spanned(widths, at, cell.span, gap)
        if cell.span > 1 and lacking > 0:
            each, left_over = divmod(lacking, cell.span)
            for column in range(cell.span):
                widths[at + column] += each + (column < left_over)
    return widths


def _placed(row: Cells) -> Iterator[tuple[int, TableCell]]:
    """Cells with the columns that they begin in."""
    at = 0
    for cell in row:
        yield at, cell
        at += cell.span


def _spanned(widths: Sequence[int], at: int, span: int, gap: int) -> int:
    return sum(widths[at : at + span]) + gap * (span - 1)


def _longest_piece(cell: TableCell, hyphenator: Hyphenator | None) -> int:
    found = pieces(cell.words, ENDLESS, hyphenator)
    return max((width(piece.text) + piece.hyphen for piece in found), default=0)


def _longest_line(cell: TableCell) -> int:
    lines = greedy(pieces(cell.words, ENDLESS), ENDLESS, ENDLESS)
    return max((width(" ".join(line.words)) for line in lines), default=0)


def _grown(least: list[int], most: list[int], room: int) -> list[int]:
    wanted = [b - a for a, b in zip(least, most, strict=True)]
    spare = room - sum(least)
    total = sum(wanted)
    widths = [a + spare * want // total for a, want in zip(least, wanted, strict=True)]
    left_over = room - sum(widths)
    for column in range(len(widths)):
        if left_over and widths[column] < most[column]:
            widths[column] += 1
            left_over -= 1
    return widths


def _row(
    row: Cells, widths: Sequence[int], frame: _Frame, style: Style, hyphenator: Hyphenator | None
) -> list[Line]:
    """The lines of a row, which stay on one page."""
    columns: list[tuple[list[SetLine], int, str]] = []
    plain = style._replace(align="left", indent=0)
    for at, cell in _placed(row):
        room = _spanned(widths, at, cell.span, width(frame.between))
        columns.append((set_text(cell.words, plain, room, hyphenator), room, cell.align))
    height = max(1, *(len(lines) for lines, _, _ in columns))
    drawn = []
    for number in range(height):
        parts = []
        notes: tuple[str, ...] = ()
        for lines, room, align in columns:
            line = lines[number] if number < len(lines) else SetLine("", ())
            parts.append(pad(line.text, room, align))
            notes += line.notes
        text = frame.left + frame.between.join(parts) + frame.right
        drawn.append(Line(text.rstrip(" "), notes, keep=number < height - 1))
    return drawn


def _grid(
    rows: Sequence[Cells], drawn: list[list[Line]], widths: Sequence[int], has_head: bool
) -> list[Line]:
    """Rows with borders around all cells; each border belongs to the row above it."""
    edges = [{at for at, _ in _placed(row)} | {len(widths)} for row in rows]
    framed: list[list[Line]] = []
    for number, lines in enumerate(drawn):
        below = edges[number + 1] if number + 1 < len(edges) else edges[number]
        dash = "=" if has_head and number == 0 else "-"
        border = _border(edges[number] | below, widths, dash)
        framed.append([*(line._replace(keep=True) for line in lines), Line(border)])
    top = [Line(_border(edges[0], widths, "-"), keep=True)]
    if has_head:
        return _joined([*top, *framed[0]], framed[1:])
    return [*top, *_joined([], framed)]


def _border(edges: set[int], widths: Sequence[int], dash: str) -> str:
    text = ""
    for column, room in enumerate(widths):
        text += ("+" if column in edges else dash) + dash * (room + 2)
    return text + "+"


def _joined(top: list[Line], rows: list[list[Line]]) -> list[Line]:
    """The header, kept with the first row, and the rows, which repeat it on other pages."""
    lines = [line._replace(keep=bool(rows)) for line in top]
    repeat = tuple(line.text for line in top)
    for number, row in enumerate(rows):
        if number:
            row = [row[0]._replace(repeat=repeat), *row[1:]]
        lines += row
    return lines
