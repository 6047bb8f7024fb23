"""What a lint needs from the machine it runs on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LintConfig:
    """Paths of the toolchain; None where a language cannot be linted here.

    `python` is an interpreter whose environment has mypy; `ruff` defaults to the program beside
    it. `typescript_lib` is the folder of typescript.js. `cache_dir` lies outside the tree and may
    be read-only when it was seeded (`tools.linting.checker.seed`). `language` decides what a tree
    without any source is told.
    """

    cache_dir: str
    python: str | None = None
    ruff: str | None = None
    node: str | None = None
    typescript_lib: str | None = None
    language: str = "python"
