"""Who plants defects in which language; parsers are loaded when a language is asked for."""

from __future__ import annotations

import importlib
from functools import cache

from harness.tasks.mutate.plant import Kind, Plant
from harness.tasks.task import Language

_MODULES: dict[Language, str] = {
    "python": "harness.tasks.mutate.python",
    "typescript": "harness.tasks.mutate.typescript",
}
ENDINGS: dict[Language, tuple[str, ...]] = {"python": (".py",), "typescript": (".ts", ".mts")}


@cache
def kinds(language: Language) -> dict[str, Kind]:
    """The kinds of defects of a language by name, in a fixed order."""
    found: tuple[Kind, ...] = importlib.import_module(_MODULES[language]).KINDS
    return {kind.name: kind for kind in found}


def plants(language: Language, path: str, text: str) -> list[Plant]:
    """Every defect that could be planted in a file, in a fixed order; none for a file that does
    not parse."""
    found: list[Plant] = importlib.import_module(_MODULES[language]).plants(path, text)
    return found
