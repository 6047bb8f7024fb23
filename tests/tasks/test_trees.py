"""Trees survive packing, folders and patches exactly."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.errors import ConfigError, SandboxError
from harness.tasks.patch import apply_patch, count_hunks
from harness.tasks.task import Tree, TreeFile
from harness.tasks.trees import pack, read_folder, tree_digest, unpack, write_folder

MIXED: Tree = {
    "a/b.bin": TreeFile(b"\0\xff", 0o644),
    "a/run.sh": TreeFile(b"#!/bin/sh\n", 0o755),
    "a/to": TreeFile(b"", 0o777, "b.bin"),
    "empty/": TreeFile(b"", 0o755),
    "ü n/x": TreeFile("é\r\n".encode(), 0o644),
}


def test_a_tree_survives_an_archive() -> None:
    assert unpack(pack(MIXED)) == dict(sorted(MIXED.items()))
    assert pack(MIXED) == pack(dict(reversed(MIXED.items())))


def test_a_tree_survives_a_folder(tmp_path: Path) -> None:
    write_folder(MIXED, tmp_path)
    assert tree_digest(read_folder(tmp_path)) == tree_digest(MIXED)


def test_archives_of_other_programs_are_read(tmp_path: Path) -> None:
    write_folder(MIXED, tmp_path / "tree")
    archive = tmp_path / "x.tar"
    subprocess.run(["tar", "-C", tmp_path / "tree", "-cf", archive, "."], check=True)
    assert tree_digest(unpack(archive.read_bytes())) == tree_digest(MIXED)


def test_a_damaged_archive_is_an_error_of_the_box() -> None:
    with pytest.raises(SandboxError):
        unpack(pack(MIXED)[:700])


LINES = st.lists(st.sampled_from(["a", "b", "", "  c", "d\r", "é"]), max_size=12)


@given(before=LINES, after=LINES, newline=st.booleans())
def test_a_patch_gives_what_it_was_made_from(
    before: list[str], after: list[str], newline: bool
) -> None:
    import difflib

    old = "".join(f"{line}\n" for line in before)
    new = "\n".join(after) + ("\n" if newline and after else "")
    if old == new or not old or not new:
        return
    keep = [line + "\n" for line in old.split("\n")[:-1]]
    want = new.split("\n")
    lines = [line + "\n" for line in want[:-1]] + ([want[-1]] if want[-1] else [])
    parts = list(difflib.unified_diff(keep, lines, "a/f", "b/f", n=1))
    text = "".join(p if p.endswith("\n") else f"{p}\n\\ No newline at end of file\n" for p in parts)
    result = apply_patch({"f": TreeFile(old.encode())}, text, "p")
    assert result["f"].content.decode() == new


ADD = "--- /dev/null\n+++ b/new\n@@ -0,0 +1,2 @@\n+x\n+y\n"
DELETE = "--- a/old\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-z\n"


def test_files_are_added_and_deleted() -> None:
    tree: Tree = {"old": TreeFile(b"z\n")}
    result = apply_patch(tree, ADD + DELETE, "p")
    assert result == {"new": TreeFile(b"x\ny\n")}
    assert count_hunks(ADD + DELETE, "p") == 2
    assert apply_patch(tree, ADD + DELETE, "p", skip=frozenset({1})).keys() == {"new", "old"}


@pytest.mark.parametrize(
    ("tree", "patch", "said"),
    [
        ({"new": TreeFile(b"")}, ADD, "gold has it"),
        ({}, DELETE, "no such file"),
        ({"old": TreeFile(b"z\nmore\n")}, DELETE, "lines would remain"),
        ({"old": TreeFile(b"\xff")}, DELETE, "not a text file"),
        ({"old": TreeFile(b"", 0o777, "x")}, DELETE, "no such file"),
        ({"old": TreeFile(b"y\n")}, DELETE, "old line 1: hunk 1 expects 'z"),
        ({"old": TreeFile(b"z\n")}, DELETE + DELETE, "old: is changed twice"),
        ({}, "nothing here\n", "no unified diff; it begins with 'nothing here'"),
        ({}, "", "is empty"),
        ({}, "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n 1\n", "x hunk 1"),
        ({}, "--- /dev/null\n+++ b/../x\n@@ -0,0 +1 @@\n+a\n", "leads out of the tree"),
    ],
)
def test_a_patch_that_does_not_fit_says_why(tree: Tree, patch: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        apply_patch(tree, patch, "p")
