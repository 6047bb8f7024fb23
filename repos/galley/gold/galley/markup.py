"""Reads the blocks of a document: headings, paragraphs, lists, quotes, code, tables, notes."""

import re
from collections.abc import Callable
from typing import NamedTuple

from galley import inline, nodes
from galley.errors import MarkupError


class Src(NamedTuple):
    """A line with its number in the document, whatever was taken off its front."""

    number: int
    text: str


Lines = list[Src]
Notes = dict[str, nodes.Spans]
Found = tuple[nodes.Block | None, int]
"""A block (none where only a note was defined) and the line behind it."""

_HEADING = re.compile(r"(#{1,4}) +(.*?)(?: +\{#([\w-]+)\})? *$")
_FENCE = re.compile(r"(`{3,}) *([\w+-]*) *$")
_RULE = re.compile(r"-{3,} *$")
_PAGE_BREAK = re.compile(r"\+{3,} *$")
_CONTENTS = re.compile(r"\{toc\} *$")
_QUOTE = re.compile(r"> ?")
_BULLET = re.compile(r"([-+])(?: +|$)")
_NUMBER = re.compile(r"(\d{1,6})([.)])(?: +|$)")
_NOTE = re.compile(r"\[\^([\w-]+)\]: *")
_BODY = re.compile(r":(?: +|$)")
_DELIMITER = re.compile(r"\|(?: *:?-+:? *\|)+ *$")
_PIPE = re.compile(r"(?<!\\)\|")


def parse(text: str) -> nodes.Source:
    """Read a document. Raises MarkupError."""
    lines = [Src(number, line.rstrip()) for number, line in enumerate(text.split("\n"), 1)]
    notes: Notes = {}
    return nodes.Source(_blocks(lines, notes), notes)


def _blocks(lines: Lines, notes: Notes) -> nodes.Blocks:
    found: list[nodes.Block] = []
    at = 0
    while at < len(lines):
        if not lines[at].text:
            at += 1
            continue
        block, at = _block(lines, at, notes)
        if block is not None:
            found.append(block)
    return tuple(found)


def _block(lines: Lines, at: int, notes: Notes) -> Found:
    for reader in _READERS:
        found = reader(lines, at, notes)
        if found is not None:
            return found
    return _paragraph(lines, at)


def _heading(lines: Lines, at: int, notes: Notes) -> Found | None:
    match = _HEADING.match(lines[at].text)
    if match is None:
        return None
    marks, title, label = match[1], match[2], match[3] or ""
    return nodes.Heading(len(marks), inline.parse(title), label, lines[at].number), at + 1


def _single(lines: Lines, at: int, notes: Notes) -> Found | None:
    """Blocks of one line that always read the same."""
    text = lines[at].text
    if _RULE.match(text):
        return nodes.Rule(), at + 1
    if _PAGE_BREAK.match(text):
        return nodes.PageBreak(), at + 1
    if _CONTENTS.match(text):
        return nodes.Contents(), at + 1
    return None


def _fence(lines: Lines, at: int, notes: Notes) -> Found | None:
    match = _FENCE.match(lines[at].text)
    if match is None:
        return None
    for end in range(at + 1, len(lines)):
        closing = _FENCE.match(lines[end].text)
        if closing and not closing[2] and len(closing[1]) >= len(match[1]):
            code = tuple(line.text for line in lines[at + 1 : end])
            return nodes.CodeBlock(code, match[2]), end + 1
    raise MarkupError(lines[at].number, "code is not closed")


def _quote(lines: Lines, at: int, notes: Notes) -> Found | None:
    inner: Lines = []
    while at < len(lines) and (match := _QUOTE.match(lines[at].text)):
        inner.append(Src(lines[at].number, lines[at].text[match.end() :]))
        at += 1
    return (nodes.Quote(_blocks(inner, notes)), at) if inner else None


def _note(lines: Lines, at: int, notes: Notes) -> Found | None:
    match = _NOTE.match(lines[at].text)
    if match is None:
        return None
    name = match[1]
    if name in notes:
        raise MarkupError(lines[at].number, f"note {name} is defined twice")
    first = Src(lines[at].number, lines[at].text[match.end() :])
    end = at + 1
    while end < len(lines) and lines[end].text.startswith("  "):
        end += 1
    notes[name] = _spans([first, *lines[at + 1 : end]])
    return None, end


def _list(lines: Lines, at: int, notes: Notes) -> Found | None:
    first = _marker(lines[at].text)
    if first is None:
        return None
    kind, start, _ = first
    items: list[nodes.Blocks] = []
    loose = False
    while at < len(lines):
        marker = _marker(lines[at].text)
        if marker is None or marker[0] != kind:
            break
        inner, end = _indented(lines, at, marker[2])
        items.append(_blocks(inner, notes))
        at = end
        while at < len(lines) and not lines[at].text:
            at += 1
        if at > end and at < len(lines):
            following = _marker(lines[at].text)
            loose = loose or (following is not None and following[0] == kind)
    return nodes.ListBlock(start, loose, tuple(items)), at


