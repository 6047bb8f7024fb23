"""Any call with any arguments on any tree: an answer in words, and nothing outside touched."""

from __future__ import annotations

import os
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.fuzz.effort import examples
from tests.fuzz.values import NUMBERS, TEXTS, VALUES
from tools import caps
from tools.dispatch import ToolHost
from tools.schema import NAMES, PROTOCOLS

SECRET = "the secret beside the tree"
PLACES = (
    "a.py", "crlf.txt", "long.txt", "binary", "bom.txt", "empty", "pkg", "pkg/mod.py", "pkg/deep/x",
    "link", "folder-link", "out", "out-folder", "dangling", "loop", "fifo", "socket", "no-read",
    "new.py", "pkg/new/far.py", "", ".", "..", "/", "../outside.txt", "a.py/b", "a.py/../a.py",
    "./pkg//mod.py", "pkg/", "~", "-rf", "a\0b", "a\nb", "\ud800", "é", "/proc/self/environ",
)  # fmt: skip
NAMES_OF_PARTS = st.lists(st.sampled_from([*PLACES, "..", "."]), min_size=1, max_size=4)
PATHS = st.one_of(st.sampled_from(PLACES), NAMES_OF_PARTS.map("/".join), TEXTS)
PATTERNS = st.one_of(
    TEXTS,
    st.sampled_from(["(a+)+$", "(", "[", "\\", "(?P<a>", "a{99999}", "(?i)ß", ".*" * 40, "(?s).*"]),
)
LINES = st.one_of(st.integers(-3, 500), NUMBERS, st.sampled_from(["1", "x", "1e3", 2.0, "٣", None]))
ARGUMENTS: dict[str, st.SearchStrategy[Any]] = {
    "path": PATHS,
    "start_line": LINES,
    "end_line": LINES,
    "new_text": TEXTS,
    "old_text": st.one_of(TEXTS, st.sampled_from(["a", "\n", "line 3", "\r\n", ""])),
    "replace_all": st.one_of(st.booleans(), VALUES),
    "content": st.one_of(TEXTS, st.just("x" * (caps.WRITE_BYTES + 1))),
    "pattern": PATTERNS,
    "glob": st.one_of(TEXTS, st.sampled_from(["*.py", "**", "[", "[!", "a" * 500, "***/" * 9])),
    "summary": TEXTS,
}
CALLS = st.tuples(
    st.one_of(st.sampled_from(NAMES), VALUES),
    st.one_of(
        st.fixed_dictionaries({}, optional=ARGUMENTS),
        st.dictionaries(st.sampled_from([*ARGUMENTS, "other"]), VALUES, max_size=4),
        VALUES,
    ),
)


def plant(root: Path) -> None:
    """One of everything that a tree can hold."""
    (root / "a.py").write_text("a = 1\n" * 3)
    (root / "crlf.txt").write_bytes(b"one\r\ntwo\nthree\rfour")
    (root / "long.txt").write_text("x" * 100_000 + "\n" + "line\n" * 2_000)
    (root / "binary").write_bytes(bytes(range(256)))
    (root / "bom.txt").write_bytes(b"\xef\xbb\xbfa\n\xff\xfe\n")
    (root / "empty").write_bytes(b"")
    (root / "pkg" / "deep").mkdir(parents=True)
    (root / "pkg" / "mod.py").write_text("import a\n")
    (root / "pkg" / "deep" / "x").write_text("x")
    (root / "link").symlink_to("pkg/mod.py")
    (root / "folder-link").symlink_to("pkg")
    (root / "out").symlink_to("../outside.txt")
    (root / "out-folder").symlink_to("..")
    (root / "dangling").symlink_to("nowhere")
    (root / "loop").symlink_to("loop")
    (root / "no-read").write_text("x")
    (root / "no-read").chmod(0)
    os.mkfifo(root / "fifo")
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(root / "socket"))


def beside(folder: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file()}


@pytest.fixture
def trees() -> Iterator[Any]:
    """Freshly planted trees, each in a folder with a secret beside it."""
    with tempfile.TemporaryDirectory(dir="/tmp") as root:
        count = iter(range(10**9))

        def fresh() -> Path:
            folder = Path(root) / str(next(count)) / "tree"
            folder.mkdir(parents=True)
            (folder.parent / "outside.txt").write_text(SECRET)
            plant(folder)
            return folder

        yield fresh


@examples(120)
@given(st.sampled_from(PROTOCOLS), st.lists(CALLS, min_size=1, max_size=5))
@example("proctor-1", [("read_file", {"path": "a.py", "start_line": 10**4000})])
@example(
    "proctor-1",
    [("edit_lines", {"path": "a.py", "start_line": "9" * 5000, "end_line": 1, "new_text": ""})],
)
@example("proctor-1", [("write_file", {"path": "\ud800", "content": "\udfff"})])
@example("proctor-1", [("search", {"pattern": "(a|a)*$", "path": "long.txt"})])
@example("proctor-1", [("search", {"pattern": "a", "glob": "[" * 300})])
@example("proctor-1", [("write_file", {"path": "/".join(["d"] * 101), "content": ""})])
def test_any_calls_are_answered_and_stay_inside(
    trees: Any, protocol: str, calls: list[tuple[Any, Any]]
) -> None:
    root = trees()
    outside = beside(root.parent)
    host = ToolHost(str(root), protocol, lint_command=None)
    try:
        for name, arguments in calls:
            outcome = host.call(name, arguments)
            assert not outcome.internal, (name, arguments, outcome.text)
            assert len(outcome.text) <= caps.RESULT_CHARS
            assert SECRET not in outcome.text
            outcome.text.encode()
            if outcome.is_error:
                assert outcome.text.startswith("Error:") and not outcome.delta
            for change in outcome.delta:
                assert not change.path.startswith("/") and ".." not in change.path.split("/")
                held = root / change.path
                assert held.read_bytes() == change.content if change.after else not held.exists()
    finally:
        host.close()
    assert beside(root.parent) == outside
    assert [p.name for p in root.rglob(".*.tmp")] == []
