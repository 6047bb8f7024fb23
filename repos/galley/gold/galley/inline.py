"""Reads what stands inside a paragraph: emphasis, code, links, notes, references."""

import re
import string

from galley import nodes

NO_BREAK = "\u00a0"

_CODE = re.compile(r"`([^`]+)`")
_NOTE = re.compile(r"\[\^([\w-]+)\]")
_LINK = re.compile(r"\[((?:[^\]\\]|\\.)*)\]\(([^()\s]+)\)")
_REFERENCE = re.compile(r"\{(ref|page):([\w-]+)\}")


class _Frame:
    """Spans collected since a mark was opened; the outermost has no mark."""

    def __init__(self, mark: str) -> None:
        self.mark = mark
        self.spans: list[nodes.Inline] = []

    def add(self, span: nodes.Inline) -> None:
        last = self.spans[-1] if self.spans else None
        if isinstance(span, nodes.Text) and isinstance(last, nodes.Text):
            self.spans[-1] = nodes.Text(last.text + span.text)
            return
        self.spans.append(span)


def parse(text: str) -> nodes.Spans:
    """The text of one block; its lines are separated by newlines."""
    frames = [_Frame("")]
    at = 0
    while at < len(text):
        span, end = _simple(text, at)
        if span is not None:
            frames[-1].add(span)
            at = end
        elif text[at] == "*":
            at = _star(text, at, frames)
        else:
            frames[-1].add(nodes.Text(NO_BREAK if text[at] == "~" else text[at].replace("\n", " ")))
            at += 1
    while len(frames) > 1:
        _give_up(frames)
    return tuple(frames[0].spans)


def _simple(text: str, at: int) -> tuple[nodes.Inline | None, int]:
    """A span that does not nest, and where it ends."""
    if text[at] == "\\" and at + 1 < len(text):
        following = text[at + 1]
        if following == "\n":
            return nodes.Break(), at + 2
        if following in string.punctuation:
            return nodes.Text(following), at + 2
    if found := _CODE.match(text, at):
        return nodes.Literal(found[1].replace("\n", " ")), found.end()
    if found := _NOTE.match(text, at):
        return nodes.NoteRef(found[1]), found.end()
    if found := _LINK.match(text, at):
        return nodes.Link(parse(found[1]), found[2]), found.end()
    if found := _REFERENCE.match(text, at):
        return nodes.CrossRef(found[1], found[2]), found.end()
    return None, at


def _star(text: str, at: int, frames: list[_Frame]) -> int:
    """Open or close emphasis at a star; the position behind it."""
    closing = _closing_mark(text, at, [frame.mark for frame in frames[1:]])
    if closing:
        while frames[-1].mark != closing:
            _give_up(frames)
        children = tuple(frames.pop().spans)
        frames[-1].add(nodes.Emphasis(children) if closing == "*" else nodes.Strong(children))
        return at + len(closing)
    mark = "**" if text.startswith("**", at) else "*"
    end = at + len(mark)
    if end < len(text) and not text[end].isspace():
        frames.append(_Frame(mark))
    else:
        frames[-1].add(nodes.Text(mark))
    return end


def _closing_mark(text: str, at: int, marks: list[str]) -> str:
    """Which of the open marks the stars at ``at`` close; empty where they close none."""
    if not marks or text[at - 1].isspace():
        return ""
    run = len(text) - at - len(text[at:].lstrip("*"))
    if run == 2 and "**" in marks:
        return "**"
    if run >= len(marks[-1]):
        return marks[-1]
    return "*" if run == 1 and "*" in marks else ""


def _give_up(frames: list[_Frame]) -> None:
    """The innermost mark was never closed: it stands for itself."""
    frame = frames.pop()
    frames[-1].add(nodes.Text(frame.mark))
    for span in frame.spans:
        frames[-1].add(span)
