"""What a snapshot tells of the tree an episode left."""

from __future__ import annotations

import subprocess
from pathlib import Path

from harness.grading.snapshot import changed_files, snapshot_event, unified_diff
from harness.tasks.task import Tree, TreeFile
from harness.tasks.trees import tree_digest, write_folder
from tests.support.grading import added, python_subject


def edited() -> Tree:
    tree = added(python_subject().gold, {"new.txt": "a\nb", "tests/conftest.py": "x\n"})
    del tree["shop/__init__.py"]
    tree["data.bin"] = TreeFile(b"\0\1")
    tree["link"] = TreeFile(b"", 0o777, "new.txt")
    return tree


def test_changes_name_kind_lines_and_protection() -> None:
    found = {change.path: change for change in changed_files(python_subject(), edited())}
    assert set(found) == {
        "new.txt",
        "tests/conftest.py",
        "shop/__init__.py",
        "shop/prices.py",
        "data.bin",
        "link",
    }
    prices = found["shop/prices.py"]
    assert (prices.kind, prices.added_lines, prices.removed_lines) == ("modified", 1, 1)
    assert (found["new.txt"].kind, found["new.txt"].added_lines) == ("added", 2)
    assert found["shop/__init__.py"].kind == "deleted"
    assert [path for path, change in found.items() if change.protected] == ["tests/conftest.py"]


def test_a_changed_mode_is_a_change() -> None:
    subject = python_subject()
    tree = dict(subject.start)
    tree["shop/prices.py"] = TreeFile(tree["shop/prices.py"].content, 0o755)
    (change,) = changed_files(subject, tree)
    assert (change.kind, change.added_lines) == ("mode", 0)
    assert unified_diff(subject.start, tree) == "mode of shop/prices.py: 644 -> 755\n"


def test_patch_applies_the_diff_to_the_start(tmp_path: Path) -> None:
    subject = python_subject()
    tree = added(subject.gold, {"new.txt": "no newline at the end"})
    write_folder(subject.start, tmp_path)
    diff = unified_diff(subject.start, tree)
    subprocess.run(["patch", "-p1", "-s"], cwd=tmp_path, input=diff.encode(), check=True)
    for path, file in tree.items():
        assert (tmp_path / path).read_bytes() == file.content


def test_digest_sees_content_mode_links_and_empty_folders() -> None:
    base: Tree = {"a": TreeFile(b"x")}
    others: list[Tree] = [
        {"a": TreeFile(b"y")},
        {"b": TreeFile(b"x")},
        {"a": TreeFile(b"x", 0o755)},
        {"a": TreeFile(b"", 0o777, "x")},
        {"a": TreeFile(b"x"), "d/": TreeFile(b"", 0o755)},
    ]
    assert len({tree_digest(tree) for tree in [base, *others]}) == 6
    assert tree_digest(dict(base)) == tree_digest(base)


def test_the_event_counts_files_and_bytes() -> None:
    subject = python_subject()
    event = snapshot_event(subject, {**subject.start, "empty/": TreeFile(b"", 0o755)})
    assert event.files == len(subject.start) and event.changes == [] and event.diff == ""
    assert event.bytes == sum(len(file.content) for file in subject.start.values())