def _marker(text: str) -> tuple[str, int, int] | None:
    """The kind of a list item's mark, its number (0 for bullets), and how wide it is."""
    if _RULE.match(text) or _PAGE_BREAK.match(text):
        return None
    if match := _BULLET.match(text):
        return match[1], 0, _content_column(match)
    if match := _NUMBER.match(text):
        return match[2], int(match[1]), _content_column(match)
    return None


def _content_column(match: re.Match[str]) -> int:
    return match.end() if match.end() < len(match.string) else match.end() + 1


def _indented(lines: Lines, at: int, column: int) -> tuple[Lines, int]:
    """What belongs to the mark at a line: its rest and all that is indented at least as far."""
    inner = [Src(lines[at].number, lines[at].text[column:])]
    end = at + 1
    for following in range(at + 1, len(lines)):
        text = lines[following].text
        if text and text[:column].strip():
            break
        inner.append(Src(lines[following].number, text[column:]))
        if text:
            end = following + 1
    return inner[: end - at], end


def _definitions(lines: Lines, at: int, notes: Notes) -> Found | None:
    entries: list[nodes.Definition] = []
    end = at
    while at + 1 < len(lines) and lines[at].text and _BODY.match(lines[at + 1].text):
        term = inline.parse(lines[at].text.strip())
        bodies: list[nodes.Blocks] = []
        at += 1
        while at < len(lines) and (match := _BODY.match(lines[at].text)):
            inner, at = _indented(lines, at, _content_column(match))
            bodies.append(_blocks(inner, notes))
        entries.append(nodes.Definition(term, tuple(bodies)))
        end = at
        while at < len(lines) and not lines[at].text:
            at += 1
    return (nodes.DefinitionList(tuple(entries)), end) if entries else None


def _table(lines: Lines, at: int, notes: Notes) -> Found | None:
    end = at
    while end < len(lines) and lines[end].text.startswith("|"):
        end += 1
    if end == at:
        return None
    rows = lines[at:end]
    mark = next((i for i, line in enumerate(rows[:2]) if _DELIMITER.match(line.text)), None)
    cells = [(line.number, _row(line)) for i, line in enumerate(rows) if i != mark]
    if mark is None:
        aligns = ["left"] * max(sum(cell.span for cell in row) for _, row in cells)
    else:
        aligns = [_align(part.strip()) for part in _PIPE.split(rows[mark].text)[1:-1]]
    filled = [_filled(number, row, len(aligns)) for number, row in cells]
    if mark == 1:
        return nodes.Table(tuple(aligns), filled[0], tuple(filled[1:])), end
    return nodes.Table(tuple(aligns), (), tuple(filled)), end


def _align(mark: str) -> str:
    if mark.endswith(":"):
        return "center" if mark.startswith(":") else "right"
    return "left"


def _row(line: Src) -> nodes.Row:
    """Cells of a row; a pipe right after a pipe makes the cell before it wider."""
    parts = _PIPE.split(line.text)
    if len(parts) < 3 or parts[-1].strip():
        raise MarkupError(line.number, "table row is not closed")
    cells: list[nodes.Cell] = []
    for part in parts[1:-1]:
        if not part and cells:
            cells[-1] = cells[-1]._replace(span=cells[-1].span + 1)
        else:
            cells.append(nodes.Cell(inline.parse(part.strip())))
    return tuple(cells)


def _filled(number: int, row: nodes.Row, columns: int) -> nodes.Row:
    missing = columns - sum(cell.span for cell in row)
    if missing < 0:
        raise MarkupError(number, f"row has {columns - missing} columns, the table {columns}")
    return row + (nodes.Cell(()),) * missing


def _paragraph(lines: Lines, at: int) -> Found:
    """Lines up to a blank one or one that begins another block."""
    end = at + 1
    while end < len(lines) and lines[end].text and not _interrupts(lines, end):
        end += 1
    return nodes.Paragraph(_spans(lines[at:end])), end


def _interrupts(lines: Lines, at: int) -> bool:
    text = lines[at].text
    starts = (_HEADING, _FENCE, _RULE, _PAGE_BREAK, _CONTENTS, _QUOTE, _NOTE)
    if text.startswith("|") or any(start.match(text) for start in starts):
        return True
    marker = _marker(text)
    return marker is not None and marker[1] <= 1


def _spans(lines: Lines) -> nodes.Spans:
    return inline.parse("\n".join(line.text.strip() for line in lines))


Reader = Callable[[Lines, int, Notes], Found | None]
_READERS: tuple[Reader, ...] = (
    _heading,
    _single,
    _fence,
    _quote,
    _note,
    _table,
    _list,
    _definitions,
)
