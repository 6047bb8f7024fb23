"""Turns inline spans into words with all marks in place."""

from collections.abc import Mapping
from typing import NamedTuple

from galley import nodes
from galley.breaking import Word
from galley.errors import UnknownLabelError
from galley.styles import Sheet


class Names(NamedTuple):
    """What marks and references are replaced by.

    ``notes``: numbers of footnotes; ``headings``: what ``{ref:label}`` shows; ``pages``: what
    ``{page:label}`` shows, as far as it is known.
    """

    notes: Mapping[str, int]
    headings: Mapping[str, str]
    pages: Mapping[str, str]


def words(spans: nodes.Spans, sheet: Sheet, names: Names) -> list[Word]:
    """The words of a paragraph. Raises UnknownLabelError."""
    flow = _Flow(sheet, names)
    flow.spans(spans)
    return flow.finished()


class _Flow:
    """Collects words; what is added without a space between goes into one word."""

    def __init__(self, sheet: Sheet, names: Names) -> None:
        self._sheet = sheet
        self._names = names
        self._words: list[Word] = []
        self._open = False

    def finished(self) -> list[Word]:
        return self._words

    def spans(self, spans: nodes.Spans) -> None:
        for span in spans:
            if isinstance(span, nodes.Text):
                self._add(span.text)
            elif isinstance(span, nodes.Literal):
                self._around("literal", span.text)
            elif isinstance(span, nodes.Emphasis | nodes.Strong):
                marker = self._marker("emphasis" if isinstance(span, nodes.Emphasis) else "strong")
                self._add(marker)
                self.spans(span.children)
                self._add(marker)
            elif isinstance(span, nodes.Link):
                self._link(span)
            elif isinstance(span, nodes.NoteRef):
                self._note(span.name)
            elif isinstance(span, nodes.CrossRef):
                self._add(self._target(span))
            elif isinstance(span, nodes.Break):
                self._break()

    def _marker(self, element: str) -> str:
        return self._sheet.style("body", element).marker

    def _around(self, element: str, text: str) -> None:
        marker = self._marker(element)
        self._add(marker + text + marker, solid=True)

    def _add(self, text: str, solid: bool = False) -> None:
        parts = text.replace("\t", " ").split(" ")
        for index, part in enumerate(parts):
            if index:
                self._open = False
            if part:
                self._join(Word(part, solid=solid))

    def _join(self, word: Word) -> None:
        if not self._open:
            self._words.append(word)
        else:
            last = self._words[-1]
            self._words[-1] = last._replace(
                text=last.text + word.text,
                notes=last.notes + word.notes,
                solid=last.solid or word.solid,
            )
        self._open = True

    def _link(self, link: nodes.Link) -> None:
        self.spans(link.children)
        if self._sheet.style("body", "link").urls:
            self._open = False
            self._join(Word(f"<{link.url}>", solid=True))

    def _note(self, name: str) -> None:
        self._join(Word(f"[{self._names.notes[name]}]", (name,)))

    def _target(self, reference: nodes.CrossRef) -> str:
        if reference.label not in self._names.headings:
            raise UnknownLabelError(f"there is no label {reference.label}")
        if reference.kind == "page":
            return self._names.pages.get(reference.label, "?")
        return self._names.headings[reference.label]

    def _break(self) -> None:
        if self._words:
            self._words[-1] = self._words[-1]._replace(ends=True)
        self._open = False
