"""Typed values as lines of JSON and back, whatever bytes a model put into them."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

from harness.errors import StorageError
from harness.store.faults import storage_error

T = TypeVar("T")

# pydantic gives up on values nested deeper than about 250; a model can send such arguments.
_DEEPEST = 100


def encode(value: BaseModel) -> bytes:
    """One line: ASCII JSON (lone surrogates survive as escapes) and a newline."""
    try:
        text = value.model_dump_json()
        if text.isascii():
            return text.encode("ascii") + b"\n"
        return _line(value.model_dump(mode="json"))
    except (PydanticSerializationError, ValueError, RecursionError):
        return _line(_plain(value, 0))


def decode(line: bytes, adapter: TypeAdapter[T]) -> T:
    """The value of one line. Raises ValueError when it is none."""
    try:
        return adapter.validate_json(line)
    except ValidationError:
        pass  # the fast parser refuses lone surrogates and deep nesting, which are no damage
    try:
        return adapter.validate_python(json.loads(line))
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        raise ValueError(f"{field}: {first['msg']}"[:500]) from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except ValueError:  # no text, or no JSON
        raise ValueError("it is no JSON") from None


def read_lines(path: Path, offset: int = 0, length: int | None = None) -> Iterator[bytes]:
    """Whole lines of a file, or of a part of it; what a kill tore off at the end is left out.

    Raises StorageError.
    """
    try:
        with path.open("rb") as file:
            file.seek(offset)
            left = length
            for line in file:
                if left is not None:
                    left -= len(line)
                    if left < 0:
                        return
                if not line.endswith(b"\n"):
                    return
                yield line
    except OSError as error:
        raise storage_error(error, path) from error


def read_values(
    path: Path, adapter: TypeAdapter[T], offset: int = 0, length: int | None = None
) -> Iterator[T]:
    """Values of whole lines. Raises StorageError naming the line that cannot be read."""
    for number, line in enumerate(read_lines(path, offset, length), start=1):
        try:
            yield decode(line, adapter)
        except ValueError as error:
            raise StorageError(
                f"line {number} cannot be read: {str(error)[:200]}",
                where=str(path),
                remedy="the file was changed or damaged after it was written",
            ) from None


def _line(plain: Any) -> bytes:
    text = json.dumps(plain, separators=(",", ":"), allow_nan=False)
    return text.encode("ascii") + b"\n"


def _plain(value: Any, depth: int) -> Any:
    if depth > _DEEPEST:
        return "[nested too deeply to be stored]"
    if isinstance(value, BaseModel):
        fields = type(value).model_fields
        return {name: _plain(getattr(value, name), depth + 1) for name in fields}
    if isinstance(value, dict):
        return {str(key): _plain(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(item, depth + 1) for item in value]
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, float) and not math.isfinite(value):
        # JSON has no such numbers; as texts they are read back as what they were.
        return {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}[str(value)]
    if value is None or isinstance(value, str | int | float | bool):
        return value
    return repr(value)[:1000]
