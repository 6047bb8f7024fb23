"""Glob patterns on paths."""

from __future__ import annotations

import pytest

from tools.outcome import ToolError
from tools.workspace.globs import compile_glob


@pytest.mark.parametrize(
    ("glob", "path", "matches"),
    [
        ("*.py", "a.py", True),
        ("*.py", "pkg/sub/a.py", True),
        ("*.py", "a.pyc", False),
        ("pkg/*.py", "pkg/a.py", True),
        ("pkg/*.py", "pkg/sub/a.py", False),
        ("pkg/**/*.py", "pkg/sub/deep/a.py", True),
        ("pkg/**/*.py", "pkg/a.py", True),
        ("**/test_*", "tests/test_a.py", True),
        ("pkg/**", "pkg/sub/a", True),
        ("*.{ts,tsx}", "src/a.tsx", True),
        ("*.{ts,tsx}", "src/a.js", False),
        ("[!a]?.py", "bc.py", True),
        ("[a-c].py", "d.py", False),
        ("./a.py", "a.py", True),
        ("a.py", "aXpy", False),
        ("a+(b).py", "a+(b).py", True),
    ],
)
def test_matching(glob: str, path: str, matches: bool) -> None:
    assert bool(compile_glob(glob).fullmatch(path)) is matches


@pytest.mark.parametrize("glob", ["[a", "{a,b", "*" * 50, "a" * 500])
def test_bad_globs_are_explained(glob: str) -> None:
    with pytest.raises(ToolError, match="glob"):
        compile_glob(glob)
