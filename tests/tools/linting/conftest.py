"""Toolchains for lint tests: this environment's Python tools, and Node where it is found."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.sandbox.cache import cache_dir
from harness.sandbox.toolchain import recipe_digest
from tools.dispatch import LintConfig, ToolHost


@pytest.fixture(scope="session")
def lint_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One cache for all tests; the first lint fills it."""
    return tmp_path_factory.mktemp("lint-cache")


@pytest.fixture(scope="session")
def typescript() -> tuple[str, str]:
    """Node and the folder of typescript.js: those of the installed toolchain, or as named."""
    path = _toolchain()
    node = os.environ.get("PROCTOR_TEST_NODE") or (path and str(path / "bin" / "node"))
    library = os.environ.get("PROCTOR_TEST_TYPESCRIPT") or (path and str(path / "typescript/lib"))
    if not node or not library or not (Path(library) / "typescript.js").is_file():
        reason = "no toolchain with Node and TypeScript: proctor setup bubblewrap"
        if "node" in os.environ.get("PROCTOR_REQUIRE", "").replace(",", " ").split():
            pytest.fail(reason)
        pytest.skip(reason)
    return node, library


def _toolchain() -> Path | None:
    """The toolchain that ``proctor setup bubblewrap`` installed, whichever Python it is for."""
    found = sorted(cache_dir().glob(f"toolchain-{recipe_digest()[:16]}-*/toolchain.json"))
    return found[0].parent if found else None


@pytest.fixture
def python_host(tree: Path, lint_cache: Path) -> Iterator[ToolHost]:
    """The tools with Python linters."""
    config = LintConfig(cache_dir=str(lint_cache), python=sys.executable)
    host = ToolHost(str(tree), "proctor-1", lint_command=config)
    yield host
    host.close()


@pytest.fixture
def typescript_host(
    tree: Path, lint_cache: Path, typescript: tuple[str, str]
) -> Iterator[ToolHost]:
    """The tools with the TypeScript compiler."""
    config = LintConfig(
        cache_dir=str(lint_cache),
        node=typescript[0],
        typescript_lib=typescript[1],
        language="typescript",
    )
    host = ToolHost(str(tree), "proctor-1", lint_command=config)
    yield host
    host.close()
