"""Markdown as models write it, line by line: cheap enough to be done again at each delta.

Headings, lists, quotes, fences, rules, tables as they are, and inline code, bold and italics.
Links and pictures stay text: nothing a model wrote becomes something to click on.
"""

from __future__ import annotations

import re

from tui.render.code import code_lines
from tui.render.lines import EMPTY, Line, Span, chop, wrap

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})\s*([\w+#.-]*)")
_HEADING = re.compile(r"^ {0,3}(#{1,6})\s+(.*?)\s*#*$")
_ITEM = re.compile(r"^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$")
_QUOTE = re.compile(r"^\s{0,3}>\s?(.*)$")
_RULE = re.compile(r"^\s{0,3}([-*_])(?:\s*\1){2,}\s*$")
_INLINE = re.compile(
    r"(?P<code>`+)(?P<inner>[^`]+?)(?P=code)"
    r"|\*\*(?P<bold>[^*\n]+)\*\*|__(?P<bold2>[^_\n]+)__"
    r"|(?<![\w*])\*(?P<italic>[^*\s][^*\n]*)\*(?![\w*])"
    r"|(?<![\w_])_(?P<italic2>[^_\s][^_\n]*)_(?![\w_])"
)


def markdown(text: str, width: int, base: str = "text") -> list[Line]:
    """Lines of a clean text at ``width`` cells."""
    out: list[Line] = []
    fence: str | None = None
    language, block = "", [""]
    block.clear()
    for raw in text.split("\n"):
        mark = _FENCE.match(raw)
        if fence is not None:
            if mark and mark[1].startswith(fence) and not raw.strip().strip(fence[0]):
                out += _code(block, language, width)
                fence = None
            else:
                block.append(raw)
            continue
        if mark:
            fence, language, block = mark[1], mark[2].lower(), []
            continue
        _line(raw, width, base, out)
    if fence is not None:
        out += _code(block, language, width)
    while out and not out[-1]:
        out.pop()
    return out


def _line(raw: str, width: int, base: str, out: list[Line]) -> None:
    if not raw.strip():
        if out and out[-1]:
            out.append(EMPTY)
        return
    if heading := _HEADING.match(raw):
        if out and out[-1]:
            out.append(EMPTY)
        out += wrap(((heading[2], "md.heading"),), width)
        return
    if _RULE.match(raw):
        out.append((("─" * min(width, 40), "muted"),))
        return
    if item := _ITEM.match(raw):
        depth = min(len(item[1]) // 2, 6)
        bullet = "•" if item[2] in "-*+" else item[2]
        lead = f"{'  ' * depth}{bullet} "
        body: Line = ((lead, "md.bullet"), *_inline(item[3], base))
        out += wrap(body, width, hang=len(lead))
        return
    if quote := _QUOTE.match(raw):
        for part in wrap(_inline(quote[1], "md.quote"), width - 2):
            out.append((("│ ", "muted"), *part))
        return
    if raw.lstrip().startswith("|"):
        out += chop(((raw, base),), width)
        return
    indent = len(raw) - len(raw.lstrip())
    out += wrap(_inline(raw, base), width, hang=min(indent, 8))


def _code(block: list[str], language: str, width: int) -> list[Line]:
    out: list[Line] = []
    for row in code_lines("\n".join(block), language):
        out += [(("  ", "code"), *part) for part in chop(row, width - 2)] or [EMPTY]
    return out


def _inline(text: str, base: str) -> Line:
    if not any(mark in text for mark in "`*_"):
        return ((text, base),)
    spans: list[Span] = []
    position = 0
    for found in _INLINE.finditer(text):
        if found.start() > position:
            spans.append((text[position : found.start()], base))
        if found["inner"] is not None:
            spans.append((found["inner"], "md.code"))
        elif bold := (found["bold"] or found["bold2"]):
            spans.append((bold, "md.bold"))
        else:
            spans.append((found["italic"] or found["italic2"], "md.italic"))
        position = found.end()
    if position < len(text):
        spans.append((text[position:], base))
    return tuple(spans)
