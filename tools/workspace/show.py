"""Text as the model may see it: nothing that steers a terminal, nothing that is not UTF-8."""

from __future__ import annotations

import re
from typing import Final

from tools import caps

# C0 and C1 controls but tab and newline, line separators, marks that reorder text, BOM, surrogates
_HIDDEN: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)


def visible(text: str) -> str:
    """Control characters as escapes (\\x1b, \\u202e); bytes that are no UTF-8 as \\xNN."""
    return _HIDDEN.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if 0xDC80 <= code <= 0xDCFF:  # how surrogateescape keeps a stray byte
        return f"\\x{code - 0xDC00:02x}"
    if match[0] == "\r":
        return "\\r"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def clip_line(line: str) -> str:
    """One line, cut where it is absurdly long."""
    if len(line) <= caps.LINE_CHARS:
        return line
    return f"{line[: caps.LINE_CHARS]} [... {len(line) - caps.LINE_CHARS} more characters]"


def clip_result(text: str) -> str:
    """A whole result, cut at the cap with a notice of what is missing."""
    if len(text) <= caps.RESULT_CHARS:
        return text
    kept = text[: caps.RESULT_CHARS - 120]
    newline = kept.rfind("\n")
    if newline > caps.RESULT_CHARS // 2:
        kept = kept[:newline]
    rest = text[len(kept) :]
    return f"{kept}\n[cut here: {len(rest)} more characters, {len(rest.splitlines())} lines]"


def numbered(lines: list[str], first: int) -> str:
    """Lines with their numbers, made visible and clipped."""
    return "\n".join(
        f"{number:>6}\t{clip_line(visible(line))}" for number, line in enumerate(lines, first)
    )


def count(number: int, noun: str) -> str:
    """A number with its noun: "1 line", "2 lines"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
