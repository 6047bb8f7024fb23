"""Lines of a file as bytes-faithful text.

Only "\\n" ends a line. A "\\r" before it belongs to the line's ending, any other is data. Bytes
that are no UTF-8 travel as surrogates, so that encoding gives the same bytes back; a byte order
mark is kept apart from the text.
"""

from __future__ import annotations

import bisect
from dataclasses import dataclass
from typing import Final

_BOM: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Text:
    """A decoded file. `lines` keep their endings; joined they are the whole body."""

    bom: bool
    body: str

    @property
    def lines(self) -> list[str]:
        """Each line with its ending; the last may have none."""
        pieces = self.body.split("\n")
        lines = [piece + "\n" for piece in pieces[:-1]]
        if pieces[-1]:
            lines.append(pieces[-1])
        return lines

    def encode(self, body: str | None = None) -> bytes:
        """The bytes of this file, or of another body in its place."""
        text = self.body if body is None else body
        return (_BOM if self.bom else b"") + text.encode("utf-8", "surrogateescape")


def decode(data: bytes) -> Text:
    """A file's bytes as text; `decode(data).encode() == data` always."""
    bom = data.startswith(_BOM)
    return Text(bom, (data[3:] if bom else data).decode("utf-8", "surrogateescape"))


def is_binary(data: bytes) -> bool:
    """Whether the bytes are no text: a NUL byte is in no text in UTF-8."""
    return b"\0" in data


def bare(line: str) -> str:
    """A line without its ending."""
    return line[: len(line) - len(ending(line))]


def ending(line: str) -> str:
    """The ending of a line: CRLF, LF or nothing."""
    if line.endswith("\r\n"):
        return "\r\n"
    return "\n" if line.endswith("\n") else ""


def style_near(lines: list[str], index: int) -> str | None:
    """The newline style at a line: its own ending, else the nearest before, else after."""
    for line in [*lines[index : index + 1], *lines[:index][::-1], *lines[index + 1 :]]:
        if found := ending(line):
            return found
    return None


def with_style(text: str, style: str | None) -> str:
    """Text with each of its newlines in the given style; unchanged for None."""
    if style is None:
        return text
    plain = text.replace("\r\n", "\n")
    return plain if style == "\n" else plain.replace("\n", style)


def replace_lines(text: Text, start: int, end: int, new_text: str) -> tuple[str, int]:
    """The body with lines start..end (from 1, inclusive) replaced, and how many lines came in.

    `end == start - 1` inserts. The new lines take the newline style of their neighbours; a file
    without a final newline stays without one.
    """
    lines = text.lines
    style = style_near(lines, start - 1) or ("\r\n" if "\r\n" in new_text else "\n")
    pieces = new_text.replace("\r\n", "\n").split("\n") if new_text else []
    if pieces and not pieces[-1]:
        pieces.pop()  # a final newline ends the last line, it does not begin another
    incoming = [piece + style for piece in pieces]
    before, after = lines[: start - 1], lines[end:]
    if incoming and not after and lines and not ending(lines[-1]):
        incoming[-1] = pieces[-1] or style  # an empty line is only there by its ending
        if before and not ending(before[-1]):
            before[-1] += style
    return "".join([*before, *incoming, *after]), len(incoming)


@dataclass(frozen=True, slots=True)
class Match:
    """One occurrence: its span in the body and the line (from 1) that it begins on."""

    start: int
    end: int
    line: int


def find_all(body: str, old_text: str) -> list[Match]:
    """Every occurrence from left to right, none overlapping; LF and CRLF match each other."""
    wanted = old_text.replace("\r\n", "\n")
    plain = body.replace("\r\n", "\n")
    folded: list[int] = []  # where in `plain` a newline stands for CRLF
    if len(plain) != len(body):
        position = body.find("\r\n")
        while position >= 0:
            folded.append(position - len(folded))
            position = body.find("\r\n", position + 2)
    matches: list[Match] = []
    line, counted = 1, 0
    at = plain.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        line += plain.count("\n", counted, at)
        counted = at
        matches.append(
            Match(at + bisect.bisect_left(folded, at), end + bisect.bisect_left(folded, end), line)
        )
        at = plain.find(wanted, end)
    return matches


def replace_matches(body: str, matches: list[Match], new_text: str) -> str:
    """The body with each match replaced; new newlines take the style found at that place."""
    lines = Text(False, body).lines
    parts: list[str] = []
    position = 0
    for match in matches:
        parts.append(body[position : match.start])
        parts.append(with_style(new_text, style_near(lines, match.line - 1)))
        position = match.end
    parts.append(body[position:])
    return "".join(parts)
