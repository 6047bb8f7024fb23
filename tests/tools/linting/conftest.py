"""Toolchains for lint tests: this environment's Python tools, and Node where it is found."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.dispatch import LintConfig, ToolHost


@pytest.fixture(scope="session")
def lint_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One cache for all tests; the first lint fills it."""
    return tmp_path_factory.mktemp("lint-cache")


@pytest.fixture
def typescript() -> tuple[str, str]:
    """Node and the folder of typescript.js; the test is skipped where they are not named."""
    node = os.environ.get("PROCTOR_TEST_NODE") or shutil.which("node")
    library = os.environ.get("PROCTOR_TEST_TYPESCRIPT")
    if not node or not library or not (Path(library) / "typescript.js").is_file():
        reason = "PROCTOR_TEST_NODE and PROCTOR_TEST_TYPESCRIPT name no Node and TypeScript"
        if "node" in os.environ.get("PROCTOR_REQUIRE", "").replace(",", " ").split():
            pytest.fail(reason)
        pytest.skip(reason)
    return node, library


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
