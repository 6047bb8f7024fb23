"""How much room text takes on a terminal: columns, not characters."""

import unicodedata

JOINER = "\u200d"
WIDE_SELECTOR = "\ufe0f"


def char_width(char: str) -> int:
    """Columns of one character: 0, 1 or 2."""
    if unicodedata.category(char) in ("Mn", "Me", "Cf", "Cc"):
        return 0
    if "\u1160" <= char <= "\u11ff":
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1


def clusters(text: str) -> list[str]:
    """The text in units that must not be torn apart."""
    found: list[str] = []
    for char in text:
        if found and (char_width(char) == 0 or found[-1].endswith(JOINER)):
            found[-1] += char
        else:
            found.append(char)
    return found


def cluster_width(cluster: str) -> int:
    if WIDE_SELECTOR in cluster:
        return 2
    return char_width(cluster[0])


def width(text: str) -> int:
    """Columns of a text."""
    if text.isascii() and text.isprintable():
        return len(text)
    return sum(cluster_width(cluster) for cluster in clusters(text))


def cut(text: str, room: int) -> tuple[str, str]:
    """The longest beginning that fits into ``room`` columns, and the rest."""
    used = 0
    head = ""
    for cluster in clusters(text):
        used += cluster_width(cluster)
        if used > room:
            break
        head += cluster
    return head, text[len(head) :]


def pad(text: str, room: int, align: str = "left") -> str:
    """The text filled up with spaces; text that is too wide stays as it is."""
    spare = max(room - width(text), 0)
    if align == "right":
        return " " * spare + text
    if align == "center":
        before = spare // 2
        return " " * before + text + " " * (spare - before)
    return text + " " * spare


def shorten(text: str, room: int, mark: str = "…") -> str:
    """The text, or as much of it as fits with ``mark`` at its end."""
    if width(text) <= room:
        return text
    head, _ = cut(text, max(room - width(mark), 0))
    return head.rstrip() + mark


def expand_tabs(text: str, every: int = 8) -> str:
    """Tabs replaced by spaces up to the next column that ``every`` divides."""
    parts = text.split("\t")
    line = parts[0]
    for part in parts[1:]:
        line += " " * (every - width(line) % every) + part
    return line
