"""CSV: fields know whether they were quoted, so that NULL and an empty text differ."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tabula.errors import DataFault
from tabula.kinds import Row, Value, read, shown
from tabula.table import Column


@dataclass(frozen=True, slots=True)
class Field:
    text: str
    quoted: bool


@dataclass(frozen=True, slots=True)
class Record:
    """line: on which it begins, from 1."""

    line: int
    fields: tuple[Field, ...]


def records(source: str) -> Iterator[Record]:
    """The records of a text, blank lines left out. Raises DataFault."""
    text = source.removeprefix("\ufeff").replace("\r\n", "\n")
    at, line = 0, 1
    while at < len(text):
        first, fields = line, list[Field]()
        while True:
            field, end = _field(text, at, first)
            fields.append(field)
            line += text.count("\n", at, end)
            at = end + 1
            if end == len(text) or text[end] == "\n":
                break
        if len(fields) > 1 or fields[0] != Field("", quoted=False):
            yield Record(first, tuple(fields))
        line += 1


def loaded(source: str, columns: Sequence[Column]) -> list[Row]:
    """The rows of a CSV text for a table with these columns. Raises DataFault."""
    found = records(source)
    header = next(found, None)
    if header is None:
        raise DataFault("line 1: there is no header")
    names = [field.text.lower() for field in header.fields]
    slots = [_slot(column, names, header.line) for column in columns]
    known = {column.name for column in columns}
    for name in names:
        if name not in known:
            raise DataFault(f"line {header.line}: the table has no column {name}")
    return [_row(record, columns, slots, len(names)) for record in found]


def written(names: Sequence[str], rows: Sequence[Row]) -> str:
    """Rows as a CSV text with a header."""
    lines = [
        [_quoted(name) for name in names],
        *([_cell(value) for value in row] for row in rows),
    ]
    return "".join(",".join(line) + "\n" for line in lines)


def _field(text: str, at: int, line: int) -> tuple[Field, int]:
    """The field at a place, and where the comma or the end of line after it is."""
    start = at
    while text[start : start + 1] in (" ", "\t"):
        start += 1
    if text[start : start + 1] != '"':
        ends = [end for end in (text.find(",", at), text.find("\n", at)) if end >= 0]
        end = min(ends, default=len(text))
        return Field(text[at:end].strip(), quoted=False), end
    parts: list[str] = []
    while True:
        end = text.find('"', start + 1)
        if end < 0:
            raise DataFault(f"line {line}: a quote without its end")
        parts.append(text[start + 1 : end])
        if text[end + 1 : end + 2] != '"':
            break
        start = end + 1
    after = end + 1
    while text[after : after + 1] in (" ", "\t"):
        after += 1
    if text[after : after + 1] not in ("", ",", "\n"):
        raise DataFault(f"line {line}: {text[after]!r} after a quoted field")
    return Field('"'.join(parts), quoted=True), after


def _slot(column: Column, names: Sequence[str], line: int) -> int:
    if names.count(column.name) != 1:
        how_often = "no" if column.name not in names else "more than one"
        raise DataFault(f"line {line}: there is {how_often} column {column.name}")
    return names.index(column.name)


def _row(record: Record, columns: Sequence[Column], slots: Sequence[int], width: int) -> Row:
    if len(record.fields) != width:
        raise DataFault(f"line {record.line}: {len(record.fields)} fields, not {width}")
    return tuple(
        _value(record.fields[slot], column, record.line)
        for column, slot in zip(columns, slots, strict=True)
    )


def _value(field: Field, column: Column, line: int) -> Value:
    if not field.quoted and not field.text:
        return None
    try:
        return read(field.text, column.kind)
    except ValueError as error:
        raise DataFault(f"line {line}, column {column.name}: {error}") from None


def _cell(value: Value) -> str:
    if isinstance(value, str):
        return '""' if not value else _quoted(value)
    return shown(value)


def _quoted(text: str) -> str:
    if text == text.strip() and not set(text) & set(',"\n\r'):
        return text
    return '"' + text.replace('"', '""') + '"'
