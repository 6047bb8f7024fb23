"""Untrusted text made safe to show: what acts on a terminal, or hides, becomes a visible escape."""

from __future__ import annotations

import re
import unicodedata

# Models' replies and tools' output are long; what a pane shows of one text is not.
LIMIT = 100_000
# Real scripts stack a few marks on a letter; floods of them smear over the lines around.
_MARKS_IN_A_ROW = 4

_UNSAFE = re.compile(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 but tab and newline, DEL, C1
    "\xad\u034f\u061c\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2"  # soft hyphen, joiner, formats
    "\u115f\u1160\u17b4\u17b5\u180b-\u180f"  # fillers and selectors without a shape
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f"  # zero width, separators, bidi
    "\u2800\u3164\ufeff\uffa0\ufff0-\ufffb"  # blanks that look like spaces, annotation
    "\ud800-\udfff\ufe00-\ufe0f"  # lone surrogates, variation selectors
    "\U000110bd\U000110cd\U00013430-\U0001345f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff"  # tags, selectors
    "]"
)


def safe(text: str, limit: int = LIMIT) -> str:
    """``text`` for a terminal: newlines and tabs stay, CRLF becomes a newline, the rest that is
    not plainly visible is written as an escape. At most about ``limit`` characters, then a note.
    """
    cut = len(text) - limit
    if cut > 0:
        text = text[:limit]
    if not text.isascii() or not text.isprintable():
        text = text.replace("\r\n", "\n")
        text = _UNSAFE.sub(_escape, text)
        if not text.isascii():
            text = _thin_marks(text)
    return f"{text}\n[{cut} more characters]" if cut > 0 else text


def safe_line(text: str, limit: int = 200) -> str:
    """``text`` on one line: newlines and tabs are shown too."""
    shown = safe(text[: limit + 1], limit + 1).replace("\n", "\\n").replace("\t", "\\t")
    return shown if len(shown) <= limit else shown[: max(0, limit - 1)] + "…"


def safe_bytes(content: bytes, limit: int = LIMIT) -> str:
    """Bytes for a terminal: UTF-8 where it is that, escapes where it is not."""
    text = content[: 4 * limit].decode("utf-8", "surrogateescape")
    if len(content) > 4 * limit and len(text) <= limit:
        return f"{safe(text, limit)}\n[{len(content) - 4 * limit} more bytes]"
    return safe(text, limit)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code == 0x0D:
        return "\\r"
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"  # a byte that is no UTF-8
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _thin_marks(text: str) -> str:
    """Keep the first few combining marks in a row, count the rest."""
    out: list[str] = []
    run = 0
    for char in text:
        if char > "\u02ff" and unicodedata.category(char)[0] == "M":
            run += 1
            if run <= _MARKS_IN_A_ROW:
                out.append(char)
            continue
        if run > _MARKS_IN_A_ROW:
            out.append(f"[+{run - _MARKS_IN_A_ROW} marks]")
        run = 0
        out.append(char)
    if run > _MARKS_IN_A_ROW:
        out.append(f"[+{run - _MARKS_IN_A_ROW} marks]")
    return "".join(out)
