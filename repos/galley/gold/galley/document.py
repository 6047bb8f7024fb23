"""From a text to its pages: all passes in their order."""

import re
from collections.abc import Mapping, Sequence

from galley import markup, styles
from galley.compose import Scene, compose, set_note
from galley.errors import LayoutError, StyleError
from galley.flatten import Names
from galley.hyphen import Hyphenator
from galley.inline import NO_BREAK
from galley.nodes import PageBreak
from galley.number import Entry, number_headings, number_notes
from galley.numerals import numeral
from galley.pages import Page, endless, paginate
from galley.styles import Style
from galley.template import render
from galley.width import pad, shorten, width

PASSES = 8

_FIELD = re.compile(r"\{([\w-]*)\}")


def typeset(
    text: str,
    sheet: str = "",
    data: Mapping[str, object] | None = None,
    hyphenator: Hyphenator | None = None,
) -> list[str]:
    """The pages of a document, each a text that ends in a newline.

    With ``data`` the text is a template. Raises GalleyError.
    """
    source = markup.parse(text if data is None else render(text, data))
    rules = styles.parse(sheet)
    page = rules.style("page")
    paged = page.height > 0
    room = page.width - page.margin_left - page.margin_right
    blocks, entries = number_headings(source.blocks, rules)
    if not paged:
        blocks = tuple(block for block in blocks if not isinstance(block, PageBreak))
    headings = {entry.label: entry.number or entry.title for entry in entries if entry.label}
    numbers = number_notes(source)
    known: dict[str, str] = {}
    for _ in range(PASSES):
        scene = Scene(rules, Names(numbers, headings, known), entries, hyphenator, paged)
        lines = compose(blocks, scene, room)
        notes = {name: set_note(name, source.notes[name], scene, room) for name in numbers}
        if not paged:
            return [_text(_endless_rows(endless(lines, notes)), page)]
        pages = paginate(lines, _body_height(page), notes)
        found = _page_numbers(pages, entries, page)
        if found == known:
            return _finished(pages, entries, page, room)
        known = found
    raise LayoutError("page numbers do not settle")


def _body_height(page: Style) -> int:
    return page.height - 2 * bool(page.header) - 2 * bool(page.footer)


def _page_numbers(pages: Sequence[Page], entries: Sequence[Entry], page: Style) -> dict[str, str]:
    """The printed number of the page that each heading begins on, by key and by label."""
    places = {key: number for number, one in enumerate(pages) for key in one.keys}
    found: dict[str, str] = {}
    for entry in entries:
        if entry.key in places:
            number = numeral(page.first_page + places[entry.key], page.numbers)
            found[entry.key] = number
            if entry.label:
                found[entry.label] = number
    return found


def _endless_rows(page: Page) -> list[str]:
    return [*page.body, "", *page.notes] if page.notes else list(page.body)


def _finished(
    pages: Sequence[Page], entries: Sequence[Entry], style: Style, room: int
) -> list[str]:
    """Pages filled up to their height, with headers and footers."""
    chapters = {entry.key: entry.title for entry in entries if entry.level == 1}
    title = next(iter(chapters.values()), "")
    last = style.first_page + len(pages) - 1
    section = ""
    texts = []
    for number, page in enumerate(pages):
        begun = [chapters[key] for key in page.keys if key in chapters]
        section = begun[0] if begun else section
        fields = {
            "title": title,
            "section": section,
            "page": numeral(style.first_page + number, style.numbers),
            "pages": numeral(last, style.numbers),
        }
        section = begun[-1] if begun else section
        blank = _body_height(style) - len(page.body) - len(page.notes)
        rows = [*page.body, *[""] * blank, *page.notes]
        bare = style.skip_first and number == 0
        if style.header:
            rows = ["" if bare else running_line(style.header, fields, room), "", *rows]
        if style.footer:
            rows = [*rows, "", "" if bare else running_line(style.footer, fields, room)]
        texts.append(_text(rows, style))
    return texts


def running_line(pattern: str, fields: Mapping[str, str], room: int) -> str:
    """A header or footer: left, middle and right part, separated by ``|``.

    A pattern without separators is the middle part. Raises StyleError for an unknown field.
    """

    def value(match: re.Match[str]) -> str:
        if match[1] not in fields:
            raise StyleError(1, f"unknown field {match[1]!r}")
        return fields[match[1]]

    parts = [_FIELD.sub(value, part) for part in pattern.split("|")]
    left, middle, right = [*parts, "", ""][:3] if len(parts) > 1 else ["", parts[0], ""]
    start = (room - width(middle)) // 2
    free_end = max(room - (width(right) + 1 if right else 0), 0)
    if not middle:
        line = pad(left, free_end) if width(left) <= free_end else shorten(left, free_end)
    elif (width(left) + 1 if left else 0) <= start and start + width(middle) <= free_end:
        line = pad(pad(left, start) + middle, free_end)
    else:
        line = pad(shorten(f"{left} {middle}".strip(), free_end), free_end)
    return (line + (" " + right if right else "")).rstrip(" ")


def _text(rows: Sequence[str], page: Style) -> str:
    margin = " " * page.margin_left
    lines = [(margin + row).rstrip(" ") for row in rows]
    return "".join(line.replace(NO_BREAK, " ") + "\n" for line in lines)
