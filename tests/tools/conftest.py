"""A tree with the tools on it, and a place beside it that nothing may touch."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.dispatch import ToolHost

SECRET = "the secret beside the tree"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """An empty tree; `tmp_path / "outside.txt"` and `tmp_path / "outside/"` lie beside it."""
    root = tmp_path / "tree"
    root.mkdir()
    (tmp_path / "outside.txt").write_text(SECRET)
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "inner.txt").write_text(SECRET)
    return root


@pytest.fixture
def host(tree: Path) -> Iterator[ToolHost]:
    """The tools of proctor-1 on the tree, without linters."""
    made = ToolHost(str(tree), "proctor-1", lint_command=None)
    yield made
    made.close()


@pytest.fixture
def sacb(tree: Path) -> Iterator[ToolHost]:
    """The tools of sacb on the tree, without linters."""
    made = ToolHost(str(tree), "sacb", lint_command=None)
    yield made
    made.close()
