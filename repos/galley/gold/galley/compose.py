"""Composes the blocks of a document into lines."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from galley import nodes
from galley.breaking import Word
from galley.contents import set_contents
from galley.flatten import Names, words
from galley.hyphen import Hyphenator
from galley.lines import Chunk, Line, guarded, prefixed, stack, together
from galley.number import Entry
from galley.numerals import numeral
from galley.setting import set_text
from galley.styles import Path, Sheet, Style
from galley.tables import TableCell, draw
from galley.width import cut, expand_tabs, pad, width


class Scene(NamedTuple):
    """All that composing needs besides the blocks themselves."""

    sheet: Sheet
    names: Names
    entries: Sequence[Entry]
    hyphenator: Hyphenator | None
    paged: bool


def compose(
    blocks: Iterable[nodes.Block],
    scene: Scene,
    room: int,
    path: Path = ("body",),
    tight: bool = False,
) -> list[Line]:
    """The lines of all blocks. ``path``: elements around them; ``tight``: no space between."""
    chunks = []
    for block in blocks:
        style = scene.sheet.style(*path, _element(block))
        lines = _lines(block, scene, style, room - style.margin_left - style.margin_right, path)
        if style.margin_left:
            margin = " " * style.margin_left
            lines = prefixed(lines, margin, margin)
        if style.keep_together:
            lines = together(lines)
        before, after = (0, 0) if tight else (style.space_before, style.space_after)
        chunks.append(Chunk(lines, before, after, style.keep_next))
    return stack(chunks)


def set_note(name: str, spans: nodes.Spans, scene: Scene, room: int) -> list[str]:
    """A footnote with its number before it."""
    style = scene.sheet.style("body", "note")
    mark = f"[{scene.names.notes[name]}] "
    lines = _text(words(spans, scene.sheet, scene.names), style, room - width(mark), scene)
    return [line.text for line in prefixed(lines, mark, " " * width(mark))]


def _element(block: nodes.Block) -> str:
    if isinstance(block, nodes.Heading):
        return f"h{block.level}"
    return _ELEMENTS[type(block)]


_ELEMENTS: dict[type, str] = {
    nodes.Paragraph: "paragraph",
    nodes.CodeBlock: "code",
    nodes.Quote: "quote",
    nodes.ListBlock: "list",
    nodes.DefinitionList: "definitions",
    nodes.Table: "table",
    nodes.Rule: "rule",
    nodes.PageBreak: "rule",
    nodes.Contents: "toc",
}


def _lines(block: nodes.Block, scene: Scene, style: Style, room: int, path: Path) -> list[Line]:
    if isinstance(block, nodes.Heading):
        return _heading(block, scene, style, room)
    if isinstance(block, nodes.Paragraph):
        return _text(words(block.content, scene.sheet, scene.names), style, room, scene)
    if isinstance(block, nodes.CodeBlock):
        return _code(block, style, room)
    if isinstance(block, nodes.Quote):
        return _quote(block, scene, style, room, path)
    if isinstance(block, nodes.ListBlock):
        return _list(block, scene, style, room, path)
    if isinstance(block, nodes.DefinitionList):
        return _definitions(block, scene, room, path)
    if isinstance(block, nodes.Table):
        return _table(block, scene, style, room)
    if isinstance(block, nodes.Contents):
        pages = scene.names.pages if scene.paged else None
        return set_contents(scene.entries, pages, style, room)
    if isinstance(block, nodes.PageBreak):
        return [Line("", space=True, eject=True)]
    return [Line((style.marker * room)[:room])]


def _text(content: list[Word], style: Style, room: int, scene: Scene) -> list[Line]:
    found = set_text(content, style, room, scene.hyphenator)
    lines = [Line(line.text, line.notes) for line in found]
    return guarded(lines, style.orphans, style.widows)


def _heading(block: nodes.Heading, scene: Scene, style: Style, room: int) -> list[Line]:
    content = words(block.content, scene.sheet, scene.names)
    if block.number:
        content.insert(0, Word(block.number))
    lines = _text(content, style, room, scene)
    if style.underline and lines:
        longest = max(width(line.text.strip(" ")) for line in lines)
        under = (style.underline * longest)[:longest]
        lines.append(Line(pad(under, room, style.align).rstrip(" ")))
        lines = guarded(lines, style.orphans, style.widows)
    if lines and block.key:
        lines[0] = lines[0]._replace(keys=(block.key,))
    return lines


def _code(block: nodes.CodeBlock, style: Style, room: int) -> list[Line]:
    lines = []
    for source in block.lines:
        head, rest = cut(expand_tabs(source, style.tab), room)
        lines.append(Line(head))
        while rest:
            head, rest = cut(rest, room)
            lines.append(Line(head))
    return guarded(lines, style.orphans, style.widows)


def _quote(block: nodes.Quote, scene: Scene, style: Style, room: int, path: Path) -> list[Line]:
    inner = compose(block.blocks, scene, room - width(style.prefix), (*path, "quote"))
    return prefixed(inner, style.prefix, style.prefix)


def _list(block: nodes.ListBlock, scene: Scene, style: Style, room: int, path: Path) -> list[Line]:
    marks = [f"{style.marker} "] * len(block.items)
    if block.start:
        numbers = range(block.start, block.start + len(block.items))
        marks = [f"{numeral(number, style.numbers)}. " for number in numbers]
    hang = max(width(mark) for mark in marks)
    item_path = (*path, "list", "item")
    space = 1 if block.loose else 0
    chunks = []
    for mark, item in zip(marks, block.items, strict=True):
        inner = compose(item, scene, room - hang, item_path, tight=not block.loose)
        lines = prefixed(inner or [Line("")], pad(mark, hang, "right"), " " * hang)
        chunks.append(Chunk(lines, space, space))
    return stack(chunks)


def _definitions(block: nodes.DefinitionList, scene: Scene, room: int, path: Path) -> list[Line]:
    inside = (*path, "definitions")
    term_style = scene.sheet.style(*inside, "term")
    style = scene.sheet.style(*inside, "definition")
    margin = " " * style.margin_left
    chunks = []
    for entry in block.entries:
        term = together(_text(words(entry.term, scene.sheet, scene.names), term_style, room, scene))
        chunks.append(Chunk(term, term_style.space_before, 0, term_style.keep_next))
        for body in entry.bodies:
            inner = compose(body, scene, room - len(margin), (*inside, "definition"))
            lines = prefixed(inner, margin, margin)
            chunks.append(Chunk(lines, 0, style.space_after))
    return stack(chunks)


def _table(block: nodes.Table, scene: Scene, style: Style, room: int) -> list[Line]:
    def cells(row: nodes.Row) -> list[TableCell]:
        found = []
        at = 0
        for cell in row:
            content = words(cell.content, scene.sheet, scene.names)
            found.append(TableCell(content, cell.span, block.aligns[at]))
            at += cell.span
        return found

    rows = [cells(row) for row in block.rows]
    return draw(cells(block.head), rows, style, room, scene.hyphenator)
