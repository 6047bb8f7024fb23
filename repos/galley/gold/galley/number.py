"""Numbers what is referred to: headings and footnotes."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from galley import nodes
from galley.errors import MarkupError, UnknownLabelError
from galley.numerals import numeral
from galley.styles import Sheet

LEVELS = 4


class Entry(NamedTuple):
    """A heading as the table of contents and references see it."""

    key: str
    level: int
    number: str
    title: str
    label: str


def number_headings(blocks: nodes.Blocks, sheet: Sheet) -> tuple[nodes.Blocks, list[Entry]]:
    """Blocks whose headings have their keys and numbers, and the entries of the headings.

    A heading's number has a part for each numbered level above it; an unnumbered heading does
    not count. Raises MarkupError for a label that is given twice.
    """
    counts = [0] * (LEVELS + 1)
    entries: list[Entry] = []
    labels: set[str] = set()
    numbered: list[nodes.Block] = []
    for block in blocks:
        if isinstance(block, nodes.Heading):
            if block.label in labels:
                raise MarkupError(block.line, f"label {block.label} is given twice")
            if block.label:
                labels.add(block.label)
            number = _next(counts, block.level, sheet)
            block = block._replace(number=number, key=f"#{len(entries) + 1}")
            title = nodes.plain(block.content)
            entries.append(Entry(block.key, block.level, number, title, block.label))
        numbered.append(block)
    return tuple(numbered), entries


def _next(counts: list[int], level: int, sheet: Sheet) -> str:
    counts[level + 1 :] = [0] * (LEVELS - level)
    if not sheet.style("body", f"h{level}").numbered:
        return ""
    counts[level] += 1
    parts = []
    for above in range(1, level + 1):
        own = sheet.style("body", f"h{above}")
        if own.numbered:
            parts.append(numeral(counts[above], own.numbers) if counts[above] else "0")
    return ".".join(parts)


def number_notes(source: nodes.Source) -> dict[str, int]:
    """The footnotes that are referred to, numbered in the order of their first marks.

    Raises UnknownLabelError for a mark without a note, or inside a note.
    """
    numbers: dict[str, int] = {}
    for name in _marks(source.blocks):
        if name not in source.notes:
            raise UnknownLabelError(f"there is no note {name}")
        numbers.setdefault(name, len(numbers) + 1)
    for name, spans in source.notes.items():
        if any(_marks_in(spans)):
            raise UnknownLabelError(f"note {name} cannot refer to notes")
    return numbers


def _marks(blocks: Iterable[nodes.Block]) -> Iterator[str]:
    for block in blocks:
        if isinstance(block, nodes.Heading | nodes.Paragraph):
            yield from _marks_in(block.content)
        elif isinstance(block, nodes.Quote):
            yield from _marks(block.blocks)
        elif isinstance(block, nodes.ListBlock):
            for item in block.items:
                yield from _marks(item)
        elif isinstance(block, nodes.DefinitionList):
            for entry in block.entries:
                yield from _marks_in(entry.term)
                for body in entry.bodies:
                    yield from _marks(body)
        elif isinstance(block, nodes.Table):
            for row in (block.head, *block.rows):
                for cell in row:
                    yield from _marks_in(cell.content)


def _marks_in(spans: nodes.Spans) -> Iterator[str]:
    for span in spans:
        if isinstance(span, nodes.NoteRef):
            yield span.name
        elif isinstance(span, nodes.Emphasis | nodes.Strong | nodes.Link):
            yield from _marks_in(span.children)
