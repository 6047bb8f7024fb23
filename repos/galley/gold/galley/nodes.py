"""What a document consists of, once it has been read."""

from typing import NamedTuple


class Text(NamedTuple):
    text: str


class Emphasis(NamedTuple):
    children: "Spans"


class Strong(NamedTuple):
    children: "Spans"


class Literal(NamedTuple):
    """Inline code."""

    text: str


class Link(NamedTuple):
    children: "Spans"
    url: str


class NoteRef(NamedTuple):
    name: str


class CrossRef(NamedTuple):
    """``kind`` is ``ref`` (the number of a heading) or ``page``."""

    kind: str
    label: str


class Break(NamedTuple):
    """A forced line break."""


Inline = Text | Emphasis | Strong | Literal | Link | NoteRef | CrossRef | Break
Spans = tuple[Inline, ...]


class Heading(NamedTuple):
    """``key`` is filled in when the headings are numbered; it names the heading in the layout."""

    level: int
    content: Spans
    label: str
    line: int
    number: str = ""
    key: str = ""


class Paragraph(NamedTuple):
    content: Spans


class CodeBlock(NamedTuple):
    lines: tuple[str, ...]
    language: str


class Quote(NamedTuple):
    blocks: "Blocks"


class ListBlock(NamedTuple):
    """``start`` is the number of the first item, 0 for bullets."""

    start: int
    loose: bool
    items: tuple["Blocks", ...]


class Definition(NamedTuple):
    term: Spans
    bodies: tuple["Blocks", ...]


class DefinitionList(NamedTuple):
    entries: tuple[Definition, ...]


class Cell(NamedTuple):
    content: Spans
    span: int = 1


Row = tuple[Cell, ...]


class Table(NamedTuple):
    """``head`` is empty for a table without a header."""

    aligns: tuple[str, ...]
    head: Row
    rows: tuple[Row, ...]


class Rule(NamedTuple):
    pass


class PageBreak(NamedTuple):
    pass


class Contents(NamedTuple):
    """The place of the table of contents."""


Block = (
    Heading
    | Paragraph
    | CodeBlock
    | Quote
    | ListBlock
    | DefinitionList
    | Table
    | Rule
    | PageBreak
    | Contents
)
Blocks = tuple[Block, ...]


class Source(NamedTuple):
    """A whole document: its blocks, and its footnotes by name."""

    blocks: Blocks
    notes: dict[str, Spans]


def plain(spans: Spans) -> str:
    """The words alone: no marks, no footnotes, no references."""
    text = ""
    for span in spans:
        if isinstance(span, Text | Literal):
            text += span.text
        elif isinstance(span, Emphasis | Strong | Link):
            text += plain(span.children)
        elif isinstance(span, Break):
            text += " "
    return text
