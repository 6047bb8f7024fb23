"""TOML files that people write: read with care for what else may lie there, and with the line on
which a key stands, so that a mistake can be pointed at."""

from __future__ import annotations

import os
import re
import stat
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from harness.errors import ConfigError

# No configuration is as large; what is was named by mistake.
_LARGEST = 4 << 20


@dataclass(frozen=True)
class TomlFile:
    """A file's content, and where in it a key stands."""

    path: Path
    text: str
    data: dict[str, Any]

    def where(self, at: tuple[str, ...]) -> str:
        """``path:line`` of a dotted key, the path alone where it does not stand in the file."""
        line = self.line(at)
        return f"{self.path}:{line}" if line else str(self.path)

    def line(self, at: tuple[str, ...]) -> int | None:
        """Line of a dotted key: its table's header, then the key below it; a plain scan, for TOML
        parsers do not keep positions."""
        table: tuple[str, ...] = ()
        best: int | None = None
        for number, text in enumerate(self._lines, 1):
            header = re.match(r"\s*\[+\s*([^\]]+?)\s*\]", text)
            if header:
                table = _dotted(header.group(1))
                if at and table == at[: len(table)]:
                    best = number
                continue
            key = re.match(r"\s*([\w.\"'-]+)\s*=", text)
            if key and (full := table + _dotted(key.group(1))) == at[: len(full)]:
                best = number
                if full == at:
                    return number
        return best

    @cached_property
    def _lines(self) -> list[str]:
        return self.text.split("\n")


def read_toml(path: Path) -> TomlFile:
    """The file at ``path``; a byte order mark is passed over. Raises ConfigError naming line and
    column."""
    content = read_regular(path)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ConfigError(
            "is not UTF-8", where=f"{path}:{line}", remedy="save it as UTF-8"
        ) from None
    try:
        return TomlFile(path, text, tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"at line (\d+), column (\d+)", str(error))
        what = re.sub(r"\s*\(at .*\)$", "", str(error))
        raise ConfigError(
            f"is not valid TOML: {what}",
            where=f"{path}:{place[1]}:{place[2]}" if place else f"{path}, at its end",
            remedy="mend that line",
        ) from None
    except RecursionError:
        raise ConfigError("is nested too deeply", where=str(path)) from None
    except ValueError:  # a number of thousands of digits
        raise ConfigError("holds a number that is too long", where=str(path)) from None


def read_regular(path: Path) -> bytes:
    """The bytes of a regular file; nothing else is waited for. Raises ConfigError."""
    try:
        # without O_NONBLOCK, opening a pipe would wait for its writer
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
        try:
            found = os.fstat(descriptor)
            if not stat.S_ISREG(found.st_mode):
                kind = "a folder" if stat.S_ISDIR(found.st_mode) else "no regular file"
                raise ConfigError(f"is {kind}", where=str(path), remedy="put a text file there")
            if found.st_size > _LARGEST:
                raise ConfigError(
                    f"has {found.st_size >> 20} MiB, which is no configuration", where=str(path)
                )
            with os.fdopen(descriptor, "rb", closefd=False) as file:
                return file.read()
        finally:
            os.close(descriptor)
    except FileNotFoundError:
        what = "is a link that leads nowhere" if path.is_symlink() else "missing"
        raise ConfigError(what, where=str(path)) from None
    except OSError as error:
        raise ConfigError(
            f"cannot be read: {error.strerror}", where=str(path), remedy="check what lies there"
        ) from None


def _dotted(text: str) -> tuple[str, ...]:
    parts = re.findall(r"""\s*("[^"]*"|'[^']*'|[^."']+)\s*""", text)
    return tuple(part.strip().strip("\"'") for part in parts)
