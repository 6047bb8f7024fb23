"""How a program in a box hears and answers: JSON on descriptor 3, JSON lines on descriptor 4."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

CONFIG_FD = 3
RESULTS_FD = 4

Emit = Callable[[dict[str, Any]], None]


def read_config(fd: int = CONFIG_FD) -> dict[str, Any]:
    """The configuration, read to its end. Raises ValueError when it is not a JSON object."""
    with os.fdopen(fd, "rb") as stream:
        config = json.loads(stream.read())
    if not isinstance(config, dict):
        raise ValueError("the configuration is not a JSON object")
    return config


def emitter(fd: int = RESULTS_FD) -> Emit:
    """A function that writes one result line. It keeps its own references, so that code under
    test which patches ``os`` or ``json`` by accident does not lose results."""
    write, encode = os.write, json.JSONEncoder(ensure_ascii=True).encode

    def emit(result: dict[str, Any]) -> None:
        data = encode(result).encode("ascii") + b"\n"
        while data:
            data = data[write(fd, data) :]

    return emit


def clip(text: str, limit: int) -> str:
    """``text`` cut to ``limit`` characters in its middle: a failure's end says most."""
    if len(text) <= limit:
        return text
    head = limit // 3
    return f"{text[:head]}\n[... {len(text) - limit} characters cut ...]\n{text[head - limit :]}"


def toolchain(config: dict[str, Any]) -> dict[str, str]:
    """Paths of the toolchain: ``config["toolchain"]``, else the manifest that the box holds."""
    given = config.get("toolchain")
    if isinstance(given, dict):
        return given
    from tools.box.layout import MANIFEST

    try:
        found = json.loads(Path(MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
