"""The journal's text format: lines to words, words to entries.

Nothing here knows what an entry does; the engine does.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from stockroom.errors import JournalError

_KEY = re.compile(r"([A-Za-z0-9][A-Za-z0-9_.-]*)=")
_IDENT = re.compile(r"[A-Z0-9][A-Z0-9_.-]*")
_PACK = re.compile(r"[a-z][a-z_]*")


@dataclass(frozen=True)
class Entry:
    """One entry: its first line's number, verb, plain words and `key=value` words."""

    line: int
    verb: str
    args: list[str]
    options: dict[str, str]
    free: dict[str, str] = field(default_factory=dict)

    def flag(self, name: str) -> bool:
        """A yes/no option; absent is no."""
        value = self.options.get(name, "no")
        if value not in ("yes", "no"):
            raise JournalError(self.line, f"{name} must be yes or no, not {value!r}")
        return value == "yes"

    def choice(self, name: str, choices: tuple[str, ...]) -> str | None:
        """An option that takes one of a few words; None when absent."""
        value = self.options.get(name)
        if value is not None and value not in choices:
            raise JournalError(self.line, f"{name} must be one of {', '.join(choices)}")
        return value


@dataclass(frozen=True)
class Shape:
    """What a verb takes. `free` is the form of further keys (SKUs, lots, packs)."""

    args: int = 1
    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    free: re.Pattern[str] | None = None


SHAPES: dict[str, Shape] = {
    "item": Shape(2, (), ("unit", "shelf", "class", "minlife", "policy", "reorder")),
    "pack": Shape(1, free=_PACK),
    "location": Shape(1, (), ("kind", "class", "capacity")),
    "date": Shape(1),
    "receive": Shape(1, ("lot", "qty", "at"), ("expires", "supplier", "cost")),
    "make": Shape(1, ("lot", "qty", "at", "use"), ("expires",)),
    "move": Shape(1, ("qty", "from", "to")),
    "scrap": Shape(1, ("qty", "from"), ("reason",)),
    "hold": Shape(1, ("reason",)),
    "release": Shape(1),
    "count": Shape(1, (), ("complete",), free=_IDENT),
    "order": Shape(1, ("customer",), ("policy", "lots", "partial"), free=_IDENT),
    "ship": Shape(1),
    "repick": Shape(1),
    "cancel": Shape(1),
    "return": Shape(1, ("lot", "qty", "to")),
}


def parse(text: str) -> list[Entry]:
    """Read a whole journal; JournalError names the first line that is wrong."""
    return [_entry(number, words) for number, words in _logical_lines(text)]


def _entry(line: int, words: list[tuple[str | None, str]]) -> Entry:
    key, verb = words[0]
    shape = SHAPES.get(verb) if key is None else None
    if shape is None:
        raise JournalError(line, f"unknown entry {verb!r}")
    entry = Entry(line, verb, [], {})
    for name, value in words[1:]:
        if name is None:
            entry.args.append(value)
            continue
        if name in entry.options or name in entry.free:
            raise JournalError(line, f"{name} is given twice")
        if name in shape.required or name in shape.optional:
            entry.options[name] = value
        elif shape.free is not None and shape.free.fullmatch(name):
            entry.free[name] = value
        else:
            raise JournalError(line, f"{verb} has no option {name!r}")
    if len(entry.args) != shape.args:
        raise JournalError(line, f"{verb} takes {shape.args} word(s), got {len(entry.args)}")
    for name in shape.required:
        if name not in entry.options:
            raise JournalError(line, f"{verb} needs {name}=")
    return entry


def _logical_lines(text: str) -> Iterator[tuple[int, list[tuple[str | None, str]]]]:
    """Words of each entry; a line that ends in a backslash goes on in the next one."""
    pending = ""
    first = 0
    for number, raw in enumerate(text.splitlines(), start=1):
        if not pending:
            first = number
        if raw.rstrip().endswith("\\"):
            pending += raw.rstrip()[:-1] + " "
            continue
        words = split_words(first, pending + raw)
        pending = ""
        if words:
            yield first, words
    if pending.strip():
        raise JournalError(first, "the last line ends in a backslash")


def split_words(line: int, text: str) -> list[tuple[str | None, str]]:
    """Split a line into (key or None, value) pairs; `#` at a word's start opens a comment."""
    words: list[tuple[str | None, str]] = []
    position = 0
    while position < len(text):
        if text[position].isspace():
            position += 1
            continue
        if text[position] == "#":
            break
        match = _KEY.match(text, position)
        key = None
        if match is not None:
            key = match.group(1)
            position = match.end()
        value, position = _value(line, text, position)
        words.append((key, value))
    return words


def _value(line: int, text: str, position: int) -> tuple[str, int]:
    """One value from `position`: quoted with backslash escapes, or up to the next space."""
    if position < len(text) and text[position] == '"':
        out: list[str] = []
        position += 1
        while position < len(text):
            char = text[position]
            if char == "\\" and position + 1 < len(text):
                out.append(text[position + 1])
                position += 2
            elif char == '"':
                if position + 1 < len(text) and not text[position + 1].isspace():
                    raise JournalError(line, "a space is missing after a closing quote")
                return "".join(out), position + 1
            else:
                out.append(char)
                position += 1
        raise JournalError(line, "a quote is not closed")
    end = position
    while end < len(text) and not text[end].isspace():
        end += 1
    return text[position:end], end
